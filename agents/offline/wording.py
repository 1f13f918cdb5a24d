"""Sentences from what tools answered: a value by name for every `$name` that a reply's template may hold."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agents.offline.phrases import phrase
from agents.offline.scene import Scene
from routing.model import Language
from routing.values import flat

Json = dict[str, Any]
_METHOD_WORDS = {"pix": r"\bpix\b", "card": r"\bcart(?:ao|oes)|\bcard\b|credito", "boleto": r"\bboletos?\b"}


def where(scene: Scene) -> str:
    """Tell where an order is, with what the reading shows and nothing else."""
    view, language = scene.data("lookup_order"), scene.language
    order, products, delivery = str(view["order"]), _products(view), view.get("delivery", {})
    if view["status"] == "delivered":
        return phrase("state_delivered", language, order=order, products=products, on=view["delivered_on"])
    if delivery.get("late") and delivery.get("estimate"):
        parts = [phrase("state_late", language, order=order, products=products, estimate=delivery["estimate"])]
    else:
        parts = [phrase("state_order", language, order=order, products=products, status=view["status_text"])]
    if view["status"] in ("cancelled", "returned"):
        return parts[0]
    if delivery.get("carrier") and delivery.get("tracking"):
        parts.append(phrase("carrier", language, carrier=delivery["carrier"], tracking=delivery["tracking"]))
    elif not delivery.get("shipped_on") and view["status"] != "awaiting_payment":
        parts.append(phrase("not_shipped", language))
    if event := delivery.get("last_event"):
        parts.append(phrase("last_event", language, event=str(event).rstrip(".")))
    if delivery.get("estimate") and not delivery.get("late"):
        parts.append(phrase("estimate", language, estimate=delivery["estimate"]))
    return " ".join(parts)


def standing(scene: Scene) -> str:
    """Tell where an order is, without asking whether a delivered one was received."""
    view = scene.data("lookup_order")
    if view["status"] != "delivered":
        return where(scene)
    named = {"order": view["order"], "products": _products(view), "on": view["delivered_on"]}
    return phrase("standing_delivered", scene.language, **named)


def cancelled(scene: Scene) -> str:
    view = scene.data("lookup_order")
    return phrase("cancelled", scene.language, order=view["order"], products=_products(view))


def protocol(scene: Scene) -> str:
    """Tell the newest protocol: of the briefing's actions, else of the requests on record."""
    actions = [a for a in scene.briefing.actions if a.receipt and a.status == "done"] if scene.briefing else []
    if not actions:
        return requests(scene)
    newest = max(actions, key=lambda action: action.at).receipt
    facts = (
        [f.value for f in scene.briefing.facts if f.key == "receipt" and newest in f.value] if scene.briefing else []
    )
    return facts[0] if facts else phrase("protocol_is", scene.language, protocol=newest)


def address(scene: Scene) -> str:
    view = scene.data("lookup_order")
    return (
        phrase("address", scene.language, order=view["order"], address=view["address"]["text"])
        if "address" in view
        else where(scene)
    )


def charges(scene: Scene) -> str:
    """Tell every charge on record."""
    view, language = scene.data("lookup_order"), scene.language
    found: list[Json] = view["charges"]
    if not found:
        return phrase("charges_none", language, order=view["order"])
    listed = "; ".join(_charge(charge, language) for charge in found)
    key = "charges_one" if len(found) == 1 else "charges_many"
    return phrase(key, language, order=view["order"], charges=listed, n=len(found))


def paid_by(scene: Scene) -> str:
    view = scene.data("lookup_order")
    return phrase("paid_by", scene.language, order=view["order"], method=_method(view))


def refund(scene: Scene) -> str:
    """Tell the state of the money that comes back."""
    view, language = scene.data("lookup_order"), scene.language
    found: list[Json] = view["charges"]
    for status, key in (("refund_pending", "refund_pending"), ("refunded", "refund_done")):
        for charge in found:
            if charge["status"] == status:
                method = charge["method_text"]
                return phrase(key, language, order=view["order"], amount=charge["amount"], method=method)
    return phrase("refund_none", language, order=view["order"], method=_method(view))


