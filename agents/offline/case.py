"""What is being worked on, and how its tool calls are filled in from the customer's words."""

import re
from dataclasses import dataclass, replace
from typing import Any

from agents.offline.addresses import address_parts, city_alone
from agents.offline.orders import Listed, names_only, pick_order
from agents.offline.phrases import phrase
from agents.offline.policy import Call, Intent, OfflinePolicy
from agents.offline.scene import Scene
from agents.offline.slots import amount_in, due_in, reason_in
from agents.offline.spelling import plain
from routing.answers import is_bare_answer, read_answer
from routing.values import flat

Json = dict[str, Any]
_ASKED_REASON = re.compile(
    r"me conte o motivo|preciso do motivo|qual e o defeito|o que aconteceu com|tell me the reason|i need the reason|what is the defect|what happened with"
)
# A wish this short says what is wanted and not why: "quero a troca".
_WISH_WORDS = 4


@dataclass(frozen=True, slots=True)
class Case:
    """What is being worked on: the intent, the customer's words that count (newest first), and the order."""

    scene: Scene
    policy: OfflinePolicy
    intent: Intent
    window: tuple[str, ...]
    order: Listed | None = None


def arguments(case: Case, call: Call) -> Json:
    """Fill in a call's arguments; optional ones that nobody gave are left out."""
    made: Json = {}
    for name, value in call.args.items():
        if value == "$address":
            made |= _address(case)
        elif value.startswith("$"):
            if (filled := _slot(case, value[1:].removesuffix("?"))) is not None:
                made[name] = filled
        else:
            made[name] = value
    return made


def missing(case: Case, call: Call) -> str | None:
    """Return the question for an argument that the customer has to give."""
    scene, wanted = case.scene, call.args.values()
    items = [str(item["name"]) for item in scene.data("lookup_order").get("items", [])]
    order = case.order.id if case.order else ""
    if "$item" in wanted and _item(case) is None:
        return phrase("which_item", scene.language, order=order, items=", ".join(items)) if items else None
    if "$reason" in wanted and _reason(case) is None:
        asked = bool(_ASKED_REASON.search(flat(scene.before)))
        return phrase(
            "ask_reason_again" if asked else "ask_reason",
            scene.language,
            order=order,
            item=_item(case) or ", ".join(items),
        )
    return None


def is_late(scene: Scene) -> bool:
    return bool(scene.data("lookup_order").get("delivery", {}).get("late"))


def _slot(case: Case, name: str) -> str | None:
    scene = case.scene
    match name:
        case "order":
            # A review need not be about an order; its own words or the one under discussion will do.
            chosen = case.order or pick_order(replace(scene, tools={}), case.window, ()).order
            return chosen.id if chosen else None
        case "item":
            return _item(case)
        case "reason":
            return _reason(case)
        case "amount":
            return next((amount for text in case.window if (amount := amount_in(text))), None)
        case "due":
            return due_in(scene)
        case "review":
            return phrase("about_review", scene.language, text=_own_words(scene))
        case "callback":
            return phrase("about_callback", scene.language, text=_own_words(scene))
        case _:
            raise KeyError(name)


def _own_words(scene: Scene) -> str:
    """Return what a person should read: the customer's words, and for a bare yes those that led to our question."""
    led = (said for said in scene.said if not is_bare_answer(said))
    text = next(led, scene.text) if read_answer(scene.text) == "yes" else scene.text
    return " ".join(text.split())[:300]


def _address(case: Case) -> dict[str, str]:
    """Collect the address as the customer gave it, later words over earlier ones; what is done already counts no more."""
    parts: dict[str, str] = {}
    for question, text in _since_done(case.scene):
        city = city_alone(text, question) if question else None
        parts |= address_parts(text) or ({"city": city} if city else {})
    return parts


def _since_done(scene: Scene) -> list[tuple[str, str]]:
    """Return what the customer said after our last message that told of a change, oldest first, each with what we said before."""
    receipts = [a.receipt for a in scene.briefing.actions if a.receipt] if scene.briefing else []
    told = max(
        (n for n, (side, t) in enumerate(scene.earlier) if side == "shop" and any(r in t for r in receipts)), default=-1
    )
    order = next(
        (
            n
            for n, (_, t) in reversed(list(enumerate(scene.earlier)))
            if re.search(r"endereco|address|\bcep\b", flat(t))
        ),
        0,
    )
    start = max(told + 1, min(order, len(scene.earlier)) - 3)
    lines = (*scene.earlier, ("customer", scene.text))
    return [
        (lines[n - 1][1] if n and lines[n - 1][0] == "shop" else "", text)
        for n, (side, text) in enumerate(lines)
        if n >= start and side == "customer"
    ]


def _item(case: Case) -> str | None:
    """Return the item that the words name, or the only one."""
    items = [str(item["name"]) for item in case.scene.data("lookup_order").get("items", [])]
    if len(items) == 1:
        return items[0]
    said = set(re.findall(r"\w{3,}", flat(" ".join((*case.window, *case.scene.said[:3])))))
    named = [name for name in items if said & set(re.findall(r"\w{3,}", flat(name)))]
    return named[0] if len(named) == 1 else None


def _only_wishes(line: str, intent: Intent) -> bool:
    return len(line.split()) <= _WISH_WORDS and any(re.search(pattern, plain(line)) for pattern in intent.when)


def _told(case: Case) -> str | None:
    """Return the first line that says something: a yes, a no, an order or the wish alone is no reason."""
    lines = (line.strip() for line in case.scene.text.splitlines() if not _only_wishes(line, case.intent))
    return next(
        (line for line in lines if re.search(r"[^\W\d_]{2}", line) and not is_bare_answer(line) and not names_only(line)), None
    )  # fmt: skip


def _reason(case: Case) -> str | None:
    scene = case.scene
    if found := next((reason for text in case.window if (reason := reason_in(text))), None):
        return found
    if _ASKED_REASON.search(flat(scene.before)) and (told := _told(case)):
        return told
    return next((reason for text in scene.said[:2] if (reason := reason_in(text))), None)
