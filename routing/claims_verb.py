"""A verb in its sentence: what stands around it, and what it is about. The two grammars read it."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from routing.claims_excuses import Tense
from routing.claims_lexicon import Act, Word
from routing.claims_nouns import ACTS, BENEFITS, DOING, GROUPS, MADE, ORDERS, PAYMENTS, is_noun, noun_near, own_nouns
from routing.claims_sentence import Sentence
from routing.claims_words import CUSTOMER, FILLERS, OURS, READING, THEIRS

_OPENING = ("abrir", "abrindo", "open", "opening", "abro")
_TO = ("a", "ao", "para", "pra", "pro", "the")
_BY = ("pela", "pelo", "pelos", "by", "na", "no")
_ALONE = ("", ".", "!", ",", "tambem", "sim", "agora", "hoje", "ontem")


class Announced(NamedTuple):
    """Where a verb announces something. `own`: we say that we do it."""

    start: int
    end: int
    tense: Tense
    own: bool
    act: Act


@dataclass(frozen=True, slots=True)
class Verb:
    """The token at `index`, read as `word`. `before` are the nouns of the sentence before this one."""

    sentence: Sentence
    index: int
    word: Word
    before: frozenset[str]

    def at(self, offset: int, tense: Tense, *, own: bool) -> Announced:
        """Return the announcement that begins so many tokens before the verb and ends with it."""
        tokens = self.sentence.tokens
        first = max(0, self.index - offset)
        return Announced(tokens[first].start, tokens[self.index].end, tense, own, self.word.act)

    @property
    def text(self) -> str:
        return self.sentence.tokens[self.index].word

    def left(self, offset: int) -> str:
        """Return the word so many places before, within the clause; empty where the clause begins."""
        tokens, index = self.sentence.tokens, self.index - offset
        return tokens[index].word if index >= 0 and tokens[index].clause == tokens[self.index].clause else ""

    def lefts(self, count: int) -> list[str]:
        """Return the words before, nearest first."""
        return [self.left(offset) for offset in range(1, count + 1)]

    def right(self, offset: int) -> str:
        tokens, index = self.sentence.tokens, self.index + offset
        return tokens[index].word if index < len(tokens) else ""

    def rights(self, count: int) -> list[str]:
        return [self.right(offset) for offset in range(1, count + 1)]

    def raw(self, offset: int) -> str:
        """Return a token so many places away as it was written: "é" is no "e"."""
        index = self.index + offset
        return self.sentence.tokens[index].raw.lower() if 0 <= index < len(self.sentence.tokens) else ""

    @property
    def clause(self) -> frozenset[str]:
        here = self.sentence.tokens[self.index].clause
        return frozenset(token.word for token in self.sentence.tokens if token.clause == here)

    @property
    def nouns(self) -> frozenset[str]:
        """The nouns beside which this verb announces something where somebody else is its subject, or nobody."""
        if self.word.weight == "own" and self.word.group == "record":
            return ACTS | BENEFITS if self.text.startswith(("marcad", "reservad")) else DOING
        return GROUPS[self.word.group]

    def about(self, nouns: frozenset[str], *, left: int = 12) -> bool:
        """Tell whether such a noun is near, or is what a sentence without a subject goes on about."""
        if noun_near(self.sentence, self.index, nouns, left=left, right=0) or self.object(nouns):
            return True
        return bool(self.before & nouns) and not own_nouns(self.sentence.tokens)

    def object(self, nouns: frozenset[str]) -> bool:
        """Tell whether such a noun is the verb's object: only small words stand between, and one name after "to"."""
        tokens, named = self.sentence.tokens, False
        for index in range(self.index + 1, min(self.index + 8, len(tokens))):
            if is_noun(self.sentence, index, nouns):
                return True
            if tokens[index].word not in FILLERS:
                if named or self.word.group != "act" or tokens[index - 1].word not in _TO:
                    return False
                named = True
        return False

    def looks(self) -> bool:
        """Tell whether the object is something to read ("abrir o histórico"), or the conversation itself."""
        ahead = self.rights(5)
        act = next((n for n, word in enumerate(ahead) if word in ACTS), len(ahead))
        read = next((n for n, word in enumerate(ahead) if word in READING), len(ahead))
        opened = self.text in _OPENING and any(word in ORDERS | {"conta", "account"} for word in ahead[:3])
        return read < act or (opened and act == len(ahead))

    def ours(self) -> bool:
        """Tell whether, where we say that we do it, that announces something: by its own weight or by its object."""
        match self.word.weight:
            case "hard":
                return True
            case "own":
                return not self.looks()
            case "light":
                return self.object(GROUPS[self.word.group] | MADE) or self._elided()

    def _elided(self) -> bool:
        """Tell whether the object is what the sentence before asks about ("E o reembolso? Já fiz.")."""
        if self.right(1) not in _ALONE:
            return False
        if self.word.act != "other" and noun_near(self.sentence, self.index, GROUPS[self.word.group], right=0):
            return True
        return bool(self.before & GROUPS["act"]) and not own_nouns(self.sentence.tokens)

    def subject(self) -> Literal["ours", "customer", "theirs", ""]:
        """Return whose verb it is, as the nearest word before it tells."""
        for word in self.lefts(8):
            if word in OURS:
                return "ours"
            if word in CUSTOMER:
                return "customer"
            if word in THEIRS:
                return "theirs"
        return ""

    def read_only(self) -> bool:
        """Tell what is read and not granted: a payment that was approved, what a carrier or an authority did to a parcel."""
        acts = noun_near(self.sentence, self.index, ACTS)
        if self.word.act == "approve" and not acts and noun_near(self.sentence, self.index, PAYMENTS, left=6, right=2):
            return True
        ahead = self.rights(5)
        by = any(word in _BY for word in ahead) and any(word in THEIRS for word in ahead)
        return by and not noun_near(self.sentence, self.index, GROUPS["money"] | ACTS, right=0)
