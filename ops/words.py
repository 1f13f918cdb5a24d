"""What happened in a turn, in words for a person who watches (pt-BR). Specialists are named by the roster, never here."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from graph.events import HandedOff, PersonCalled, Status, ToolUsed
from routing.decision import CLARIFICATION, COURTESY, NEEDS_QUESTION, OUT_OF_SCOPE, PERSON, Decision, Reason
from routing.sensing import BY_EXAMPLE
from routing.sentences.tools import PT

Name = Callable[[str], str]
"""Gives the display name of an id, of a specialist or of a responder."""

_RESPONDERS = {
    CLARIFICATION: "Pergunta de esclarecimento",
    NEEDS_QUESTION: "Vago: perguntar",
    OUT_OF_SCOPE: "Fora do escopo",
    COURTESY: "Cortesia",
    PERSON: "Pessoa do atendimento",
    "other": "outro assunto",
}

_REASONS: dict[Reason, str] = {
    "held_by_human": "Uma pessoa está com a conversa, então o bot não responde.",
    "sensitive": "Assunto sensível: texto aprovado e, se for o caso, uma pessoa.",
    "asked_for_human": "O cliente pediu para falar com uma pessoa.",
    "waiting_person": "Uma pessoa é aguardada, e a mensagem é sobre isso.",
    "conversation_length": "A conversa passou do tamanho permitido: chama uma pessoa.",
    "pending_confirmation": "A mensagem responde à confirmação que estava em aberto.",
    "pending_question": "A mensagem responde à última pergunta feita ao cliente.",
    "courtesy": "Só um cumprimento ou agradecimento.",
    "override": "O destino foi escolhido por quem integra o chat.",
    "only_agent": "Só há um especialista.",
    "addressed_by_name": "O cliente chamou {target} pelo nome.",
    "open_topic": "Retomou um assunto que o cliente tinha deixado em aberto.",
    "confident": "{target} passou do mínimo, e com folga sobre a segunda opção.",
    "continuity": "Segue com {target}, que já estava na conversa.",
    "low_confidence": "Nenhuma opção passou do mínimo: melhor perguntar do que adivinhar.",
    "chose_option": "O cliente escolheu uma das opções oferecidas.",
    "fallback_undecided": "Sem uma decisão clara, segue {target}.",
    "fallback_unavailable": "Nenhum modelo de decisão respondeu; segue {target}.",
}

_DOING = {
    "deciding": "Entendendo o pedido",
    "working": "Consultando",
    "checking": "Conferindo a resposta",
    "executing": "Registrando",
}

_STATUS = {
    "replied": "respondida",
    "held": "com uma pessoa",
    "interrupted": "interrompida",
    "failed": "falhou",
    "nothing_due": "sem resposta necessária",
    "running": "em andamento",
}

_TOOLS = {
    "lookup_order": "Consultou o pedido",
    "list_orders": "Listou os pedidos",
    "list_requests": "Listou as solicitações",
    "consult_policy": "Consultou a política",
    "open_return_request": "Devolução ou troca",
    "cancel_order": "Cancelamento",
    "update_address": "Troca de endereço",
    "open_delivery_ticket": "Chamado de entrega",
    "open_billing_ticket": "Chamado de cobrança",
    "get_document": "Buscou o documento",
    "verify_identity": "Conferiu a identidade",
    "open_review": "Revisão por uma pessoa",
    "promise_callback": "Retorno combinado",
    "note_hypothesis": "Anotou uma hipótese",
    "not_mine": "Disse que não é assunto seu",
    "recall": "Relembrou dados da conversa",
}

_OUTCOMES = {
    "ok": "feito",
    "refused": "recusado pela regra",
    "proposed": "aguarda confirmação",
    "failed": "falhou",
    "repeated": "já estava feito",
}

_PERSON = {
    "asked_for_human": "o cliente pediu",
    "sensitive": "assunto sensível",
    "loop_without_progress": "a conversa estava dando voltas",
    "self_handoff": "ninguém mais assume o assunto",
    "hop_limit": "já passou por especialistas demais",
    "unknown_reason": "nenhum especialista assume o assunto",
    "approval": "uma ação precisa de aprovação",
    "review": "o cliente discorda da resposta",
    "callback": "um retorno foi combinado",
    "effect_unknown": "não se sabe se a ação foi concluída",
}

_FACTS = {
    "order": "pedido",
    "order_status": "situação",
    "item": "item",
    "product": "produto",
    "tracking": "rastreio",
    "carrier": "transportadora",
    "delivery_estimate": "previsão de entrega",
    "delivered_on": "entregue em",
    "payment_method": "pagamento",
    "amount_charged": "valor cobrado",
    "amount": "valor",
    "charges_count": "cobranças registradas",
    "order_total": "total",
    "refund_status": "reembolso",
    "address": "endereço",
    "address_number": "número do endereço",
    "request": "solicitação",
    "request_status": "situação da solicitação",
    "receipt": "recibo",
    "document": "documento",
    "document_due": "vencimento",
    "attachment": "anexo",
    "identity_matched": "identidade conferida",
    "tier": "nível do cliente",
    "name": "nome",
    "phone": "telefone",
    "email": "e-mail",
    "cpf": "CPF",
    "cnpj": "CNPJ",
    "cep": "CEP",
    "card": "cartão",
    "city": "cidade",
    "date": "data",
    "time": "hora",
    "quote": "citação",
    "mention": "menção",
    "reason": "motivo",
    "identifier": "identificador",
    "number": "número",
    "answer": "resposta",
    "company": "empresa",
}
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_IN_PASSING = frozenset({"mention", "quote", "answer", "number"})
_SOURCES = {"customer": "cliente", "session": "sessão"}


def names(display_names: Mapping[str, str]) -> Name:
    """Return the naming function of a roster: id → display name. An unknown id is shown as it is."""

    def name(id: str) -> str:
        return display_names.get(id) or _RESPONDERS.get(id, id)

    return name


def reason_words(decision: Decision, name: Name) -> str:
    """Say why this one speaks now, with the numbers where a model gave some."""
    words = _REASONS[decision.reason].format_map({"target": name(decision.target)})
    if decision.probabilities and decision.confidence is not None and decision.threshold is not None:
        top = max(decision.probabilities, key=decision.probabilities.__getitem__)
        who = "" if top == decision.target else f"{name(top)}: "
        words = f"{words[:-1]} ({who}{percent(decision.confidence)}, mínimo {percent(decision.threshold)})."
    if decision.detail == BY_EXAMPLE:
        words += " Reconhecido por exemplos parecidos, não por palavras."
    if decision.reason == "low_confidence" and decision.options:
        words += f" Opções oferecidas: {', '.join(name(option) for option in decision.options)}."
    return words


def provider_words(decision: Decision) -> str | None:
    """Say who decided, and who was asked before and could not; None where a rule decided or the first one answered."""
    failed = [
        f"{hop.provider} não respondeu ({hop.why or hop.outcome})" for hop in decision.hops if hop.outcome != "ok"
    ]
    if not failed:
        return None
    who = f"Decidiu {decision.provider}" if decision.provider else "Nenhum provedor de decisão respondeu"
    return f"{who}: {', '.join(failed)}."


def percent(share: float) -> str:
    return f"{share * 100:.0f}%"


def seconds(milliseconds: float) -> str:
    """Write a duration: "84 ms", "1,4 s"."""
    return f"{milliseconds:.0f} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s".replace(".", ",")


def dollars(amount: float) -> str:
    """Write a cost: nothing is "sem custo", small amounts keep their digits."""
    if amount == 0:
        return "sem custo"
    return f"US$ {amount:.4f}".replace(".", ",") if amount < 1 else f"US$ {amount:.2f}".replace(".", ",")


def working_words(status: Status, name: Name) -> str:
    """Say what is being done right now, by whom."""
    doing = _DOING[status.doing]
    who = status.label or (name(status.agent) if status.agent else None)
    return f"{who} · {doing.lower()}…" if who else f"{doing}…"


def status_words(status: str) -> str:
    return _STATUS.get(status, status)


def tool_words(tool: ToolUsed) -> str:
    """Name the call and its main argument ("Consultou o pedido 10405")."""
    label = _TOOLS.get(tool.name, _plain(tool.name))
    order, about = tool.args.get("order"), tool.args.get("topic") or tool.args.get("about")
    if order:
        label = f"{label} {order}" if label.endswith("pedido") else f"{label} · pedido {order}"
    elif about:
        label = f"{label}: {about}"
    return label if len(label) <= 90 else label[:89] + "…"


def outcome_words(tool: ToolUsed) -> str:
    return _OUTCOMES[tool.outcome]


def person_words(person: PersonCalled) -> str:
    """Say who is called, and why, as a banner states it."""
    if person.status == "held":
        return "Uma pessoa do atendimento está com esta conversa e responde por aqui."
    why = _PERSON.get(person.reason)
    protocol = f" Protocolo {person.protocol}." if person.protocol else ""
    return f"Uma pessoa do atendimento foi chamada{f' ({why})' if why else ''}.{protocol}"


def fact_words(fact: Mapping[str, Any]) -> str:
    """Say one fact without what it is about: "situação: em trânsito". Days are written as people here write them."""
    key, value = str(fact.get("key", "")), str(fact.get("value", ""))
    day = _DAY.fullmatch(value)
    return f"{_FACTS.get(key, _plain(key))}: {f'{day[3]}/{day[2]}/{day[1]}' if day else value}"


def fact_groups(facts: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """Group facts by what they are about: ("pedido 10405", its facts). The customer's own come last, under ""."""
    heads: dict[str, str] = {}
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for fact in facts:
        entity = str(fact.get("entity") or "")
        kind, _, id = entity.partition(":")
        heads.setdefault(entity, _called(kind, id) if id else "")
        members = groups.setdefault(entity, [])
        if id and fact.get("key") == kind:  # what an order or an item is called is its head
            heads[entity] = _called(kind, str(fact.get("value")))
        else:
            members.append(fact)
    named = [(heads[entity], members) for entity, members in groups.items()]
    return sorted(named, key=lambda group: (group[0] == "", not group[0].startswith(_FACTS["order"])))


