"""Pictures as SVG: shares with their intervals, how far a probability can be believed, what deciding more costs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from evals.report_html import element
from evals.results import Share, wilson

INK, SOFT, GRID, PAPER = "#1f2933", "#5f6c7b", "#e3e8ee", "#ffffff"
_FONT = "Inter, Segoe UI, Liberation Sans, Arial, sans-serif"
_ROW = 30.0

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Mark:
    """One line of a forest plot."""

    name: str
    share: Share
    colour: str


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle of the picture that shows x and y of the given ranges, y upwards."""

    left: float
    top: float
    width: float
    height: float
    x: Point = (0.0, 1.0)
    y: Point = (0.0, 1.0)

    def at(self, point: Point) -> Point:
        across = (point[0] - self.x[0]) / (self.x[1] - self.x[0])
        up = (point[1] - self.y[0]) / (self.y[1] - self.y[0])
        return self.left + across * self.width, self.top + (1 - up) * self.height


def forest(marks: Sequence[Mark], *, width: float = 560) -> Element:
    """Draw each share as a dot with its 95 % interval, the value in words at the right."""
    height, names = _ROW * len(marks) + 40, 190.0
    begin = _round_down(min((m.share.interval[0] for m in marks), default=0.0))
    frame = Frame(names, 8, width - names - 62, _ROW * len(marks), (begin, 1.0))
    picture = _picture(width, height)
    for tick in _ticks(begin):
        x, bottom = frame.at((tick, 0))
        picture.append(_line((x, frame.top), (x, bottom), GRID))
        picture.append(_text((x, bottom + 18), f"{100 * tick:.0f}%", size=11, colour=SOFT, anchor="middle"))
    for place, mark in enumerate(marks):
        y = frame.top + _ROW * (place + 0.5)
        picture.append(_text((names - 12, y + 4), mark.name, size=12.5, anchor="end"))
        if mark.share.value is None:
            continue
        ends = [(frame.at((end, 0))[0], y) for end in mark.share.interval]
        picture.append(_line(ends[0], ends[1], mark.colour, width=2.5))
        picture.append(_dot((frame.at((mark.share.value, 0))[0], y), 5.5, mark.colour))
        picture.append(_text((width - 54, y + 4), f"{100 * mark.share.value:.1f}%", size=12.5))
    return picture


def believed(points: Sequence[Mapping[str, float]], *, colour: str, width: float = 560, height: float = 400) -> Element:
    """Draw the share that was right over the stated probability, with intervals; on the diagonal both are the same."""
    frame = Frame(58, 14, width - 78, height - 70)
    picture = _picture(width, height)
    _axes(picture, frame, "stated probability", "share that is right")
    picture.append(_line(frame.at((0, 0)), frame.at((1, 1)), SOFT, dash="5 5"))
    for point in points:
        low, high = wilson(int(point["hits"]), int(point["n"]))
        x, stated = frame.at((point["stated"], point["value"])), point["stated"]
        picture.append(_line(frame.at((stated, low)), frame.at((stated, high)), colour, width=2))
        picture.append(_dot(x, 3.5 + min(point["n"], 400.0) ** 0.5 / 2.4, colour, opacity=0.85))
        above = x[1] > frame.top + 40
        label = (x[0] - 6, frame.at((0, high))[1] - 7 if above else frame.at((0, low))[1] + 15)
        picture.append(_text(label, f"{point['n']:.0f}", size=10.5, colour=SOFT, anchor="end"))
    return picture


