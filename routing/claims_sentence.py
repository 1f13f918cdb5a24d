"""A reply cut into short sentences of tokens, each in its clause."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from routing.claims_legible import legible
from routing.claims_words import listed
from routing.pattern import Pattern
from routing.values import flat

LONGEST = 600  # characters of a sentence; a longer one is cut, so that no rule looks further

_SENTENCE = Pattern(r"(?:[^.!?\n]|[.](?=\w))+[.!?…]*")
_TOKEN = Pattern(
    r"[a-z]+?(?=n't\b)|n't\b|'(?:s|ve|ll|re|m|d)\b|r\$|us\$|\d+(?:[.,/:-]\d+)+(?![a-z])|[a-z0-9]+|[^\sa-z0-9]"
)
# Phrases that deny or condition nothing: "sem falta", "se precisar de algo, é só chamar". They are left out.
_IDLE = Pattern(
    r"\bnao (?:se preocup\w+|precisa se preocupar|(?:ha|tem|existe)(?: mais)? (?:duvidas?|problemas?|erro|pendencias?|segredo)|so\b|apenas\b|somente\b|esquec\w+|duvide"
    r"|tenha duvidas?|demor\w+|precisa (?:fazer|se) (?:mais )?nada)|\bsem (?:falta|problemas?|duvidas?|demora|stress|enrolacao|erro|mais delongas)\b"
    r"|\bdon't worry\b|\bno (?:worries|problem|doubt)\b|\bnot only\b|\bwithout (?:fail|delay|a doubt)\b|\benquanto isso\b|\bmeanwhile\b"
    r"|\bse nao (?:me engano|estou engan\w+)|\bse (?:voce )?(?:precisar|tiver|quiser|desejar) (?:de )?(?:mais |algum|alguma |qualquer |outr|saber|ver |conferir|acompanhar|duvida|algo)[^,.;!?]{0,30}"
    r"|\bse precisar\b|\bse possivel\b|\bse (?:voce )?(?:olhar|verificar|conferir|checar|entrar|abrir|for olhar) (?:no|o|na|a) (?:app|aplicativo|extrato|fatura|site|seu app|seu extrato|sua conta|e-?mail)\b"
    r"|\b(?:o mais rapido|assim que|o quanto antes|logo que) possivel\b|\bquando (?:quiser|puder|der)\b|\bif you (?:need|have) (?:any|some|more)[^,.;!?]{0,30}"
    r"|\bif (?:i'm not mistaken|i recall)\b|\bif you (?:check|look|open|log)(?: at| in| on| into)?(?: the| your)? ?(?:app|statement|account|site|bank)?\b|\bas soon as possible\b|\bqualquer (?:coisa|duvida)\b"
)
_BREAKS = frozenset(",;:()—–|!?…")
_BUT = listed("mas porem contudo entretanto todavia but however although though porque because")


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a mark: flat, as written, where it begins and ends, and the number of its clause."""

    word: str
    raw: str
    start: int
    end: int
    clause: int


@dataclass(frozen=True)
class Sentence:
    """`text` as the reader sees it; `plain` is the same, flat, position by position."""

    text: str

    @cached_property
    def plain(self) -> str:
        plain = flat(self.text).replace("’", "'").replace("‘", "'")
        return _IDLE.sub(lambda match: " " * len(match.group()), plain)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        found: list[Token] = []
        clause = 0
        for match in _TOKEN.finditer(self.plain):
            word = match.group().lstrip("'") or "'"
            broken = word in _BREAKS or word in _BUT or (word == "-" and self._spaced(match.start(), match.end()))
            clause += broken
            found.append(Token(word, self.text[match.start() : match.end()], match.start(), match.end(), clause))
            clause += broken
        return tuple(found)

    def _spaced(self, start: int, end: int) -> bool:
        return self.plain[start - 1 : start] in ("", " ") and self.plain[end : end + 1] in ("", " ")

    def clause_at(self, position: int) -> tuple[int, int]:
        """Return where the clause around a position begins and ends."""
        inside = [t for t in self.tokens if t.clause == self._clause(position)]
        return (inside[0].start, inside[-1].end) if inside else (0, len(self.plain))

    def _clause(self, position: int) -> int:
        return next((t.clause for t in self.tokens if t.end > position), self.tokens[-1].clause if self.tokens else 0)

    def turns(self, start: int, end: int) -> bool:
        """Tell whether a "but" or a "because" stands between two positions."""
        return any(t.word in _BUT for t in self.tokens if start < t.start < end)

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(t.word for t in self.tokens)


def sentences(reply: str) -> Iterator[Sentence]:
    """Cut a reply into sentences, none longer than `LONGEST`."""
    for match in _SENTENCE.finditer(legible(reply)):
        text = match.group().strip()
        while len(text) > LONGEST:
            cut = max(text.rfind(mark, 0, LONGEST) for mark in (", ", "; ", " "))
            cut = cut if cut > 0 else LONGEST
            yield Sentence(text[:cut].strip())
            text = text[cut:].strip(" ,;")
        if text:
            yield Sentence(text)
