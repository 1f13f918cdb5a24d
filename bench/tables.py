"""Markdown tables, and the few statistics that the parts share."""

import statistics
from collections.abc import Sequence

Cell = str | int | float | None


def table(head: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Return a Markdown table: the first column to the left, figures to the right."""
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join(["---", *["---:"] * (len(head) - 1)]) + "|"]
    lines.extend("| " + " | ".join(_shown(cell) for cell in row) + " |" for row in rows)
    return "\n".join(lines)


def _shown(cell: Cell) -> str:
    match cell:
        case None:
            return "–"
        case bool() | str():
            return str(cell)
        case int():
            return f"{cell:,}".replace(",", " ")
        case float():
            return (
                f"{cell:,.0f}".replace(",", " ")
                if abs(cell) >= 1000
                else f"{cell:.3g}"
                if abs(cell) < 100
                else f"{cell:.0f}"
            )


def middle(values: Sequence[float]) -> dict[str, float]:
    """Return median, the quartiles as the spread, and the 95th percentile. Needs two values or more."""
    quarters = statistics.quantiles(values, n=4)
    return {
        "p50": statistics.median(values), "low": quarters[0], "high": quarters[2],
        "p95": statistics.quantiles(values, n=20)[-1], "n": len(values),
    }  # fmt: skip


def spread(stat: dict[str, float]) -> str:
    """Write a median with its quartiles."""
    return f"{stat['p50']:.1f} ({stat['low']:.1f}–{stat['high']:.1f})"


def verdict(reached: bool) -> str:
    return "**met**" if reached else "**not met**"
