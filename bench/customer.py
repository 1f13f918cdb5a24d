"""What the customer of every contender writes, and what every contender's model answers: the same words, by turn."""

import re
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

ORDERS = ("10405", "10418", "10431", "10433", "10440", "10399")
TURNS_PER_ORDER = 5
LOOKUP = "lookup_order"
FIRST, SECOND = "support", "billing"
_ASKS = (
    "Ainda sobre o pedido {order}: mudou alguma coisa no rastreio desde que {who} olhou? Preciso me programar para receber {where}.",
    "E do pedido {order}, dá para ver por onde ele passou? {where} só recebem até o fim da tarde, e {who} perguntou de novo.",
    "Sobre o {order}, {who} viu um pacote {where} e achei que fosse o meu. Consegue olhar a situação mais uma vez, por favor?",
    "O pedido {order} continua do mesmo jeito? {who} abriu o aplicativo {where} agora há pouco e a tela não carregou por completo.",
    "Pode conferir de novo o {order}? Vou viajar no fim de semana, {who} fica {where}, e queria saber antes de arrumar as malas.",
)
# So many that no text comes twice within a conversation: what is remembered of an earlier one helps nobody.
_WHO = (
    "minha vizinha", "meu irmão", "minha tia", "o zelador", "meu sogro", "minha prima", "o síndico", "minha mãe", "meu pai",
    "a diarista", "meu colega", "minha chefe", "o porteiro", "minha avó", "meu primo", "a estagiária", "meu filho", "minha filha",
    "o padeiro", "minha cunhada", "meu genro", "a professora", "meu tio",
)  # fmt: skip
_WHERE = (
    "na portaria", "no trabalho", "na recepção", "no sítio", "na garagem", "no salão", "na escola", "no mercado", "na oficina",
    "no corredor", "na varanda", "no depósito", "na padaria", "no térreo", "na farmácia", "no balcão", "na loja da esquina",
    "no bloco ao lado", "na casa da frente", "no prédio antigo", "na sala dos fundos", "no segundo andar", "na vila", "no galpão",
    "na praça", "no quintal", "na guarita", "no estúdio", "na copa",
)  # fmt: skip
_PASSED_ON = "No pedido {order} apareceu uma segunda cobrança no meu extrato do banco, de ontem para hoje."
_ANSWER = (
    "Olhei o pedido {order} agora, como pediu ({about}). A situação registrada é a mesma que aparece na sua conta, com os itens, a "
    "transportadora e o código de rastreio que já estavam lá. Se quiser, posso explicar cada linha do registro ou olhar outro pedido "
    "seu, é só me dizer o número."
)  # fmt: skip


def ask(turn: int, conversation: int = 0) -> str:
    """Return the customer's message of a turn, counted from 1. The subject moves to another order every few turns."""
    pick = turn + 7 * conversation
    who, where = _WHO[pick % len(_WHO)], _WHERE[pick % len(_WHERE)]
    return _ASKS[turn % len(_ASKS)].format(order=order_of(turn), who=who, where=where)


def change_of_subject(turn: int) -> str:
    """Return a message that another specialist must answer."""
    return _PASSED_ON.format(order=order_of(turn))


def order_of(turn: int) -> str:
    return ORDERS[(turn - 1) // TURNS_PER_ORDER % len(ORDERS)]


def belongs_elsewhere(text: str) -> bool:
    return "segunda cobrança" in text


def wanted(text: str) -> str:
    """Return the specialist that a message is for."""
    return SECOND if belongs_elsewhere(text) else FIRST


def move(agent: str, messages: Sequence[BaseMessage], tools: Sequence[str]) -> AIMessage:
    """Return what the model says as `agent`: pass the conversation on, look the order up, or answer from what it read.

    It never errs, whoever asks: what is compared is the designs, not models.
    """
    last = max(i for i, m in enumerate(messages) if isinstance(m, HumanMessage))
    text, since = str(messages[last].content), messages[last + 1 :]
    if agent == "supervisor":
        back = any(isinstance(m, ToolMessage) and (m.name or "").startswith("transfer_back") for m in since)
        return _answer(text) if back else _call(f"transfer_to_{wanted(text)}", {}, len(messages))
    if wanted(text) != agent and f"transfer_to_{wanted(text)}" in tools:
        return _call(f"transfer_to_{wanted(text)}", {}, len(messages))
    if wanted(text) != agent and "not_mine" in tools:
        return _call("not_mine", {"reason": "duplicate_charge", "detail": "segunda cobrança"}, len(messages))
    if any(isinstance(m, ToolMessage) and m.name == LOOKUP for m in since):
        return _answer(text)
    return _call(LOOKUP, {"order": _order_in(text)}, len(messages))


def _answer(text: str) -> AIMessage:
    said = next((place for place in _WHERE if place in text), "a cobrança")
    about = f"{next((who for who in _WHO if who in text), 'extrato')}, {said}"
    return AIMessage(_ANSWER.format(order=_order_in(text), about=about))


def _call(name: str, args: dict[str, Any], number: int) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": name, "args": args, "id": f"call_{number}", "type": "tool_call"}])


def _order_in(text: str) -> str:
    found = re.search(r"\b\d{5}\b", text)
    return found[0] if found else ORDERS[0]
