"""Whatever is asserted of a refund, a cancellation or an approval announces it, by whatever verb, save the harmless ones.

The lexicon knows the verbs that announce by themselves; here the noun does.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from routing.claims_endings import (
    DONE,
    FUTURE_FIRST,
    GERUND,
    INFINITIVE,
    ING,
    PARTICIPLE,
    PAST_FIRST,
    PAST_THIRD,
    PLURAL_FIRST,
    harmless,
)  # fmt: skip
from routing.claims_excuses import Tense
from routing.claims_mentions import given_away
from routing.claims_nouns import ACTS, APPROVAL, CANCEL, REFUND, is_noun
from routing.claims_sentence import Sentence, Token
from routing.claims_words import ARTICLES_AND_OWN, OUR_GOING, listed

STRONG = REFUND | CANCEL | APPROVAL | {"dinheiro", "money", "grana", "credito", "credit"}
AFTER = 10  # words after the noun that are read
BETWEEN_AT_MOST = 6  # words between a verb and its object

_SMALL = listed(
    "o a os as um uma seu sua teu tua de do da no na ao com para pra pro ja tambem aqui agora te lhe voce em esse essa este esta todo toda"
    " integral total parcial completo - se ordem pedido solicitacao processo the your an of for with through full partial on this that you"
    " second extra duplicate"
)
_LINKS = listed("for of about to with on from by and or in into")
_BE = listed(
    "consta constam aparece aparecem segue continua foi foram esta estao ta tao ficou ficaram fica sera serao is are was were s been be"
    " being re ser"
)
_TAIL = listed("em no na para pro pelo pela hoje ontem com mesmo sim agora e desde sob in on to by today yesterday for")
_MAIN = listed(
    "aparece volta cai leva demora depende segue pode precisa deve tem sao costuma fica are goes shows takes depends needs must can may"
)
_MAIN_TOO = _MAIN | {"e", "is", "will", "vai"}
_OUT = listed("voce vc tu cliente quem you who customer nao nem nunca not n't never")
_BETWEEN = listed("ja ainda agora tambem sempre quase tudo entao now also soon then still so bem muito")
_TOWARDS = listed("para pra pro por pela pelo em no na to through ao")
# States of something that has not happened.
_WAITING = listed(
    "em sob sendo dentro fora longe perto aguardando com sem pela pelo na no nas nos a ao para aqui sujeito sujeita vinculado incluso"
    " associado ligado errado errada lento congelado travado parado retido"
)
# What goes on, as against "em análise".
_GOING_ON = listed("processamento andamento curso execucao pagamento processo transito liquidacao")
_COMPLETE = listed("complete completed done final confirmed ready sorted settled finished")
_CASES = listed("processo pedido solicitacao procedimento tramite ordem request process order")
_WILL_BE = listed("sera serao estara estarao tera terao podera poderao devera deverao havera precisara ficara")
_HAPPENED = ("made", "went", "left", "hit")


class Asserted(NamedTuple):
    """Where something is asserted of a noun, or where we say that we do something to it (`own`)."""

    start: int
    end: int
    tense: Tense
    own: bool


def asserted(sentence: Sentence) -> Iterator[Asserted]:
    """Yield the assertions about the strong nouns of a sentence, and what we say that we do to any request."""
    for index in range(len(sentence.tokens)):
        if is_noun(sentence, index, STRONG) and _is_subject(sentence.tokens, index):
            yield from _said_of(sentence.tokens, index)
        if is_noun(sentence, index, STRONG) and given_away(sentence, index):
            yield Asserted(sentence.tokens[index].start, sentence.tokens[index].end, "now", False)
        if is_noun(sentence, index, STRONG | ACTS):
            yield from _done_to(sentence.tokens, index)


def _is_subject(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a noun can be a subject: with an article or alone, after no preposition and no infinitive."""
    here = tokens[index].clause
    before = [token.word for token in tokens[max(0, index - 5) : index] if token.clause == here]
    if not before or not before[-1][0].isalnum():
        return True
    if len(before) > 1 and before[-1] in ("de", "do", "of") and before[-2] in _CASES:
        return True  # "o processo de estorno": its news are the reversal's
    adjective = len(before) > 1 and before[-2] in ("the", "your", "a") and before[-1] not in _LINKS
    if before[-1] not in ARTICLES_AND_OWN and not adjective:
        return False
    while before and before[-1] in ARTICLES_AND_OWN:
        before.pop()
    return not (before and INFINITIVE.match(before[-1]))  # "o prazo para aprovar o reembolso terminou"


def _said_of(tokens: Sequence[Token], index: int) -> Iterator[Asserted]:
    """Read what follows: "o reembolso foi disponibilizado", "estorno efetivado!", "the refund went out"."""
    here = tokens[index].clause
    after = [token for token in tokens[index + 1 : index + 1 + AFTER] if token.clause == here]
    if state := _state(after):
        yield Asserted(tokens[index].start, state[0].end, state[1], False)
    auxiliary = next((n for n, token in enumerate(after) if token.word in _BE), len(after))
    for n, token in enumerate(after):
        if token.word in _OUT or (harmless(token.word) and n > auxiliary):
            return
        if harmless(token.word):
            continue
        told, tense = _event(tokens, index + 1 + n, after[:n], passive=auxiliary < n, aux_later=auxiliary < len(after))
        if told:
            if tense is not None:
                yield Asserted(tokens[index].start, token.end, tense, False)
            return


