"""Courtesy alone: a greeting, thanks, a goodbye or an acknowledgement, and nothing that asks for an answer."""

import re
from functools import cache

from routing.courtesy_phrases import PHRASES, Courtesy
from routing.done_words import asks_for_more, is_harmless, only_tells_it_is_done, says_nothing_is_left
from routing.pattern import Pattern
from routing.text import fold, normalise, visible

# Words that dress a courtesy and change nothing in it.
_FILLER_WORDS = """
e ai ae aee entao mesmo demais dmais muito viu hein ne gente pessoal galera amigo amiga querido querida moco moca senhor senhora sr sra
linda lindo bonita bonito meu minha bem anjo flor equipe time turma a o todos todas toda voce voces vc vcs por enquanto com deus tambem tb tbm
filha filho filhinha irmao irma mano mana parceiro parceira chefe patrao doutor doutora dona rapaz familia sua atendente robo robozinho
igualmente de novo novamente mais uma vez eu ja boa agora pra para
you guys there all team again and so then well much everyone sir madam mate for now too oh ah the my friend
"""
_FILLERS = frozenset(_FILLER_WORDS.split())
_RANK: tuple[Courtesy, ...] = ("goodbye", "thanks", "greeting", "acknowledgement")
_MAX_WORDS = 24
# "e aí?" or "só isso?" is a question; "tudo bem?" and "alô?" are greetings.
_ASKING_GREETINGS = frozenset({"e ai", "eai", "iai", "ta", "fala"})

_CLAUSE = Pattern(r"[.,;:!\n\u2026]+|\s[-\u2013\u2014]\s")
_LAUGHTER = Pattern(r"\b(?:k{2,}|(?:rs)+|(?:ha|he){2,}h?)\b")
_NOTHING = Pattern(r"\bnada,? nao\b")
# "obrigada, viu?" asks nothing.
_TAG = Pattern(r"(?<=\w)[ ,]+viu\s*\?")
# Thanks that a complaint wears: "obrigada por nada".
_COMPLAINS = Pattern(r"\bpor nada\b")
_THUMBS = Pattern("[\U0001f44d\U0001f44c\u2705]")
_HEARTS = Pattern(
    "[\u2764\u2665\U0001f64f\U0001f970\U0001f618\U0001f60d\U0001f917\U0001f499-\U0001f49c\U0001f90d\U0001f5a4\U0001f495\U0001f496]"
)
_WAVE = Pattern("\U0001f44b")


def read_courtesy(text: str) -> Courtesy | None:
    """Return the kind of a message that is courtesy and nothing else: goodbye before thanks before greeting.

    Thanks or a goodbye may tell what it is for ("o estorno caiu aqui. Valeu, tchau!"): it still asks for nothing.
    """
    return plain_courtesy(text) or _closing(text)


def plain_courtesy(text: str) -> Courtesy | None:
    """Return the kind of a message that says courtesies only, without a word about the matter."""
    text = _TAG.sub(". ", text)
    rest = normalise(text)
    if not rest:
        return _emoji_alone(text)
    if rest.count(" ") >= _MAX_WORDS:
        return None
    found = _kinds(rest)
    kind: Courtesy | None = next((kind for kind in _RANK if found is not None and kind in found), None)
    if "?" in text and (kind != "greeting" or rest in _ASKING_GREETINGS):
        return None
    return kind


def _closing(text: str) -> Courtesy | None:
    """Return thanks or goodbye where every other clause only tells that it went well."""
    text = _TAG.sub(". ", text)
    if "?" in text or len(text.split()) > _MAX_WORDS or _COMPLAINS.search(normalise(text)):
        return None
    found: set[Courtesy] = set()
    well = doubtful = False
    for clause in _CLAUSE.split(_LAUGHTER.sub(". ", _NOTHING.sub("nada", fold(text)))):
        said = normalise(clause)
        kinds = _kinds(said)
        if kinds is None and says_nothing_is_left(clause):
            kinds = set[Courtesy](("goodbye",))
        elif kinds is None and only_tells_it_is_done(clause):
            kinds, well = set[Courtesy](), True
        elif kinds is None and (kinds := _split_kinds(said)) is not None:
            well = True
        elif kinds is None and is_harmless(clause):
            kinds, doubtful = set[Courtesy](), True
        if kinds is None:
            return None
        found |= kinds
    if doubtful and not well:
        return None
    return next((kind for kind in ("goodbye", "thanks") if kind in found), None)


def _split_kinds(said: str) -> set[Courtesy] | None:
    """Read a clause in which a courtesy stands before or after what it is for, without a comma."""
    if asks_for_more(said):
        return None
    tokens = said.split()
    for place in range(1, len(tokens)):
        first, last = " ".join(tokens[:place]), " ".join(tokens[place:])
        for courtesy, rest in ((first, last), (last, first)):
            if only_tells_it_is_done(rest) and (kinds := _kinds(courtesy) or set[Courtesy]()) & {"thanks", "goodbye"}:
                return kinds
    return None


def _kinds(rest: str) -> set[Courtesy] | None:
    """Return the kinds that cover the whole text, or None if a word is left that is no courtesy."""
    found: set[Courtesy] = set()
    while rest:
        length, kind = _longest(rest)
        word = rest.partition(" ")[0]
        if kind is not None:
            found.add(kind)
        elif word in _FILLERS:
            length = len(word)
        else:
            return None
        rest = rest[length:].lstrip()
    return found


def _longest(rest: str) -> tuple[int, Courtesy | None]:
    """Return the length and kind of the longest courtesy that the text begins with."""
    best: tuple[int, Courtesy | None] = (0, None)
    for kind, pattern in _patterns():
        match = pattern.match(rest)
        if match is not None and match.end() > best[0]:
            best = (match.end(), kind)
    return best


@cache
def _patterns() -> tuple[tuple[Courtesy, re.Pattern[str]], ...]:
    # Compiled at the first message, not at import.
    return tuple((kind, re.compile(rf"(?:{phrase})(?= |$)")) for kind in _RANK for phrase in PHRASES[kind])


def _emoji_alone(text: str) -> Courtesy | None:
    shown = visible(text)
    if _HEARTS.search(shown):
        return "thanks"
    if _WAVE.search(shown):
        return "greeting"
    return "acknowledgement" if _THUMBS.search(shown) else None
