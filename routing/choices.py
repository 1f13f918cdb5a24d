"""Which of the offered options the customer picked: by position, by its words, or "none of these"."""

import re
from collections.abc import Mapping, Sequence

from routing.answers import covered_by, read_answer
from routing.pattern import Pattern
from routing.pending import Choice
from routing.policy import OTHER
from routing.text import fold, normalise, words

_POSITIONS: tuple[tuple[str, int], ...] = (
    (r"1|um|uma|primeir[oa]|1[oa]|first|1st|one", 0),
    (r"2|dois|duas|segund[oa]|2[oa]|second|2nd|two", 1),
    (r"3|tres|terceir[oa]|3[oa]|third|3rd|three", 2),
    (r"4|quatro|quart[oa]|4[oa]|fourth|4th|four", 3),
    (r"5|cinco|quint[oa]|5[oa]|fifth|5th|five", 4),
    (r"6|seis|sext[oa]|6[oa]|sixth|6th|six", 5),
    (r"ultim[oa]|last|latter", -1),
)
_OTHER = Pattern(
    r"(?:(?:e |eh |e sobre |sobre |quero |e um |um |uma |its |it is |about )*)(?:outr[oa]s?(?: (?:assunto|assuntos|coisa|opcao|tema|duvida|problema))?|nenhum[a]?(?: (?:dos|das|destes|desses|dessas|destas)(?: (?:dois|duas|tres|opcoes))?| deles| delas)?"
    r"|nem um nem outro|nem uma nem outra|nada disso|nenhuma opcao|something else|another (?:thing|topic|subject|matter)|neither(?: of (?:them|those|these))?|none(?: of (?:them|those|these|the above))?|other|anything else)"
    r"(?: (?:nao|por favor|pfv|obrigad[oa]|please|mesmo|na verdade))*"
)
_BOTH = Pattern(
    r"(?:e |sao |quero |on |sobre |the )*(?:os dois|as duas|ambos|ambas|todos|todas|tudo|both(?: of them)?|um e outro)(?: (?:por favor|please|mesmo|assuntos))*"
)
_DRESS_WORDS = """
o a os as e eh um uma de da do das dos no na nos nas sobre quero queria gostaria prefiro escolho vou com por favor pfv please mesmo isso essa esse este esta sim pra para opcao numero item
the option number is its it i id want like about this that one for me my meu minha entao acho que ser seria pode ai ali moca moco obrigado obrigada sim yes ja so ok
"""
_DRESS = frozenset(_DRESS_WORDS.split())
_MAX_WORDS = 12


def pick_option(text: str, options: Sequence[Choice], names: Mapping[str, Sequence[str]] | None = None) -> str | None:
    """Return the id of the option that the message picks and nothing more, "other" for none of them, or None.

    `names` holds further words per option id (display names, aliases). A message with content of its own is no pick:
    it goes to the decision model.
    """
    said = normalise(text)
    if not said or not options or said.count(" ") >= _MAX_WORDS:
        return None
    if _OTHER.fullmatch(said) and "?" not in text:
        return OTHER
    return _by_position(said, options) or _by_words(said, options, names or {}) or _by_answer(text, options)


def picks_both(text: str) -> bool:
    """Tell whether the message picks all options ("os dois", "both")."""
    return _BOTH.fullmatch(normalise(text)) is not None


def restates(text: str, question: str) -> bool:
    """Tell whether a short message says nothing but words of the question ("no pix" to "foi no Pix ou no cartão?")."""
    if "?" in text:
        return False
    said = [word for word in words(text) if word not in _DRESS]
    asked = frozenset(word for word in words(question) if word not in _DRESS)
    return 0 < len(said) <= 5 and all(covered_by(word, asked) for word in said)


def named_option(text: str, options: Sequence[Choice], names: Mapping[str, Sequence[str]] | None = None) -> str | None:
    """Return the one option whose words a longer message contains, or None if none or several do."""
    said = frozenset(words(fold(text)))
    hits = [choice.id for choice in options if any(covered_by(word, said) for word in _words_of(choice, names or {}))]
    return hits[0] if len(hits) == 1 else None


def _by_position(said: str, options: Sequence[Choice]) -> str | None:
    left = [word for word in said.split() if word not in _DRESS - {"um", "uma", "one"}]
    left = [word for word in left if word not in {"um", "uma", "one"}] or left
    if len(left) != 1:
        return None
    for pattern, position in _POSITIONS:
        if re.fullmatch(pattern, left[0]):
            return options[position].id if position < len(options) else None
    return None


def _by_words(said: str, options: Sequence[Choice], names: Mapping[str, Sequence[str]]) -> str | None:
    content = [word for word in said.split() if word not in _DRESS]
    if not content:
        return None
    hits = [choice.id for choice in options if all(covered_by(word, _words_of(choice, names)) for word in content)]
    return hits[0] if len(hits) == 1 else None


def _by_answer(text: str, options: Sequence[Choice]) -> str | None:
    """A yes picks where one thing was named; a no means none of what was named."""
    named = [choice for choice in options if choice.id != OTHER]
    answer = read_answer(text)
    if answer == "yes" and len(named) == 1:
        return named[0].id
    return OTHER if answer == "no" else None


def _words_of(choice: Choice, names: Mapping[str, Sequence[str]]) -> frozenset[str]:
    spoken = words(" ".join([choice.label, *names.get(choice.id, ())]))
    return frozenset(word for word in spoken if word not in _DRESS)
