"""One question to the model, and how far its message leans on the turn before it."""

import re
from dataclasses import dataclass

from routing.providers.local_text import CONTEXT_CHARS, folded, parts, point, spelt_out

_LEANING = tuple(
    re.compile(pattern)
    for pattern in (
        r"^(?:e|mas|ou|entao|tipo|and|but|so|or|to|too)\b",
        r"^(?:sim|nao|isso|pode|ok|claro|certo|quero|prefiro|foi|esse|essa|este|esta|o|a|yes|no|yeah|sure)\b",
        r"\b(?:isso|esse|essa|este|esta|ele|ela|dele|dela|la|ai|desse|dessa|nesse|nessa|it|that|this|they|them)\b",
        r"\b(?:alias|outra coisa|outro assunto|mudando de assunto|ja que|aproveitando|tambem|e o outro|alem disso|por falar|"
        r"antes disso|na verdade|by the way|also|another|actually|while)\b",
    )
)
# Words up to which a message counts as brief.
_BRIEF = 12
# Numbers that `leaning` returns.
LEANING = len(_LEANING) + 4


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One question to the model, its texts already spelt out. `current` is a specialist's id or None."""

    message: str
    parts: tuple[str, ...] = ()
    current: str | None = None
    last_customer: str = ""
    last_agent: str = ""
    pending: bool = False

    @property
    def in_context(self) -> bool:
        return bool(self.current or self.last_agent or self.last_customer)

    @property
    def joined(self) -> str:
        """Return a brief message behind what the customer said before, which it may need to mean anything."""
        brief = len(self.message.split()) <= _BRIEF
        return f"{self.last_customer}. {self.message}" if brief and self.last_customer else self.message

    @property
    def texts(self) -> tuple[str, ...]:
        """Return what must be embedded: the message, in context the last exchange and both joined, the parts."""
        exchange = (self.last_customer, self.last_agent, self.joined) if self.in_context else ()
        return (self.message, *exchange, *self.parts)


def turn_of(
    message: str,
    *,
    current: str | None = None,
    last_customer: str | None = None,
    last_agent: str | None = None,
    pending: str | None = None,
) -> Turn:
    """Prepare a turn. A pending question counts as what the agent said last where no reply is given."""
    said = point(spelt_out(message))
    asked = last_agent or pending or ""
    return Turn(
        message=said,
        parts=tuple(parts(said)),
        current=current,
        last_customer=spelt_out(last_customer or "", CONTEXT_CHARS),
        last_agent=spelt_out(asked, CONTEXT_CHARS),
        pending=bool(pending) or asked.rstrip().endswith("?"),
    )


def leaning(turn: Turn) -> list[float]:
    """Return signs that a message leans on the turn before it, each 0 to 1."""
    plain = folded(turn.message)
    words = len(plain.split())
    return [
        1.0 / (1.0 + words / 4.0),
        float(words <= 3),
        *signs_in(_LEANING, plain),
        float(turn.pending),
        float(turn.message.endswith("?")),
    ]


def signs_in(patterns: tuple[re.Pattern[str], ...], plain: str) -> list[float]:
    """Return 1.0 for each pattern that the folded text holds, else 0.0."""
    return [float(bool(pattern.search(plain))) for pattern in patterns]
