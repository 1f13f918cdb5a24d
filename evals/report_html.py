"""Pieces of a page: elements whose text is always escaped, tables, and figures as a reader wants them."""

from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement

from evals.results import Share

Cell = str | Share | Element | None


def element(tag: str, *inside: str | Element, **attributes: str) -> Element:
    """Make an element. `class_` is class; text is escaped when the page is written."""
    made = Element(tag, {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()})
    add(made, *inside)
    return made


def add(to: Element, *inside: str | Element) -> None:
    """Append texts and elements in their order."""
    for piece in inside:
        if isinstance(piece, Element):
            to.append(piece)
        elif len(to):
            to[-1].tail = (to[-1].tail or "") + piece
        else:
            to.text = (to.text or "") + piece


def table(
    columns: Sequence[str], rows: Sequence[Sequence[Cell]], *, caption: str = "", left: int = 1, stacked: bool = False
) -> Element:
    """Make a table; all but the first `left` columns are numbers. `stacked` puts counts and intervals under their share."""
    made = element("table", class_="stacked") if stacked else element("table")
    if caption:
        made.append(element("caption", caption))
    head = SubElement(SubElement(made, "thead"), "tr")
    for place, column in enumerate(columns):
        head.append(element("th", column, **_numeric(place, left)))
    body = SubElement(made, "tbody")
    for row in rows:
        line = SubElement(body, "tr")
        for place, cell in enumerate(row):
            line.append(_cell(cell, **_numeric(place, left)))
    return made


def share(value: Share) -> Element:
    """Show a share with its count and interval."""
    if value.value is None:
        return element("span", "–")
    low, high = value.interval
    small = element("small", f" {value.hits}/{value.n} · {100 * low:.1f}–{100 * high:.1f}")
    return element("span", f"{100 * value.value:.1f}%", small)


def number(value: float | None, digits: int = 3) -> str:
    """Show a number, an absent one as a dash."""
    return "–" if value is None else f"{value:,.{digits}f}"


def usd(value: float | None) -> str:
    """Show money that may be a small part of a cent."""
    return "–" if value is None else "0" if value == 0 else f"{value:.4f}"


def tiles(named: Mapping[str, tuple[str, str]]) -> Element:
    """Show the figures that are read first: name → (figure, what it is of)."""
    made = element("div", class_="tiles")
    for name, (figure, of) in named.items():
        made.append(element("div", element("span", name, class_="soft"), element("b", figure), element("span", of, class_="soft"), class_="tile"))  # fmt: skip
    return made


def card(*inside: str | Element) -> Element:
    return element("div", *inside, class_="card")


def _numeric(place: int, left: int) -> dict[str, str]:
    return {} if place < left else {"class_": "n"}


def _cell(cell: Cell, **attributes: str) -> Element:
    if cell is None:
        return element("td", "–", **attributes)
    return element("td", share(cell) if isinstance(cell, Share) else cell, **attributes)
