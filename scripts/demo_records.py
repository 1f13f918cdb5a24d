"""What is on record about a conversation, read once for all the conditions of a step."""

from dataclasses import dataclass
from datetime import datetime, tzinfo

from graph.conversation import Bastao
from ops.baton import Baton, baton_of
from ops.people import Discarded, item_view
from ops.reading import HistoryLine, PackageRow, TurnRow, history, trail, transfers
from routing.shop import Order, Request

# Who reads the queue's items and the stores when the demo does: it is in the audit as such.
READER = "demo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """`turn` is the conversation's last one; `discarded` what the queue shows an operator of replies that were not sent."""

    turn: TurnRow | None
    packages: tuple[PackageRow, ...]
    lines: tuple[HistoryLine, ...]
    baton: Baton
    discarded: tuple[Discarded, ...]
    orders: tuple[Order, ...]
    requests: tuple[Request, ...]
    zone: tzinfo

    @property
    def now_passed(self) -> tuple[PackageRow, ...]:
        """Return the packages of the last turn."""
        return tuple(p for p in self.packages if self.turn is not None and p.turn_id == self.turn.id)


async def records_of(bastao: Bastao, thread_id: str, customer_id: str, *, now: datetime) -> Records:
    """Read what the stores and the shop hold about a conversation."""
    services, database = bastao.services, bastao.database
    turns = await trail(database, thread_id, limit=1)
    baton = await baton_of(database, thread_id, reader=READER, now=now)
    return Records(
        turn=turns[-1] if turns else None,
        packages=await transfers(database, thread_id),
        lines=await history(database, thread_id, customer=None),
        baton=baton,
        discarded=await discarded_of(bastao, baton, operator=READER, now=now),
        orders=await services.shop.orders(customer_id),
        requests=await services.shop.requests(customer_id),
        zone=services.zone,
    )


async def discarded_of(bastao: Bastao, baton: Baton, *, operator: str, now: datetime) -> tuple[Discarded, ...]:
    """Return what an operator is shown of the replies that were not sent, by the newest item of the conversation."""
    if not baton.items:
        return ()
    view = await item_view(bastao.database, baton.items[-1].id, operator=operator, now=now)
    return view.discarded if view is not None else ()
