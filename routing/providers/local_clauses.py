"""The clauses of a message, and the signs that tell which of them is its point."""

import math
import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from routing.decision import NEEDS_QUESTION, OUT_OF_SCOPE
from routing.providers.local_text import folded
from routing.providers.local_turn import Turn

Floats = NDArray[np.float64]

# What a clause may say about itself. A language resource like the lexicon: the examples decide what each sign is worth.
_SIGNS = {
    "opens_denied": r"^\W*(?:nao|n|nem|sem|not|no|i (?:do not|don'?t))\b",
    "beside": r"\b(?:nao e|nao eh|nao (?:quero|preciso|estou|to|foi|era|sao)|nao se trata|nem (?:quero|precis)|esquec\w+ (?:o|a|ess)|"
    r"deixa (?:o|a|pra)|em vez de|not (?:about|a|the)|don'?t (?:want|need)|isn'?t)\b",
    "negated": r"\b(?:nao|nunca|nem|never|not|\w+n't)\b",
    "already": r"\b(?:ja|already)\b",
    "fine": r"\b(?:certo|certinho|ok|resolvid\w+|tudo bem|otim\w+|perfeit\w+|em ordem|direitinho|beleza|show|excelente|maravilh\w+|"
    r"impecavel|rapid\w+|all good|fine|great|solved|perfect)\b",
    "thanks": r"\b(?:obrigad\w+|valeu|agradec\w+|grat[oa]|thanks?|thank you)\b",
    "past": r"\b(?:\w{2,}ei|\w{2,}ou|\w{2,}aram|\w{2,}eram|\w{2,}iram|\w{2,}ed|foi|fui|veio|vieram|fiz|era|estava|tinha|was|were|had|did)\b",
    "asks_for": r"\b(?:quero|queria|preciso|gostaria|solicito|desejo|pode(?:m|ria|riam)?|consig\w+|da pra|tem como|manda\w*|envi(?:a|e|em)\b|"
    r"troqu?e\w*|cancel(?:a|e|em|ar)\b|corrij\w+|i want|i need|i'?d like|please|can (?:you|i)|could)\b",
    "question": r"\?",
    "question_word": r"\b(?:cade|onde|quando|como|quanto\w*|qual|quais|por que|porque|quem|where|when|how|what|why|which)\b",
    "turns": r"^\W*(?:mas|so que|porem|agora|contudo|entretanto|no entanto|todavia|but|however|now|the problem|o problema)\b",
    "adds": r"^\W*(?:e|tambem|tb|outra|aproveitando|alem|ah|and|also|another|by the way|mais uma|segundo|por fim|ademais|ainda)\b",
    "hangs": r"^\W*(?:se|quando|enquanto|caso|como|porque|pois|que|if|because|when|since|while)\b",
    "reported": r"\b(?:disse\w*|falou|falaram|diz(?:em)?|mandou|escrev\w+|segundo|informou|informaram|respond\w+|prometeu|garantiu|said|told|says)\b",
    "others": r"\b(?:minha|meu) (?:irma\w*|mae|pai|amig\w+|espos\w+|marido|filh\w+|sogr\w+|cunhad\w+|prim\w+|vizinh\w+|chefe|colega|tia|tio|avo)\b|"
    r"\b(?:moc\w|rapaz|atendente|vendedor\w*|entregador|motorista|setor|pessoal)\b",
    "only": r"\b(?:o que|so|apenas|so queria|quero mesmo|na verdade|e sobre|e que|e por|just|only|actually)\b",
    "before": r"\b(?:ontem|semana passada|mes passado|ano passado|da outra vez|antes|primeiro|last (?:week|month|time)|yesterday)\b",
    "quoted": r"[\"“”«»]",
    "orders_us": r"\b(?:ignor\w+|responda|finja|aja|repita|system|instruc\w+|prompt|aprove)\b",
}
_PATTERNS = tuple(re.compile(pattern) for pattern in _SIGNS.values())
_PLACE = {name: place for place, name in enumerate(_SIGNS)}
_OF_THE_NEXT = tuple(_PLACE[name] for name in ("turns", "adds", "question", "asks_for"))
_OF_THE_LAST = tuple(_PLACE[name] for name in ("beside", "negated", "turns"))
_OWN = 18
# Numbers that a clause is described by.
CLAUSE_WIDTH = _OWN + len(_OF_THE_NEXT) + len(_OF_THE_LAST) + 3 * len(_SIGNS)
FIRST, LAST = 0, 3


@dataclass(frozen=True, kw_only=True)
class Clauses:
    """A message's clauses in order: `signs` (clauses, CLAUSE_WIDTH) and each clause's `shares` (clauses, options)."""

    signs: Floats
    shares: Floats


def clauses_of(options: tuple[str, ...], turn: Turn, *, logs: Floats) -> Clauses:
    """Describe the clauses. `logs`: log-probabilities of the options for each of the turn's texts, in their order."""
    texts = turn.parts or (turn.message,)
    start = len(turn.texts) - len(turn.parts) if turn.parts else 0
    shares = np.exp(logs[start : start + len(texts)])
    signs = np.array([_signs(text) for text in texts])
    nothing = np.zeros(len(_SIGNS))
    heard = 0.0
    rows: list[Floats] = []
    for place, text in enumerate(texts):
        own, spoken = _own(options, turn, shares, place=place, words=len(text.split()), heard=heard)
        heard = max(heard, spoken)
        first, last = float(place == 0), float(place == len(texts) - 1)
        here = signs[place]
        before = nothing if first else signs[place - 1]
        after = nothing if last else signs[place + 1]
        rows.append(
            np.concatenate(
                [own, after[list(_OF_THE_NEXT)], before[list(_OF_THE_LAST)], here, here * first, here * last]
            )
        )
    return Clauses(signs=np.stack(rows), shares=shares)


def _own(
    options: tuple[str, ...], turn: Turn, shares: Floats, *, place: int, words: int, heard: float
) -> tuple[list[float], float]:
    """Return where a clause stands and how clearly it speaks for a specialist, and that share again.

    `heard` is the clearest share of a clause before it.
    """
    count = len(shares)
    by_option = dict(zip(options, shares[place].tolist(), strict=True))
    outside, vague = by_option.pop(OUT_OF_SCOPE, 0.0), by_option.pop(NEEDS_QUESTION, 0.0)
    spoken = max(by_option.values(), default=0.0)
    last = float(place == count - 1)
    known = float(turn.current is not None)
    own = [
        float(place == 0), float(place == 1), float(place == 2), last, place / max(1, count - 1), float(count == 2),
        float(count == 2 and place == 0), min(3.0, math.log1p(words)), spoken, math.log(spoken + 1e-4) / 3, outside, vague,
        heard, spoken * float(heard < 0.6), float(place > 0 and shares[place].argmax() == shares[0].argmax()),
        known, known * last, known * float(place == 0),
    ]  # fmt: skip
    return own, spoken


@lru_cache(maxsize=4096)
def _signs(text: str) -> tuple[float, ...]:
    plain = folded(text)
    return tuple(float(bool(pattern.search(plain))) for pattern in _PATTERNS)
