"""A fuse: this process dies, or stands still, at a named point of a turn. Every point is seen from a port, none from our code."""

import os
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal

from psycopg import AsyncConnection, AsyncCursor

How = Literal["kill", "stop"]
Moment = Literal["after", "open", "committed"]
# Points that the database sees: after a statement, or around the COMMIT of the transaction that it is part of.
SQL_POINTS: dict[str, tuple[Moment, str]] = {
    "message_stored": ("committed", "insert into messages"),
    "turn_begun": ("committed", "insert into turns"),
    "claim_open": ("open", "insert into effects ("),
    "claimed": ("committed", "insert into effects ("),
    "sent": ("committed", "set state = 'sent'"),
    "shop_open": ("open", "insert into shop.effects"),
    "settle_open": ("open", "update effects set state = %(state)s"),
    "settled": ("committed", "update effects set state = %(state)s"),
    "commit_begun": ("after", "update turns set status = %(status)s"),
    "commit_halfway": ("after", "insert into packages"),
    "commit_open": ("open", "update turns set status = %(status)s"),
    "committed": ("committed", "update turns set status = %(status)s"),
}
# Points that the other ports see: the decider, the chat model, the shop, and whoever listens to the turn.
PORT_POINTS = ("deciding", "model_asked", "shop_read", "shop_called", "shop_answered", "model_tells", "told")


@dataclass(slots=True, kw_only=True)
class Fuse:
    """Burns once. `tell` is told the point's name just before. "" burns at no point."""

    point: str
    how: How
    tell: Callable[[str], None]
    burnt: bool = False

    def at(self, name: str) -> None:
        """Burn if this is the point. After a SIGSTOP it goes on from here when somebody sends SIGCONT."""
        if name == self.point and not self.burnt:
            self.burnt = True
            self.tell(name)
            os.kill(os.getpid(), signal.SIGKILL if self.how == "kill" else signal.SIGSTOP)

    def sql(self, moment: Moment, statements: Sequence[str]) -> None:
        watched = SQL_POINTS.get(self.point)
        if watched is not None and moment == watched[0] and any(watched[1] in statement for statement in statements):
            self.at(self.point)


def fused_connection(fuse: Fuse) -> type[AsyncConnection[Any]]:
    """Return a connection class for `Database.open` that shows every statement and every COMMIT to a fuse."""

    class FusedConnection(AsyncConnection[Any]):
        said: list[str] | None = None

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.cursor_factory = FusedCursor

        @asynccontextmanager
        async def transaction(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
            if self.said is not None:  # a savepoint of one that is open
                async with super().transaction(*args, **kwargs) as inner:
                    yield inner
                return
            self.said = said = []
            try:
                async with super().transaction(*args, **kwargs) as outer:
                    yield outer
                    fuse.sql("open", said)
            finally:
                self.said = None
            fuse.sql("committed", said)

    class FusedCursor(AsyncCursor[Any]):
        async def execute(self, query: Any, params: Any = None, **more: Any) -> Any:
            await super().execute(query, params, **more)
            statement = query if isinstance(query, str) else str(query)
            said = getattr(self.connection, "said", None)
            if said is None:
                fuse.sql("committed", [statement])
            else:
                said.append(statement)
                fuse.sql("after", [statement])
            return self

    return FusedConnection


class FusedShop:
    """A shop whose reads and writes a fuse sees."""

    def __init__(self, shop: Any, fuse: Fuse) -> None:
        self._shop = shop
        self._fuse = fuse

    def __getattr__(self, name: str) -> Any:
        return getattr(self._shop, name)

    async def order(self, order_id: str) -> Any:
        self._fuse.at("shop_read")
        return await self._shop.order(order_id)

    async def open_request(self, key: str, **values: Any) -> Any:
        self._fuse.at("shop_called")
        receipt = await self._shop.open_request(key, **values)
        self._fuse.at("shop_answered")
        return receipt
