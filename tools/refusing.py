"""Answers that are not a yes: refusals by code, and a shop that does not answer."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import TypeVar

from routing.ports import ShopUnavailable
from routing.sentences import say
from tools.contract import Args, Outcome, Refusal, ToolContext

A = TypeVar("A", bound=Args)
Run = Callable[[A, ToolContext], Awaitable[Outcome]]


def refuse(code: str, ctx: ToolContext, *, audit: str | None = None, **values: object) -> Refusal:
    """Build the refusal of a code; its two sentences are `tools.<code>_because` and `tools.<code>_next`."""
    return Refusal(
        code=code,
        because=say(f"tools.{code}_because", ctx.language, **values),
        next=say(f"tools.{code}_next", ctx.language, **values),
        audit=audit,
    )


def refused(refusal: Refusal) -> Outcome:
    """Answer with a refusal."""
    return Outcome(status="refused", refusal=refusal, audit=refusal.audit)


def unavailable(ctx: ToolContext, *, audit: str | None = None) -> Outcome:
    """Answer that the order system is silent. `audit` as in `Outcome`."""
    key = "tools.write_unknown" if audit == "write_unknown" else "tools.shop_unavailable"
    return Outcome(status="failed", says=say(key, ctx.language), audit=audit)


def answering(run: Run[A]) -> Run[A]:
    """Turn a silent order system into a failed outcome instead of an exception."""

    @wraps(run)
    async def guarded(args: A, ctx: ToolContext) -> Outcome:
        try:
            return await run(args, ctx)
        except ShopUnavailable:
            return unavailable(ctx)

    return guarded
