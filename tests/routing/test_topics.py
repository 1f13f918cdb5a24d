from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routing.decision import Thresholds
from routing.text import normalise
from routing.topics import MAX_CLAUSES, second_topics, split_clauses

AT = datetime(2026, 11, 30, 14, tzinfo=UTC)
SPECIALISTS = ("returns", "support", "billing")


@pytest.mark.parametrize(
    ("message", "clauses"),
    [
        ("quero trocar o tênis e cadê o reembolso do outro?", ("quero trocar o tênis", "cadê o reembolso do outro?")),
        ("quero trocar o tênis, cadê o reembolso do outro?", ("quero trocar o tênis", "cadê o reembolso do outro?")),
        (
            "meu pedido não chegou, além disso fui cobrada duas vezes",
            ("meu pedido não chegou", "além disso fui cobrada duas vezes"),
        ),
        ("o tênis não serviu e fui cobrado duas vezes", ("o tênis não serviu", "fui cobrado duas vezes")),
        ("me manda o boleto e também quero trocar o endereço", ("me manda o boleto", "também quero trocar o endereço")),
        ("quero trocar a camisa e a nota fiscal veio errada", ("quero trocar a camisa", "a nota fiscal veio errada")),
        ("cadê meu pedido aliás a nota fiscal veio sem cnpj", ("cadê meu pedido", "aliás a nota fiscal veio sem cnpj")),
        ("a jaqueta veio rasgada\no boleto venceu", ("a jaqueta veio rasgada", "o boleto venceu")),
        ("where is my order and can I return the shoes?", ("where is my order", "can I return the shoes?")),
        (
            "Moro na Av. Paulista 1000. Quero trocar o endereço.",
            ("Moro na Av. Paulista 1000.", "Quero trocar o endereço."),
        ),
        ("valeu! e o reembolso cai como? paguei no cartão", ("valeu! e o reembolso cai como?", "paguei no cartão")),
    ],
)
def test_what_can_stand_alone_is_a_clause(message, clauses):
    assert split_clauses(message) == clauses


@pytest.mark.parametrize(
    "message",
    [
        "tênis e meia",
        "nome e endereço",
        "caiu e quebrou",
        "o fone caiu no chão e quebrou",
        "oi, cadê meu pedido?",
        "Oi! Cadê meu pedido? Obrigada",
        "quero cancelar e receber o dinheiro",
        "comprei um tênis e uma meia e não chegaram",
        "paguei R$ 1.234,56 no dia 12.05 e não caiu",
        "gostaria de trocar a cor e o tamanho",
        "não sei como faço pra trocar",
        "o pedido chegou mas veio sem a meia",
        "sim, e cadê o 10405?",
        "ok",
        "👍",
    ],
)
def test_what_cannot_stand_alone_stays_whole(message):
    assert split_clauses(message) == (message,)


@pytest.mark.parametrize("message", ["", "  \n ", "\u200b", "\0"])
def test_a_blank_message_has_no_clauses(message):
    assert split_clauses(message) == ()


def test_what_is_beyond_the_sixth_goes_with_the_sixth():
    message = " ".join(f"cadê o pedido número {n}?" for n in range(10))

    clauses = split_clauses(message)

    assert len(clauses) == MAX_CLAUSES
    assert clauses[-1].count("cadê") == 5


@given(st.text(alphabet=st.sampled_from("ae quro?.,;\n cadê pedido e ")) | st.text())
def test_no_word_gets_lost_but_the_joining_ones(message):
    clauses = split_clauses(message)

    assert len(clauses) <= MAX_CLAUSES
    kept = normalise(" ".join(clauses)).replace(" ", "")
    dropped = [word for word in normalise(message).split() if word not in kept]
    assert set(dropped) <= {"e", "mas", "and", "but", "porem", "ah", "que", "so", "alem", "de"}


def clause(text, **probabilities):
    rest = (1 - sum(probabilities.values())) / 2
    return text, {"out_of_scope": rest, "needs_question": rest, **probabilities}


def found(*clauses, first="returns"):
    topics = second_topics(clauses, first=first, specialists=SPECIALISTS, thresholds=Thresholds(), at=AT)
    return [(topic.target, topic.text) for topic in topics]


def test_a_clear_clause_of_another_specialist_is_a_topic():
    clauses = (
        clause("quero trocar o tênis", returns=0.95),
        clause("cadê o reembolso do outro?", billing=0.9, returns=0.05),
    )

    assert found(*clauses) == [("billing", "cadê o reembolso do outro?")]


def test_a_topic_is_stamped():
    (topic,) = second_topics(
        [clause("cadê o reembolso?", billing=0.9)],
        first="returns",
        specialists=SPECIALISTS,
        thresholds=Thresholds(),
        at=AT,
    )

    assert topic.at == AT


@pytest.mark.parametrize(
    "other",
    [
        clause("quero trocar também a meia", returns=0.95),
        clause("cadê o outro?", billing=0.74, support=0.2),
        clause("vai chover amanhã?", out_of_scope=0.95),
        clause("e aí?", needs_question=0.95),
        clause("paguei no cartão em 3x", billing=0.95),
        clause("comprei no boleto semana passada", billing=0.95),
        ("nada", {}),
    ],
)
def test_what_is_no_topic(other):
    assert found(clause("quero trocar o tênis", returns=0.95), other) == []


def test_a_complaint_in_the_past_is_a_topic():
    assert found(clause("quero trocar", returns=0.9), clause("paguei duas vezes", billing=0.9)) == [
        ("billing", "paguei duas vezes")
    ]


def test_several_specialists_are_several_topics_and_one_specialist_is_one():
    clauses = [
        clause("quero trocar o tênis", returns=0.9),
        clause("cadê o reembolso?", billing=0.9),
        clause("cadê o pedido 10405?", support=0.9),
        clause("e a nota fiscal?", billing=0.9),
    ]

    assert found(*clauses) == [("billing", "cadê o reembolso? e a nota fiscal?"), ("support", "cadê o pedido 10405?")]


def test_a_threshold_per_specialist_counts():
    strict = Thresholds(switch={"billing": 0.99})

    assert (
        second_topics(
            [clause("cadê o reembolso?", billing=0.9)],
            first="returns",
            specialists=SPECIALISTS,
            thresholds=strict,
            at=AT,
        )
        == ()
    )
