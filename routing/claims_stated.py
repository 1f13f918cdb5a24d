"""What a sentence states beside the acts themselves, with nothing behind it: who takes over, who calls, codes, benefits, sums, days."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from routing.claims_evidence import Evidence
from routing.claims_excuses import CONDITION, OFFER, asked, denied, excused
from routing.claims_offers import benefits_in, coupon_codes, gifts
from routing.claims_promises import callbacks, deadlines, transfers
from routing.claims_records import TOPIC_STEMS
from routing.claims_reported import reported
from routing.claims_sentence import Sentence
from routing.claims_values import amounts_in, days_in, durations_in, named_days, percents_in
from routing.pattern import Pattern
from routing.values import tokens

_RIGHT_OR_TRY = Pattern(
    r"\b(?:voce|vc) (?:pode|podera|tem (?:ate |direito|o prazo|um prazo|\d))|\byou (?:can|may|have)\b(?! expect)"
    r"|\b(?:pode|podem|podera) ser\b|\bcan be\b|\bpara (?:devolver|trocar|desistir|pagar)\b|\btent[ea]\b|\btry\b"
)
_BEHIND = Pattern(
    r"\b(?:chegou|chegaram|saiu|foi entregue|entregou|comprou|comprei|pagou|recebeu|pediu|passou|passaram|levou|durou|demorou|terminou|venceu"
    r"|arrived|was delivered|took|bought|paid|ordered|ended)\b"
)
_AHEAD = Pattern(r"\b(?:cheg(?:a|am|ara)|vai|vao|sera|serao|receb(?:e|era)|estara|will|'ll|arrives?)\b")
_PRICE = Pattern(
    r"\b(?:valor|total|preco|parcela|frete|custa|custou|cobrad\w+|pago|pagou|paga|price|total|cost|charged|paid|fee)\b"
)
_DISCOUNT = Pattern(r"desconto|discount|\boff\b|cashback")
_CODE = Pattern(r"\b(?=[A-Z0-9-]*\d)[A-Z]{2,4}-[A-Z0-9]{1,10}\b|\b[A-Z]{2}\d{9}[A-Z]{2}\b")
_NUMBERED = Pattern(
    r"\b(?:protocolo|chamado|ticket|reference|protocol|case|caso|ticket number)\s+(?:e |is |n |no |numero |number |o |sob |de |:|#){0,4}\s*#?"
    r"((?=[a-z0-9-]*\d)[a-z0-9-]{4,16})\b"
)
_ELSEWHERE = Pattern(r"\b(?:para|ao|pro|pra|to|with)\s+(?!voce|you|te\b)\w+")
_WORD = Pattern(r"[a-z0-9]+")


class Given(NamedTuple):
    """What there is to lean on. `heard` are the customer's own words (None: not known)."""

    evidence: Evidence
    transferred_to: Sequence[str]
    heard: Sequence[str] | None


def transfer(sentence: Sentence, given: Given) -> bool:
    """Tell of a transfer that nobody makes."""
    plain = sentence.plain
    names = [" ".join(tokens(name)) for name in given.transferred_to]
    said = f" {' '.join(match.group() for match in _WORD.finditer(plain))} "
    for match in transfers().finditer(plain):
        if excused(sentence, *match.span(), tense="past", own=True, heard=given.heard) or OFFER.search(plain):
            continue
        person = given.evidence.performed() & {"review", "callback"}
        named_nobody = not _ELSEWHERE.search(plain[match.start() :])
        if any(f" {name} " in said for name in names if name) or (names and named_nobody) or person:
            continue
        return True
    return False


def _silent(sentence: Sentence, start: int, words: str, given: Given) -> bool:
    """Tell whether a promise is denied, asked, conditional or the customer's own report."""
    begin, end = sentence.clause_at(start)
    lead, plain = sentence.plain[begin:start], sentence.plain
    if denied(lead) or CONDITION.search(lead) or asked(plain, lead, end, own=True):
        return True
    return reported(plain[:start], words, given.heard)


def callback(sentence: Sentence, given: Given) -> bool:
    """Tell of somebody's contact that nobody promised."""
    for match in callbacks().finditer(sentence.plain):
        if OFFER.search(sentence.plain) or _silent(sentence, match.start(), match.group(), given):
            continue
        if not given.evidence.performed() & {"callback", "review"} and not any(
            re.search(TOPIC_STEMS["callback"] + "|avis|call|phone|touch", text) for text in given.evidence.promised
        ):
            return True
    return False


def unknown_code(sentence: Sentence, given: Given) -> bool:
    """Tell of a protocol or a tracking code that nobody issued."""
    codes = [match.group() for match in _CODE.finditer(sentence.text)]
    for match in _NUMBERED.finditer(sentence.plain):
        if not denied(sentence.plain[sentence.clause_at(match.start())[0] : match.start()]):
            codes.append(match.group(1))
    return any(not given.evidence.knows(code) for code in codes)


def discount(sentence: Sentence, given: Given) -> bool:
    """Tell of a benefit that nobody grants."""
    if any(not given.evidence.knows(code) for code in coupon_codes(sentence)):
        return True
    for match in gifts().finditer(sentence.plain):
        if denied(match.group()) or _silent(sentence, match.start(), match.group(), given):
            continue
        if not any(word in text for word in benefits_in(match.group()) for text in given.evidence.ours):
            return True
    unknown = percents_in(sentence.plain) - given.evidence.percents
    return bool(unknown and _DISCOUNT.search(sentence.plain))


def _is_past(words: str) -> bool:
    """Tell whether the last verb of some words is a past one: "chegou em 2 dias"."""
    ends = [match.end() for match in _BEHIND.finditer(words)]
    return bool(ends) and not _AHEAD.search(words[ends[-1] :])


def amount(sentence: Sentence, given: Given) -> bool:
    """Tell of an amount that nobody gave."""
    plain = sentence.plain
    repeated = given.heard is None and reported(plain, "", None)  # what was heard is known evidence
    if plain.rstrip().endswith("?") or repeated or re.search(r"por exemplo|for example", plain):
        return False
    stated = amounts_in(plain, bare=_PRICE.search(plain) is not None)
    return bool(stated - given.evidence.amounts)


def deadline(sentence: Sentence, given: Given) -> bool:
    """Tell of a day or a span of time that nobody gave."""
    plain, evidence = sentence.plain, given.evidence
    if _RIGHT_OR_TRY.search(plain):
        return False
    for match in deadlines().finditer(plain):
        if _is_past(plain[sentence.clause_at(match.start())[0] : match.end()]):
            continue
        if excused(sentence, *match.span(), tense="future", heard=given.heard):
            continue
        spans, days, names = durations_in(match.group()), days_in(match.group()), named_days(match.group())
        if (spans and spans <= evidence.durations) or days & evidence.dates:
            continue
        if not spans and not days and names and all(evidence.knows_day(name) for name in names):
            continue
        return True
    return False
