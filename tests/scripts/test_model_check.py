"""The check of a real model, against chat completions over a socket: what passes, what does not, and where money ends it."""

import json
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from agents.models.offline import OfflineChatModels
from evals.model_verdict import Demands, judge
from evals.model_watch import Purse, Tally
from evals.specialist_report import CaseRow, SpecialistReport, TrialRow
from scripts.model_check import arguments, changed, main
from settings import ConfigurationError, load_settings, roster_of
from stubs.app import create_app
from stubs.serve import serving
from stubs.specialists import chat_by_prompt
from stubs.stand_in import StandIn
from tests.evals.playing_ground import DoNothing, only
from tests.stubs.simulated import QUESTION, WordDecider

CASES = ("support-address-yes", "billing-invoice")


class OldTemplate(StandIn):
    """Writes its tool calls into the text, as servers of open models do."""

    inner: Any

    @property
    def _llm_type(self) -> str:
        return "old-template"

    async def answer(self, messages: list[BaseMessage], *, stop: Any, given: dict[str, Any]) -> AIMessage:
        said = await self.inner.ainvoke(messages, **given)
        calls = [json.dumps({"name": call["name"], "arguments": call["args"]}) for call in said.tool_calls]
        return AIMessage("".join(f"<tool_call>{call}</tool_call>" for call in calls) or said.text)


def offline(environ: dict[str, str], *, old: bool = False) -> Any:
    """Return who speaks behind the socket: the offline specialists, by their prompts."""
    roster, models = roster_of(load_settings(environ)), OfflineChatModels()
    chats = {spec.id: models.for_agent(spec) for spec in roster.specs}
    spoken = {agent: OldTemplate(inner=chat) if old else chat for agent, chat in chats.items()}
    return chat_by_prompt({spec.id: roster.prompt(spec.id) for spec in roster.specs}, spoken)


def checked(environ: dict[str, str], folder: Path, chat: Any, *more: str) -> tuple[int, dict[str, Any]]:
    """Run the command against a stub and return its exit and what it wrote."""
    out = folder / "out.json"
    with serving(create_app(decider=WordDecider(), chat=chat, question=QUESTION)) as url:
        given = [
            "--model",
            "stub-1",
            "--base-url",
            f"{url}/v1",
            "--dataset",
            str(only(CASES, folder)),
            "--json",
            str(out),
        ]
        code = main([*given, *more], environ=environ)
    return code, json.loads(out.read_text("utf-8"))


def test_a_good_model_passes_also_in_an_old_dialect(
    surface_environ: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, written = checked(surface_environ, tmp_path, offline(surface_environ, old=True), "--trials", "1")
    figures = written["figures"]
    assert (figures["passed"], figures["pass_hat_1"], figures["trials"]) == (1.0, 1.0, 2.0)
    assert figures["dialect_faults"] > 0
    assert figures["cost_usd"] > 0
    assert figures["calls"] >= 4
    assert code == 1  # every other call had to be put right: more than a model may need
    assert [said.split()[0] for said in written["misses"]] == ["dialect_share"]
    assert "dialect put right" in capsys.readouterr().out


def test_a_model_that_does_nothing_fails_and_money_ends_a_run(
    surface_environ: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, written = checked(surface_environ, tmp_path, DoNothing(), "--trials", "1")
    assert (code, written["verdict"], written["figures"]["passed"]) == (1, "fail", 0.0)
    spent = written["figures"]["cost_usd"]
    assert spent > 0
    capsys.readouterr()
    more = ("--trials", "9", "--max-usd", f"{0.05 + spent:.6f}")
    code, written = checked(surface_environ, tmp_path, DoNothing(), *more)
    assert code == 1
    assert written["figures"]["cost_usd"] <= 0.05 + spent
    assert 0 < written["figures"]["trials"] < 18
    assert "STOPPED" in capsys.readouterr().out


def test_the_offline_model_is_no_model_to_check(
    surface_environ: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([], environ=surface_environ) == 2
    assert "--model" in capsys.readouterr().err


@pytest.mark.parametrize(
    "argv", [["--max-usd", "0"], ["--max-usd", "nan"], ["--trials", "0"], ["--cases", "many"], ["--price", "1"]]
)
def test_arguments_that_mean_nothing(argv: Sequence[str]) -> None:
    with pytest.raises(SystemExit):
        arguments(argv)


@pytest.mark.parametrize(
    "url", ["notaurl", "", "ftp://x/v1", "http://", "http://x:port/v1", "http://[x/v1", "http://x y/v1"]
)
def test_an_address_that_is_none_is_a_usage_error(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--model", "m", "--base-url", url], environ={})
    assert ended.value.code == 2
    assert f"--base-url: {url!r} is no address like http://" in capsys.readouterr().err


def test_what_is_asked_for_is_what_is_configured(surface_environ: dict[str, str]) -> None:
    settings = load_settings(surface_environ)
    new = changed(settings, arguments(["--model", "vendor/m", "--max-usd", "2.5", "--price", "0.4,1.6"]))
    assert (new.chat_model.provider, new.chat_model.model, new.chat_model.fallback) == ("openrouter", "vendor/m", None)
    assert new.budget.day is not None
    assert new.budget.day.limit_usd == Decimal("2.5")
    price = new.prices.of("vendor/m")
    assert price is not None
    assert price.output_usd == Decimal("1.6")
    assert changed(settings, arguments(["--model", "m", "--base-url", "http://x/v1"])).chat_model.provider == "openai"
    with pytest.raises(ConfigurationError):
        changed(settings, arguments([]))


def report(*, passed: int = 10, declined: tuple[str, ...] = (), not_run: int = 0, **more: Any) -> SpecialistReport:
    trials = [TrialRow(why=() if n < passed else ("wrong",), replies=1, declined=declined, **more) for n in range(10)]
    cases = tuple(CaseRow(id=f"c-{n}", agent="support", lang="pt", trials=(trial,)) for n, trial in enumerate(trials))
    return SpecialistReport(cases=cases, trials=1, not_run=tuple(f"n-{n}" for n in range(not_run)))


@pytest.mark.parametrize(
    ("ran", "tally", "missed"),
    [
        (report(), Tally(calls=10), []),
        (report(passed=8), Tally(calls=10), []),
        (report(passed=7), Tally(calls=10), ["passed"]),
        (report(declined=("charge",)), Tally(calls=10), ["decline_right"]),
        (report(overdone=True), Tally(calls=10), ["overdone"]),
        (report(), Tally(calls=10, dialect=3), ["dialect_share"]),
        (report(), Tally(calls=10, failed=1), ["failed_share"]),
        (report(blocked=1), Tally(calls=10), ["claims_blocked_share"]),
        (report(not_run=2), Tally(calls=10), ["only"]),
        (report(), Tally(), ["the"]),
    ],
)
def test_the_verdict_names_what_is_missed(ran: SpecialistReport, tally: Tally, missed: list[str]) -> None:
    verdict = judge("m", ran, tally)
    assert [said.split()[0] for said in verdict.misses] == missed
    assert verdict.passed is not missed or not missed


def test_demands_can_be_set() -> None:
    assert judge("m", report(passed=7), Tally(calls=1), demands=Demands(passed=0.7)).passed


def test_a_purse_ends_a_run_before_the_trial_that_may_cost_too_much() -> None:
    tally = Tally()
    purse = Purse(most_usd=Decimal("1.00"), tally=tally)
    before: list[bool] = []
    for cost in ("0.30", "0.40", "0.10", "0.10"):
        before.append(purse.empty())
        tally.cost_usd += Decimal(cost)
    assert before == [False, False, True, True]
