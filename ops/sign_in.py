"""Operators' sign-ins: wrong ones are counted, in every process together, and leave an audit row."""

from datetime import timedelta
from typing import Literal

from graph.rates import TooMany, count, seconds_left, take_back
from graph.services import Services
from routing.model import Frozen
from storage.records import audit

_NOBODY = "operator:unknown"


class SignIn(Frozen):
    """What became of a sign-in; `retry_s` where it was not even looked at."""

    outcome: Literal["in", "wrong", "locked"]
    retry_s: int = 0


async def sign_in(services: Services, *, name: str, known: bool, right: bool) -> SignIn:
    """Decide a sign-in by name and password, which the caller compared. Tries at the same time count each for itself.

    `known`: somebody has this name; only then is it written down, for a password may be typed in the wrong box.
    """
    limits = services.limits
    window = await count(services, "sign_in", name, within=timedelta(seconds=limits.sign_in_window_s))
    if window.count > limits.sign_in_tries:
        if window.count == limits.sign_in_tries + 1:
            await _note(services, "sign_in_locked", name if known else None)
        return SignIn(outcome="locked", retry_s=seconds_left(services, window))
    if right:
        await take_back(services, "sign_in", name)
        return SignIn(outcome="in")
    await _note(services, "sign_in_refused", name if known else None)
    return SignIn(outcome="wrong")


async def refused_token(services: Services, *, address: str) -> None:
    """Count an operator's token that proves nothing. Raises `TooMany` where too many came from this address.

    A right one is never refused for the wrong ones beside it: nobody is locked out by others behind the same address.
    """
    limits = services.limits
    window = await count(services, "token", address, within=timedelta(seconds=limits.sign_in_window_s))
    if window.count > limits.sign_in_tries:
        raise TooMany("too many wrong tokens from this address", seconds_left(services, window))
    await _note(services, "sign_in_refused", None)


async def _note(services: Services, rule: str, name: str | None) -> None:
    async with services.database.connection() as conn:
        await audit.write(conn, actor=f"operator:{name}" if name else _NOBODY, rule=rule, now=services.clock.now())
