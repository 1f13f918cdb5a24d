"""Hold what a case expects against the records. Every check returns what is wrong, in words; nothing where it holds."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from evals.expecting import Expect, OrderRow, Promise, Queued, ToolUse
from evals.seen import Seen
from routing.facts import Commitment
from routing.values import compact, flat
from tools.registry import TOOLS
from tools.wording import address_text

Json = dict[str, Any]
Problems = list[str]
_ENDED_WELL = ("replied", "nothing_due")
_DECLINE = "not_mine"


def problems(expected: Expect, seen: Seen) -> Problems:
    """Return what does not hold."""
    return [
        *_ended(seen),
        *_tools(expected, seen),
        *_effects(expected, seen),
        *_offers(expected.offers, seen),
        *_promise(expected.promise, seen.promises, seen),
        *_queue(expected.queue, seen),
        *(["a person was called"] if expected.no_queue and seen.items else []),
        *_order(expected.order, seen),
        *_facts(expected.facts, seen),
        *([f"the audit has no {expected.audit}"] if expected.audit and expected.audit not in seen.rules else []),
        *_words(expected, seen),
    ]


def declined(seen: Seen) -> tuple[str, ...]:
    """Return the reasons that specialists declared for what is not theirs."""
    return tuple(str(c["args"].get("reason")) for c in seen.calls if c["name"] == _DECLINE and c["outcome"] == "ok")


def declining(expected: Expect, seen: Seen, *, agent: str) -> Problems:
    """Return what is wrong with what the specialist passed on, or kept."""
    reasons = declined(seen)
    if not expected.declines:
        return [f"declined ({', '.join(reasons)}) what is its own"] if reasons else []
    if set(reasons) & set(expected.declines):
        return [f"used {name} on what is not its own" for name in _written(agent, seen)]
    return [f"declared {', '.join(reasons) or 'nothing'}; right would be {' or '.join(expected.declines)}"]


def _written(agent: str, seen: Seen) -> list[str]:
    return [
        call["name"]
        for call in seen.calls
        if call["agent"] == agent and call["outcome"] in ("ok", "proposed") and TOOLS[call["name"]].kind == "WRITE"
    ]


def _ended(seen: Seen) -> Problems:
    if not seen.turns:
        return ["no turn"]
    return [f"turn {turn.number} ended as {turn.status}" for turn in seen.turns if turn.status not in _ENDED_WELL]


def _tools(expected: Expect, seen: Seen) -> Problems:
    found = [_told(use, seen.calls) for use in expected.tools if not any(_is(use, call) for call in seen.calls)]
    did = {call["name"] for call in seen.calls if call["outcome"] in ("ok", "proposed")}
    return [*found, *(f"used {name}" for name in expected.unused if name in did)]


def _is(use: ToolUse, call: Json) -> bool:
    return (
        call["name"] == use.name
        and use.outcome in (None, call["outcome"])
        and use.because in (None, call.get("because"))
        and all(_same(call["args"].get(key), value) for key, value in use.args.items())
    )


def _same(found: JsonValue, wanted: JsonValue) -> bool:
    if isinstance(found, str) and isinstance(wanted, str):
        return compact(found) == compact(wanted)
    return found == wanted


def _told(use: ToolUse, calls: Sequence[Json]) -> str:
    made = [f"{c['name']}{c['args']} {c['outcome']} {c.get('because') or ''}".strip() for c in calls]
    wanted = " ".join(str(part) for part in (use.name, use.args or "", use.outcome or "", use.because or "") if part)
    return f"no call {wanted}; there were: {'; '.join(made) or 'none'}"


def _effects(expected: Expect, seen: Seen) -> Problems:
    if expected.declines:
        return []  # what follows is a colleague's work; the one who declines is held to have done nothing
    done = Counter(effect.tool for effect in seen.effects if effect.state == "done")
    opened = Counter(f"{request.kind}:{request.order_id}" for request in seen.requests)
    wrong = [] if done == Counter(expected.effects) else [f"effects {dict(done)}, expected {expected.effects}"]
    if opened != Counter(expected.requests):
        wrong.append(f"new in the shop {sorted(opened.elements())}, expected {sorted(expected.requests)}")
    return wrong


def overdone(expected: Expect, seen: Seen, *, agent: str) -> bool:
    """Tell whether something was done that should not have been."""
    done = Counter(effect.tool for effect in seen.effects if effect.state == "done")
    beyond = bool(_written(agent, seen)) if expected.declines else bool(done - Counter(expected.effects))
    return beyond or bool({call["name"] for call in seen.calls if call["outcome"] == "ok"} & set(expected.unused))


def _offers(pattern: str | None, seen: Seen) -> Problems:
    if pattern is None:
        return []
    waiting = [stored.summary for stored in seen.proposals if stored.status == "pending"]
    held = any(re.search(pattern, flat(summary)) for summary in waiting)
    return [] if held else [f"no action waits that is {pattern!r}; there are: {waiting}"]


def _promise(expected: Promise | None, promises: Sequence[Commitment], seen: Seen) -> Problems:
    if expected is None:
        return []

    def fits(promise: Commitment) -> bool:
        due = promise.due.astimezone(seen.zone).date().isoformat() if promise.due else None
        return (
            (expected.text_has is None or re.search(expected.text_has, flat(promise.text)) is not None)
            and expected.origin in (None, promise.origin)
            and expected.due_on in (None, due)
        )

    return [] if any(map(fits, promises)) else [f"no such promise; on record: {[(p.text, p.origin) for p in promises]}"]


def _queue(expected: Queued | None, seen: Seen) -> Problems:
    if expected is None:
        return []
    found = [(item.kind, item.reason) for item in seen.items]
    held = any(expected.kind in (None, kind) and expected.reason in (None, reason) for kind, reason in found)
    return [] if held else [f"the queue has no {expected.kind or expected.reason}; it has: {found}"]


def _order(expected: OrderRow | None, seen: Seen) -> Problems:
    if expected is None:
        return []
    order = next((o for o in seen.orders if o.id == expected.id), None)
    if order is None:
        return [f"the customer has no order {expected.id}"]
    address = address_text(order.address)
    wrong = [] if expected.status in (None, order.status) else [f"order {order.id} is {order.status}"]
    if expected.address_has is not None and not re.search(expected.address_has, flat(address)):
        wrong.append(f"order {order.id} goes to {address!r}")
    return wrong


def _facts(expected: Mapping[str, str], seen: Seen) -> Problems:
    known = {(fact.key, compact(fact.value)) for fact in seen.facts}
    return [f"no fact {key}={value}" for key, value in expected.items() if (key, compact(value)) not in known]


def _words(expected: Expect, seen: Seen) -> Problems:
    replies = [flat(reply) for reply in seen.replies]
    last = replies[-1] if replies else ""
    wrong = [f"the reply lacks {pattern!r}" for pattern in expected.says if not re.search(pattern, last)]
    wrong += [
        f"no reply says {pattern!r}"
        for pattern in expected.said
        if not any(re.search(pattern, reply) for reply in replies)
    ]
    wrong += [
        f"a reply says {pattern!r}" for pattern in expected.never if any(re.search(pattern, reply) for reply in replies)
    ]
    return [*wrong, f"the last reply was {seen.replies[-1]!r}"] if wrong and seen.replies else wrong
