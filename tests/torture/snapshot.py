"""What a conversation left behind, without ids and times: two runs of the same story must leave the same."""

import json
from dataclasses import dataclass
from typing import Any

from graph.conversation import Conversation
from routing.package import HandoffPackage
from storage.records import contacts, effects, messages, packages, queue, turns

_TOOL = ("type", "name", "args", "outcome", "by", "agent", "because")
_HANDOFF = ("type", "from", "to", "reason", "hop_count")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that would show an act, a word or a hop that was counted twice."""

    said: list[tuple[str, str | None, str]]
    turns: list[tuple[int, str, str | None, str]]
    trail: list[str]
    packages: list[tuple[int, str | None, str, str, int]]
    contacts: list[tuple[str, str | None, int]]
    effects: list[tuple[str, str, str | None, int]]
    requests: list[tuple[str, str, str]]
    facts: list[tuple[str, ...]]
    proposals: list[tuple[str, str]]
    queued: list[tuple[str, str]]
    audited: list[str]
    checkpoints: int


async def snapshot(conversation: Conversation, thread_id: str, *, customer_id: str = "c1") -> Snapshot:
    services = conversation.services
    async with services.database.connection() as conn:
        rows = await turns.trail(conn, thread_id)
        number = {turn.id: turn.number for turn in rows}
        said = await messages.history(conn, thread_id)
        passed = await packages.of_thread(conn, thread_id)
        done = await effects.of_thread(conn, thread_id)
        queued = await queue.of_thread(conn, thread_id)
        contact = await contacts.last_of(conn, thread_id)

        async def many(query: Any) -> list[tuple[str, ...]]:
            found = await (await conn.execute(query, {"thread": thread_id})).fetchall()
            return [tuple(str(value) for value in row.values()) for row in found]

        facts = await many(
            "select key, entity, value, source, status, turn from facts where thread_id = %(thread)s order by 1, 2, 3, 4, 6"
        )
        proposals = await many("select tool, status from proposals where thread_id = %(thread)s order by asked_at")
        audited = await many("select rule from audit where thread_id = %(thread)s order by id")
        saved = await many("select checkpoint_id from checkpoints where thread_id = %(thread)s")
    requests = await services.shop.requests(customer_id)
    return Snapshot(
        said=[(m.role, m.author, m.text) for m in said],
        turns=[(t.number, t.status, (t.decision or {}).get("reason"), t.reply or "") for t in rows],
        trail=[_line(t.number, entry) for t in rows for entry in t.trail],
        packages=[
            (number[p.turn_id], p.from_agent, p.to_agent, p.reason, HandoffPackage.model_validate(p.body).hop_count) for p in passed
        ],
        contacts=[(contact.status, contact.current_agent, contact.hops)] if contact else [],
        effects=[(e.tool, e.state, (e.receipt or {}).get("protocol"), number[e.turn_id]) for e in done],
        requests=sorted((r.order_id, r.kind, r.protocol) for r in requests),
        facts=facts,
        proposals=[(row[0], row[1]) for row in proposals],
        queued=[(item.reason, item.status) for item in queued],
        audited=[row[0] for row in audited],
        checkpoints=len(saved),
    )  # fmt: skip


def _line(number: int, entry: dict[str, Any]) -> str:
    kept = _HANDOFF if entry.get("type") == "handoff" else _TOOL
    return json.dumps({"turn": number, **{k: entry.get(k) for k in kept}}, ensure_ascii=False)
