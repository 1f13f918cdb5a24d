"""What is being worked on, and how its tool calls are filled in from the customer's words."""

import re
from dataclasses import dataclass, replace
from typing import Any

from agents.offline.addresses import address_parts
from agents.offline.orders import Listed, pick_order
from agents.offline.phrases import phrase
from agents.offline.policy import Call, Intent, OfflinePolicy
from agents.offline.scene import Scene
from agents.offline.slots import amount_in, due_in, reason_in
from routing.answers import read_answer
from routing.values import flat

Json = dict[str, Any]


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
        return phrase("ask_reason", scene.language, order=order, item=_item(case) or ", ".join(items))
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
    text = scene.said[0] if scene.said and read_answer(scene.text) == "yes" else scene.text
    return " ".join(text.split())[:300]


def _address(case: Case) -> dict[str, str]:
    """Collect the address as the customer gave it, later words over earlier ones; what is done already counts no more."""
    parts: dict[str, str] = {}
    for text in (*_since_done(case.scene), case.scene.text):
        parts |= address_parts(text)
    return parts


def _since_done(scene: Scene) -> list[str]:
    """Return the customer's messages after our last message that told of a change that was made, oldest first."""
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
    return [text for side, text in scene.earlier[start:] if side == "customer"]


def _item(case: Case) -> str | None:
    """Return the item that the words name, or the only one."""
    items = [str(item["name"]) for item in case.scene.data("lookup_order").get("items", [])]
    if len(items) == 1:
        return items[0]
    said = set(re.findall(r"\w{3,}", flat(" ".join((*case.window, *case.scene.said[:3])))))
    named = [name for name in items if said & set(re.findall(r"\w{3,}", flat(name)))]
    return named[0] if len(named) == 1 else None


def _reason(case: Case) -> str | None:
    scene = case.scene
    if found := next((reason for text in case.window if (reason := reason_in(text))), None):
        return found
    if re.search(r"motivo|the reason|o que aconteceu|what happened", flat(scene.before)) and scene.text.strip():
        return scene.text.strip()
    return next((reason for text in scene.said[:2] if (reason := reason_in(text))), None)
