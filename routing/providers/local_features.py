"""What the second stage reads: for each option, a few numbers about the message and about the turn before it."""

import math
import re

import numpy as np
from numpy.typing import NDArray

from routing.decision import NEEDS_QUESTION, OUT_OF_SCOPE
from routing.providers.local_text import folded
from routing.providers.local_turn import Turn, leaning, signs_in

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
# Places of features in a row: the message read alone, joined with what was said before it, the current specialist, and its
# logit of staying; and what each is worth where the examples are too few to tell.
_MESSAGE, _JOINED, _HERE, _STAYS = 0, 20, 24, 25
_WORTH = 0.5
_DENIED = re.compile(
    r"^(?:oi|ola|e|mas)?\W*(?:nao e (?:sobre|o|a|por)|(?:nao|n) quero saber|nao se trata|it'?s not|i don'?t want to know|not about)\b"
)


def option_features(
    options: tuple[str, ...], turn: Turn, *, logs: Floats, inside: Floats | None, stays: float
) -> Floats:
    """Return one row an option, shape (options, features).

    `logs`: log-probabilities of the options for each of the turn's texts read alone, in their order; `inside`: those of the
    message read as one to the current specialist, None where nobody is; `stays`: the logit
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
    cues = [two * cue for cue in (1.0, *signs_in(_JOINTS, folded(turn.message)))]
    most = each.max(axis=0) if len(each) else message
    context = float(turn.in_context)
    known = float(turn.current in options)
    lean = leaning(turn)
    going = 1 / (1 + math.exp(-stays)) if known else 0.0
    unsure = float(-(np.exp(message) * message).sum())
    held = np.zeros_like(message) if inside is None else inside
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
                held[place],
                unsure * held[place],
                lean[0] * held[place],
                two * held[place],
            ]
        )
    return np.asarray(rows, dtype=np.float64)


def _first_subject(options: tuple[str, ...], texts: tuple[str, ...], each: Floats) -> tuple[Floats | None, int]:
    """Return the first part that speaks clearly for a specialist, and how many specialists have such a part.

    The first subject is served first; a part that only says what it is not about does not count.
    """
    first: Floats | None = None
    subjects: set[int] = set()
    for text, part in zip(texts, each, strict=True):
        top = int(part.argmax())
        clear = part[top] > _CLEAR and options[top] not in (OUT_OF_SCOPE, NEEDS_QUESTION)
        if clear and not _DENIED.search(folded(text)):
            first = part if first is None else first
            subjects.add(top)
    return first, len(subjects)


def expected_weights(width: int) -> Floats:
    """Return the weights of the features that a blend is drawn to."""
    weights = np.zeros(width)
    weights[[_MESSAGE, _JOINED, _HERE, _STAYS]] = _WORTH
    return weights
