"""What the second stage reads: for each option, a few numbers about the message and about the turn before it."""

import math
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from routing.decision import NEEDS_QUESTION, OUT_OF_SCOPE
from routing.providers.local_text import CONTEXT_CHARS, parts, point, spelt_out
from routing.text import fold

Floats = NDArray[np.float64]

# Whether a second subject is added to the first, or the first was only the story before the point.
_JOINTS = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?:tambem|tb|tbm|alem disso|ademais|aproveitando|outra|ah e|also|and another|as well|by the way)\b",
        r"\b(?:mas|so que|porem|agora|so falta|mesmo assim|apesar|but|however|even though|still)\b",
        r"^[^.?!;,]*\b(?:ja|foi|fui|fiz|paguei|devolvi|cancelei|mandei|comprei|recebi|cheg\w+|already)\b",
        r"^[^.;]*(?:\?|\b(?:quero|queria|preciso|gostaria|solicito|cade|como|quando|onde|qual|pode|manda|troca|cancela|i want|i need|please|can)\b)",
    )
)
_CLEAR = math.log(0.6)
_DENIED = re.compile(
    r"^(?:oi|ola|e|mas)?\W*(?:nao e (?:sobre|o|a|por)|(?:nao|n) quero saber|nao se trata|it'?s not|i don'?t want to know|not about)\b"
)
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
    plain = fold(turn.message)
    words = len(plain.split())
    return [
        1.0 / (1.0 + words / 4.0),
        float(words <= 3),
        *_signs(_LEANING, plain),
        float(turn.pending),
        float(turn.message.endswith("?")),
    ]


def option_features(options: tuple[str, ...], turn: Turn, *, logs: Floats, stays: float) -> Floats:
    """Return one row an option, shape (options, features).

    `logs`: log-probabilities of the options for each of the turn's texts read alone, in their order; `stays`: the logit
    that the message goes on with the current specialist. All weights are shared by the specialists, so a new one
    inherits how conversations move.
    """
    message = logs[0]
    customer, agent = (logs[1], logs[2]) if turn.in_context else (np.zeros_like(message), np.zeros_like(message))
    joined = logs[3] if turn.in_context else message
    each = logs[4 if turn.in_context else 1 :]
    first, subjects = _first_subject(options, turn.parts, each)
    two = float(subjects > 1)
    begun = message if first is None else first
    last = each[-1] if len(each) else message
    cues = [two * cue for cue in (1.0, *_signs(_JOINTS, fold(turn.message)))]
    most = each.max(axis=0) if len(each) else message
    context = float(turn.in_context)
    known = float(turn.current in options)
    lean = leaning(turn)
    going = 1 / (1 + math.exp(-stays)) if known else 0.0
    unsure = float(-(np.exp(message) * message).sum())
    rows: list[list[float]] = []
    for place, option in enumerate(options):
        here = float(option == turn.current)
        outside = float(option == OUT_OF_SCOPE)
        vague = float(option == NEEDS_QUESTION)
        unknown = (1.0 - outside - vague) * (1.0 - known) * context
        rows.append(
            [
                message[place],
                context * message[place],
                unsure * message[place],
                *(cue * begun[place] for cue in cues),
                *(cue * message[place] for cue in cues),
                *(cue * last[place] for cue in cues),
                (1 - two) * (begun[place] - message[place]),
                most[place] - message[place],
                joined[place] - message[place],
                going * (joined[place] - message[place]),
                unknown * customer[place],
                unknown * agent[place],
                here,
                here * stays,
                here * unsure,
                *(here * sign for sign in lean),
                outside * context,
                vague * context,
                vague * context * known,
                outside * lean[0],
                vague * lean[0],
                vague * unsure,
                outside * context * stays,
                vague * context * stays,
            ]
        )
    return np.asarray(rows, dtype=np.float64)


def _signs(patterns: tuple[re.Pattern[str], ...], plain: str) -> list[float]:
    return [float(bool(pattern.search(plain))) for pattern in patterns]


def _first_subject(options: tuple[str, ...], texts: tuple[str, ...], each: Floats) -> tuple[Floats | None, int]:
    """Return the first part that speaks clearly for a specialist, and how many specialists have such a part.

    The first subject is served first; a part that only says what it is not about does not count.
    """
    first: Floats | None = None
    subjects: set[int] = set()
    for text, part in zip(texts, each, strict=True):
        top = int(part.argmax())
        clear = part[top] > _CLEAR and options[top] not in (OUT_OF_SCOPE, NEEDS_QUESTION)
        if clear and not _DENIED.search(fold(text)):
            first = part if first is None else first
            subjects.add(top)
    return first, len(subjects)
