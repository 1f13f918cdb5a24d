"""The README's table of providers, written from a run between two markers."""

from evals.results import Share
from evals.results_run import Run, Scored, number_at

BEGIN, END = "<!-- evals:begin -->", "<!-- evals:end -->"


def with_table(text: str, run: Run) -> str:
    """Return the text with the run's table between its markers. Raises ValueError where one of them is missing."""
    before, after = around(text)
    return f"{before}{BEGIN}\n{block(run)}\n{END}{after}"


def around(text: str) -> tuple[str, str]:
    """Return what stands before and after the markers. Raises ValueError where one of them is missing."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the README needs a line {BEGIN} and, below it, a line {END}")
    return before, after


def block(run: Run) -> str:
    """Return the table and the sentences on differences, as Markdown. Raises ValueError for a run without the router."""
    if run.router is None:
        raise ValueError("the table is of the router: run it")
    lines = [
        "| provider | right | unambiguous | asked back | calibration error | median ms | US$ |",
        "|---|---|---|---|---|---|---|",
        *(_row(each) for each in run.router.providers),
        "",
        f"{run.router.n} cases ({run.router.dataset}), {run.at:%Y-%m-%d}, release `{run.versions.get('release', '?')}`,"
        f" {run.versions.get('machine', 'an unknown machine')}; shares with the 95% Wilson interval.",
    ]
    judged = run.router.judged.name
    against = [str(pair["sentence"]) for pair in run.router.pairs if pair["first"] == judged]
    if against:
        lines += ["Exact McNemar tests on the same cases:", "", *(f"- {said}" for said in against)]
    return "\n".join(lines)


def _row(scored: Scored) -> str:
    cells = (
        f"`{scored.flag}`" + (", simulated" if scored.sort == "simulated" else ", baseline" if scored.sort == "baseline" else ""),
        *(_share(scored.share(path)) for path in ("accuracy", "unambiguous", "clarification")),
        _number(scored, "calibration_error", 3), _median(scored), _cost(scored),
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


def _share(value: Share) -> str:
    if value.value is None:
        return "–"
    low, high = value.interval
    return f"{100 * value.value:.1f}% ({100 * low:.1f}–{100 * high:.1f})"


def _median(scored: Scored) -> str:
    """A stub's time is this machine's, and partly of answers that it remembers."""
    found = _number(scored, "latency_ms.p50", 0)
    return f"{found} (stub)" if scored.sort == "simulated" else found


def _cost(scored: Scored) -> str:
    spent = number_at(scored.metrics, "cost_usd")
    return "0" if not spent else f"{spent:.4f}"


def _number(scored: Scored, path: str, digits: int) -> str:
    value = number_at(scored.metrics, path)
    return "–" if value is None else f"{value:.{digits}f}"
