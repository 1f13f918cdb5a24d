"""Read a briefing back: for the offline chat model, and as the proof that the format cannot be broken out of."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from routing.model import Frozen
from routing.records import CLOSE, OPEN, Record, read_record


class BriefCustomer(Frozen):
    name: str
    id: str | None
    tier: str | None
    identity: str


class BriefFact(Frozen):
    key: str
    entity: str | None
    value: str
    source: str
    status: str
    at: datetime
    stale: bool = False


class BriefHypothesis(Frozen):
    key: str
    value: str
    author: str
    confidence: float


class BriefCommitment(Frozen):
    id: str
    text: str
    origin: str
    status: str
    due: datetime | None


class BriefAction(Frozen):
    name: str
    receipt: str
    status: str
    at: datetime


class BriefConflict(Frozen):
    key: str
    entity: str | None
    text: str


class BriefQuestion(Frozen):
    text: str
    by: str


class BriefPending(Frozen):
    action: str
    summary: str
    by: str
    at: datetime


class BriefTopic(Frozen):
    text: str
    target: str | None


class Briefing(Frozen):
    """`notes` holds "summary", "now", "queue", "queue_protocol", "from" (the agent) and "from_note"."""

    customer: BriefCustomer
    facts: tuple[BriefFact, ...]
    hypotheses: tuple[BriefHypothesis, ...]
    commitments: tuple[BriefCommitment, ...]
    actions: tuple[BriefAction, ...]
    conflicts: tuple[BriefConflict, ...]
    question: BriefQuestion | None
    pending: BriefPending | None
    topics: tuple[BriefTopic, ...]
    index: dict[str, int]
    notes: dict[str, str]


def parse_briefing(text: str) -> Briefing:
    """Read the last block of a system message. Raises ValueError when there is none, or a line is no record."""
    lines = text.split("\n")
    closes = [number for number, line in enumerate(lines) if line == CLOSE]
    opens = [number for number, line in enumerate(lines) if line == OPEN and closes and number < closes[-1]]
    if not opens:
        raise ValueError("no briefing")
    records = [read_record(line) for line in lines[opens[-1] + 1 : closes[-1]]]
    return _briefing(_each_with_its_origin(records))


def _each_with_its_origin(records: Sequence[Record]) -> list[Record]:
    """Give the facts that follow a `reading` the origin, and the thing, that it names once for so many of them."""
    spelled: list[Record] = []
    reading, left = records[0], 0
    for item in records:
        if item.kind == "reading":
            reading, left = item, int(item.value)
        elif left > 0:
            rest = f"{reading.rest} {item.rest}".strip()
            spelled.append(replace(item, entity=item.entity or reading.entity, rest=rest))
            left -= 1
        else:
            spelled.append(item)
    return spelled


def _briefing(records: list[Record]) -> Briefing:
    def of(kind: str) -> list[Record]:
        return [item for item in records if item.kind == kind]

    question, pending = of("question"), of("pending")
    return Briefing(
        customer=_customer(of("customer")[0]),
        facts=tuple(_fact(item) for item in of("fact")),
        hypotheses=tuple(_hypothesis(item) for item in of("hypothesis")),
        commitments=tuple(_commitment(item) for item in of("commitment")),
        actions=tuple(_action(item) for item in of("action")),
        conflicts=tuple(BriefConflict(key=i.head, entity=i.entity, text=str(i.value)) for i in of("conflict")),
        question=BriefQuestion(text=str(question[0].value), by=question[0].rest) if question else None,
        pending=_pending(pending[0]) if pending else None,
        topics=tuple(BriefTopic(text=str(i.value), target=None if i.head == "-" else i.head) for i in of("topic")),
        index={item.head: int(item.value) for item in of("index")},
        notes=_notes(records),
    )


def _customer(item: Record) -> BriefCustomer:
    who, *pairs = item.rest.split(" ")
    known = dict(pair.split("=", 1) for pair in pairs)
    return BriefCustomer(
        name=str(item.value), id=None if who == "-" else who, tier=known.get("tier"), identity=known["identity"]
    )


def _fact(item: Record) -> BriefFact:
    source, status, at, *flags = item.rest.split(" ")
    return BriefFact(
        key=item.head, entity=item.entity, value=str(item.value), source=source, status=status, at=_time(at),
        stale="stale" in flags,
    )  # fmt: skip


def _hypothesis(item: Record) -> BriefHypothesis:
    author, confidence = item.rest.split(" ")
    return BriefHypothesis(key=item.head, value=str(item.value), author=author, confidence=float(confidence))


def _commitment(item: Record) -> BriefCommitment:
    origin, status, *due = item.rest.split(" ")
    return BriefCommitment(
        id=item.head, text=str(item.value), origin=origin, status=status,
        due=_time(due[0].removeprefix("due=")) if due else None,
    )  # fmt: skip


def _action(item: Record) -> BriefAction:
    status, at = item.rest.split(" ")
    return BriefAction(name=item.head, receipt=str(item.value), status=status, at=_time(at))


def _pending(item: Record) -> BriefPending:
    by, _, at = item.rest.split(" ")
    return BriefPending(action=item.head, summary=str(item.value), by=by, at=_time(at))


def _notes(records: list[Record]) -> dict[str, str]:
    notes: dict[str, str] = {}
    for item in records:
        if item.kind in ("summary", "now", "queue"):
            notes[item.kind] = str(item.value)
            if item.kind == "queue" and item.rest:
                notes["queue_protocol"] = item.rest
        elif item.kind == "from":
            notes["from"], notes["from_note"] = item.head, str(item.value)
    return notes


def _time(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%dT%H:%MZ").replace(tzinfo=UTC)
