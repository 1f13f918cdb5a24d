"""Run the suites and gather what they answer: results with rows, and a run of figures alone."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue
from rich.progress import Progress

from evals.customers_report import CustomersReport
from evals.datasets import read_cases
from evals.integrity import run as run_handoff
from evals.integrity_cases import IntegrityCase
from evals.results import Result, Suite
from evals.results_run import RouterRun, Scored, SuiteRun, suite_run, without_small
from evals.router import Row, play
from evals.router_cases import RouterCase
from evals.router_figures import WORST_FROM, result_of
from evals.router_pairs import pairs
from scripts.evaluate_desks import Candidate, candidates, hang_up
from scripts.specialist_place import run_customers, run_specialist
from settings import ROOT, Settings, reasons_of, roster_of

CASES = ROOT / "evals" / "cases"
# Four sets were sealed once and scored once; the youngest is what a run is held against until a new one is sealed.
DEFAULTS: Mapping[str, Sequence[Path]] = {
    "router": sorted((CASES / "router").glob("sealed_*.jsonl")),
    "handoff": sorted((CASES / "handoff").glob("*.jsonl")),
}


@dataclass(slots=True)
class Gathered:
    """What has run so far. `results` hold rows and are written as JSON; `router` and `suites` are what a report shows."""

    results: dict[Suite, Result] = field(default_factory=dict[Suite, Result])
    beside: dict[str, Result] = field(default_factory=dict[str, Result])
    router: RouterRun | None = None
    suites: list[SuiteRun] = field(default_factory=list[SuiteRun])

    def as_json(self) -> dict[str, JsonValue]:
        """Return one suite's result, with the other providers' beside it; several under `suites`."""
        found: dict[str, JsonValue] = {suite: result.as_json() for suite, result in self.results.items()}
        if self.router is not None and self.beside:
            router: dict[str, JsonValue] = {**self.results["router"].as_json(), "pairs": [*self.router.pairs]}
            router["providers"] = {name: result.as_json() for name, result in self.beside.items()}
            found["router"] = router
        only = next(iter(found.values()))
        return only if len(found) == 1 and isinstance(only, dict) else {"suite": "all", "suites": found}


def handoff(into: Gathered, dataset: Sequence[Path] | None, settings: Settings, *, pad: int = 0) -> None:
    """Run the integrity of the package, and where the reasons table leads. Raises `BadCases` and `ConfigurationError`."""
    table = reasons_of(settings, roster_of(settings))
    result = run_handoff(read_cases(IntegrityCase, dataset or DEFAULTS["handoff"]), pad=pad, table=table)
    failed = {str(row["id"]): f"lost {row['lost']}, broken {row['broken']}" for row in result.cases if row["lost"] or row["broken"]}  # fmt: skip
    into.results["handoff"] = result
    into.suites.append(suite_run(result, dataset=_named(dataset, "handoff"), failed=failed))


def router(
    into: Gathered, dataset: Sequence[Path] | None, settings: Settings, environ: Mapping[str, str], *,
    flags: Sequence[str], bars: Progress,
) -> None:  # fmt: skip
    """Run the router with each provider on the same cases. Raises `BadCases` and `ConfigurationError`."""
    cases = read_cases(RouterCase, dataset or DEFAULTS["router"])
    with candidates(settings, environ, flags) as found:
        played = asyncio.run(_play(cases, found, bars))
    results = {each.name: result_of(played[each.name]) for each in found}
    first = found[0].name
    into.results["router"] = results[first]
    into.beside |= {name: result for name, result in results.items() if name != first}
    into.router = RouterRun(
        n=len(cases), dataset=_named(dataset, "router"),
        providers=tuple(
            Scored(flag=each.flag, name=each.name, sort=each.sort, model=_model(played[each.name]), metrics=without_small(results[each.name].metrics, "by_intent", least=WORST_FROM))
            for each in found
        ),
        pairs=tuple(_without_simulated_times(pair.as_json(), found) for pair in pairs(played)),
    )  # fmt: skip


def _without_simulated_times(pair: dict[str, JsonValue], found: Sequence[Candidate]) -> dict[str, JsonValue]:
    """A stub answers from memory: a ratio to its time says nothing."""
    simulated = {each.name for each in found if each.sort == "simulated"}
    return {**pair, "latency_ratio": None} if simulated & {str(pair["first"]), str(pair["second"])} else pair


async def _play(cases: Sequence[RouterCase], found: Sequence[Candidate], bars: Progress) -> dict[str, list[Row]]:
    played: dict[str, list[Row]] = {}
    for each in found:
        bar = bars.add_task(f"router, {each.name}", total=len(cases))
        played[each.name] = await play(cases, each.desk, done=lambda bar=bar: bars.advance(bar))
        await hang_up(each.desk)
    return played


def specialist(into: Gathered, dataset: Sequence[Path] | None, environ: Mapping[str, str], *, bars: Progress) -> None:
    """Run the specialists and, beside the project's own cases, the simulated customers against the whole system.

    Raises `BadCases`, `ConfigurationError`, `UsedDatabase` and `DatabaseUnavailable`.
    """
    only = dataset[0] if dataset else None
    bar = bars.add_task("specialist", total=None)
    report = asyncio.run(run_specialist(dataset=only, environ=environ))
    bars.update(bar, total=1, completed=1)
    result = report.result()
    failed = {str(row["id"]): "; ".join(map(str, _listed(row["why"]))) for row in result.cases if not row["passed"]}
    customers = CustomersReport(customers=())
    if only is None:
        bar = bars.add_task("simulated customers", total=None)
        customers = asyncio.run(run_customers(environ=environ))
        bars.update(bar, total=1, completed=1)
    failed |= {row.id: "; ".join(row.why) for row in customers.customers if not row.reached}
    result = Result(result.suite, result.n, {**result.metrics, "customers": customers.metrics()}, result.cases)
    into.results["specialist"] = result
    into.suites.append(suite_run(result, dataset=_named(dataset, "specialist"), failed=failed))


def _listed(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _model(rows: Sequence[Row]) -> str:
    """Return the builds that served, as they named themselves."""
    return ", ".join(sorted({row.decision.model for row in rows if row.decision.model}))


def _named(dataset: Sequence[Path] | None, suite: Suite) -> str:
    """Name what was scored without saying where it lies."""
    if dataset:
        return ", ".join(path.name for path in dataset)
    return "sealed_*.jsonl, scored before: a development set by now" if suite == "router" else "the project's own cases"
