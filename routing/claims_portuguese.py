"""What the forms of a Portuguese verb announce."""

from routing.claims_excuses import Tense
from routing.claims_lexicon import NOUNS_TOO
from routing.claims_nouns import ACTS, DOING, GROUPS, ORDERS, PLURALS
from routing.claims_verb import Announced, Verb
from routing.claims_words import (
    ADVERBS,
    ARTICLES,
    BE,
    BEING,
    CAME_TO,
    DONE_BY,
    ENDS,
    GOING,
    MAIN_VERBS,
    NOW,
    OUR_GOING,
    PUSHED,
    SHOWN,
    UNREAL,
    WILL,
    YOURS,
)  # fmt: skip

_CLITICS = ("eu", "ja", "te", "lhe")
_LINKS = ("de", "que", "a", "o", "e", "em")
_TOWARDS = ("para", "pra", "pro", "pros", "que")


def past(verb: Verb) -> Announced | None:
    """Read "cancelei". "Incluí" is ours, "inclui" is what an order does."""
    if verb.text.endswith("ui") and not verb.raw(0).endswith("uí"):
        return None
    return verb.at(0, "past", own=True) if verb.ours() else None


def plural(verb: Verb) -> Announced | None:
    """Read "cancelamos": done, or a habit ("aceitamos troca", "cancelamos pedidos"), which announces nothing."""
    ahead = [word for word in verb.rights(2) if word not in ("os", "as", "todos", "todas")]
    habit = verb.right(1) in ACTS | ORDERS or (bool(ahead) and ahead[0] in PLURALS)
    if habit or not verb.ours():
        return None
    return verb.at(0, "past" if verb.word.weight == "hard" else "now", own=True)


def future(verb: Verb) -> Announced | None:
    """Read "cancelarei"."""
    return verb.at(0, "future", own=True) if verb.ours() else None


def present(verb: Verb) -> Announced | None:
    """Read "cancelo agora". What could be a noun ("o estorno") needs a sign that it is a verb."""
    if verb.word.weight == "light" and not verb.object(GROUPS[verb.word.group] - PLURALS):
        return None
    if verb.text in NOUNS_TOO:
        opener = verb.left(1) in ("", "e", *_CLITICS) and verb.left(2) not in ("o", "seu", "um", "do")
        given = verb.right(1) in ("o", "seu", "os", "tudo", "pra", "para") and verb.left(1) in _CLITICS
        if not opener or not (verb.right(1) in NOW | {"voce", "te"} or given):
            return None
    elif verb.looks():
        return None
    return verb.at(0, "now", own=True)


def third_past(verb: Verb) -> Announced | None:
    """Read "o financeiro liberou", "aprovaram"; what the customer or a carrier did is none of ours."""
    subject = verb.subject()
    if subject == "customer" or verb.read_only() or (subject == "theirs" and not verb.about(GROUPS["money"])):
        return None
    if verb.word.weight != "hard":
        telling = verb.about(GROUPS[verb.word.group]) or (
            subject == "ours" and verb.word.act != "other" and verb.word.weight == "own"
        )
        if not (subject == "ours" or verb.text.endswith("ram")) or not telling or verb.looks():
            return None
    return verb.at(0, "past", own=True)


def third_present(verb: Verb, tense: Tense) -> Announced | None:
    """Read "a equipe estorna hoje": without such a day it is a rule."""
    case = verb.clause & NOW or (
        verb.word.weight == "hard" and verb.right(1) in YOURS | {"a", "o"} and verb.right(2) in YOURS
    )
    if verb.subject() != "ours" or not case or verb.left(1) in ("que", "who"):
        return None
    if verb.word.weight != "hard" and not verb.object(GROUPS[verb.word.group]):
        return None
    return verb.at(0, tense, own=True)


def infinitive(verb: Verb) -> Announced | None:
    """Read "vou cancelar", "acabei de cancelar", "pedi para o financeiro estornar"; by itself an infinitive says nothing."""
    offset = 1
    while offset < 5 and verb.left(offset) in ADVERBS - {"nos"}:
        offset += 1
    governor, further = verb.left(offset), verb.left(offset + 1)
    tense: Tense | None = None
    if governor in OUR_GOING or (governor in GOING and verb.subject() == "ours"):
        tense = "future"
    elif governor in DONE_BY or (governor in _LINKS and further in DONE_BY) or _pushed(verb) or _managed(verb, offset):
        tense = "past"
    return verb.at(offset, tense, own=True) if tense is not None and verb.ours() else None


def _managed(verb: Verb, offset: int) -> bool:
    """Tell of "deu tempo de", "tomei a liberdade de", which is done; "dá tempo de" is not."""
    before = set(verb.lefts(offset + 3))
    if verb.left(offset + 1) == "liberdade":
        return bool({"tomei", "tomamos"} & before)
    return verb.left(offset + 1) in ("tempo", "jeito", "questao") and bool({"deu", "dei", "fiz", "demos"} & before)


