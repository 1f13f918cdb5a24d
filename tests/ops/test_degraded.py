"""What operators are told while a provider is down, from the turns themselves: any process sees it."""

from datetime import timedelta
from typing import Any

from ops.degraded import degraded, degraded_words
from storage.database import Database
from storage.records import turns
from storage.rows import Connection
from tests.storage.values import NOW, begun, conversation, say

AFTER = NOW + timedelta(minutes=1)


def hop(provider: str, outcome: str, why: str | None = None) -> dict[str, Any]:
    return {"provider": provider, "outcome": outcome, "why": why, "latency_ms": 1.0, "cost_usd": 0.0}


async def ended(conn: Connection, number: int, status: turns.Ending = "replied", **values: Any) -> None:
    await say(conn, f"mensagem {number}")
    answer = await begun(conn, f"turn-{number}")
    await turns.end(conn, answer.turn.id, fence=answer.turn.fence, status=status, now=NOW, **values)


async def test_nothing_is_said_while_everything_answers(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        await ended(conn, 1, decision={"reason": "confident", "hops": [hop("local", "ok")]})
        await ended(conn, 2, decision={"reason": "courtesy", "hops": []})
        await ended(conn, 3, decision=None)
    assert await degraded(db, now=AFTER) is None


async def test_each_provider_that_failed_is_named_with_its_turns_and_its_newest_reason(db: Database) -> None:
    async with db.connection() as conn:
        await conversation(conn)
        down = [hop("msd1", "error", "503"), hop("jev", "ok")]
        await ended(conn, 1, decision={"reason": "confident", "hops": down})
        skipped = [hop("msd1", "skipped", "left alone after 503"), hop("jev", "error", "timeout")]
        await ended(conn, 2, decision={"reason": "fallback_unavailable", "hops": skipped})
        chat = [
            {"type": "chat_model", "model": "gpt-6-mini", "outcome": "retryable", "why": "ModelAPIError"},
            {"type": "chat_model", "model": "spare", "outcome": "answered", "why": ""},
        ]
        await ended(conn, 3, trail=chat)
        await ended(conn, 4, "failed", error_protocol="ABC123")
    found = await degraded(db, now=AFTER)
    assert found is not None
    assert {(t.provider, t.turns) for t in found.providers} == {("msd1", 2), ("jev", 1), ("gpt-6-mini", 1)}
    assert (found.turns, found.failed, found.undecided, found.unpaid) == (4, 1, 1, 0)
    said = degraded_words(found)
    assert "msd1 falhou em 2 de 4" in said
    assert "1 resposta com pedido de desculpas" in said
    assert await degraded(db, now=NOW + timedelta(minutes=11)) is None