def _event(
    tokens: Sequence[Token], at: int, between: Sequence[Token], *, passive: bool, aux_later: bool
) -> tuple[bool, Tense | None]:
    """Tell whether a word after the noun says what happens to it, and when (None: it is not real)."""
    word = tokens[at].word
    if tokens[at].raw.lower().endswith(("rá", "rão")) and word not in _WILL_BE:
        return True, "future"
    if PARTICIPLE.match(word) or DONE.match(word):
        if passive:
            return True, _passive_tense({token.word for token in between})
        if not between and _ends(tokens, at):
            return True, "past"
    if word in _HAPPENED and not passive:
        return True, "past"
    english = bool(DONE.match(word)) and not PARTICIPLE.match(word) and len(between) == 1
    return (True, "past") if not aux_later and (PAST_THIRD.match(word) or english) else (False, None)


def _passive_tense(between: set[str]) -> Tense | None:
    """Tell the time of a passive by the words between its noun and its participle."""
    if {"sera", "serao", "will", "ll", "vai", "vao", "going"} & between:
        return "future"
    if {"acabou", "acaba", "been", "being", "got"} & between:
        return "past"
    if {"ser", "seja", "sejam", "for", "forem", "fosse", "ficar", "be", "get"} & between:
        return None
    return "now" if {"is", "are"} & between else "past"


def _ends(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a verbless announcement ends here, or only goes on to say when, where or by whom."""
    if index + 1 >= len(tokens) or not tokens[index + 1].word[0].isalnum():
        return True
    return tokens[index + 1].word in _TAIL and not any(token.word in _MAIN_TOO for token in tokens[index + 1 :])


def _state(after: Sequence[Token]) -> tuple[Token, Tense] | None:
    """Read "está pronto" and "vai sair" after the noun, save the harmless states."""
    for n, token in enumerate(after[:-1]):
        if token.word in _OUT or token.word in _MAIN:
            return None
        following = next((t for t in after[n + 1 :] if t.word not in _BETWEEN), None)
        if following is None or not following.word.isalpha():
            continue
        plain = not harmless(following.word)
        if token.word in ("is", "are", "s") and following.word in _COMPLETE:
            return following, "now"
        if token.word in ("esta", "ta", "estao"):
            if following.word == "em" and {t.word for t in after[n + 1 :]} & _GOING_ON:
                return following, "now"
            return (following, "now") if plain and following.word not in _WAITING else None
        if token.word in ("vai", "will", "ll") and plain and following.word not in _TOWARDS | {"ser", "be"}:
            moves = token.word != "vai" or INFINITIVE.match(following.word)
            return (following, "future") if moves else None
    return None


def _done_to(tokens: Sequence[Token], index: int) -> Iterator[Asserted]:
    """Read what stands before: "efetivei o cancelamento", "vamos proceder com o estorno", "we pulled your refund"."""
    at, here = index - 1, tokens[index].clause
    while at >= 0 and tokens[at].clause == here and index - at <= BETWEEN_AT_MOST and tokens[at].word in _SMALL:
        at -= 1
    if at < 0 or tokens[at].clause != here or harmless(tokens[at].word):
        return
    lead = [token.word for token in tokens[max(0, at - 4) : at] if token.clause == here]
    straight = all(token.word in ARTICLES_AND_OWN | {"-", "se", "ao"} for token in tokens[at + 1 : index])
    strong = straight and tokens[index].word in STRONG
    tense = _own_tense(tokens[at].word, lead, strong=strong, bare=at == index - 1)
    if tense is not None:
        yield Asserted(tokens[at].start, tokens[at].end, tense, True)


def _own_tense(word: str, lead: Sequence[str], *, strong: bool, bare: bool) -> Tense | None:
    """Tell whether a word is a verb of ours, and its time. `strong`: its object is a strong noun; `bare`: without article."""
    near, we = set(lead[-2:]), bool({"i", "we"} & set(lead[-3:]))
    if FUTURE_FIRST.match(word) or (INFINITIVE.match(word) and OUR_GOING & near):
        return "future"
    if PAST_FIRST.match(word) or (PARTICIPLE.match(word) and {"foi", "foram", "fui"} & near):
        return "past"
    if PLURAL_FIRST.match(word):
        return None if bare else "now"  # "aceitamos troca": no article, no case in particular
    if PAST_THIRD.match(word) and strong and not _OUT & set(lead):
        return "past"
    if (GERUND.match(word) and {"estou", "estamos", "to"} & near) or (
        ING.match(word) and we and {"m", "am", "are", "re"} & near
    ):
        return "now"
    if DONE.match(word) and (we or "ve" in lead[-3:]) and "you" not in lead:
        return "past"
    return "future" if {"will", "ll"} & near and {"i", "we"} & set(lead) and word.isalpha() else None
