"""Degraded mode: which providers failed in the last minutes, and what that did to the turns."""

from datetime import datetime, timedelta

from routing.model import Frozen
from storage.database import Database
from storage.records import troubles

PERIOD = timedelta(minutes=10)


class Trouble(Frozen):
    """A provider that failed in `turns` turns; `why` is what it did last."""

    provider: str
    turns: int
    why: str | None


class Degraded(Frozen):
    """What went wrong in `minutes`. `undecided`: nobody decided, the fallback answered; `unpaid`: a budget was spent."""

    minutes: int
    turns: int
    providers: tuple[Trouble, ...]
    failed: int
    undecided: int
    unpaid: int


async def degraded(database: Database, *, now: datetime, period: timedelta = PERIOD) -> Degraded | None:
    """Return what went wrong in the last `period` before `now`, None where nothing did."""
    since = now - period
    async with database.connection() as conn:
        counted = await troubles.of_turns(conn, since=since)
        providers = await troubles.of_providers(conn, since=since)
    if not (providers or counted.failed or counted.undecided or counted.unpaid):
        return None
    return Degraded(
        minutes=int(period.total_seconds() // 60),
        turns=counted.turns,
        providers=tuple(Trouble(provider=p.provider, turns=p.turns, why=p.why) for p in providers),
        failed=counted.failed,
        undecided=counted.undecided,
        unpaid=counted.unpaid,
    )


def degraded_words(found: Degraded) -> str:
    """Say it to an operator."""
    parts = [
        f"{t.provider} falhou em {t.turns} de {found.turns}" + (f" ({t.why})" if t.why else "") for t in found.providers
    ]
    if found.undecided:
        parts.append(f"{_attendances(found.undecided)} sem modelo de decisão, pelo caminho reserva")
    if found.failed:
        parts.append(f"{_attendances(found.failed)} com pedido de desculpas")
    if found.unpaid:
        parts.append(f"{_attendances(found.unpaid)} sem orçamento, na fila")
    return f"Modo degradado nos últimos {found.minutes} minutos: {'; '.join(parts)}. Os clientes continuam sendo respondidos."


def _attendances(count: int) -> str:
    return f"{count} resposta" if count == 1 else f"{count} respostas"
