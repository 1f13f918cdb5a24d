"""Router cases are decided as the graph decides a turn, and the figures say what they mean."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from evals.datasets import read_cases
from evals.router import Desk, decide, exchange_of, play, view_of
from evals.router_cases import RouterCase
from evals.router_figures import figures, result_of
from graph.nodes import classify
from graph.tracing import Tracing
from routing.addressing import Member
from routing.decision import Thresholds
from tests.evals.cases import ROOT
from tests.graph.conftest import ROSTER
from tests.scripted import ScriptedDecider, nobody

DEV = tuple(sorted((ROOT / "evals/cases/router").glob("dev_*.jsonl")))


def desk(rule: Any, *, clock: Iterator[float] | None = None) -> Desk:
    ticks = clock or (n * 0.01 for n in count())
    return Desk(
        decider=ScriptedDecider(rule), roles=tuple((spec.id, spec.role) for spec in ROSTER.specs),
        members=tuple(
            Member(spec.id, names=(spec.display_name, spec.display_name_en), aliases=spec.aliases) for spec in ROSTER.specs
        ),
        thresholds=lambda provider, calibrated=True: Thresholds(), clock=lambda: next(ticks),
    )  # fmt: skip


def case(message: str, expected: str = "billing", **more: Any) -> RouterCase:
    return RouterCase.model_validate({"id": "r", "kind": "opening", "message": message, "expected": expected, **more})


SUBJECTS = {"reembolso": "billing", "trocar": "returns", "chegou": "support", "emprego": "out_of_scope"}


def keywords(message: str, exchange: Any) -> str | Mapping[str, float]:
    """A rule that follows the first word it knows and has no opinion about the rest."""
    known = [word for word in SUBJECTS if word in message]
    return SUBJECTS[min(known, key=message.index)] if known else {"returns": 0.3, "support": 0.3, "billing": 0.3}


async def test_a_rule_decides_without_asking() -> None:
    asked = desk(keywords)
    row = await decide(case("quero falar com um atendente", "person"), asked)
    assert (row.decision.target, row.decision.reason, row.right) == ("person", "asked_for_human", True)
    assert asked.decider.asked == []  # type: ignore[attr-defined]
    assert row.as_json()["probabilities"] is None


async def test_a_provider_decides_the_rest() -> None:
    row = await decide(case("cadê meu reembolso"), desk(keywords))
    assert (row.decision.target, row.decision.reason, row.right) == ("billing", "confident", True)
    assert row.latency_ms == pytest.approx(10)


async def test_a_second_subject_is_found_as_the_graph_finds_it() -> None:
    row = await decide(
        case("quero trocar o tênis e cadê o reembolso do outro?", "returns", kind="two_subjects", topics=["billing"]),
        desk(keywords),
    )
    assert (row.decision.target, row.others) == ("returns", ("billing",))
    assert figures([row])["topics_found"]["value"] == 1.0  # type: ignore[index,call-overload]


async def test_a_silent_provider_falls_back() -> None:
    row = await decide(case("cadê meu reembolso", current_agent="support"), desk(nobody))
    assert (row.decision.target, row.decision.reason) == ("support", "fallback_unavailable")


HISTORY = [
    {"role": "customer", "text": "meu pedido atrasou"},
    {"role": "agent", "agent": "support", "text": "Sinto muito. Qual é o número do pedido?"},
]


def test_the_view_and_the_exchange_come_from_the_history() -> None:
    known = case("o número é outro", current_agent="support", history=HISTORY)
    view, exchange = view_of(known, desk(keywords)), exchange_of(known)
    assert view.question is not None
    assert (view.current, view.question.by, view.question.text) == ("support", "support", "Qual é o número do pedido?")
    assert (exchange.last_customer, exchange.last_agent) == ("meu pedido atrasou", HISTORY[1]["text"])
    assert (exchange.current_agent, exchange.pending_question) == ("support", "Qual é o número do pedido?")


@pytest.mark.parametrize(
    "changed",
    [{"current_agent": "billing"}, {"current_agent": None}, {"history": HISTORY[:1]}, {"history": []},
     {"history": [HISTORY[0], HISTORY[1] | {"text": "Já verifico."}]}],
)  # fmt: skip
def test_only_the_current_specialists_open_question_waits(changed: dict[str, Any]) -> None:
    given = {"current_agent": "support", "history": HISTORY} | changed
    assert view_of(case("sim", **given), desk(keywords)).question is None


async def test_every_dev_case_is_decided_as_in_the_graph() -> None:
    """The graph's own node, without its database: same decision, same second subjects."""
    assert DEV
    cases = read_cases(RouterCase, DEV)[::7]
    ours = desk(keywords)
    for each, row in zip(cases, await play(cases, ours), strict=True):
        view = view_of(each, ours)
        services = SimpleNamespace(
            roster=ROSTER, decider=ScriptedDecider(keywords), thresholds=ours.thresholds, tracing=Tracing()
        )
        turn: Any = SimpleNamespace(services=services, now=None, thread_id=each.id)
        state: Any = {"current": view.current, "question": view.question.model_dump() if view.question else None}
        state["dialogue"] = [turn.model_dump() for turn in each.history]
        if classify.take_turn(view) is not None:
            continue
        turn.now = datetime(2026, 11, 30, tzinfo=UTC)
        decision, topics = await classify._decide(state, turn, view)
        assert (row.decision, row.others) == (decision, tuple(topic.target for topic in topics)), each.id


