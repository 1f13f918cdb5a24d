"""The running summary picks sentences; it never holds what is promised or done, and never grows."""

from routing.package import Turn
from routing.summary import SEPARATOR, extend_summary
from routing.tokens import approximate_tokens
from tests.routing.builders import NOW


def customer(text: str) -> Turn:
    return Turn(role="customer", text=text, at=NOW)


def agent(text: str) -> Turn:
    return Turn(role="agent", text=text, at=NOW)


def test_keeps_what_names_something_and_drops_courtesies() -> None:
    turns = [
        customer("Oi, bom dia!"),
        customer("Quero trocar o tênis do pedido 10405. Obrigada!"),
        agent("Qual o tamanho?"),
    ]
    assert extend_summary(None, turns) == "C: Quero trocar o tênis do pedido 10405. · A: Qual o tamanho?"


def test_nothing_to_say_is_none() -> None:
    assert extend_summary(None, [customer("oi"), agent("Olá!")]) is None
    assert extend_summary(None, []) is None


def test_never_what_an_agent_announced_or_what_is_protected() -> None:
    turns = [
        agent("Abri o chamado CB-1. Vou te retornar até sexta. Você recebeu o pedido 10405 em casa ou no trabalho?"),
        customer("A atendente disse: te retornamos até sexta com o valor de R$ 50,00"),
    ]
    kept = extend_summary(None, turns, protected=["Te retornamos até sexta com o valor de R$ 50,00"])
    assert kept is None or "sexta" not in kept
    assert kept is None or "CB-1" not in kept


def test_it_runs_on_within_its_budget_and_keeps_figures_over_chatter() -> None:
    summary = extend_summary(None, [customer("Quero trocar o produto do pedido 10405, comprado em 12/03.")])
    for number in range(200):
        summary = extend_summary(
            summary, [customer(f"hoje choveu bastante por aqui, palavra {'abcdefghij'[number % 10]} repetida")]
        )
        assert summary is not None
        assert approximate_tokens(summary) <= 250
    assert summary is not None
    assert "10405" in summary


def test_the_same_sentence_counts_once_and_the_order_stays() -> None:
    turns = [
        customer("Quero trocar o tênis."),
        customer("Cadê o reembolso do pedido 10420?"),
        customer("Quero trocar o tênis."),
    ]
    summary = extend_summary(None, turns)
    assert summary == SEPARATOR.join(("C: Quero trocar o tênis.", "C: Cadê o reembolso do pedido 10420?"))


def test_a_separator_in_a_text_does_not_split_it() -> None:
    summary = extend_summary(None, [customer("Quero o tênis azul · tamanho 40 · do pedido 10405")])
    assert summary is not None
    assert summary.count(SEPARATOR) == 0