def policy(scene: Scene) -> str:
    """Quote the policy, if it was read: its sentences about this order's payment method, and those about none."""
    text = str(scene.data("consult_policy").get("text", ""))
    methods = {charge["method"] for charge in scene.data("lookup_order").get("charges", [])}
    sentences = re.split(r"(?<=[.!?])\s+", text)
    kept = [s for s in sentences if not methods or not (named := _methods_in(s)) or named & methods]
    quoted = " ".join(_only(sentence, methods) for sentence in kept)
    return phrase("policy", scene.language, text=quoted) if quoted else ""


def windows(scene: Scene) -> str:
    view, language = scene.data("lookup_order"), scene.language
    allowed = view.get("allowed", {})
    named = {"order": view["order"], "products": _products(view)}
    if not allowed.get("regret_until"):
        return phrase("windows_not_yet", language, **named)
    until = {key: allowed[f"{key}_until"] for key in ("regret", "exchange", "defect")}
    return phrase("windows", language, **named, **until)


def document(scene: Scene) -> str:
    """Hand out a document exactly as it came."""
    view, language = scene.data("get_document"), scene.language
    kind = view["kind_text"]
    text = phrase("document", language, kind=kind, order=view["order"], number=view["number"], content=view["content"])
    if view.get("due"):
        text += " " + phrase("document_due", language, due=view["due"], amount=view["amount"])
    return text


def requests(scene: Scene) -> str:
    found: list[Json] = scene.data("list_requests").get("requests", [])
    if not found:
        return phrase("requests_none", scene.language)
    lines = [
        phrase("request", scene.language, kind=r["kind_text"], order=r["order"], status=r["status_text"], protocol=r["protocol"])
        for r in found[:4]
    ]  # fmt: skip
    return phrase("requests", scene.language, list="; ".join(lines))


def orders(scene: Scene) -> str:
    found: list[Json] = scene.data("list_orders").get("orders", [])
    if not found:
        return phrase("orders_none", scene.language)
    lines = [
        phrase(
            "order_line", scene.language, order=o["order"], products=", ".join(o["products"]), status=o["status_text"]
        )
        for o in found[:5]
    ]
    return phrase("orders", scene.language, list="; ".join(lines))


def done(scene: Scene) -> str:
    """Say what the receipt of the last WRITE allows."""
    for step in reversed(scene.steps):
        if says := step.result.get("says"):
            return str(says)
        if step.protocol:
            return phrase("protocol", scene.language, protocol=step.protocol)
    return ""


VALUES: Mapping[str, Callable[[Scene], str]] = {
    "where": where, "standing": standing, "cancelled": cancelled, "protocol": protocol,
    "address": address, "charges": charges, "paid_by": paid_by, "refund": refund, "policy": policy,
    "windows": windows, "document": document, "requests": requests, "orders": orders, "done": done,
}  # fmt: skip


def join_options(options: Sequence[str], language: Language) -> str:
    """Join what is offered: "a, b ou c"."""
    if len(options) < 2:
        return "".join(options)
    return ", ".join(options[:-1]) + phrase("or", language) + options[-1]


def _products(view: Json) -> str:
    return ", ".join(str(item["name"]) for item in view.get("items", []))


def _method(view: Json) -> str:
    return " + ".join(dict.fromkeys(str(charge["method_text"]) for charge in view["charges"])) or "-"


def _charge(charge: Json, language: Language) -> str:
    key = "charge_parts" if charge.get("instalments", 1) > 1 else "charge"
    values = {
        "amount": charge["amount"],
        "method": charge["method_text"],
        "on": charge["on"],
        "status": charge["status_text"],
    }
    return phrase(key, language, **values, **({"n": charge["instalments"]} if key == "charge_parts" else {}))


def _methods_in(sentence: str) -> set[str]:
    return {method for method, pattern in _METHOD_WORDS.items() if re.search(pattern, flat(sentence))}


def _only(sentence: str, methods: set[str]) -> str:
    """Of a sentence that lists several methods ("…: Pix em 2 dias; cartão em 2 faturas"), keep the parts about these."""
    parts = sentence.split(";")
    if len(parts) < 2 or not methods:
        return sentence
    kept = [part for part in parts if not _methods_in(part) or _methods_in(part) & methods]
    return ";".join(kept).strip().rstrip(".;") + "." if kept else sentence
