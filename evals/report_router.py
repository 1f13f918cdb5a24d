"""The router's part of the report: providers side by side, pictures, where it fails, and what differences are worth."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from evals.floors import CALIBRATION, Bounds
from evals.report_html import Cell, card, element, number, table, usd
from evals.report_svg import Mark, believed, curves, forest
from evals.results_run import Metrics, RouterRun, Scored, Sort, number_at, part_at, points_in, share_at, shares_in
from evals.router_figures import WORST_FROM

COLOURS: dict[Sort, str] = {"embedded": "#0b6e4f", "remote": "#2f6fb0", "simulated": "#b7791f", "baseline": "#7b8794"}
_SHADES = ("#0b6e4f", "#2f6fb0", "#b7791f", "#7c3aed", "#0e9aa7", "#7b8794", "#b3261e", "#1f2933")
_WORST = 12
CAPTION = (
    "Right: the one who should speak is the first to speak. Shares with hits/n and the 95% Wilson interval. Asked back: of all"
    " cases, the vague ones included, where asking is right. False dispatch: what is out of scope and goes to a specialist."
    " Calibration: expected error over ten bins. Providers that are simulated are this project's own clients against stubs on this"
    " machine, which answer with the embedded model's opinion plus the jitter or rounding seen of the real one: their figures show"
    " that the path works, not what the real model can do. Baselines are held against the embedded model's gate."
)


def router_section(run: RouterRun, bounds: Bounds) -> list[Element]:
    """Return the section's elements."""
    first = run.judged
    return [
        element("h2", f"Router: does the right one speak first? ({run.n} cases, {run.dataset})"),
        card(providers(run, bounds)),
        *pictures(run),
        *pair_rows(run),
        element("h2", f"Where {first.name} is right, and where not"),
        element("div", _kinds(first), _intents(first), class_="pictures"),
    ]


def providers(run: RouterRun, bounds: Bounds) -> Element:
    """Return the table of providers."""
    columns = (
        "provider", "right", "unambiguous", "asked back", "false dispatch", "log-loss", "calibration", "area under risk",
        "p50 ms", "p95 ms", "US$",
    )  # fmt: skip
    return table(columns, [_provider(each, bounds) for each in run.providers], caption=CAPTION, stacked=True)


def _provider(scored: Scored, bounds: Bounds) -> Sequence[Cell]:
    metrics = scored.metrics
    named = element("span", scored.name, element("small", scored.model or "rules alone"))
    return (
        named, *(scored.share(path) for path in ("accuracy", "unambiguous", "clarification", "false_dispatch")),
        number(number_at(metrics, "log_loss"), 2), _calibration(scored, bounds), number(number_at(metrics, "area_under_risk")),
        number(number_at(metrics, "latency_ms.p50"), 1), number(number_at(metrics, "latency_ms.p95"), 1), usd(number_at(metrics, "cost_usd")),
    )  # fmt: skip


def _calibration(scored: Scored, bounds: Bounds) -> Element:
    value = number(number_at(scored.metrics, CALIBRATION))
    match bounds.believable(scored.metrics):
        case True:
            return element("span", value, class_="good")
        case False:
            return element("span", f"{value} fails", class_="bad")
        case None:
            return element("span", value)


def pictures(run: RouterRun) -> list[Element]:
    """Return the pictures: shares, reliability of the judged provider, risk over coverage of all."""
    first = run.judged
    unambiguous = [Mark(each.name, each.share("unambiguous"), COLOURS[each.sort]) for each in run.providers]
    lines = [
        (each.name, _SHADES[place % len(_SHADES)], [(p["coverage"], p["risk"]) for p in points_in(each.metrics, "risk_coverage")])
        for place, each in enumerate(run.providers)
    ]  # fmt: skip
    return [
        element(
            "div",
            _picture(
                "Unambiguous cases, right at first", "95% intervals; what overlaps is compared case by case below",
                forest(unambiguous),
            ),
            _picture(
                "By kind of case", f"{first.name}; the vague ones: asking back is right",
                forest([Mark(k, s, COLOURS[first.sort]) for k, s in shares_in(first.metrics, "by_kind").items()]),
            ),
            _picture(
                "Can the number be believed?", f"{first.name}: n beside each bin; on the dashed line it is right as often as it says",
                believed(points_in(first.metrics, "reliability"), colour=COLOURS[first.sort]),
            ),
            _picture(
                "What deciding more costs", "share wrong among the decided, when only the surest are; left and low is better",
                curves(lines, across="share of cases that is decided", up="wrong among these"),
            ),
            class_="pictures",
        )
    ]  # fmt: skip


def _picture(title: str, says: str, drawn: Element) -> Element:
    return card(element("h3", title), element("p", says, class_="soft"), drawn)


def pair_rows(run: RouterRun) -> list[Element]:
    """Return the table of pairs against the judged provider, with the sentence that says what a difference is worth."""
    rows: list[Sequence[Cell]] = []
    for pair in run.pairs:
        if pair["first"] != run.judged.name:
            continue
        p = number_at(pair, "right.p")
        rows.append((
            f"{pair['second']}", f"{pair['sentence']}", share_at(pair, "agreement"),
            f"{_whole(pair, 'right.first_only')} : {_whole(pair, 'right.second_only')}", "–" if p is None else "<0.0001" if p < 0.0001 else f"{p:.4f}",
            number(number_at(pair, "latency_ratio"), 2), number(number_at(pair, "cost_ratio"), 2),
        ))  # fmt: skip
    if not rows:
        return []
    columns = ("against", "what it is worth", "same target", "alone right", "McNemar p", "latency ×", "cost ×")
    said = f"Each provider against {run.judged.name} on the same {run.n} cases: exact McNemar test, two-sided, noise from p = 0.05 up."
    return [element("h2", "Is the difference larger than the noise?"), card(table(columns, rows, caption=said, left=2))]


def _kinds(scored: Scored) -> Element:
    rows = [(kind, share) for kind, share in shares_in(scored.metrics, "by_kind").items()]
    more = [("second subject found (two_subjects)", scored.share("topics_found")), ("asked back, unambiguous", scored.share("clarification_unambiguous"))]  # fmt: skip
    reasons = part_at(scored.metrics, "by_reason")
    by_reason = ", ".join(f"{name} {n}" for name, n in reasons.items()) if isinstance(reasons, dict) else ""
    return card(table(("kind", "right"), [*rows, *more]), element("p", f"Decided by: {by_reason}", class_="soft"))


def _intents(scored: Scored) -> Element:
    large = [(name, share) for name, share in shares_in(scored.metrics, "by_intent").items() if share.n >= WORST_FROM]
    worst = sorted(large, key=lambda each: (each[1].value or 0.0, each[0]))[:_WORST]
    said = f"Of {len(large)} intents with at least {WORST_FROM} cases, the worst"
    return card(table(("intent", "right"), worst, caption=said))


def _whole(pair: Metrics, path: str) -> int:
    return int(number_at(pair, path) or 0)
