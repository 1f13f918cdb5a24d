"""Whether a reply announces what nothing backs. Deterministic, sentence by sentence: the one place that reads replies."""

from collections.abc import Collection, Iterator, Sequence
from datetime import date

from pydantic import JsonValue

from routing.claims_check import Check, Kind
from routing.claims_evidence import Evidence
from routing.claims_internals import internal_ids, internals
from routing.claims_nouns import own_nouns
from routing.claims_sentence import Sentence, sentences
from routing.facts import Commitment, ExecutedAction, Fact
from routing.model import Frozen, Language
from routing.pattern import Pattern
from routing.sentences import say
from routing.shop import Receipt
from routing.values import unspelled

ViolationKind = Kind
SAFE_FACTS = 3
_YES = Pattern(
    r"^\W*(?:sim|isso(?: mesmo)?|foi(?: sim)?|ja(?: foi)?|exato|correto|com certeza|claro que sim|yes|yep|yeah|it was|it has|correct|indeed)\W*$"
)
_LINE_SHOWN = 300  # characters of a line that shows machinery


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
    prompt: str = "",
    heard: Sequence[str] | None = None,
    today: date | None = None,
) -> tuple[Violation, ...]:
    """Return the sentences that nothing backs, each with the first kind that it violates.

    Both languages are read whatever `language` is: models slip. `transferred_to` are the names of who really takes over,
    `prompt` is the static text that no reply may repeat, `heard` the customer's own words (None: not known).
    """
    del language
    evidence = Evidence(receipts, actions, facts, policies, commitments, tool_data, heard or (), today)
    check = Check(evidence, transferred_to, tool_names, prompt, heard)
    found = [Violation(sentence=line, kind="internal") for line in _internal_lines(reply, evidence)]
    before: frozenset[str] = frozenset()
    for n, sentence in enumerate(sentences(reply)):
        kind = check.kind_of(sentence, before) or (_affirmed(sentence, check) if n == 0 else None)
        if kind is not None and not (kind == "internal" and found):
            found.append(Violation(sentence=sentence.text, kind=kind))
        before = own_nouns(sentence.tokens) or before
    return tuple(found)


def _affirmed(sentence: Sentence, check: Check) -> ViolationKind | None:
    """Return what a bare yes announces: the customer's last question, as a statement."""
    if not check.heard or not _YES.match(sentence.plain):
        return None
    asked = [found for found in sentences(check.heard[-1]) if found.text.endswith("?")]
    kind = check.kind_of(Sentence(asked[-1].text.rstrip("?! ")), frozenset()) if asked else None
    return kind if kind in ("action", "approval", "refund") else None


def _internal_lines(reply: str, evidence: Evidence) -> Iterator[str]:
    """Yield the lines that show machinery, on the text as it was written: a reader's view would repair it."""
    shown: set[int] = set()
    for pattern, given in ((internals(), False), (internal_ids(), True)):
        at = 0
        while (match := pattern.search(reply, at)) is not None:
            start = reply.rfind("\n", 0, match.start()) + 1
            end = reply.find("\n", match.start())
            end = end if end >= 0 else len(reply)
            if given and evidence.knows(match.group()):
                at = match.end()
                continue
            if start not in shown:
                shown.add(start)
                yield reply[start:end].strip()[:_LINE_SHOWN]
            at = max(end, match.end())


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
