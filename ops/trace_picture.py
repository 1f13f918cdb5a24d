"""A trace as a picture (SVG): one bar a span, from its beginning to its end. For a page of the documentation."""

from collections.abc import Sequence
from xml.sax.saxutils import escape

from ops.trace_tree import TraceSpan, said, walk

_ROW, _INDENT, _NAMES, _BARS, _NOTES, _TOP = 24, 16, 270, 420, 480, 34
_COLOURS = (
    ("turn", "#475569"),
    ("invoke_agent", "#2563eb"),
    ("chat", "#7c3aed"),
    ("execute_tool", "#0d9488"),
    ("hand_off", "#ea580c"),
    ("decide", "#ca8a04"),
)
_OTHER, _FAILED = "#94a3b8", "#dc2626"


def picture(spans: Sequence[TraceSpan]) -> str:
    """Draw the spans of one trace."""
    first, last = min(s.begins for s in spans), max(s.ends for s in spans)
    rows = list(walk(spans))
    wide, high = _NAMES + _BARS + _NOTES, _TOP + _ROW * len(rows) + 10
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}"'
        ' font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="The spans of one turn, by time">',
        f'<rect width="{wide}" height="{high}" fill="#ffffff"/>',
        f'<text x="{_NAMES}" y="18" fill="#64748b">0 ms</text>',
        f'<text x="{_NAMES + _BARS}" y="18" fill="#64748b" text-anchor="end">{(last - first) / 1e6:.0f} ms</text>',
    ]
    for number, (span, branch) in enumerate(rows):
        drawn.extend(_row(span, number, depth=len(branch) // 3, first=first, scale=_BARS / max(last - first, 1)))
    return "\n".join([*drawn, "</svg>", ""])


def _row(span: TraceSpan, number: int, *, depth: int, first: int, scale: float) -> list[str]:
    top = _TOP + _ROW * number
    left = _NAMES + (span.begins - first) * scale
    length = max(2.0, (span.ends - span.begins) * scale)
    shade = f'<rect x="0" y="{top}" width="{_NAMES + _BARS + _NOTES}" height="{_ROW}" fill="#f8fafc"/>'
    return [
        *([shade] if number % 2 == 0 else []),
        f'<text x="{8 + depth * _INDENT}" y="{top + 16}" fill="#0f172a">{escape(span.name)}</text>',
        f'<rect x="{left:.1f}" y="{top + 6}" width="{length:.1f}" height="{_ROW - 12}" rx="2" fill="{_colour(span)}"/>',
        f'<text x="{_NAMES + _BARS + 12}" y="{top + 16}" fill="#334155">{span.ms:.1f} ms'
        f'<tspan fill="#64748b">  {escape(said(span))}</tspan></text>',
    ]


def _colour(span: TraceSpan) -> str:
    if span.failed:
        return _FAILED
    return next((colour for name, colour in _COLOURS if span.name.startswith(name)), _OTHER)
