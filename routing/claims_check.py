"""What one sentence announces, and whether anything backs it."""

from collections.abc import Collection, Iterator, Sequence
from typing import Literal, NamedTuple

from routing.claims_assertions import asserted
from routing.claims_contacts import asks_for_secret, contacts
from routing.claims_evidence import Evidence
from routing.claims_excuses import Tense, excused
from routing.claims_grammar import announced
from routing.claims_internals import names_a_tool
from routing.claims_patterns import forms
from routing.claims_records import topics_in
from routing.claims_sentence import Sentence
from routing.claims_stated import Given, amount, callback, deadline, discount, transfer, unknown_code
from routing.claims_values import amounts_in
from routing.pattern import Pattern
from routing.prompt_leak import leaked

Kind = Literal[
    "action", "approval", "refund", "transfer", "deadline", "amount", "callback", "internal", "discount", "secret",
    "contact", "prompt",
]  # fmt: skip

_APPROVAL = Pattern(
    r"aprov|autoriz|liber[aeo]|\bdefer|conced|\baceit|homolog|approv|authori[sz]|\bgrant|accepted|favoravel|positiv|\baval\b|cleared|okay"
    r"|sinal verde|green light|excecao|exception|garant|guarante|valid"
)
_REFUND = Pattern(
    r"reembols|ressarc|restitu|indeniz|estorn|\bcredit|dinheiro|\bgrana\b|quantia|\bmoney\b|refund|reimburs|extorno|revers"
    r"|devolv\w+ (?:o |os |seu |a )?(?:valor|dinheiro|r\$|frete|cobranca|pix)|\bpix\b[^.]{0,20}devolvid|valor[^.]{0,30}devolvid"
)
_MONEY_BACK = Pattern(
    r"\b(?:voltou|caiu|pingou|retornou)\b|\b(?:na|em) (?:a )?sua conta|seu cartao|sua fatura|in your account|your card"
)
_APPROVED = Pattern(r"aprovad|autorizad|liberad|approved|authori[sz]ed|granted|aceit[ao]")
_REFUNDED = Pattern(r"reembolsad|estornad|creditad|refunded|credited")
_REFUNDING = Pattern(
    r"reembolso em andamento|estorno em andamento|refund[_ ]pending|em andamento|em processamento|in progress"
    r"|(?:reembolso|estorno|refund)[^.]{0,30}(?:aprovad|approved|autorizad)"
)
_OTHER_ACT = Pattern(r"cancel|chamado|ticket|analise|review|troca|exchange|anul")
_NOTED = Pattern(r"registrad|anotad|combinad|recorded|noted")


class Claim(NamedTuple):
    """Where a sentence announces something, and how: in which time, and whether we say that we do it."""

    start: int
    end: int
    tense: Tense
    own: bool


