"""Hold a scenario's expectations against the records. Every check returns what is wrong, in words; nothing when it holds."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from ops.follow_ups import DUE
from ops.queue import QueueRow
from ops.reading import PackageRow
from routing.facts import Commitment
from routing.values import flat
from scripts.demo_records import Records
from scripts.scenario_expect import (
    DecisionIs,
    Expectation,
    OperatorSees,
    OrderIs,
    PackageHolds,
    PromiseIs,
    QueueHolds,
    ReplyHolds,
    Weekday,
)

Problems = list[str]
_WEEKDAYS: tuple[Weekday, ...] = get_args(Weekday)
_WORD_OF_TURN = "nenhum turno"


def problems(expected: Expectation, seen: Records) -> Problems:
    """Return what does not hold of an expectation."""
    return [f"{name}: {said}" for name in expected.conditions for said in CHECKS[name](getattr(expected, name), seen)]


def _is(expected: Any, found: Any, what: str = "") -> Problems:
    prefix = f"{what} " if what else ""
    return [] if expected is None or expected == found else [f"{prefix}esperado {expected!r}, registrado {found!r}"]


def _in(part: str, whole: str) -> bool:
    return flat(part) in flat(whole)


def _ending(expected: str, seen: Records) -> Problems:
    return _is(expected, seen.turn.status if seen.turn else _WORD_OF_TURN)


def _reply(expected: ReplyHolds, seen: Records) -> Problems:
    said = (seen.turn.reply if seen.turn else None) or ""
    found = [f"falta {part!r}" for part in expected.has if not _in(part, said)]
    found += [f"não devia dizer {part!r}" for part in expected.lacks if _in(part, said)]
    found += _is(expected.asks, said.rstrip().endswith("?"), "termina em pergunta:")
    known = [*(i.protocol for i in seen.baton.items), *(e.protocol for e in seen.baton.effects if e.protocol)]
    found += _is(expected.tells_protocol, any(protocol in said for protocol in known), "diz um protocolo:")
    return [*found, f"a resposta foi {said!r}"] if found else []


def _decision(expected: DecisionIs, seen: Records) -> Problems:
    decision = (seen.turn.decision if seen.turn else None) or {}
    return _is(expected.to, decision.get("target"), "destino:") + _is(
        expected.because, decision.get("reason"), "motivo:"
    )


def _route(expected: Sequence[str], seen: Records) -> Problems:
    return _is(list(expected), [p.to_agent for p in seen.now_passed])


def _package(expected: PackageHolds, seen: Records) -> Problems:
    package = next((p for p in reversed(seen.packages) if expected.to in (None, p.to_agent)), None)
    if package is None:
        return [f"nenhum pacote{f' para {expected.to!r}' if expected.to else ''}"]
    found = _is(expected.from_, package.from_agent, "de:") + _is(expected.because, package.reason, "motivo:")
    found += _pairs(expected.facts, package.body.get("facts", []), "fato")
    found += _pairs(expected.suspicions, package.body.get("hypotheses", []), "suspeita")
    keys = {fact["key"] for fact in package.body.get("facts", [])}
    found += [f"{key!r} está entre os fatos" for key in expected.not_facts if key in keys]
    if expected.carries_promises is not None:
        found += _is(expected.carries_promises, _carries(package, seen.baton.promises), "leva as promessas:")
    return found


def _pairs(expected: Mapping[str, str], rows: Sequence[Mapping[str, Any]], what: str) -> Problems:
    """Return the expected key and value pairs that no row holds."""
    found: Problems = []
    for key, value in expected.items():
        values = [str(row["value"]) for row in rows if row["key"] == key]
        if value not in values:
            found.append(f"{what} {key}={value!r} não está; há {values}")
    return found


def _carries(package: PackageRow, promises: Sequence[Commitment]) -> bool:
    standing = [(p.id, p.text) for p in promises if p.status in ("open", "overdue")]
    carried = [(p["id"], p["text"]) for p in package.body.get("commitments", [])]
    return bool(standing) and all(promise in carried for promise in standing)


def _tools(expected: Mapping[str, str], seen: Records) -> Problems:
    calls = [(str(t["name"]), str(t["outcome"])) for t in seen.turn.tools] if seen.turn else []
    found: Problems = []
    for name, outcome in expected.items():
        outcomes = [o for n, o in calls if n == name]
        if outcome == "never" and outcomes:
            found.append(f"{name} foi usada ({outcomes})")
        if outcome != "never" and outcome not in outcomes:
            found.append(f"{name}: esperado {outcome!r}, registrado {outcomes or 'nada'}")
    return found


def _effects(expected: Mapping[str, int], seen: Records) -> Problems:
    done = Counter(e.tool for e in seen.baton.effects if e.state == "done")
    return [said for tool, count in expected.items() for said in _is(count, done[tool], f"{tool}:")]


def _facts(expected: Mapping[str, str], seen: Records) -> Problems:
    return _pairs(expected, [{"key": f.key, "value": f.value} for f in seen.baton.facts], "fato")


def _not_facts(expected: Sequence[str], seen: Records) -> Problems:
    keys = {fact.key for fact in seen.baton.facts}
    return [f"{key!r} está entre os fatos" for key in expected if key in keys]


def _promise(expected: PromiseIs, seen: Records) -> Problems:
    def fits(promise: Commitment) -> bool:
        due = _WEEKDAYS[promise.due.astimezone(seen.zone).weekday()] if promise.due else None
        return (
            (expected.text_has is None or _in(expected.text_has, promise.text))
            and expected.origin in (None, promise.origin)
            and expected.status in (None, promise.status)
            and expected.due_on in (None, due)
        )

    promises = seen.baton.promises
    return [] if any(map(fits, promises)) else [f"nenhuma assim; há {[(p.text, p.origin, p.status) for p in promises]}"]


def _queue(expected: QueueHolds, seen: Records) -> Problems:
    def fits(item: QueueRow) -> bool:
        return (
            expected.kind in (None, item.kind)
            and expected.reason in (None, item.reason)
            and expected.status in (None, item.status)
            and expected.operator in (None, item.operator)
            and (expected.about_has is None or _in(expected.about_has, item.about or ""))
            and expected.urgent in (None, item.priority >= DUE)
        )

    items = seen.baton.items
    count = sum(map(fits, items))
    if count == expected.count or (expected.count is None and count):
        return []
    wanted = "ao menos um" if expected.count is None else str(expected.count)
    return [f"{wanted} assim, há {count}; na fila: {[(i.kind, i.reason, i.status, i.priority) for i in items]}"]


def _operator_sees(expected: OperatorSees, seen: Records) -> Problems:
    shown = seen.discarded
    found: Problems = []
    if expected.discarded_has is not None and not any(_in(expected.discarded_has, d.text) for d in shown):
        found.append(f"nenhuma resposta descartada diz {expected.discarded_has!r}; há {[d.text for d in shown]}")
    acts = [(e.tool, e.state) for d in shown for e in d.effects]
    if expected.effect is not None and (expected.effect, "done") not in acts:
        found.append(f"nenhuma resposta descartada mostra {expected.effect!r}; há {acts}")
    return found


def _answers(expected: Mapping[str, int], seen: Records) -> Problems:
    last = max((n for n, line in enumerate(seen.lines) if line.role == "customer"), default=-1)
    since = Counter(line.role for line in seen.lines[last + 1 :])
    return [said for role, count in expected.items() for said in _is(count, since[role], f"{role}:")]


def _order(expected: OrderIs, seen: Records) -> Problems:
    order = next((o for o in seen.orders if o.id == expected.id), None)
    if order is None:
        return [f"o cliente não tem o pedido {expected.id!r}"]
    address = f"{order.address.street}, {order.address.number}"
    return [] if _in(expected.address_has, address) else [f"endereço registrado {address!r}"]


def _requests(expected: Mapping[str, int], seen: Records) -> Problems:
    have = Counter(f"{r.kind}:{r.order_id}" for r in seen.requests)
    return [said for what, count in expected.items() for said in _is(count, have[what], f"{what}:")]


def _passed_on(expected: int, seen: Records) -> Problems:
    count = sum(1 for p in seen.packages if p.from_agent is not None)
    return [] if count >= expected else [f"ao menos {expected}, registradas {count}"]


def _turns(expected: int, seen: Records) -> Problems:
    count = seen.turn.number if seen.turn else 0
    return [] if count >= expected else [f"ao menos {expected}, registrados {count}"]


CHECKS: Mapping[str, Callable[[Any, Records], Problems]] = {
    "ending": _ending, "reply": _reply, "decision": _decision, "route": _route, "package": _package, "tools": _tools,
    "effects": _effects, "facts": _facts, "not_facts": _not_facts, "promise": _promise, "queue": _queue,
    "operator_sees": _operator_sees, "answers": _answers, "order": _order, "requests": _requests,
    "passed_on": _passed_on, "turns": _turns,
}  # fmt: skip
