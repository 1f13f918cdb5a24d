"""Whether a reply announces what nothing backs. Deterministic, sentence by sentence: the one place that reads replies."""

import re
from collections.abc import Collection, Sequence
from typing import Literal

from pydantic import JsonValue

from routing.claims_evidence import TOPIC_STEMS, Evidence, amounts_in, days_in, durations_in, weekday_known
from routing.claims_excuses import CONDITION, NEGATION, OFFER, REPORTED, clause_of, excused
from routing.claims_patterns import callbacks, deadlines, forms, internals, transfers
from routing.facts import Commitment, ExecutedAction, Fact
from routing.model import Frozen, Language
from routing.sentences import say
from routing.shop import Receipt
from routing.values import flat, tokens, unspelled

ViolationKind = Literal["action", "approval", "refund", "transfer", "deadline", "amount", "callback", "internal"]
MAX_CHARS = 20_000
SAFE_FACTS = 3

_SENTENCE = re.compile(r"(?:[^.!?\n]|[.](?=\w))+[.!?…]*")
_CUSTOMERS_RIGHT = re.compile(r"\b(?:voce (?:pode|podera|tem)|you (?:can|may|have))\b")
_CODE = re.compile(r"\b(?=[A-Z0-9-]*\d)[A-Z]{2,4}-[A-Z0-9]{1,10}\b")
_APPROVAL = re.compile(r"aprov|autoriz|liber[aeo]|\bdefer|concedid|\baceit|approv|authori[sz]|\bgrant|accepted")
_REFUND = re.compile(
    r"reembols|ressarc|estorn|\bcredit|dinheiro|\bmoney\b|refund|devolv\w+ (?:o |os |seu |a )?(?:valor|dinheiro|r\$|frete|cobranca|pix)|\bpix\b[^.]{0,20}devolvid|valor[^.]{0,30}devolvid|revers"
)
_APPROVED = re.compile(r"aprovad|autorizad|liberad|approved|authori[sz]ed|granted|aceit[ao]")
_REFUNDED = re.compile(r"reembolsad|estornad|creditad|refunded|credited")
_REFUNDING = re.compile(
    r"reembolso em andamento|estorno em andamento|refund_pending|em andamento|em processamento|in progress|(?:reembolso|estorno|refund)[^.]{0,30}(?:aprovad|approved|autorizad)"
)


class Violation(Frozen):
    """A sentence of the reply that announces something, and what kind of thing."""

    sentence: str
    kind: ViolationKind


def check_claims(
    reply: str,
    *,
    language: Language,
    receipts: Sequence[Receipt] = (),
    actions: Sequence[ExecutedAction] = (),
    facts: Sequence[Fact] = (),
    policies: Sequence[str] = (),
    commitments: Sequence[Commitment] = (),
    tool_data: Sequence[JsonValue] = (),
    transferred_to: Sequence[str] = (),
    tool_names: Collection[str] = (),
) -> tuple[Violation, ...]:
    """Return the sentences that nothing backs, each with the first kind that it violates.

    Both languages are read whatever `language` is: models slip. `transferred_to` are the names of who really takes over.
    """
    del language
    evidence = Evidence(receipts, actions, facts, policies, commitments, tool_data)
    found: list[Violation] = []
    for match in _SENTENCE.finditer(reply[:MAX_CHARS]):
        sentence = match.group().strip(" \t-*•")
        if not sentence:
            continue
        kind = _violation(sentence, evidence, transferred_to=transferred_to, tool_names=tool_names)
        if kind is not None:
            found.append(Violation(sentence=sentence, kind=kind))
    return tuple(found)


def _violation(
    sentence: str, evidence: Evidence, *, transferred_to: Sequence[str], tool_names: Collection[str]
) -> ViolationKind | None:
    if internals().search(sentence) or any(name in sentence for name in tool_names if "_" in name):
        return "internal"
    if evidence.says(sentence):
        return None
    plain = flat(sentence).replace("’", "'")
    return (
        _announced(plain, evidence)
        or _transfer(plain, transferred_to, evidence)
        or _callback(plain, evidence)
        or _unknown_code(sentence, evidence)
        or _amount(plain, evidence)
        or _deadline(plain, evidence)
    )


def _announced(plain: str, evidence: Evidence) -> ViolationKind | None:
    for form in forms():
        for match in form.pattern.finditer(plain):
            if excused(plain, *match.span(), tense=form.tense):
                continue
            kind = _kind_of(plain, *match.span())
            if not _backed(kind, plain, *match.span(), form_tense=form.tense, own=form.own, evidence=evidence):
                return kind
    return None


def _kind_of(plain: str, start: int, end: int) -> ViolationKind:
    words, clause = plain[start:end], plain[slice(*clause_of(plain, start))]
    if _APPROVAL.search(words):
        return "approval"
    if _REFUND.search(words) or (
        _REFUND.search(clause) and not re.search(r"cancel|chamado|ticket|analise|review", clause)
    ):
        return "refund"
    return "action"


def _backed(
    kind: ViolationKind, plain: str, start: int, end: int, *, form_tense: str, own: bool, evidence: Evidence
) -> bool:
    promised = any(_shares(plain, text) for text in evidence.promised)
    if kind == "approval":
        return any(_APPROVED.search(text) and _same_topic(plain, text) for text in evidence.read) or promised
    if kind == "refund":
        return promised or _refund_backed(form_tense, own=own, evidence=evidence)
    clause = plain[slice(*clause_of(plain, start))]
    topics = {topic for topic, stem in TOPIC_STEMS.items() if re.search(stem, plain[start:end])}
    topics = topics or {topic for topic, stem in TOPIC_STEMS.items() if re.search(stem, clause)}
    if topics:
        return bool(topics & evidence.performed)
    return evidence.anything_done


