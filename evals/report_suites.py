"""The other suites' parts of the report: what the package keeps, what specialists and whole conversations do."""

from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element

from pydantic import JsonValue

from evals.report_html import Cell, card, element, number, table
from evals.results import Share
from evals.results_run import SuiteRun, number_at, share_at

TITLES: Mapping[str, str] = {
    "handoff": "Package: what the customer gave is there after the transfer",
    "specialist": "Specialists: fixed package in, behaviour out",
}
CUSTOMERS = "customers"
_FAILED_SHOWN = 25
_MANY = 8


def suite_section(run: SuiteRun) -> list[Element]:
    """Return the section's elements: figures as a table, the customers' conversations beside, what failed below."""
    own = {name: value for name, value in run.metrics.items() if name != CUSTOMERS}
    beside = run.metrics.get(CUSTOMERS)
    cards = [card(table(("figure", "value"), _rows(own)))]
    if isinstance(beside, dict):
        said = "Scripted customers against the whole system. Immediate transfers: of all turns that went to a specialist, those in which it passed on at once: the router's guard."
        cards.append(card(table(("simulated customers", "value"), _rows(beside), caption=said)))
    return [
        element("h2", f"{TITLES.get(run.suite, run.suite)} ({run.n} cases, {run.dataset})"),
        element("div", *cards, class_="pictures"),
        *_failed(run),
    ]


def guard(suites: Sequence[SuiteRun]) -> Share | None:
    """Return the immediate-transfer rate of the whole-system runs, None where none was made."""
    for run in suites:
        found = share_at(run.metrics, f"{CUSTOMERS}.immediate_transfer_rate")
        if found.n:
            return found
    return None


def _rows(metrics: Mapping[str, JsonValue], before: str = "") -> list[Sequence[Cell]]:
    """Flatten figures to rows: a group's names go before its members'."""
    rows: list[Sequence[Cell]] = []
    for name, value in metrics.items():
        shown = f"{before}{name.replace('_', ' ')}"
        if isinstance(value, dict) and "hits" in value:
            rows.append((shown, share_at(metrics, name)))
        elif isinstance(value, dict) and {"given", "recovered"} <= set(value):
            rows.append((shown, _kept(value)))
        elif isinstance(value, dict) and len(value) > _MANY:
            rows.append((shown, _in_a_line(value)))
        elif isinstance(value, dict) and all(not isinstance(each, dict) for each in value.values()):
            rows.append(
                (shown, ", ".join(f"{key} {'–' if each is None else each}" for key, each in value.items()) or None)
            )
        elif isinstance(value, dict):
            rows += _rows(value, f"{shown}: ")
        elif isinstance(value, int | float):
            rows.append((shown, number(float(value), 0 if float(value).is_integer() else 2)))
    return rows


def _kept(value: Mapping[str, JsonValue]) -> Share:
    return Share(int(number_at(value, "recovered") or 0), int(number_at(value, "given") or 0))


def _in_a_line(group: Mapping[str, JsonValue]) -> Element:
    """Show a long group of small counts without an interval each: it would be wide, and the sum above has one."""
    counts = {name: _kept(value) for name, value in group.items() if isinstance(value, dict)}
    said = ", ".join(f"{name.replace('_', ' ')} {each.hits}/{each.n}" for name, each in counts.items())
    return element("span", said, class_="long")


def _failed(run: SuiteRun) -> list[Element]:
    if not run.failed:
        return []
    shown = list(run.failed.items())[:_FAILED_SHOWN]
    said = f"{len(run.failed)} did not pass" + (f", the first {len(shown)}:" if len(shown) < len(run.failed) else ":")
    listed = [element("li", element("b", name), f" {why}") for name, why in shown]
    return [card(element("p", said), element("ul", *listed))]
