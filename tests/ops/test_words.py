"""What happened, in words: every code has some, and nobody's text steers the terminal."""

from typing import get_args

import pytest

from graph.events import HandedOff, PersonCalled, Status, ToolOutcome, ToolUsed, TurnStatus
from ops import words
from routing.decision import RESPONDERS, Decision, Reason
from tests.ops.turns import CONFIDENT, FACTS, HANDOFF, NAMES
from tools.registry import TOOLS

name = words.names(NAMES)


@pytest.mark.parametrize("reason", get_args(Reason))
def test_every_reason_has_words_that_name_the_target(reason: Reason) -> None:
    said = words.reason_words(Decision(target="billing", reason=reason), name)
    assert said.endswith(".")
    assert "{" not in said
    assert reason not in said


def test_a_reason_carries_its_numbers() -> None:
    assert "(91%, mínimo 75%)." in words.reason_words(CONFIDENT, name)


def test_what_examples_found_is_told_apart_from_what_words_spelt() -> None:
    spelt = Decision(target="person", reason="sensitive")
    alike = spelt.model_copy(update={"detail": "by_example"})

    assert "exemplos" not in words.reason_words(spelt, name)
    assert words.reason_words(alike, name).endswith("Reconhecido por exemplos parecidos, não por palavras.")


def test_a_low_confidence_says_what_was_likeliest_and_what_is_offered() -> None:
    said = words.reason_words(
        Decision(
            target="clarification",
            reason="low_confidence",
            probabilities={"returns": 0.4, "billing": 0.35},
            confidence=0.4,
            threshold=0.75,
            options=("returns", "other"),
        ),
        name,
    )
    assert "(Devoluções e trocas: 40%, mínimo 75%)." in said
    assert "Opções oferecidas: Devoluções e trocas, outro assunto" in said


@pytest.mark.parametrize("responder", RESPONDERS)
def test_every_responder_has_a_name(responder: str) -> None:
    assert name(responder) != responder


def test_an_unknown_specialist_is_shown_by_its_id() -> None:
    assert name("retention") == "retention"


@pytest.mark.parametrize("status", [*get_args(TurnStatus), "running"])
def test_every_status_has_words(status: str) -> None:
    assert words.status_words(status) != status


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_every_tool_has_a_name_of_its_own(tool: str) -> None:
    assert "_" not in words.tool_words(ToolUsed(name=tool, args={}, outcome="ok"))
    assert words.tool_words(ToolUsed(name=tool, args={}, outcome="ok")) != tool.replace("_", " ")


@pytest.mark.parametrize("outcome", get_args(ToolOutcome))
def test_every_outcome_has_words(outcome: ToolOutcome) -> None:
    assert words.outcome_words(ToolUsed(name="x", args={}, outcome=outcome))


def test_a_call_names_its_order_and_stays_short() -> None:
    assert (
        words.tool_words(ToolUsed(name="lookup_order", args={"order": "10405"}, outcome="ok"))
        == "Consultou o pedido 10405"
    )
    assert len(words.tool_words(ToolUsed(name="open_review", args={"about": "x" * 500}, outcome="ok"))) <= 90


def test_a_transfer_says_what_went_along() -> None:
    said = words.carried_words(HANDOFF.facts)
    assert said == "pedido 10405 (situação: em trânsito, cobranças registradas: 2)"
    assert words.carried_words([]) == ""


def test_what_is_too_much_for_a_card_is_counted() -> None:
    many = [{"key": "tracking", "entity": "order:1", "value": str(n), "source": "customer"} for n in range(9)]
    assert words.carried_words(many, limit=3).endswith("e mais 6)")


def test_facts_are_grouped_by_what_they_are_about() -> None:
    groups = words.fact_groups(FACTS)
    assert [head for head, _ in groups] == ["pedido 10405", ""]
    assert [fact["key"] for fact in groups[0][1]] == ["order_status", "charges_count"]


def test_an_item_is_called_by_its_name_and_a_day_is_written_as_people_do() -> None:
    facts = [
        {"key": "item", "entity": "item:10405/1", "value": "Tênis Vento, nº 38", "source": "tool:lookup_order"},
        {"key": "delivery_estimate", "entity": "order:10405", "value": "2026-12-02", "source": "tool:lookup_order"},
    ]
    assert words.carried_words(facts) == "pedido 10405 (previsão de entrega: 02/12/2026), item Tênis Vento, nº 38"


def test_a_declared_reason_is_explained_by_the_table() -> None:
    declared = HandedOff(from_agent="support", to_agent="billing", to_label="Financeiro", reason="charge")
    assert words.handoff_reason(declared, name, {"charge": "cobranças e pagamentos"}) == (
        "Entregas e cadastro disse que não é assunto seu: cobranças e pagamentos."
    )


@pytest.mark.parametrize(
    ("person", "said"),
    [
        (
            PersonCalled(status="held", reason="claim"),
            "Uma pessoa do atendimento está com esta conversa e responde por aqui.",
        ),
        (
            PersonCalled(status="waiting", reason="asked_for_human", protocol="BA-1"),
            "Uma pessoa do atendimento foi chamada (o cliente pediu). Protocolo BA-1.",
        ),
        (PersonCalled(status="waiting", reason="some_new_code"), "Uma pessoa do atendimento foi chamada."),
    ],
)
def test_a_person_is_announced(person: PersonCalled, said: str) -> None:
    assert words.person_words(person) == said


def test_work_names_who_does_it() -> None:
    assert words.working_words(Status(doing="working", agent="billing"), name) == "Financeiro · consultando…"
    assert words.working_words(Status(doing="deciding"), name) == "Entendendo o pedido…"


@pytest.mark.parametrize(
    ("given", "written"), [(0.0, "sem custo"), (0.00042, "US$ 0,0004"), (0.25, "US$ 0,2500"), (3.5, "US$ 3,50")]
)
def test_costs(given: float, written: str) -> None:
    assert words.dollars(given) == written


@pytest.mark.parametrize(("given", "written"), [(84.4, "84 ms"), (1432.0, "1,4 s")])
def test_durations(given: float, written: str) -> None:
    assert words.seconds(given) == written


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        ("\x1b[31mvermelho\x1b[0m", "[31mvermelho[0m"),
        ("a\u202eb\u2066c", "abc"),
        ("linha\num\ttab", "linha\num\ttab"),
        ("família 👩‍👧", "família 👩‍👧"),
        ("\x00\x07\x9b", ""),
    ],
)
def test_nothing_printed_steers_the_terminal(given: str, printed: str) -> None:
    assert words.printable(given) == printed


@pytest.mark.parametrize(
    "facts",
    [
        [{"key": "receipt", "entity": "request:duplicate_charge", "value": "Protocolo CB-1."}],
        [{"key": "request", "entity": "request:r1", "value": "duplicate_charge"}],
    ],
)
def test_a_request_is_called_by_what_it_is_for(facts: list[dict[str, str]]) -> None:
    assert words.fact_groups(facts)[0][0] == "solicitação cobrança em duplicidade"
