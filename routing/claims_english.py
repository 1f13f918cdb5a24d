"""What the forms of an English verb announce."""

from itertools import pairwise

from routing.claims_excuses import Tense
from routing.claims_nouns import GROUPS, MADE
from routing.claims_portuguese import whole_sentence
from routing.claims_verb import Announced, Verb
from routing.claims_words import ADVERBS, ARTICLES, BE, BEING, MODAL, NOW, OURS, SUBORDINATE, WILL, WISHED

_PASSIVE = ("been", "be", "being", "get", "gets", "getting")
_PERFECT = ("have", "has", "had", "ve", "d", "it")
_UNREAL = ("could", "may", "might", "would", "should", "to", "must")
_ENDS = ("", ".", "!", ",", ";", "for", "and", "to", "successfully")


def base(verb: Verb) -> Announced | None:
    """Read "I'll cancel", "let me cancel", "I managed to cancel"; "I can cancel" and "to cancel" say nothing."""
    offset = 1
    while offset < 5 and verb.left(offset) in ADVERBS:
        offset += 1
    tense = _base_tense(verb, offset)
    return verb.at(offset, tense, own=True) if tense is not None and verb.ours() else None


def _base_tense(verb: Verb, offset: int) -> Tense | None:
    governor, further = verb.left(offset), verb.left(offset + 1)
    ours = verb.subject() != "customer"
    if ours and (governor in WILL or (governor == "to" and further in ("going", "about"))):
        return "future"
    if governor == "to" and further in ("managed", "had", "decided", "agreed", "chose"):
        return "past"
    if governor == "to" and further == "able" and verb.left(offset + 2) in ("was", "were", "been"):
        return "past"
    if "let" in (governor, further if governor == "me" else ""):
        return "future"
    if governor == "and" and further == "ahead" and verb.clause & {"will", "ll", "going", "let"}:
        return "future"
    return "now" if governor in ("we", "i") and verb.clause & NOW else None


def ing(verb: Verb) -> Announced | None:
    """Read "I'm cancelling", "we will be refunding", "Cancelling now…"."""
    offset = 1
    while offset < 5 and verb.left(offset) in ADVERBS:
        offset += 1
    governor = verb.left(offset)
    if not verb.ours():
        return None
    if governor == "be" and verb.left(offset + 1) in WILL:
        return verb.at(offset + 1, "future", own=True)
    if governor in BEING and verb.subject() != "customer":
        return verb.at(offset, "now", own=True)
    if governor == "of" and verb.left(offset + 1) in ("liberty", "process", "middle"):
        return verb.at(offset, "now", own=True)
    return verb.at(0, "now", own=True) if governor == "" and whole_sentence(verb) else None


def done(verb: Verb) -> Announced | None:
    """Read a form that is past and participle in one: its subject, its auxiliary or the lack of one tell them apart."""
    offset = 1
    while offset < 6 and (verb.left(offset) in ADVERBS - {"been", "being"} or verb.left(offset).endswith("ly")):
        offset += 1
    aux = verb.left(offset)
    if aux == "as" and verb.word.weight == "hard":  # "shows as refunded"
        return verb.at(offset, "past", own=False)
    if aux in SUBORDINATE or aux in MODAL or aux == "you" or verb.read_only():
        return None
    if aux in _PASSIVE:
        return _passive(verb, offset)
    together = aux == "and" and verb.clause & {"i", "we"} and "you" not in verb.clause
    if aux in OURS or aux in _PERFECT or together:
        return _active(verb, offset)
    return _state(verb, offset) if aux in BE else _verbless(verb)


def _passive(verb: Verb, offset: int) -> Announced | None:
    aux, before, further = (verb.left(offset + more) for more in (0, 1, 2))
    if verb.word.weight != "hard" and not verb.about(verb.nouns):
        return None
    tense: Tense | None = None
    if aux == "been":
        perfect = before in ("has", "have", "had", "ve", "s", "just", "already", "now", "also")
        tense = "past" if perfect and further not in _UNREAL else None
    elif before in WILL or (before == "to" and further in ("going", "about")):
        tense = "future"
    elif aux == "being" and (before in ("is", "are", "s", "re") or (before == "of" and further == "process")):
        tense = "now"
    return verb.at(offset + 1, tense, own=False) if tense is not None else None


def _active(verb: Verb, offset: int) -> Announced | None:
    near = {verb.left(offset), verb.left(offset + 1)}
    if verb.subject() == "customer" or "you" in near:
        return None
    if verb.word.weight == "light" and not verb.object(GROUPS[verb.word.group] | MADE):
        return None
    ours = bool(near & {"i", "we"}) or verb.left(offset) == "and"
    if verb.word.weight == "own" and (verb.looks() or not (ours or verb.about(GROUPS[verb.word.group]))):
        return None
    return verb.at(offset, "past", own=True)


def _state(verb: Verb, offset: int) -> Announced | None:
    if verb.word.weight != "hard" and not verb.about(verb.nouns):
        return None
    if verb.word.weight == "light" and verb.raw(-offset) in ("is", "are"):
        return None
    present = verb.left(offset) in ("is", "are", "re", "s", "am", "m")
    return verb.at(offset, "now" if present else "past", own=False)


def _verbless(verb: Verb) -> Announced | None:
    """Read "Refund approved!", "Consider it cancelled": nothing but the participle says it."""
    here = verb.lefts(5)
    wanted = any(a in ("have", "get") and b == "to" for a, b in pairwise(here))
    if {here[0], here[1]} & (ARTICLES | {"a"}) or verb.clause & WISHED or wanted:
        return None
    near = verb.word.weight == "own" and verb.about(verb.nouns, left=5) and verb.right(1) in _ENDS
    return verb.at(0, "past", own=False) if verb.word.weight == "hard" or near else None
