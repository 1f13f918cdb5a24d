"""The specialist suite over the demo shop: what it plays, what it catches, and what it leaves behind."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evals.datasets import BadCases
from evals.first_day import UsedDatabase, first_day
from evals.pass_hat import pass_hat_k
from evals.results import figure, misses
from evals.specialist import CASES, run_specialist
from evals.specialist_cases import SpecialistCase, read_specialist_cases, spread
from evals.specialist_report import CaseRow, SpecialistReport, TrialRow
from routing.shop import Customer
from tests.evals.playing_ground import DoNothing, Open, only
from tests.graph.conftest import ROSTER
from tools.contract import Outcome, Plan
from tools.registry import TOOLS
from tools.writing import done

PLAYED = (
    "support-ticket-of-this-conversation", "support-address-yes-but", "support-foreign-order", "support-visitor-proves",
    "support-declines-charge", "support-callback-dated", "support-proposes", "support-en-ticket", "returns-guides",
    "returns-known-order", "billing-single-disputed", "billing-old-refund-state",
)  # fmt: skip


async def test_the_offline_specialists_pass_these_cases(open_bastao_on: Open, tmp_path: Path) -> None:
    report = await run_specialist(await open_bastao_on(), dataset=only(PLAYED, tmp_path))
    assert {row["id"]: (row["why"], row["lint"]) for row in report.rows() if not row["passed"] or row["lint"]} == {}
    assert report.figures() | {"passed": 1.0, "trials": 12.0, "lint_findings": 0.0, "overdone": 0.0} == report.figures()


async def test_an_agent_that_does_nothing_scores_zero_and_leaves_an_empty_shop(open_bastao_on: Open) -> None:
    bastao = await open_bastao_on()
    report = await run_specialist(bastao, model=DoNothing(), at_most=6)
    assert report.figures()["passed"] == 0.0
    assert {case.agent for case in report.cases} == set(ROSTER.ids)
    async with bastao.database.connection() as conn:
        left = await (await conn.execute("select (select count(*) from conversations) as talks, (select count(*) from shop.orders) as orders")).fetchone()  # fmt: skip
    assert left is not None
    assert left["talks"] == 0
    assert left["orders"] > 15


async def test_a_tool_rule_that_is_removed_is_caught(open_bastao_on: Open, tmp_path: Path) -> None:
    async def anything_goes(args: Any, ctx: Any) -> Plan:
        return Plan(summary="abrir a devolução", act=("return_request", args.order, args.item), basis={})

    async def opened(args: Any, ctx: Any) -> Outcome:
        receipt = await ctx.shop.open_request(ctx.effect_key, order_id=args.order, kind=args.kind, item_id="1")
        return done(receipt, order=args.order, says=f"Devolução aberta. Protocolo {receipt.protocol}.")

    broken = replace(TOOLS["open_return_request"], plan=anything_goes, run=opened)
    bastao = await open_bastao_on(tools={**TOOLS, "open_return_request": broken})
    report = await run_specialist(bastao, dataset=only(("returns-regret-late",), tmp_path))
    assert report.figures()["passed"] == 0.0
    assert report.figures()["overdone"] == 1.0


async def test_a_database_that_is_somebodys_is_left_alone(open_bastao_on: Open) -> None:
    bastao = await open_bastao_on()
    sent = bastao.conversation.send("th-1", ["oi"], message_id="m-1", customer=Customer(id="c1", level="session"))
    assert [event async for event in sent]
    with pytest.raises(UsedDatabase, match="conversations"):
        await run_specialist(bastao, at_most=1)
    with pytest.raises(UsedDatabase, match="demo"):
        async with first_day(replace(bastao, mode="production")):
            pass
    async with bastao.database.connection() as conn:
        assert (await conn.execute("select 1 from messages where thread_id = 'th-1'")).rowcount == 2


async def test_a_run_that_is_ended_says_what_it_did_not_play(open_bastao_on: Open) -> None:
    asked: list[int] = []
    report = await run_specialist(
        await open_bastao_on(), at_most=3, trials=2, enough=lambda: asked.append(1) or len(asked) > 1
    )
    assert len(report.cases) == 1
    assert len(report.not_run) == 2
    assert report.pass_hat(2) is None


def test_cases_are_spread_over_the_specialists() -> None:
    cases = read_specialist_cases(CASES, agents=ROSTER.ids)
    some = spread(cases, 40)
    assert len({case.id for case in some}) == 40
    assert {agent: 12 <= sum(c.agent == agent for c in some) <= 15 for agent in ROSTER.ids} == dict.fromkeys(
        ROSTER.ids, True
    )
    assert spread(cases, None) == cases
    assert sum(case.lang == "en" for case in cases) >= 5


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"agent": "kitchen"}, "no specialist 'kitchen'"),
        ({"expect": {"never": ["sim"]}}, "does nothing"),
        ({"messages": []}, "messages"),
        ({"packet": {}}, "packet"),
        ({"package": {"facts": [{"key": "order"}]}}, "package.facts.0.value"),
    ],
)
def test_a_case_that_is_none_is_refused(changed: dict[str, Any], said: str, tmp_path: Path) -> None:
    case = {"id": "a-case", "agent": "support", "purpose": "x", "messages": ["oi"], "expect": {"says": ["oi"]}}
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(case | changed), "utf-8")
    with pytest.raises(BadCases, match=said):
        read_specialist_cases(path, agents=ROSTER.ids)


def test_an_id_comes_once(tmp_path: Path) -> None:
    case = SpecialistCase.model_validate(
        {"id": "a-case", "agent": "support", "purpose": "x", "messages": ["oi"], "expect": {"says": ["oi"]}}
    )
    path = tmp_path / "cases.jsonl"
    path.write_text(2 * (case.model_dump_json(by_alias=True, exclude_defaults=True) + "\n"), "utf-8")
    with pytest.raises(BadCases, match="comes twice"):
        read_specialist_cases(path, agents=ROSTER.ids)


@pytest.mark.parametrize(
    ("trials", "k", "expected"),
    [
        ([(3, 3)], 3, 1.0),
        ([(2, 3)], 1, 2 / 3),
        ([(2, 3)], 2, 1 / 3),
        ([(2, 3)], 3, 0.0),
        ([(3, 3), (0, 3)], 3, 0.5),
        ([(2, 4), (4, 4)], 2, (1 / 6 + 1) / 2),
        ([(1, 1), (2, 3)], 2, 1 / 3),
        ([(1, 1)], 2, None),
        ([], 1, None),
    ],
)
def test_pass_hat_k(trials: Sequence[tuple[int, int]], k: int, expected: float | None) -> None:
    found = pass_hat_k(trials, k)
    assert found == expected if expected is None else found == pytest.approx(expected)


@pytest.mark.parametrize(("trials", "k"), [([(1, 1)], 0), ([(2, 1)], 1), ([(-1, 1)], 1)])
def test_counts_that_cannot_be(trials: Sequence[tuple[int, int]], k: int) -> None:
    with pytest.raises(ValueError, match="pass"):
        pass_hat_k(trials, k)


def row(id: str, *passed: bool, declines: tuple[str, ...] = (), declined: tuple[str, ...] = (), **more: Any) -> CaseRow:
    trials = tuple(TrialRow(why=() if p else ("wrong",), replies=2, declined=declined, **more) for p in passed)
    return CaseRow(id=id, agent=id.split("-")[0], lang="pt", declines=declines, trials=trials)


def test_a_report_tells_figures_rows_and_what_floors_can_hold() -> None:
    report = SpecialistReport(
        trials=2,
        cases=(
            row("support-a", True, True),
            row("support-b", True, False, lint=("money: R$5",), blocked=1),
            row("billing-c", True, True, declines=("return",), declined=("return",)),
            row("billing-d", False, False, declined=("charge",), overdone=True),
        ),
    )
    assert report.figures() == {
        "cases": 4.0, "trials": 8.0, "passed": 5 / 8, "pass_hat_1": 5 / 8, "pass_hat_2": 0.5, "passed_support": 0.75,
        "passed_billing": 0.5, "decline_right": 6 / 8, "replies": 16.0, "lint_findings": 2.0, "claims_blocked": 2.0, "overdone": 2.0,
        "not_run": 0.0,
    }  # fmt: skip
    rows = {str(r["id"]): r for r in report.rows()}
    assert [rows[id]["passed"] for id in ("support-a", "support-b", "billing-d")] == [True, False, False]
    assert rows["support-b"]["why"] == ["wrong"]
    result = report.result()
    assert (result.suite, result.n, figure(result.metrics, "by_agent.support")) == ("specialist", 4, 0.75)
    assert misses(result.metrics, floors={"passed": 0.9}, ceilings={"lint_findings": 0}) == [
        "passed is 0.625, the floor is 0.9",
        "lint_findings is 2, the ceiling is 0",
    ]
