"""The pieces of the numbers' page: a figure, a section, a table that can be taken along."""

from collections.abc import Sequence

import streamlit as st

from ops.metrics_tables import Table
from ui.words import literal

Figure = tuple[str, str, str]
"""What is counted, the number, and of how many (or what it means)."""


def figures(cells: Sequence[Figure]) -> None:
    """Draw the figures side by side, two in a row on a phone."""
    body = "".join(
        f"<div><dt>{literal(label)}</dt><dd>{literal(value)}</dd><small>{literal(small)}</small></div>"
        for label, value, small in cells
    )
    st.html(f'<dl class="figuras">{body}</dl>')


def section(title: str, words: str = "") -> None:
    """Draw a section's head, with a sentence that says how to read it."""
    said = f"<p>{literal(words)}</p>" if words else ""
    st.html(f'<div class="secao"><h2>{literal(title)}</h2>{said}</div>')


def sentence(words: str, small: str) -> None:
    """Draw the one sentence that sums up a section."""
    st.html(f'<div class="frase"><p>{literal(words)}</p><small>{literal(small)}</small></div>')


def table(shown: Table, *, period: str, folded: bool = False) -> None:
    """Draw a table with its download; a long one folded. The file's name says the period."""
    if folded and shown.rows:
        with st.expander("Ver a tabela"):
            _table(shown, period)
        return
    _table(shown, period)


def _table(shown: Table, period: str) -> None:
    if not shown.rows:
        st.html(f'<div class="nada">{literal(shown.nothing)}</div>')
        return
    kinds = ["n" if column.number else "" for column in shown.columns]
    head = "".join(
        f'<th class="{kind}">{literal(_without_unit(column.head))}</th>'
        for kind, column in zip(kinds, shown.columns, strict=True)
    )
    rows = "".join(
        "<tr>"
        + "".join(f'<td class="{kind}">{literal(cell)}</td>' for kind, cell in zip(kinds, row, strict=True))
        + "</tr>"
        for row in shown.shown()
    )
    st.html(f'<div class="tabela"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>')
    download(shown, period=period)


def download(shown: Table, *, period: str, label: str = "Baixar CSV") -> None:
    st.download_button(
        label, data=shown.csv(), file_name=f"{shown.name}-{period}.csv", mime="text/csv", key=f"csv-{shown.name}",
        icon=":material/download:", type="tertiary", on_click="ignore",
    )  # fmt: skip


def _without_unit(head: str) -> str:
    """Leave a unit out of a head where the cells below write it."""
    return head.partition(" (")[0]
