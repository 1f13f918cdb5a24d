"""The panel and the cards draw events, whatever is in them."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from routing.decision import Decision
from tests.ops.turns import CONFIDENT, NAMES
from ui import panel


def drawn(at: AppTest) -> str:
    """All HTML of a page."""
    assert not at.exception
    return "\n".join(str(element.proto.body) for element in at.get("html"))


def draw_transferred_turn() -> None:
    from functools import reduce

    from ops.turn_view import TurnView, after
    from tests.ops.turns import NAMES, transferred
    from ui import panel

    view = reduce(after, transferred(), TurnView(thread_id="t"))
    panel.draw_turn(view, panel.Wording(NAMES, {}))


def draw_rule() -> None:
    from ops.words import names
    from routing.decision import Decision
    from tests.ops.turns import NAMES
    from ui import panel

    panel.draw_decision(Decision(target="person", reason="asked_for_human"), names(NAMES))


def draw_hostile_cards() -> None:
    from graph.events import HandedOff
    from ui import cards

    evil = '<img src="http://evil.example/x.png" onerror=alert(1)>'
    for role in ("customer", "agent", "operator"):
        cards.bubble(role=role, who=evil, text=evil)
    fact = {"key": evil, "entity": f"order:{evil}", "value": evil, "source": evil}
    cards.transfer(HandedOff(from_agent="a", to_agent="b", to_label=evil, reason=evil, facts=[fact]), evil)
    cards.confirmation(evil)
    cards.banner(evil)
    cards.note(evil)
    cards.failure(evil, evil)
    cards.working(evil)


def test_a_transferred_turn_is_told_whole() -> None:
    at = AppTest.from_function(draw_transferred_turn).run()
    text = drawn(at)
    assert "Financeiro" in text
    assert "91%, mínimo 75%" in text
    assert "Entregas e cadastro → Financeiro" in text
    assert "pedido 10405" in text
    assert "Consultou o pedido 10405" in text
    assert "já estava feito" in text
    assert "1,4 s" in text
    assert "sem custo" in text
    assert len(at.get("vega_lite_chart")) == 1
    assert "212 tokens" in at.expander[0].label


def test_a_rule_needs_no_chart() -> None:
    at = AppTest.from_function(draw_rule).run()
    assert "O cliente pediu para falar com uma pessoa." in drawn(at)
    assert not at.get("vega_lite_chart")


def test_hostile_text_is_literal_in_every_card() -> None:
    text = drawn(AppTest.from_function(draw_hostile_cards).run())
    assert "<img" not in text
    assert text.count("&lt;img") >= 14


def rows(chart: Any) -> list[dict[str, Any]]:
    return chart.to_dict()["layer"][0]["data"]["values"]


def test_the_chart_shows_every_option_the_likeliest_first_and_the_threshold() -> None:
    chart = panel.chart(CONFIDENT, panel.Wording(NAMES, {}).name)
    assert rows(chart)[0]["opção"] == "Financeiro"
    assert {row["opção"] for row in rows(chart)} == {*NAMES.values(), "Fora do escopo", "Vago: perguntar"}
    assert [row["escolhida"] for row in rows(chart)] == [True, False, False, False, False]
    rule = chart.to_dict()["layer"][2]
    assert rule["mark"]["type"] == "rule"
    assert rule["data"]["values"][0]["t"] == 0.75


def test_a_decision_without_threshold_has_no_line() -> None:
    decision = Decision(target="billing", reason="fallback_undecided", probabilities={"billing": 0.5, "support": 0.5})
    assert len(panel.chart(decision, str).to_dict()["layer"]) == 2


@pytest.mark.parametrize(("reason", "shown"), [("confident", False), ("charge", True)])
def test_why_it_passed_on_is_told_once(reason: str, shown: bool) -> None:
    def draw(reason: str) -> None:
        from functools import reduce

        from ops.turn_view import TurnView, after
        from tests.ops.turns import HANDOFF, NAMES, transferred
        from ui import panel

        events = [e.model_copy(update={"reason": reason}) if e.type == "handoff" else e for e in transferred()]
        assert HANDOFF.type == "handoff"
        view = reduce(after, events, TurnView(thread_id="t"))
        panel.draw_turn(view, panel.Wording(NAMES, {"charge": "cobranças e pagamentos"}))

    text = drawn(AppTest.from_function(draw, kwargs={"reason": reason}).run())
    assert ("cobranças e pagamentos" in text) is shown
    assert text.count("passou do mínimo") == 1
