"""What a specialist finds when it takes the conversation: a package as a case writes it, put into stores and state."""

from datetime import datetime, timedelta
from typing import Any, Literal

from psycopg.types.json import Jsonb
from pydantic import ConfigDict, Field

from evals.first_day import CHANNEL, Ground
from graph.checkpoint import hold_checkpoints
from routing.facts import Commitment, CommitmentOrigin, Fact, FactStatus, Hypothesis
from routing.model import Frozen, Language
from routing.pending import OpenTopic, PendingQuestion
from routing.shop import Customer, Receipt, RequestKind
from routing.termination import new_leg
from storage.records import commitments, contacts, conversations, facts
from storage.rows import Connection

Json = dict[str, Any]


class Said(Frozen):
    """A line that was said before."""

    role: Literal["customer", "agent", "person"]
    text: str = Field(min_length=1)


class KnownFact(Frozen):
    """A fact; `minutes_ago` is when it was learned."""

    key: str
    value: str
    entity: str | None = None
    source: str = "customer"
    status: FactStatus = "reported"
    minutes_ago: int = Field(default=5, ge=0)
    max_age_s: int | None = None


class Suspected(Frozen):
    key: str
    value: str
    confidence: float = 0.6
    author: str


class Promised(Frozen):
    """A promise, word for word; `due_days` counts from the first day."""

    text: str
    by: str = "callback"
    origin: CommitmentOrigin
    due_days: int | None = None


class Done(Frozen):
    """An action that was carried out: it is in the ledger and, as a request, in the shop."""

    tool: str
    kind: RequestKind
    order: str
    protocol: str
    item: str | None = None


class FixedPackage(Frozen):
    """The conversation so far. `from` had it last; None: nobody did."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)
    from_: str | None = Field(default=None, alias="from")
    recent_turns: tuple[Said, ...] = ()
    summary: str = ""
    facts: tuple[KnownFact, ...] = ()
    hypotheses: tuple[Suspected, ...] = ()
    commitments: tuple[Promised, ...] = ()
    actions: tuple[Done, ...] = ()
    question: str | None = None
    topics: tuple[str, ...] = ()
    language: Language = "pt"


async def put(ground: Ground, thread_id: str, customer: Customer, package: FixedPackage) -> None:
    """Put a package where the next turn of this conversation finds it: stores, and a checkpoint."""
    services, now = ground.services, ground.services.clock.now()
    held = hold_checkpoints()
    known = [_fact(given, f"f-given-{n}", now) for n, given in enumerate(package.facts)]
    async with services.database.transaction() as conn:
        await conversations.ensure(
            conn, thread_id, customer_id=customer.id, visitor=customer.visitor, channel=CHANNEL, brand=services.shop_name, now=now
        )  # fmt: skip
        await conversations.set_language(conn, thread_id, language=package.language)
        contact = await contacts.open_(conn, thread_id, contact_id=services.new_id("ct"), now=now)
        await facts.save(conn, thread_id, customer.id, known)
        await commitments.save(
            conn, thread_id, customer.id, [_promise(p, f"c-given-{n}", now) for n, p in enumerate(package.commitments)]
        )
        for number, done in enumerate(package.actions):
            await _do(conn, thread_id, done, number, now)
    state = _state(package, known, contact_id=contact.id, leg_id=services.new_id("leg"), now=now)
    await ground.conversation.graph.aupdate_state({"configurable": {"thread_id": thread_id}}, state, as_node="reply")
    async with services.database.transaction() as conn:
        await held.write(conn)


def _state(package: FixedPackage, known: list[Fact], *, contact_id: str, leg_id: str, now: datetime) -> Json:
    by = package.from_
    ago = [now - timedelta(minutes=n) for n in range(len(package.recent_turns), 0, -1)]
    lines = zip(package.recent_turns, ago, strict=True)
    orders = [fact.entity for fact in known if fact.entity and fact.entity.startswith("order:")]
    question = PendingQuestion(by=by, text=package.question) if package.question and by else None
    return {
        "contact_id": contact_id, "current": by, "language": package.language, "summary": package.summary, "turn": 0, "read_to": 0,
        "dialogue": [
            {"id": f"given-{n}", "role": line.role, "author": by if line.role == "agent" else None, "text": line.text, "at": at.isoformat()}
            for n, (line, at) in enumerate(lines)
        ],
        "facts": [fact.model_dump(mode="json") for fact in known],
        "entities": [*dict.fromkeys(reversed(orders))][:3],
        "hypotheses": [
            Hypothesis(key=h.key, value=h.value, confidence=h.confidence, author=h.author, at=now).model_dump(mode="json")
            for h in package.hypotheses
        ],
        "open_topics": [OpenTopic(text=text, at=now - timedelta(minutes=1)).model_dump(mode="json") for text in package.topics],
        "question": question.model_dump(mode="json") if question else None,
        "leg": new_leg(leg_id, origin=by).model_dump(mode="json") if by else None,
        "leg_words": [line.text for line in package.recent_turns if line.role == "customer"],
    }  # fmt: skip


def _fact(given: KnownFact, fact_id: str, now: datetime) -> Fact:
    at = now - timedelta(minutes=given.minutes_ago)
    return Fact(id=fact_id, at=at, turn=0, **given.model_dump(exclude={"minutes_ago"}))


def _promise(given: Promised, commitment_id: str, now: datetime) -> Commitment:
    due = now + timedelta(days=given.due_days) if given.due_days is not None else None
    return Commitment(id=commitment_id, text=given.text, by=given.by, at=now, due=due, origin=given.origin)


async def _do(conn: Connection, thread_id: str, done: Done, number: int, now: datetime) -> None:
    """Write an action as the turn that carried it out left it."""
    receipt = Receipt(protocol=done.protocol, kind=done.kind, at=now, order_id=done.order)
    await conn.execute(
        "insert into effects (id, key, thread_id, turn_id, tool, state, receipt, fence, claimed_at, settled_at)"
        " values (%(id)s, %(id)s, %(thread)s, 'given', %(tool)s, 'done', %(receipt)s, 0, %(now)s, %(now)s)",
        {
            "id": f"given-{number}", "thread": thread_id, "tool": done.tool, "now": now,
            "receipt": Jsonb(receipt.model_dump(mode="json")),
        },
    )  # fmt: skip
    await conn.execute(
        "insert into shop.requests (protocol, kind, order_id, item_id, status, at)"
        " values (%(protocol)s, %(kind)s, %(order)s, %(item)s, 'open', %(now)s)",
        {"protocol": done.protocol, "kind": done.kind, "order": done.order, "item": done.item, "now": now},
    )
