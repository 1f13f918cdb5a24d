"""One message of the dialogue, and how a long one is shown."""

from datetime import datetime
from typing import Literal

from routing.model import Frozen

LONG_TURN = 600


class Turn(Frozen):
    """One message of the dialogue, word for word. "person" is an operator."""

    role: Literal["customer", "agent", "person"]
    text: str
    at: datetime


def clip(text: str, limit: int = LONG_TURN) -> str:
    """Show a long text by its head and its tail."""
    if len(text) <= limit:
        return text
    head = (limit - 3) * 2 // 3
    return f"{text[:head]}…{text[len(text) - (limit - 3 - head) :]}"