def _refund_backed(tense: str, *, own: bool, evidence: Evidence) -> bool:
    done = any(_REFUNDED.search(text) for text in evidence.read)
    if done or (tense != "past" and any(_REFUNDING.search(text) for text in evidence.read)):
        return True
    return tense != "past" and not own and any(_REFUND.search(text) for text in evidence.policy)


def _same_topic(plain: str, evidence: str) -> bool:
    """An approved return does not approve a refund: the evidence speaks of the same thing, or of nothing in particular."""
    claimed = {topic for topic, stem in TOPIC_STEMS.items() if re.search(stem, plain) and topic != "ticket"}
    backed = {topic for topic, stem in TOPIC_STEMS.items() if re.search(stem, evidence) and topic != "ticket"}
    return not claimed or not backed or bool(claimed & backed)


def _shares(plain: str, commitment: str) -> bool:
    """Tell whether a sentence is about what a commitment promises: a topic and, where one is named, the amount."""
    topics = [stem for stem in TOPIC_STEMS.values() if re.search(stem, commitment)]
    same = any(re.search(stem, plain) for stem in topics)
    return same and amounts_in(plain) <= amounts_in(commitment)


def _transfer(plain: str, transferred_to: Sequence[str], evidence: Evidence) -> ViolationKind | None:
    for match in transfers().finditer(plain):
        if excused(plain, *match.span(), tense="past") or OFFER.search(plain):
            continue
        names = [" ".join(tokens(name)) for name in transferred_to]
        said = f" {' '.join(re.findall(r'[a-z0-9]+', plain))} "
        person = evidence.performed & {"review", "callback"}
        named_nobody = not re.search(r"\b(?:para|ao|pro|pra|to|with)\s+(?!voce|you|te\b)\w+", plain[match.start() :])
        if any(f" {name} " in said for name in names if name) or (names and named_nobody) or person:
            continue
        return "transfer"
    return None


def _callback(plain: str, evidence: Evidence) -> ViolationKind | None:
    for match in callbacks().finditer(plain):
        clause_start, _ = clause_of(plain, match.start())
        lead = plain[clause_start : match.start()]
        offered = OFFER.search(plain) or CONDITION.search(lead)
        asked = plain.rstrip().endswith("?")
        if NEGATION.search(lead) or offered or asked or REPORTED.search(plain[: match.start()]):
            continue
        if not evidence.performed & {"callback", "review"} and not any(
            re.search(TOPIC_STEMS["callback"] + "|avis|call|phone|touch", text) for text in evidence.promised
        ):
            return "callback"
    return None


def _unknown_code(sentence: str, evidence: Evidence) -> ViolationKind | None:
    return "action" if any(not evidence.knows_code(code) for code in _CODE.findall(sentence)) else None


def _amount(plain: str, evidence: Evidence) -> ViolationKind | None:
    if plain.rstrip().endswith("?") or REPORTED.search(plain):
        return None
    return "amount" if amounts_in(plain) - evidence.amounts else None


def _deadline(plain: str, evidence: Evidence) -> ViolationKind | None:
    for match in deadlines().finditer(plain):
        if excused(plain, *match.span(), tense="future") or _CUSTOMERS_RIGHT.search(plain):
            continue
        spans, days = durations_in(match.group()), days_in(match.group())
        if spans and spans <= evidence.durations:
            continue
        if days and days & evidence.dates:
            continue
        if not spans and not days and weekday_known(match.group(), evidence.commitments):
            continue
        return "deadline"
    return None


def repair_instruction(violations: Sequence[Violation], language: Language) -> str:
    """Tell the model, once, which sentences have nothing behind them and what it may say instead."""
    listed = "\n".join(f"- {item.sentence}" for item in violations)
    if language == "en":
        return (
            "Your reply was not sent. Nothing in the receipts, facts, policies or commitments backs these sentences:\n"
            f"{listed}\nWrite the whole reply again without them. Say only what the briefing and the tools show; offer "
            "what you can do, or a person. Do not mention this note."
        )
    return (
        "Sua resposta não foi enviada. Nada nos recibos, fatos, políticas ou compromissos sustenta estas frases:\n"
        f"{listed}\nEscreva a resposta inteira de novo sem elas. Diga só o que o briefing e as ferramentas mostram; "
        "ofereça o que pode fazer, ou uma pessoa. Não mencione este aviso."
    )


def safe_reply(*, language: Language, facts: Sequence[Fact] = (), protocol: str | None = None) -> str:
    """Write the reply that replaces one which could not be repaired: a few confirmed facts, and a person."""
    known = [_stated(fact, language) for fact in facts if fact.status == "confirmed" and fact.key in _STATED[language]]
    listed = "; ".join(list(dict.fromkeys(known))[-SAFE_FACTS:])
    name = "limits.safe_reply" + ("_facts" if listed else "") + ("_queued" if protocol else "")
    return say(name, language, facts=listed, protocol=protocol or "")


_STATED: dict[Language, dict[str, str]] = {
    "pt": {
        "order_status": "o pedido {what} está {value}",
        "tracking": "o rastreio do pedido {what} é {value}",
        "delivery_estimate": "a previsão de entrega do pedido {what} é {value}",
        "order_total": "o total do pedido {what} é {value}",
    },
    "en": {
        "order_status": "the status of order {what} is {value}",
        "tracking": "the tracking code of order {what} is {value}",
        "delivery_estimate": "the delivery estimate of order {what} is {value}",
        "order_total": "the total of order {what} is {value}",
    },
}


def _stated(fact: Fact, language: Language) -> str:
    what = (fact.entity or "").partition(":")[2]
    return " ".join(_STATED[language][fact.key].format(what=what, value=unspelled(fact.value)).split())
