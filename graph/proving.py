"""Guessing who somebody is: wrong tries are counted per caller and per order, over all conversations and processes."""

from datetime import timedelta

from graph.rates import Scope, caller_of, count, take_back
from graph.services import TurnContext
from tools.ownership import order_number

TOOL = "verify_identity"
_WRONG = "identity_mismatch"


async def may_try(turn: TurnContext, order: str) -> bool:
    """Count a try before it is made, so that tries at the same time are not one; False where the caller's or the order's
    tries are used up."""
    limits = turn.services.limits
    within = timedelta(seconds=limits.identity_window_s)
    windows = [await count(turn.services, scope, name, within=within) for scope, name in _counted(turn, order)]
    return all(window.count <= limits.identity_tries for window in windows)


async def tried(turn: TurnContext, order: str, *, audit: str | None) -> None:
    """Only wrong data use up a try: what was right, too little or unanswered is given back."""
    if audit != _WRONG:
        for scope, name in _counted(turn, order):
            await take_back(turn.services, scope, name)


def _counted(turn: TurnContext, order: str) -> tuple[tuple[Scope, str], tuple[Scope, str]]:
    return ("proof_by", caller_of(turn.customer, otherwise=turn.thread_id)), ("proof_of", order_number(order))
