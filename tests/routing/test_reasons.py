"""From what a model writes as a reason to one specialist, or to the list for its one retry."""

import pytest

from routing.reasons import ReasonOverride, ReasonTable, Resolved, Unknown, merge, resolve, resolve_all

DEFAULTS = {
    "returns": {"return_item": "quer devolver", "exchange_item": "quer trocar", "cancel_order": "quer cancelar"},
    "support": {"tracking": "onde está o pedido", "delivery_address": "trocar o endereço de entrega"},
    "billing": {
        "reembolso": "dinheiro de volta",
        "duplicate_charge": "cobrado duas vezes",
        "nota_fiscal": "segunda via da nota",
    },
}
NAMES = {"billing": ("financeiro", "cobrança"), "support": ("suporte", "entregas"), "returns": ("trocas",)}


def table() -> ReasonTable:
    return merge(DEFAULTS, names=NAMES)


@pytest.mark.parametrize(
    ("text", "agent", "reason", "how"),
    [
        ("reembolso", "billing", "reembolso", "exact"),
        ("REEMBOLSO ", "billing", "reembolso", "exact"),
        ("Reembólso", "billing", "reembolso", "exact"),
        ("duplicate charge", "billing", "duplicate_charge", "exact"),
        ("duplicate-charge", "billing", "duplicate_charge", "exact"),
        ("duplicated charge", "billing", "duplicate_charge", "close"),
        ("reembolço", "billing", "reembolso", "close"),
        ("o reembolso do pedido", "billing", "reembolso", "close"),
        ("nota", "billing", "nota_fiscal", "close"),
        ("exchange", "returns", "exchange_item", "close"),
        ("falar com o financeiro v2", "billing", "financeiro v2", "named"),
        ("setor de entregas", "support", "entregas", "named"),
        ("trackin", "support", "tracking", "close"),
    ],
)
def test_matches_when_unambiguous(text: str, agent: str, reason: str, how: str) -> None:
    found = resolve(text, table(), current="care")
    assert isinstance(found, Resolved)
    assert (found.agent, found.reason, found.how, found.itself) == (agent, reason, how, False)


@pytest.mark.parametrize(
    "text", ["", "   ", "???", "outro assunto", "xyz", "financeiro ou trocas", "tracking e reembolso"]
)
def test_what_fits_nothing_or_several_is_unknown_with_the_others_reasons(text: str) -> None:
    found = resolve(text, table(), current="billing")
    assert isinstance(found, Unknown)
    assert found.valid == ("return_item", "exchange_item", "cancel_order", "tracking", "delivery_address")


def test_several_close_ones_of_one_specialist_are_unambiguous() -> None:
    found = resolve("item", table(), current="support")
    assert isinstance(found, Resolved)
    assert found.agent == "returns"


def test_ones_own_reason_is_marked() -> None:
    found = resolve("tracking", table(), current="support")
    assert found == Resolved(agent="support", reason="tracking", how="exact", itself=True)


def test_configuration_moves_a_reason_without_touching_a_prompt() -> None:
    moved = merge(DEFAULTS, {"reembolso": ReasonOverride(agent="returns")}, names=NAMES)
    found = resolve("reembolso", moved, current="support")
    assert isinstance(found, Resolved)
    assert found.agent == "returns"
    assert dict(moved.valid)["reembolso"] == "dinheiro de volta"


def test_configuration_adds_a_reason_and_changes_a_sentence() -> None:
    added = merge(
        DEFAULTS,
        {
            "gift_card": ReasonOverride(agent="billing", sentence="vale"),
            "tracking": ReasonOverride(sentence="rastreio"),
        },
    )
    assert dict(added.valid)["gift_card"] == "vale"
    assert dict(added.valid)["tracking"] == "rastreio"
    assert "gift_card" not in dict(added.for_agent("billing"))


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"gift": ReasonOverride(agent="billing")}, "needs an agent and a sentence"),
        ({"gift": ReasonOverride(sentence="x")}, "needs an agent and a sentence"),
        ({"tracking": ReasonOverride(agent="nobody")}, "the roster has returns, support, billing"),
    ],
)
def test_a_wrong_override_says_what_is_wrong(overrides: dict[str, ReasonOverride], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        merge(DEFAULTS, overrides)


def test_two_specialists_may_not_claim_one_reason() -> None:
    with pytest.raises(ValueError, match="claimed by"):
        merge({"a": {"x": "1"}, "b": {"x": "2"}})


@pytest.mark.parametrize(
    ("declared", "first", "topics", "unknown"),
    [
        ([("reembolso", "a"), ("return_item", "b")], "billing", ["returns"], 0),
        ([("xyz", "a"), ("return_item", "b")], "returns", [], 1),
        ([("tracking", "a"), ("reembolso", "b")], "billing", [], 0),
        ([("tracking", "a")], "support", [], 0),
        ([("reembolso", "a"), ("nota_fiscal", "b")], "billing", [], 0),
        ([("reembolso", "a"), ("return_item", "b"), ("cancel_order", "c")], "billing", ["returns"], 0),
        ([("xyz", "a")], None, [], 1),
        ([], None, [], 0),
    ],
)
def test_several_reasons(declared: list[tuple[str, str]], first: str | None, topics: list[str], unknown: int) -> None:
    routing = resolve_all(declared, table(), current="support")
    assert (routing.first[0].agent if routing.first else None) == first
    assert [topic.agent for topic, _ in routing.topics] == topics
    assert len(routing.unknown) == unknown
