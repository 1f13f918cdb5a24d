"""Arguments stand on what somebody said or read."""

import pytest

from routing.facts import Fact
from routing.grounding import Candidate, Grounded, NotGrounded, check_grounding
from tests.routing.builders import fact

LISTING = [Candidate(id="10405", labels=("tênis azul",)), Candidate(id="10420", labels=("caneca",))]
READ = fact("tracking", "AA123456789BR", entity="order:10431", source="tool:lookup_order")


def because(
    args: dict[str, object],
    *,
    facts: list[Fact] | None = None,
    words: tuple[str, ...] = (),
    listings: list[list[Candidate]] | None = None,
    reading: bool = False,
) -> str | None:
    verdict = check_grounding(
        args, identifiers=("order_id", "item_id", "amount_cents"), from_customer=("street", "number", "city", "reason"),
        facts=facts or [], words=words, listings=listings or [], reading=reading,
    )  # type: ignore[arg-type]  # fmt: skip
    if isinstance(verdict, Grounded):
        return None
    assert isinstance(verdict, NotGrounded)
    return verdict.because


@pytest.mark.parametrize(
    ("args", "facts", "words", "expected"),
    [
        ({"order_id": "12345"}, [], ("quero devolver uma compra da semana passada",), "unknown_identifier"),
        ({"order_id": "10405"}, [fact("order", "10405")], (), None),
        ({"order_id": " #10405 "}, [fact("order", "10405")], (), None),
        ({"order_id": "W2378156"}, [fact("identifier", "#w2378156")], (), None),
        ({"order_id": "10405"}, [], ("cadê o pedido 10405?",), None),
        ({"order_id": "1040"}, [], ("cadê o pedido 10405?",), "unknown_identifier"),
        ({"order_id": "10431"}, [READ], (), None),
        ({"order_id": "10405"}, [fact("order", "10405", source="session")], (), None),
        ({"item_id": "2"}, [fact("item", "tênis", entity="item:10405/2", source="tool:lookup_order")], (), None),
        ({"item_id": "3"}, [fact("item", "tênis", entity="item:10405/2", source="tool:lookup_order")], (), "unknown_identifier"),
        ({"amount_cents": 8990}, [fact("amount", "R$ 89,90")], (), None),
        ({"amount_cents": 8991}, [fact("amount", "R$ 89,90")], (), "unknown_identifier"),
        ({"amount_cents": 8990}, [], ("foram 89,90 duas vezes",), None),
        ({"order_id": None, "item_id": ""}, [], (), None),
        ({"order_id": ["10405", "999"]}, [fact("order", "10405")], (), "unknown_identifier"),
    ],
)  # fmt: skip
def test_identifiers_are_facts(
    args: dict[str, object], facts: list[Fact], words: tuple[str, ...], expected: str | None
) -> None:
    assert because(args, facts=facts, words=words) == expected


@pytest.mark.parametrize(
    ("order", "words", "expected"),
    [
        ("10405", ("quero devolver",), "only_listed"),
        ("10405", ("quero devolver o tenis azul",), None),
        ("10420", ("quero devolver o tênis azul",), "only_listed"),
        ("10420", ("o segundo",), None),
        ("10405", ("o segundo",), "only_listed"),
        ("10420", ("o último, por favor",), None),
        ("10405", ("o 10405",), None),
        ("10405", ("a caneca e o tênis azul",), "only_listed"),
    ],
)
def test_what_only_a_listing_gave_must_be_named(order: str, words: tuple[str, ...], expected: str | None) -> None:
    facts = [fact("order", item.id, entity=f"order:{item.id}", source="tool:list_orders") for item in LISTING]
    assert because({"order_id": order}, facts=facts, words=words, listings=[LISTING]) == expected
    assert because({"order_id": order}, facts=facts, words=words, listings=[LISTING], reading=True) is None


def test_the_only_candidate_needs_no_name() -> None:
    assert because({"order_id": "10405"}, listings=[LISTING[:1]]) is None


ADDRESS = ("muda pra R. das Flores, nº 35, em São Paulo por favor", "o motivo: nao serviu")


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({"street": "Rua das Flores", "number": "35"}, None),
        ({"street": "rua DAS flores"}, None),
        ({"street": "Rua das Flores", "number": "53"}, "not_in_words"),
        ({"street": "Avenida das Flores"}, "not_in_words"),
        ({"street": "Rua das Palmeiras"}, "not_in_words"),
        ({"city": "Sao Paulo"}, None),
        ({"number": "035"}, None),
        ({"reason": "não serviu"}, None),
        ({"reason": "veio com defeito"}, "not_in_words"),
        ({"reason": ""}, None),
    ],
)
def test_texts_come_from_the_customers_words(args: dict[str, object], expected: str | None) -> None:
    assert because(args, words=ADDRESS) == expected


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({"number": "3"}, "o número é três"),
        ({"street": "Av. Brasil"}, "avenida brasil"),
        ({"number": "254"}, "errei, o número é 254"),
        ({"reason": "ficou pequeno"}, "ficou pequeno demais em mim"),
    ],
)
def test_numbers_and_abbreviations_are_tolerated(args: dict[str, object], words: str) -> None:
    assert because(args, words=(words,)) is None


def test_words_of_several_messages_count_together() -> None:
    assert because({"street": "Rua das Flores", "number": "35"}, words=("rua das flores", "número 35")) is None