def curves(
    lines: Sequence[tuple[str, str, Sequence[Point]]], *, across: str, up: str, width: float = 560, height: float = 400
) -> Element:
    """Draw curves (name, colour, points) with a legend. The height fits the first one twice; what is worse leaves the frame."""
    highest = max((y for _, _, points in lines[:1] for _, y in points), default=0.5)
    top = min(1.0, math.ceil(highest * 2 * 10) / 10) or 0.1
    frame = Frame(58, 14, width - 78, height - 70, (0.0, 1.0), (0.0, top))
    picture = _picture(width, height)
    _axes(picture, frame, across, up)
    picture.append(inside := _window(frame))
    legend = max((len(name) for name, _, _ in lines), default=0) * 6.2 + 140
    box = {
        "x": f"{frame.left + 8:g}",
        "y": f"{frame.top + 1:g}",
        "width": f"{legend:g}",
        "height": f"{17 * len(lines) + 6}",
    }
    picture.append(element("rect", **box, fill=PAPER, fill_opacity="0.8"))
    for place, (name, colour, points) in reversed([*enumerate(lines)]):
        at = [frame.at(point) for point in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        inside.append(
            element("polyline", points=path, fill="none", stroke=colour, stroke_width="3" if place == 0 else "2")
        )
        if len(at) == 1:
            inside.append(_dot(at[0], 5, colour))
        y = frame.top + 16 + 17 * place
        picture.append(_line((frame.left + 14, y - 4), (frame.left + 36, y - 4), colour, width=3))
        beyond = " (above the frame)" if points and min(y for _, y in points) > top else ""
        picture.append(_text((frame.left + 43, y), f"{name}{beyond}", size=11.5))
    return picture


def _window(frame: Frame) -> Element:
    """Make a part of the picture that shows nothing beyond the frame; coordinates stay the picture's."""
    x, y, width, height = (f"{value:g}" for value in (frame.left, frame.top, frame.width, frame.height))
    return element("svg", x=x, y=y, width=width, height=height, viewBox=f"{x} {y} {width} {height}")


def _axes(picture: Element, frame: Frame, across: str, up: str) -> None:
    for step in range(6):
        x = frame.x[0] + (frame.x[1] - frame.x[0]) * step / 5
        y = frame.y[0] + (frame.y[1] - frame.y[0]) * step / 5
        picture.append(_line(frame.at((x, frame.y[0])), frame.at((x, frame.y[1])), GRID))
        picture.append(_line(frame.at((frame.x[0], y)), frame.at((frame.x[1], y)), GRID))
        left, bottom = frame.at((x, frame.y[0]))
        picture.append(_text((left, bottom + 17), f"{100 * x:.0f}%", size=11, colour=SOFT, anchor="middle"))
        picture.append(_text((frame.left - 8, frame.at((0, y))[1] + 4), f"{100 * y:.0f}%", size=11, colour=SOFT, anchor="end"))  # fmt: skip
    middle, bottom = frame.left + frame.width / 2, frame.top + frame.height
    picture.append(_text((middle, bottom + 38), across, size=12, colour=SOFT, anchor="middle"))
    turned = _text((0, 0), up, size=12, colour=SOFT, anchor="middle")
    turned.set("transform", f"translate(14 {frame.top + frame.height / 2:.1f}) rotate(-90)")
    picture.append(turned)


def _picture(width: float, height: float) -> Element:
    return element(
        "svg", viewBox=f"0 0 {width:g} {height:g}", xmlns="http://www.w3.org/2000/svg", role="img", font_family=_FONT
    )


def _line(a: Point, b: Point, colour: str, *, width: float = 1.0, dash: str = "none") -> Element:
    return element(
        "line", x1=f"{a[0]:.1f}", y1=f"{a[1]:.1f}", x2=f"{b[0]:.1f}", y2=f"{b[1]:.1f}", stroke=colour,
        stroke_width=f"{width:g}", stroke_dasharray=dash,
    )  # fmt: skip


def _dot(at: Point, radius: float, colour: str, *, opacity: float = 1.0) -> Element:
    return element("circle", cx=f"{at[0]:.1f}", cy=f"{at[1]:.1f}", r=f"{radius:.1f}", fill=colour, fill_opacity=f"{opacity:g}")  # fmt: skip


def _text(at: Point, said: str, *, size: float, colour: str = INK, anchor: str = "start") -> Element:
    return element("text", said, x=f"{at[0]:.1f}", y=f"{at[1]:.1f}", font_size=f"{size:g}", fill=colour, text_anchor=anchor)  # fmt: skip


def _round_down(value: float) -> float:
    return max(0.0, int(value * 10) / 10)


def _ticks(begin: float) -> list[float]:
    tenths = range(round(begin * 10), 11)
    return [tenth / 10 for tenth in tenths if len(tenths) <= 6 or tenth % 2 == 0]
