"""Which figures a suite can have at all: a floor under any other name would hold nothing."""

from functools import lru_cache
from typing import Literal

from pydantic import JsonValue

from evals.customers_report import CustomersReport
from evals.floors import Bounds
from evals.integrity import run as run_handoff
from evals.results import Share, Suite
from evals.router_figures import figures as router_figures
from evals.specialist_report import SpecialistReport

Bound = Literal["at_least", "at_most"]
# In a shape: whatever the cases, the reasons or the providers are called.
_ANY = "*"


def produced(suite: Suite, path: str) -> bool:
    """Tell whether a suite can have a figure of this dotted path. What is counted by name may have any ("by_intent.refund")."""
    found: JsonValue = _shape(suite)
    for part in path.split("."):
        if not isinstance(found, dict) or not part or (part not in found and _ANY not in found):
            return False
        found = found.get(part, found.get(_ANY))
    return "value" in found if isinstance(found, dict) else found is None or isinstance(found, int | float)


def unknown_figures(suite: Suite, bounds: Bounds) -> list[tuple[Bound, str]]:
    """Return the bounds of a suite that no run can measure: which bound, and the figure's path."""
    named: list[tuple[Bound, str]] = [("at_least", path) for path in bounds.at_least]
    named.extend(("at_most", path) for path in bounds.at_most)
    return [(bound, path) for bound, path in named if not produced(suite, path)]


def known_figures(suite: Suite) -> list[str]:
    """Return the names of a suite's figures, without what lies under each."""
    return sorted(_shape(suite))


@lru_cache
def _shape(suite: Suite) -> dict[str, JsonValue]:
    """Return what a suite answers of no cases, with the names that cases would give filled in."""
    share: JsonValue = Share(0, 0).as_json()
    each: dict[str, JsonValue] = {_ANY: share}
    match suite:
        case "router":
            counts: dict[str, JsonValue] = {"by_reason": {_ANY: 0}, "by_provider": {_ANY: 0}}
            return {**router_figures([]), **counts, "by_kind": each, "by_intent": each, "worst_intent": share}
        case "handoff":
            return {**run_handoff([]).metrics, "by_key": {_ANY: {"given": 0, "recovered": 0, "lost": 0}}}
        case "specialist":
            nobody = CustomersReport(customers=())
            customers: dict[str, JsonValue] = {**nobody.named(), **nobody.metrics()}
            own = SpecialistReport(cases=(), trials=1).result().metrics
            return {**own, "by_agent": each, "by_lang": each, "customers": customers}
