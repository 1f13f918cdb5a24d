"""The words of a reply: what was found, what is asked, what cannot be done, with one short phrase before it where it helps."""

import re
from string import Template

from agents.offline.addresses import address_parts
from agents.offline.case import Case
from agents.offline.orders import Listed, is_given
from agents.offline.phrases import phrase
from agents.offline.policy import Call, OfflinePolicy
from agents.offline.scene import Scene, Step
from agents.offline.slots import method_in
from agents.offline.wording import VALUES, join_options

_GREETING = re.compile(
    r"\s*(?:oi+e?|ola|opa|bom dia|boa tarde|boa noite|e ai|hi|hello|hey|good (?:morning|afternoon|evening))\b"
)
_UPSET = re.compile(
    r"absurdo|palhacada|vergonha|ridicul|pessim|horrivel|decepcion|indignad|raiva|palhac|descaso|inadmissivel|porra|merda|caramba"
    r"|de saco cheio|cansad[oa] de|nao aguento|!!|outrageous|ridiculous|terrible|unacceptable|furious|angry|fed up"
)
# Refusals whose words are for a model; the customer hears these phrases instead.
_FOR_THE_MODEL = {
    "not_grounded": "order_unknown",
    "invalid_arguments": "order_unknown",
    "identity": "prove",
    "waiting": "reading_only",
    "rejected_before": "rejected_before",
    "not_owned": "not_here",
    "not_granted": "not_here",
    "posture": "not_here",
    "one_write": "not_here",
    "write_beside_not_mine": "not_here",
}


def reply(case: Case, key: str) -> str:
    """Fill in a reply. An answer that lacks what it needs (a visitor sees less) leaves only the question."""
    template = Template(case.policy.replies[key].of(case.scene.language))
    try:
        values = {name: VALUES[name](case.scene) for name in template.get_identifiers()}
    except KeyError:
        return help_text(case.scene, case.policy)
    return " ".join(template.substitute(values).split()) or help_text(case.scene, case.policy)


def ground(call: Call, case: Case, step: Step) -> str:
    """Say what was found before an action is put to the customer; a refusal tells its own ground."""
    needs_ground = step.status == "proposed" or call.when == "late"
    return reply(case, call.lead) if call.lead and needs_ground else ""


def not_done(scene: Scene, step: Step, order: Listed | None = None) -> str:
    """Tell an answer that is not a plain ok: to be confirmed, done before, refused, failed."""
    result, language = step.result, scene.language
    match step.status:
        case "proposed":
            summary = result.get("summary") or step.data.get("summary")
            return str(result.get("says") or phrase("confirm", language, summary=summary))
        case "repeated":
            return (
                phrase("repeated", language, protocol=step.protocol) if step.protocol else str(result.get("says", ""))
            )
        case "refused" if (code := str(result.get("code", ""))) in _FOR_THE_MODEL:
            if code == "not_grounded":
                return _ungrounded(scene, step, order)
            return phrase(_FOR_THE_MODEL[code], language)
        case "refused":
            told = joined(str(result.get("because", "")), str(result.get("next", "")))
            return told or phrase("help", language)
        case _:
            return str(result.get("says") or phrase("failed", language))


def _ungrounded(scene: Scene, step: Step, order: Listed | None) -> str:
    """Ask for what stands on nothing yet: the order, by its number; else the address."""
    if order is not None and not is_given(order.id, scene):
        products = ", ".join(order.products) or "-"
        asked = phrase("is_it_order", scene.language, order=order.id, products=products)
        return phrase("type_number", scene.language, order=order.id) if asked in scene.before else asked
    return phrase("address_again" if step.tool == "update_address" else "order_unknown", scene.language)


def difference(case: Case) -> str:
    """Name it when the customer speaks of another method of payment than the order shows."""
    scene = case.scene
    view = scene.data("lookup_order")
    said = method_in(scene.text) or _disputed(scene)
    recorded = {str(charge["method"]): str(charge["method_text"]) for charge in view.get("charges", [])}
    if said is None or not recorded or said in recorded:
        return ""
    return phrase(
        "difference",
        scene.language,
        said=_method_name(said, scene),
        order=view["order"],
        recorded=" + ".join(recorded.values()),
    )


def noted(case: Case) -> str:
    """Tell that an address was read, where something else has to be known before it is used."""
    changes = any(call.tool == "update_address" for call in case.intent.calls)
    return (
        phrase("noted_address", case.scene.language) if changes and "street" in address_parts(case.scene.text) else ""
    )


def which_order(scene: Scene, options: tuple[Listed, ...]) -> str:
    if not options:
        return phrase("order_unknown", scene.language)
    shown = [
        phrase("option", scene.language, order=o.id, products=", ".join(o.products)) if o.products else phrase("option_bare", scene.language, order=o.id)
        for o in options
    ]  # fmt: skip
    return phrase("which_order", scene.language, options=join_options(shown, scene.language))


def help_text(scene: Scene, policy: OfflinePolicy) -> str:
    asked = policy.help.of(scene.language) if policy.help else phrase("help", scene.language)
    return phrase("help_again", scene.language) if asked == scene.before.strip() else asked


def rewritten(scene: Scene, policy: OfflinePolicy) -> str:
    """Asked to write its last reply again without what it was told is unbacked: keep the rest of it."""
    sentences = re.split(r"(?<=[.!?])\s+", scene.before.strip())
    kept = [sentence for sentence in sentences if sentence not in scene.text]
    return " ".join(kept) if 0 < len(kept) < len(sentences) else help_text(scene, policy)


def soothed(scene: Scene, text: str) -> str:
    """Put one short phrase before the reply: sympathy for a customer who is upset, once; else a greeting for a greeting."""
    sorry = phrase("sorry", scene.language)
    if _UPSET.search(scene.flat):
        return text if any(sorry in said for side, said in scene.earlier[-4:] if side == "shop") else f"{sorry} {text}"
    if scene.earlier or not _GREETING.match(scene.flat):
        return text
    first = scene.briefing.customer.name.split(" ")[0] if scene.briefing else ""
    return f"{phrase('hello_name', scene.language, name=first) if first else phrase('hello', scene.language)} {text}"


def joined(*parts: str) -> str:
    return " ".join(part.strip() for part in parts if part.strip())


def _disputed(scene: Scene) -> str | None:
    """Return the customer's method of a conflict that nobody has named to them yet."""
    for conflict in scene.briefing.conflicts if scene.briefing else ():
        customer = re.search(r"customer: ([^;]+)", conflict.text)
        if conflict.key == "payment_method" and customer:
            told = any(
                side == "shop" and re.search(r"consta por|on record as paid", text) for side, text in scene.earlier
            )
            return None if told else method_in(customer.group(1))
    return None


def _method_name(code: str, scene: Scene) -> str:
    return {"pix": "Pix", "card": "card" if scene.language == "en" else "cartão"}.get(code, code)