def _called(kind: str, name: str) -> str:
    """Say what facts are about: "pedido 10405"; a request by what it asks for, never by its code."""
    return f"{_FACTS.get(kind, _plain(kind))} {PT.get(f'kind_{name}', name)}"


def source_words(fact: Mapping[str, Any]) -> str:
    """Say where a fact comes from: read in the shop's system, said by the customer, or known from the session."""
    source = str(fact.get("source", ""))
    return "sistema" if source.startswith("tool:") else _SOURCES.get(source, source)


def carried_words(facts: Sequence[Mapping[str, Any]], limit: int = 3) -> str:
    """Sum up what a transfer carried: "pedido 10405 (situação: em trânsito, rastreio: BR1 e mais 2)"."""
    said: list[str] = []
    for head, members in fact_groups([fact for fact in facts if fact.get("key") not in _IN_PASSING]):
        words = list(dict.fromkeys(fact_words(fact) for fact in members))
        more = f" e mais {len(words) - limit}" if len(words) > limit else ""
        listed = ", ".join(words[:limit]) + more
        said.append(f"{head} ({listed})" if head and listed else head or listed)
    return ", ".join(part for part in said if part)


def handoff_reason(handoff: HandedOff, name: Name, explained: Mapping[str, str]) -> str:
    """Say why it passed on: a rule's or model's reason, or the declared one as the table explains it."""
    known: Mapping[str, str] = {**_REASONS}
    if handoff.reason in known:
        return known[handoff.reason].format_map({"target": handoff.to_label})
    why = explained.get(handoff.reason) or _plain(handoff.reason)
    who = name(handoff.from_agent) if handoff.from_agent else None
    return f"{who} disse que não é assunto seu: {why}." if who else f"{why}."


def printable(text: str) -> str:
    """Return the text without characters that steer a terminal or reorder what is read; new lines and tabs stay."""
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf") or c == "\u200d")


def _plain(code: str) -> str:
    return code.replace("_", " ")