class Check(NamedTuple):
    """One reply's check: what there is to lean on, and what may not be said at all. `heard`: the customer's words."""

    evidence: Evidence
    transferred_to: Sequence[str]
    tool_names: Collection[str]
    prompt: str
    heard: Sequence[str] | None

    def kind_of(self, sentence: Sentence, before: frozenset[str]) -> Kind | None:
        """Return what a sentence announces with nothing behind it. `before` are the nouns of the sentence before."""
        if names_a_tool(sentence.text, self.tool_names):
            return "internal"
        left = self.evidence.without_quotations(sentence.text)
        rest = sentence if left == sentence.text else Sentence(left)
        if asks_for_secret(rest):
            return "secret"
        if any(not self.evidence.knows(contact) for contact in contacts(rest)):
            return "contact"
        if leaked(rest.text, self.prompt):
            return "prompt"
        return self._announced(rest, before) or self._stated(sentence, rest)

    def _stated(self, sentence: Sentence, rest: Sentence) -> Kind | None:
        given = Given(self.evidence, self.transferred_to, self.heard)
        if transfer(rest, given):
            return "transfer"
        if callback(rest, given):
            return "callback"
        if unknown_code(sentence, given):
            return "action"
        if discount(rest, given):
            return "discount"
        if amount(rest, given):
            return "amount"
        return "deadline" if deadline(rest, given) else None

    def _announced(self, sentence: Sentence, before: frozenset[str]) -> Kind | None:
        for claim in _claims(sentence, before):
            if excused(sentence, claim.start, claim.end, tense=claim.tense, own=claim.own, heard=self.heard):
                continue
            kind = _kind(sentence, claim, before)
            if not all(self._backed(kind, sentence, claim, before, named) for named in self._orders(sentence, claim)):
                return kind
        return None

    def _orders(self, sentence: Sentence, claim: Claim) -> list[frozenset[str]]:
        """Return each order that a claim's clause names, to be backed by itself; else those of its sentence together."""
        here = self.evidence.orders_named(sentence.plain[slice(*sentence.clause_at(claim.start))])
        return [frozenset({order}) for order in here] or [self.evidence.orders_named(sentence.plain)]

    def _backed(
        self, kind: Kind, sentence: Sentence, claim: Claim, before: frozenset[str], named: frozenset[str]
    ) -> bool:
        plain, evidence = sentence.plain, self.evidence
        promised = any(_shares(plain, text) for text in evidence.promised)
        match kind:
            case "approval":
                return promised or any(
                    _APPROVED.search(text) and _same_topic(plain, before, text) for text in evidence.read(named)
                )
            case "refund":
                return promised or self._refund_backed(claim, named)
            case _:
                if claim.tense != "past" and evidence.paraphrases(plain):
                    return True
                topics = _topics(sentence, claim, before)
                noted = promised and _NOTED.search(plain[claim.start : claim.end])
                return bool(noted) or (bool(topics & evidence.performed(named)) if topics else evidence.anything_done)

    def _refund_backed(self, claim: Claim, named: frozenset[str]) -> bool:
        read = self.evidence.read(named)
        if any(_REFUNDED.search(text) for text in read):
            return True
        if claim.tense == "past":
            return False
        going_on = any(_REFUNDING.search(text) for text in read)
        return going_on or (not claim.own and any(_REFUND.search(text) for text in self.evidence.policy))


def _claims(sentence: Sentence, before: frozenset[str]) -> Iterator[Claim]:
    for verb in announced(sentence, before):
        yield Claim(verb.start, verb.end, verb.tense, verb.own)
    for found in asserted(sentence):
        yield Claim(found.start, found.end, found.tense, found.own)
    for form in forms():
        for match in form.pattern.finditer(sentence.plain):
            if sentence.turns(*match.span()):
                continue  # "…, mas …": it joins the noun of one clause to the verb of another
            yield Claim(*match.span(), form.tense, form.own)


def _kind(sentence: Sentence, claim: Claim, before: frozenset[str]) -> Kind:
    words = sentence.plain[claim.start : claim.end]
    clause = sentence.plain[slice(*sentence.clause_at(claim.start))]
    if _APPROVAL.search(words):
        return "approval"
    about = clause if topics_in(clause) else " ".join(before)
    if _REFUND.search(words) or _MONEY_BACK.search(words) or (_REFUND.search(about) and not _OTHER_ACT.search(about)):
        return "refund"
    return "action"


def _topics(sentence: Sentence, claim: Claim, before: frozenset[str]) -> frozenset[str]:
    """Return what a claim is about: by its own words, else its clause, its sentence, or the sentence before."""
    plain = sentence.plain
    clause = topics_in(plain[slice(*sentence.clause_at(claim.start))])
    topics = topics_in(plain[claim.start : claim.end]) or clause
    if "exchange" in topics and "address" in clause:  # an address that was exchanged was changed
        return frozenset({"address"})
    return topics or topics_in(plain) or topics_in(" ".join(before))


def _same_topic(plain: str, before: frozenset[str], evidence: str) -> bool:
    """An approved return does not approve a refund: the evidence speaks of the same thing, or of nothing in particular."""
    claimed = (topics_in(plain) or topics_in(" ".join(before))) - {"ticket"}
    backed = topics_in(evidence) - {"ticket"}
    return not claimed or not backed or bool(claimed & backed)


def _shares(plain: str, commitment: str) -> bool:
    """Tell whether a sentence is about what a commitment promises: a topic and, where one is named, the amount."""
    return bool(topics_in(commitment) & topics_in(plain)) and amounts_in(plain) <= amounts_in(commitment)
