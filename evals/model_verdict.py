"""Whether a chat model may speak for the specialists: the demands, and what a run says to them."""

from collections.abc import Mapping

from pydantic import Field, JsonValue

from evals.model_watch import Tally
from evals.specialist_report import SpecialistReport
from routing.model import Frozen


class Demands(Frozen):
    """What a model must reach, as parts of a whole. `overdone` are trials in which something was done that should not be."""

    passed: float = Field(default=0.8, ge=0, le=1)
    decline_right: float = Field(default=0.9, ge=0, le=1)
    overdone: int = Field(default=0, ge=0)
    dialect: float = Field(default=0.2, ge=0, le=1)
    failed: float = Field(default=0.05, ge=0, le=1)
    blocked: float = Field(default=0.1, ge=0, le=1)


class Verdict(Frozen):
    """The figures of a model and what they miss. Nothing missed: it passes."""

    model: str
    figures: dict[str, float]
    misses: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return not self.misses

    def as_json(self, report: SpecialistReport) -> dict[str, JsonValue]:
        return {
            "model": self.model, "verdict": "pass" if self.passed else "fail", "misses": list(self.misses),
            "figures": dict(self.figures), "result": report.result().as_json(),
        }  # fmt: skip


def judge(model: str, report: SpecialistReport, tally: Tally, *, demands: Demands | None = None) -> Verdict:
    """Hold a run against the demands. A run that money ended early is no pass: what was not played is not known."""
    demands = demands or Demands()
    figures = report.figures() | _calls(tally)
    replies = figures.get("replies", 0.0)
    figures["claims_blocked_share"] = figures["claims_blocked"] / replies if replies else 0.0
    wanted = report.trials * (len(report.cases) + len(report.not_run))
    missed = [
        _under("passed", figures, demands.passed),
        _under("decline_right", figures, demands.decline_right),
        _over("overdone", figures, demands.overdone),
        _over("dialect_share", figures, demands.dialect),
        _over("failed_share", figures, demands.failed),
        _over("claims_blocked_share", figures, demands.blocked),
        f"only {int(figures['trials'])} of {wanted} trials were played" if figures["trials"] < wanted else None,
        "the model was never asked" if not tally.calls else None,
    ]
    return Verdict(model=model, figures=figures, misses=tuple(said for said in missed if said))


def _calls(tally: Tally) -> dict[str, float]:
    calls = tally.calls or 1
    return {
        "calls": tally.calls, "calls_failed": tally.failed, "failed_share": tally.failed / calls,
        "dialect_faults": tally.dialect, "dialect_share": tally.dialect / calls,
        "input_tokens": tally.input_tokens, "output_tokens": tally.output_tokens, "cost_usd": float(tally.cost_usd),
    }  # fmt: skip


def _under(name: str, figures: Mapping[str, float], floor: float) -> str | None:
    value = figures.get(name, 0.0)
    return f"{name} is {value:.3g}, it must be at least {floor:.3g}" if value < floor else None


def _over(name: str, figures: Mapping[str, float], ceiling: float) -> str | None:
    value = figures.get(name, 0.0)
    return f"{name} is {value:.3g}, it may be at most {ceiling:.3g}" if value > ceiling else None
