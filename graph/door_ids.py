"""Ids as they come through the door: chosen by whoever embeds Bastão, and checked before anything is stored."""

from storage.records import messages
from storage.rows import Connection

_LONGEST = 256
_OTHERS = "customer:"


class BadId(ValueError):
    """An id that cannot be stored. `field` names it, `why` says what would be right; the id itself is not repeated."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(f"{field}: {why}")
        self.field, self.why = field, why


def checked_id(field: str, value: str | None) -> None:
    """Refuse an id with `BadId` that no column takes, or that nobody could tell from another. None is no id."""
    if value is None:
        return
    if not value.strip():
        raise BadId(field, "must not be empty")
    if len(value) > _LONGEST:
        raise BadId(field, f"must have at most {_LONGEST} characters")
    if not value.isprintable():
        raise BadId(field, "must not hold NUL, surrogates or other characters that cannot be printed")


async def own_message_id(conn: Connection, thread_id: str, message_id: str) -> str:
    """Return the id that a customer's message is stored under: its own, unless somebody else's message has that one.

    Replies are shown with their ids, so a client may send one of them; such a message is stored and answered like any other,
    and finds itself again when it is sent again. Call it with the conversation's row locked.
    """
    known = await messages.get(conn, thread_id, message_id)
    return message_id if known is None or known.role == "customer" else f"{_OTHERS}{message_id}"