@pytest.mark.parametrize(
    ("target", "more", "right"),
    [
        ("billing", {}, True), ("support", {"acceptable": ["billing", "support"]}, True), ("support", {}, False),
        ("clarification", {"expected": "clarification", "ambiguous": True}, True), ("clarification", {}, False),
        ("clarification", {"expected": "billing", "ambiguous": True}, True),
        ("person", {"expected": "out_of_scope"}, True), ("courtesy", {"expected": "out_of_scope"}, True),
        ("billing", {"expected": "out_of_scope"}, False),
    ],
)  # fmt: skip
def test_what_is_right(target: str, more: dict[str, Any], right: bool) -> None:
    assert (target in case("x", **more).right_targets) is right


async def judged(*pairs: tuple[str, str, dict[str, Any]]) -> dict[str, Any]:
    cases = [case(message, expected, **more) for message, expected, more in pairs]
    return figures(await play(cases, desk(keywords)))


async def test_the_figures() -> None:
    found = await judged(
        ("meu reembolso sumiu", "billing", {"intent": "refund"}),
        ("quero trocar a cor", "returns", {"kind": "informal", "intent": "swap"}),
        ("não chegou nada", "billing", {"intent": "refund"}),
        ("vocês têm emprego?", "out_of_scope", {"kind": "out_of_scope", "intent": "jobs"}),
        ("meu reembolso de filme emocional", "out_of_scope", {"kind": "out_of_scope", "intent": "jobs"}),
        ("deu ruim", "clarification", {"kind": "ambiguous", "ambiguous": True, "intent": "vague"}),
        ("deu ruim", "billing", {"intent": "refund"}),
    )
    assert (found["accuracy"]["hits"], found["accuracy"]["n"]) == (4, 7)
    assert (found["unambiguous"]["hits"], found["unambiguous"]["n"]) == (3, 6)
    assert (found["by_kind"]["informal"]["value"], found["by_intent"]["refund"]["n"]) == (1.0, 3)
    assert (found["clarification"]["hits"], found["clarification_unambiguous"]["hits"]) == (2, 1)
    assert (found["false_dispatch"]["hits"], found["false_dispatch"]["n"]) == (1, 2)
    assert found["worst_intent"] is None
    assert found["weighed"] == 7
    assert found["latency_ms"] == {"p50": 10.0, "p95": 10.0}


async def test_the_worst_intent_has_at_least_ten_cases() -> None:
    found = await judged(
        *[("meu reembolso", "billing", {"intent": "refund"})] * 10,
        *[("deu ruim", "billing", {"intent": "small"})] * 9,
        *[("não chegou", "support" if n else "billing", {"intent": "late"}) for n in range(10)],
    )
    assert (found["worst_intent"]["intent"], found["worst_intent"]["hits"], found["worst_intent"]["n"]) == (
        "late",
        9,
        10,
    )


async def test_a_constant_certainty_shows_in_the_calibration() -> None:
    cases = [case("x", "billing" if n % 2 else "support") for n in range(20)]
    certain = figures(await play(cases, desk(lambda message, exchange: {"billing": 0.95, "support": 0.05})))
    honest = figures(await play(cases, desk(lambda message, exchange: {"billing": 0.5, "support": 0.5})))
    assert certain["calibration_error"] == pytest.approx(0.45)
    assert honest["calibration_error"] == pytest.approx(0.0)
    assert certain["log_loss"] > honest["log_loss"]  # type: ignore[operator]


async def test_asking_back_is_an_option_that_can_be_right() -> None:
    vague = case("deu ruim", "clarification", ambiguous=True)
    found = figures(await play([vague], desk(lambda message, exchange: {"needs_question": 0.9, "billing": 0.1})))
    assert (found["accuracy"]["hits"], found["calibration_error"]) == (1, pytest.approx(0.1))  # type: ignore[index,call-overload]


async def test_a_row_has_its_shape() -> None:
    result = result_of(await play([case("cadê meu reembolso")], desk(keywords))).as_json()
    assert (result["suite"], result["n"]) == ("router", 1)
    rows: Any = result["cases"]
    assert {"id", "target", "reason", "probabilities", "confidence", "right", "latency_ms"} <= set(rows[0])


def test_outside_fields_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(case("oi").model_dump_json().replace('"id"', '"note": 1, "id"'), "utf-8")
    assert read_cases(RouterCase, [path])[0].message == "oi"
