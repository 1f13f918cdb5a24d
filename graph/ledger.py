"""The effects ledger as the graph uses it: claim before acting, settle after, and never the same act twice."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

from routing.shop import Receipt
from storage.database import Database
from storage.records import effects, turns
from storage.records.turns import EpochMoved, StaleFence

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Claimed:
    """The act is ours to do, under `key`."""

    effect_id: str
    key: str


@dataclass(frozen=True, slots=True)
class Repeated:
    """The act was done before; `same_turn` where this very turn did it in an earlier run."""

    effect_id: str
    receipt: Receipt | None
    same_turn: bool


@dataclass(frozen=True, slots=True)
class Unfinished:
    """An earlier run claimed the act and nobody knows how far it came: ask the shop before anything else."""

    effect_id: str
    key: str


@dataclass(frozen=True, slots=True)
class Doubtful:
    """Nobody could say whether the act happened. It is never done again without a person."""

    effect_id: str


class ClaimMark(Protocol):
    """Told before an effect is claimed: from then on nothing cancels the turn."""

    claimed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectsLedger:
    """Effects of one turn, under its fence and epoch. `rerun`: an earlier owner may have left some."""

    database: Database
    secret: bytes
    thread_id: str
    turn_id: str
    customer_id: str | None
    fence: int
    epoch: int
    now: Callable[[], datetime]
    new_id: Callable[[str], str]
    outbox: ClaimMark
    rerun: bool = False

    async def claim(self, *, tool: str, args: Json, act: tuple[str, ...]) -> Claimed | Repeated | Unfinished | Doubtful:
        """Claim an act. Raises `StaleFence` or `EpochMoved` (storage.records.turns) when the turn is no longer ours."""
        key = effects.effect_key(self.secret, (tool, self.customer_id or self.thread_id, *act))
        before = self.outbox.claimed
        self.outbox.claimed = True  # first: a claim may be committed before anybody here hears of it
        try:
            async with self.database.transaction() as conn:
                claim = await effects.claim(
                    conn, effect_id=self.new_id("ef"), key=key, thread_id=self.thread_id, turn_id=self.turn_id, tool=tool,
                    args=args, fence=self.fence, epoch=self.epoch, now=self.now(),
                )  # fmt: skip
        except (StaleFence, EpochMoved):
            self.outbox.claimed = before
            raise
        match claim:
            case effects.Claimed(effect=effect):
                return Claimed(effect.id, key)
            case effects.Repeated(effect=effect):
                return Repeated(effect.id, receipt_of(effect), same_turn=effect.turn_id == self.turn_id)
            case effects.Unfinished(effect=effect):
                return Unfinished(effect.id, key)
            case effects.Unknown(effect=effect):
                return Doubtful(effect.id)

    async def of_this_turn(self, *, tool: str, args: Json) -> effects.Effect | None:
        """Return the effect that an earlier run of this very turn claimed for the same call."""
        return next((e for e in await self.left() if e.tool == tool and e.args == args), None)

    async def left(self) -> list[effects.Effect]:
        """Return what this very turn claimed, now or in an earlier run, and did not see refused."""
        async with self.database.connection() as conn:
            own = await effects.of_turn(conn, self.turn_id)
        return [e for e in own if e.state in ("claimed", "sent", "done")]

    async def sent(self, effect_id: str) -> None:
        """Note that the act is on its way: from here on only the shop knows. Raises as `claim`.

        A claim that another conversation took over in the meantime is called all the same: under one key it is one act.
        """
        async with self.database.transaction() as conn:
            await turns.check(conn, self.turn_id, fence=self.fence, epoch=self.epoch)
            await effects.mark_sent(conn, effect_id, fence=self.fence)

    async def settle(
        self, effect_id: str, *, state: Literal["done", "refused", "unknown"], receipt: Receipt | None = None
    ) -> None:
        """Write what became of the act. Receipts keep personal values in a column of their own, which erasure empties."""
        plain, personal = kept(receipt)
        async with self.database.transaction() as conn:
            await effects.settle(
                conn, effect_id, state=state, receipt=plain, personal=personal, fence=self.fence, now=self.now()
            )


def kept(receipt: Receipt | None) -> tuple[Json | None, Json | None]:
    """Return a receipt as the ledger keeps it: its plain part, and the personal one that erasure empties."""
    if receipt is None:
        return None, None
    return receipt.model_dump(mode="json", exclude={"values"}), dict(receipt.values) or None


def receipt_of(effect: effects.Effect) -> Receipt | None:
    """Return the receipt that was kept with an effect."""
    if not effect.receipt:
        return None
    return Receipt.model_validate({**effect.receipt, "values": effect.personal or {}})
