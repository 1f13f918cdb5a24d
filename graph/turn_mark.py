"""Which turn the current task works for: set once where a turn's task begins, read by whoever writes a log line."""

from contextvars import ContextVar

current_turn: ContextVar[str | None] = ContextVar("current_turn", default=None)
