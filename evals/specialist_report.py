"""What the specialist suite answers: a row per case, and figures with their n."""

from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from evals.pass_hat import pass_hat_k
from evals.results import Result, Share
from routing.model import Frozen, Language


class TrialRow(Frozen):
    """One trial. `overdone`: something was done that should not have been. `blocked` counts sentences that the claims check stopped."""

    why: tuple[str, ...] = ()
    replies: int = 0
    lint: tuple[str, ...] = ()
    blocked: int = 0
    declined: tuple[str, ...] = ()
    overdone: bool = False

    @property
    def passed(self) -> bool:
        return not self.why


class CaseRow(Frozen):
    """A case and its trials. `declines` are the reasons of which one would be right; none where it should stay."""

    id: str
    agent: str
    lang: Language
    declines: tuple[str, ...] = ()
    unseen: bool = False
    trials: tuple[TrialRow, ...]

    @property
    def passes(self) -> int:
        return sum(trial.passed for trial in self.trials)


class SpecialistReport(Frozen):
    """One run of the suite. `not_run` are cases of which no trial was played, `no_money` tells that a limit ended the run."""

    cases: tuple[CaseRow, ...]
    trials: int
    not_run: tuple[str, ...] = ()
    no_money: bool = False

    @property
    def all_trials(self) -> tuple[TrialRow, ...]:
        return tuple(trial for case in self.cases for trial in case.trials)

    def pass_hat(self, k: int) -> float | None:
        return pass_hat_k([(case.passes, len(case.trials)) for case in self.cases], k)

    def figures(self) -> dict[str, float]:
        """Return flat numbers, usable as floors and ceilings; a figure without observations is left out."""
        named: dict[str, float | None] = {
            "cases": len(self.cases), "trials": len(self.all_trials), "passed": _passed(self.cases).value,
            **{f"pass_hat_{k}": self.pass_hat(k) for k in range(1, self.trials + 1)},
            **{f"passed_{agent}": _passed(self._of(agent)).value for agent in self._agents()},
            "passed_unseen": _passed([c for c in self.cases if c.unseen]).value,
            "decline_right": self.declining().value, "replies": self._count("replies"),
            "lint_findings": sum(len(trial.lint) for trial in self.all_trials),
            "claims_blocked": self._count("blocked"), "overdone": self._count("overdone"), "not_run": len(self.not_run),
        }  # fmt: skip
        return {name: float(value) for name, value in named.items() if value is not None}

    def rows(self) -> list[dict[str, JsonValue]]:
        """Return a row per case: passed only where every trial did."""
        return [
            {
                "id": case.id, "agent": case.agent, "lang": case.lang, "passed": case.passes == len(case.trials) > 0,
                "passes": case.passes, "trials": len(case.trials), "why": [*dict.fromkeys(w for t in case.trials for w in t.why)],
                "lint": [*dict.fromkeys(found for t in case.trials for found in t.lint)],
            }
            for case in self.cases
        ]  # fmt: skip

    def result(self) -> Result:
        """Return the run in the JSON shape that all suites share: shares with n and interval."""
        metrics: dict[str, JsonValue] = {
            "passed": _passed(self.cases).as_json(),
            "pass_hat": {str(k): self.pass_hat(k) for k in range(1, self.trials + 1)},
            "by_agent": {agent: _passed(self._of(agent)).as_json() for agent in self._agents()},
            "by_lang": {lang: _passed([c for c in self.cases if c.lang == lang]).as_json() for lang in self._langs()},
            "unseen": _passed([c for c in self.cases if c.unseen]).as_json(),
            "decline_right": self.declining().as_json(),
            "replies": self._count("replies"),
            "lint_findings": sum(len(trial.lint) for trial in self.all_trials),
            "claims_blocked": self._count("blocked"),
            "overdone": self._count("overdone"),
            "not_run": len(self.not_run),
        }
        return Result(suite="specialist", n=len(self.cases), metrics=metrics, cases=self.rows())

    def declining(self) -> Share:
        """Return in how many trials the specialist passed on what it should, and only that."""
        judged = [
            bool(set(trial.declined) & set(case.declines)) if case.declines else not trial.declined
            for case in self.cases
            for trial in case.trials
        ]
        return Share(hits=sum(judged), n=len(judged))

    def _of(self, agent: str) -> list[CaseRow]:
        return [case for case in self.cases if case.agent == agent]

    def _agents(self) -> Iterable[str]:
        return dict.fromkeys(case.agent for case in self.cases)

    def _langs(self) -> Iterable[str]:
        return dict.fromkeys(case.lang for case in self.cases)

    def _count(self, what: str) -> int:
        return sum(getattr(trial, what) for trial in self.all_trials)


def _passed(cases: Sequence[CaseRow]) -> Share:
    return Share(hits=sum(case.passes for case in cases), n=sum(len(case.trials) for case in cases))