def told_to(verb: Verb) -> Announced | None:
    """Read "pedi para cancelarem", "consegui que aprovassem"; a subjunctive by itself says nothing."""
    return verb.at(1, "past", own=True) if _pushed(verb) and verb.ours() else None


def _pushed(verb: Verb) -> bool:
    """Tell whether somebody was told to do it."""
    here = verb.lefts(7)
    link = next((n for n, word in enumerate(here) if word in _TOWARDS), None)
    if link is not None and PUSHED & set(here[link + 1 : link + 4]):
        return True
    return bool({"mandei", "mandamos"} & set(here[:4]))  # "mandei o estoque cancelar"


def gerund(verb: Verb) -> Announced | None:
    """Read "estou cancelando", "cancelando agora…"."""
    offset = 1
    while offset < 5 and verb.left(offset) in ADVERBS:
        offset += 1
    if not verb.ours():
        return None
    if verb.left(offset) in BEING and verb.subject() != "customer":
        return verb.at(offset, "now", own=True)
    return verb.at(0, "now", own=True) if verb.left(offset) == "" and whole_sentence(verb) else None


def whole_sentence(verb: Verb) -> bool:
    """Tell whether a gerund is the sentence ("Cancelando o pedido…"), and not its condition or its subject."""
    plain = verb.sentence.plain.rstrip()
    if verb.index > 2 or verb.sentence.words & {"is", "e", "means", "requires", "significa", "exige"}:
        return False
    return bool(verb.clause & NOW) or plain.endswith(("...", "…")) or " pra voce" in plain or " for you" in plain


def participle(verb: Verb) -> Announced | None:
    """Read "foi cancelado", "está aprovado", "estorno concluído!"."""
    offset, tense = _group(verb)
    if tense is None or verb.read_only() or verb.left(1) == "em":  # "em aberto" is a state
        return None
    if verb.word.weight != "hard" and (not verb.about(verb.nouns) or (offset == 0 and not _news(verb))):
        return None
    return None if offset == 0 and _attributive(verb) else verb.at(offset, tense, own=False)


def _group(verb: Verb) -> tuple[int, Tense | None]:
    """Return how far back the verb group of a participle begins, and its time; None: it is not real."""
    offset = 1
    while offset < 6 and (
        verb.left(offset) in ADVERBS | {"sido", "como", "dado"} or verb.left(offset).endswith("mente")
    ):
        offset += 1
    aux, before = verb.left(offset), verb.left(offset + 1)
    if aux in WILL:
        return offset, "future"
    if aux == "sendo":
        return (offset + 1, "now") if before in BEING else (offset, None)
    if aux in UNREAL:
        if before in GOING:
            return offset + 1, "future"
        acted = before in ("de", "a", "por") and verb.left(offset + 2) in CAME_TO
        return (offset + 2, "past") if acted else (offset, None)
    if aux in ("e", "sao") and verb.raw(-offset) != "e":  # "é aprovado": a rule, unless it is now
        return (offset, "now") if verb.clause & NOW else (offset, None)
    return (offset, "past") if aux in BE | SHOWN else (0, "past")


def _news(verb: Verb) -> bool:
    """Tell whether a participle without auxiliary is the sentence's news ("Reembolso concluído!")."""
    if verb.right(1) == "e" and verb.raw(1) == "é":
        return False
    return verb.right(1) in ENDS or verb.left(1) in ("", ":", "ja", "tudo")


def _attributive(verb: Verb) -> bool:
    """Tell a kind of thing or a condition ("um reembolso aprovado aparece na fatura") from this one."""
    near, next_, *_ = here = verb.lefts(5)
    if near in ("apos", "se", "quando", "enquanto") or (near == "de" and next_ in ("depois", "antes")):
        return True
    if {near, next_} & ARTICLES or (near == "mesmo" and next_ == "") or "ver" in here:
        return True
    return not verb.clause & YOURS and (_subject_of_a_rule(verb) or _absolute(verb))


def _subject_of_a_rule(verb: Verb) -> bool:
    """Tell whether the news is what follows ("a troca aprovada gera uma etiqueta")."""
    tokens, here = verb.sentence.tokens, verb.sentence.tokens[verb.index].clause
    follows = any(token.word in MAIN_VERBS for token in tokens[verb.index + 1 :] if token.clause == here)
    return verb.left(1) in DOING and follows


def _absolute(verb: Verb) -> bool:
    """Tell a condition without "se" ("aprovada a troca, você posta o produto")."""
    tokens = verb.sentence.tokens
    if verb.index > 0 or verb.right(1) not in ("o", "a", "os", "as"):
        return False
    rest = {token.word for token in tokens if token.clause > tokens[0].clause}
    return bool((MAIN_VERBS | {"nao"}) & rest)
