"""The human queue in words for an operator (pt-BR)."""

from collections.abc import Callable
from datetime import datetime

from graph.events import ToolUsed
from graph.people import NotPossible
from ops.people import Effect, HopLimits, QueueEntry
from ops.words import fact_words, source_words, tool_words
from routing.facts import Commitment, Conflict, Hypothesis

Name = Callable[[str], str]

_REASONS = {
    "asked_for_human": "pediu uma pessoa",
    "stepped_in": "uma pessoa entrou na conversa",
    "sensitive": "assunto sensível",
    "self_handoff": "ninguém mais assume o assunto",
    "loop_without_progress": "a conversa dava voltas",
    "hop_limit": "passou por áreas demais",
    "unknown_reason": "nenhuma área assume o assunto",
    "model_calls": "o bot não chegou a uma resposta",
    "tool_repeats": "a mesma consulta se repetia",
    "empty_answer": "o bot ficou sem resposta",
    "conversation_length": "a conversa ficou longa demais",
    "identity": "não conseguiu provar quem é",
    "timeout": "o bot demorou demais",
    "attempts": "o atendimento caiu mais de uma vez nesta mensagem",
    "budget": "acabou o orçamento do bot",
    "approval": "ação a aprovar",
    "review": "cliente discorda da resposta",
    "callback": "retorno prometido",
    "effect_unknown": "não se sabe se a ação foi feita",
    "commitment_due": "promessa perto de vencer",
    "commitment_overdue": "promessa vencida",
}
_TOPICS = {
    "self_harm": "risco de autolesão",
    "safety": "segurança",
    "fraud": "fraude",
    "minor": "menor de idade",
    "legal_threat": "ameaça de processo",
    "data_request": "pedido sobre dados pessoais",
}
_STATES = {
    "done": "feito",
    "refused": "recusado",
    "unknown": "não se sabe se foi feito: confira antes de repetir",
    "claimed": "em andamento",
    "sent": "em andamento",
}
_PROMISED_BY = {"callback": "retorno combinado pelo bot", "policy": "política da loja", "receipt": "recibo"}
_NOT_POSSIBLE = {
    "claimed_by_another": "Outra pessoa está com este item.",
    "held_by_another": "Outra pessoa está com esta conversa.",
    "over": "Este item já foi encerrado.",
    "no_such_item": "Este item não existe mais.",
    "settled_otherwise": "A loja já respondeu outra coisa sobre esta ação. Veja as notas do item e encerre-o como a loja disse.",
    "no_protocol": "Um protocolo tem até 40 letras, números, pontos ou traços.",
    "no_doubt": "Neste item não há dúvida sobre uma ação.",
    "nothing_to_decide": "Não há mais nada a aprovar neste item.",
    "empty": "Escreva alguma coisa antes de enviar.",
}


def reason_words(entry: QueueEntry) -> str:
    """Say why an item is there; a sensitive topic by its name."""
    words = code_words(entry.reason)
    topic = _TOPICS.get(entry.about or "") if entry.reason == "sensitive" else None
    return f"{words}: {topic}" if topic else words


def code_words(reason: str) -> str:
    """Say a reason's code."""
    return _REASONS.get(reason, reason.replace("_", " "))


def about_words(entry: QueueEntry) -> str:
    """Return what the item says about itself, where that is more than its reason's code."""
    return "" if entry.about in (None, entry.reason) or entry.about in _TOPICS else str(entry.about)


def waited_words(seconds: float) -> str:
    """Write a waiting time: "agora", "7 min", "3 h 05", "2 dias"."""
    minutes = int(seconds // 60)
    if minutes < 1:
        return "agora"
    if minutes < 60:
        return f"{minutes} min"
    if minutes < 24 * 60:
        return f"{minutes // 60} h {minutes % 60:02d}"
    days = minutes // (24 * 60)
    return "1 dia" if days == 1 else f"{days} dias"


def conflict_words(conflict: Conflict) -> str:
    """Say who says what: "pagamento: cartão (cliente) × pix (sistema)"."""
    said = " × ".join(f"{value} ({source_words({'source': source})})" for source, value in conflict.values)
    return f"{fact_words({'key': conflict.key, 'value': ''})}{said}"


def suspicion_words(suspicion: Hypothesis, name: Name) -> str:
    said = fact_words({"key": suspicion.key, "value": suspicion.value})
    return f"{said} · {name(suspicion.author)} acha, {suspicion.confidence:.0%} de certeza"


def promise_words(promise: Commitment, *, when: Callable[[datetime], str]) -> tuple[str, str]:
    """Return a promise word for word, and by whom it was made and until when."""
    by = _PROMISED_BY.get(promise.by, promise.by)
    if promise.due is None:
        return promise.text, f"{by}, sem data"
    return promise.text, f"{by}, {'venceu' if promise.status == 'overdue' else 'até'} {when(promise.due)}"


def action_words(effect: Effect) -> tuple[str, str]:
    """Return what was done and what came of it, with its protocol."""
    done = tool_words(ToolUsed(name=effect.tool, args=effect.args, outcome="ok"))
    state = _STATES.get(effect.state, effect.state)
    return done, f"{state}, protocolo {effect.protocol}" if effect.protocol else state


def hop_limit_words(warning: HopLimits, name: Name) -> str:
    """Say that the roster, and not the customers, fills the queue, and where it circles."""
    paths = "; ".join(f"{' → '.join(name(agent) for agent in path)} ({count})" for path, count in warning.paths)
    return (
        f"{warning.count} de {warning.total} itens das últimas {warning.hours:.0f} h vieram de conversas que passaram de uma área para "
        "outra sem solução. Isso fala da divisão dos assuntos, não dos clientes: revise os motivos de passagem."
        + (f" Caminhos mais comuns: {paths}." if paths else "")
    )


def not_possible_words(problem: NotPossible) -> str:
    return _NOT_POSSIBLE.get(problem.because, "Não foi possível fazer isso agora.")
