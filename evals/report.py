"""A run of the suites as one self-contained HTML file."""

from pathlib import Path
from xml.etree.ElementTree import Element, tostring

from evals.floors import Bounds
from evals.report_html import card, element, tiles
from evals.report_router import router_section
from evals.report_suites import guard, suite_section
from evals.results import Share
from evals.results_run import Run, share_at

_STYLE = Path(__file__).with_name("report.css")
NAME = "index.html"


def write_report(run: Run, folder: Path) -> Path:
    """Write the report and return where it is. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / NAME
    path.write_text(page(run), "utf-8")
    return path


def page(run: Run) -> str:
    """Return the page: no script, no address of anything outside it."""
    title = f"Bastão · evaluation of {run.at:%Y-%m-%d}"
    head = element(
        "head", element("meta", charset="utf-8"), element("title", title),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"), element("style", _STYLE.read_text("utf-8")),
    )  # fmt: skip
    said = " · ".join(f"{name} {value}" for name, value in run.versions.items())
    main = element(
        "main", element("h1", title), element("p", f"{run.at:%Y-%m-%d %H:%M} UTC · {said}", class_="soft"),
        tiles(_headlines(run)), _verdict(run),
    )  # fmt: skip
    if run.router is not None:
        for each in router_section(run.router, bounds_of(run, "router")):
            main.append(each)
    for suite in run.suites:
        for each in suite_section(suite):
            main.append(each)
    document = element("html", head, element("body", main), lang="en")
    return f"<!doctype html>\n{tostring(document, encoding='unicode', method='html')}\n"


def bounds_of(run: Run, suite: str) -> Bounds:
    """Return the floors and ceilings that a suite was held against."""
    kept = run.bounds.get(suite, {})
    return Bounds(kept.get("at_least", {}), kept.get("at_most", {}))


def _headlines(run: Run) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, Share | None]] = {}
    if run.router is not None:
        judged = run.router.judged
        found["Right at first, unambiguous"] = (judged.name, judged.share("unambiguous"))
        found["Out of scope sent on"] = (judged.name, judged.share("false_dispatch"))
    for suite in run.suites:
        path, of = {"handoff": ("recovered", "values kept"), "specialist": ("passed", "trials passed")}.get(suite.suite, ("", ""))  # fmt: skip
        found[{"handoff": "Kept by a transfer", "specialist": "Specialists"}.get(suite.suite, suite.suite)] = (of, share_at(suite.metrics, path))  # fmt: skip
    found["Passed on at once"] = ("simulated customers", guard(run.suites))
    return {
        name: (f"{100 * share.value:.1f}%", f"{of}, {share.hits}/{share.n}\n95%: {_interval(share)}")
        for name, (of, share) in found.items()
        if share is not None and share.value is not None
    }


def _interval(share: Share) -> str:
    low, high = share.interval
    return f"{100 * low:.1f}–{100 * high:.1f}"


def _verdict(run: Run) -> Element:
    missed = [f"{suite}: {said}" for suite, sentences in run.missed.items() for said in sentences]
    held = sum(len(bounds) for suite in run.bounds.values() for bounds in suite.values())
    if missed:
        made = card(element("b", f"{len(missed)} of {held} floors and ceilings are missed", class_="bad"))
        made.append(element("ul", *(element("li", said) for said in missed)))
    else:
        made = card(element("b", f"All {held} floors and ceilings of config.json are held.", class_="good"))
    made.set("class", "card verdict missed" if missed else "card verdict")
    return made
