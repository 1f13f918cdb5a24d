"""One step of a specialist without a model: the next tool call, or the reply."""

from dataclasses import dataclass, replace
from typing import Any

from agents.offline.asking import unrepeated
from agents.offline.case import Case, arguments, is_late, missing
from agents.offline.matching import Own, asked_for_a_piece, continued, follow_up, foreign_reason, own_intent, tools_used
from agents.offline.orders import is_given, names_only, pick_order
from agents.offline.phrases import phrase
from agents.offline.policy import Call, Intent, OfflinePolicy
from agents.offline.receipts import asked_to_confirm, fresh_receipt
from agents.offline.replies import (
    difference,
    ground,
    help_text,
    joined,
    not_done,
    noted,
    reply,
    rewritten,
    soothed,
    which_order,
)
from agents.offline.scene import Scene
from agents.offline.slots import proofs_in
from routing.answers import is_bare_answer, read_answer

Json = dict[str, Any]
MAX_STEPS = 8
# A colleague's subject must share this many words before a weak intent of one's own gives way to it.
_CLEARLY_FOREIGN = 2


@dataclass(frozen=True, slots=True)
class Say:
    text: str


@dataclass(frozen=True, slots=True)
class Do:
    tool: str
    args: Json


def next_move(scene: Scene, policy: OfflinePolicy, own: Own) -> Say | Do:
    """Decide the next step from the scene alone: the same scene always gives the same step."""
    move = _move(scene, policy, own)
    return Say(unrepeated(scene, move.text)) if isinstance(move, Say) else move


def _move(scene: Scene, policy: OfflinePolicy, own: Own) -> Say | Do:
    if (declared := scene.step("not_mine")) is not None:
        return Say(phrase("help" if declared.status == "refused" else "fine", scene.language))
    if not scene.steps and (told := fresh_receipt(scene)):
        return Say(told)
    if not scene.tools and scene.before:
        return Say(rewritten(scene, policy))
    if len(scene.steps) >= MAX_STEPS:
        return Say(help_text(scene, policy))
    if proof := _proof(scene):
        return proof
    if (verified := scene.step("verify_identity")) is not None and verified.status != "ok":
        return Say(not_done(scene, verified))
    understood = _understood(scene, policy, own)
    if isinstance(understood, Case):
        return _work(understood)
    return understood if understood is not None else Say(soothed(scene, help_text(scene, policy)))


def _understood(scene: Scene, policy: OfflinePolicy, own: Own) -> Case | Do | Say | None:
    """Find what is wanted: an answer to our offer, a subject of one's own, somebody else's, or what was going on."""
    used = tools_used(scene)
    intent = follow_up(scene, policy) or own_intent(scene.text, policy, used)
    if intent and not intent.weak:
        return Case(scene, policy, intent, (scene.text,))
    if (settled := _settled(scene)) is not None:
        return Say(settled)
    going_on = continued(scene, policy, used)
    answers = going_on is not None and asked_for_a_piece(scene.before)
    if "not_mine" in scene.tools and not scene.steps:
        foreign = foreign_reason(scene, own, at_least=_CLEARLY_FOREIGN if intent or answers else 1)
        if foreign is not None:
            return Do("not_mine", {"reason": foreign, "detail": scene.text.strip()[:200]})
    if going_on and (intent is None or answers or _goes_on(scene, going_on[0])):
        return Case(scene, policy, *going_on)
    return Case(scene, policy, intent, (scene.text,)) if intent else None


def _settled(scene: Scene) -> str | None:
    """Return the reply to a bare yes or no that answers nothing we asked: it tries nothing again."""
    before = scene.before
    if not before or asked_for_a_piece(before):
        return None
    if asked_to_confirm(before):
        # After a yes the action itself is told; a no leaves it alone.
        return phrase("fine", scene.language) if _is_no(scene.text) else None
    if read_answer(scene.text) == "yes":
        firm = read_answer(scene.text, weak_counts=False) == "yes"
        return phrase("what_next" if firm else "fine", scene.language)
    return phrase("fine", scene.language) if _is_no(scene.text) else None


def _is_no(text: str) -> bool:
    return is_bare_answer(text) and read_answer(text) == "no"


def _goes_on(scene: Scene, intent: Intent) -> bool:
    """Tell whether an order that is named and nothing else answers our question about the newest wish, and is no subject of its own."""
    return "?" in scene.before and not intent.weak and names_only(scene.text)


def _work(case: Case) -> Say | Do:
    """Go through the intent's needs and calls; stop at the first that asks, calls or cannot go on."""
    scene, intent = case.scene, case.intent
    if any(call.tool not in scene.tools for call in intent.calls if call.when == "always"):
        return Say(soothed(scene, help_text(scene, case.policy)))
    if "order" in intent.needs:
        pick = pick_order(scene, case.window, intent.candidates)
        if pick.listing:
            return Do("list_orders", {})
        if (listed := scene.step("list_orders")) is not None and listed.status != "ok":
            return Say(not_done(scene, listed))
        if pick.order is None:
            return Say(soothed(scene, joined(noted(case), which_order(scene, pick.options))))
        if not is_given(pick.order.id, scene) and "list_orders" in scene.tools and listed is None:
            # A number that only we have said stands on nothing until a listing shows it again.
            return Do("list_orders", {})
        case = replace(case, order=pick.order)
    for call in intent.calls:
        if call.tool not in scene.tools or _left_out(call, scene):
            continue
        if intent.if_cancelled and _is_cancelled(scene):
            break
        if question := missing(case, call):
            return Say(soothed(scene, question))
        args = arguments(case, call)
        step = scene.step(call.tool, args)
        if step is None:
            return Do(call.tool, args)
        if step.status != "ok" and not (call.tool == "consult_policy" and step.status == "refused"):
            return Say(
                soothed(scene, joined(difference(case), ground(call, case, step), not_done(scene, step, case.order)))
            )
    key = intent.if_cancelled if intent.if_cancelled and _is_cancelled(scene) else intent.reply
    return Say(soothed(scene, joined(difference(case), reply(case, key))))


def _is_cancelled(scene: Scene) -> bool:
    return scene.data("lookup_order").get("status") == "cancelled"


def _left_out(call: Call, scene: Scene) -> bool:
    match call.when:
        case "always":
            return False
        case "late":
            return not is_late(scene)
        case "no_receipt":
            return scene.briefing is not None and any(a.receipt and a.status == "done" for a in scene.briefing.actions)


def _proof(scene: Scene) -> Do | None:
    """Use what a visitor gave to prove who they are, once, before anything else is read."""
    anonymous = scene.briefing is not None and scene.briefing.customer.identity == "none"
    if not anonymous or "verify_identity" not in scene.tools or scene.step("verify_identity"):
        return None
    given = proofs_in([scene.text, *scene.said])
    order = pick_order(scene, (scene.text, *scene.said), ()).order
    return Do("verify_identity", {"order": order.id, **given}) if order and len(given) > 1 else None
