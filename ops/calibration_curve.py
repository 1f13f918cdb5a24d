"""The calibration as a picture: how right a probability is, and what each threshold accepts. Drawn with Pillow alone."""

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from ops.calibration import Calibrated
from routing.providers.calibration import ThresholdFound

_WIDTH, _HEIGHT, _MARGIN, _GAP = 1200, 640, 80, 90
_SIDE = (_WIDTH - 2 * _MARGIN - _GAP) // 2
_TOP = 110
_BINS = 10
_INK, _GRID, _BEFORE, _AFTER, _COVERAGE, _GATE = "#1f2933", "#d9dee3", "#b0b7bf", "#0b6e4f", "#2f6fb0", "#b3261e"

Point = tuple[float, float]


def draw(outcome: Calibrated, path: Path) -> None:
    """Write the curve as PNG. Raises OSError."""
    image = Image.new("RGB", (_WIDTH, _HEIGHT), "white")
    pen = ImageDraw.Draw(image)
    file = outcome.file
    _say(pen, (_MARGIN, 24), f"{file.provider} · {file.build} · n = {len(outcome.right)}", size=22)
    _say(pen, (_MARGIN, 56), _headline(outcome), size=17)
    left, right = _Panel(pen, _MARGIN), _Panel(pen, _MARGIN + _SIDE + _GAP)
    left.frame("stated probability", "share that is right")
    left.line([(0, 0), (1, 1)], _GRID)
    left.dots(reliability(outcome.confidence_before, outcome.right), _BEFORE)
    left.dots(reliability(outcome.confidence, outcome.right), _AFTER)
    right.frame("threshold", "coverage (blue), right among accepted (green)")
    accepted = curve(outcome.confidence, outcome.right)
    right.line([(threshold, coverage) for threshold, coverage, _ in accepted], _COVERAGE)
    right.line([(threshold, accuracy) for threshold, _, accuracy in accepted], _AFTER)
    right.line([(0, file.target), (1, file.target)], _GRID)
    if isinstance(outcome.threshold, ThresholdFound):
        right.line([(outcome.threshold.threshold, 0), (outcome.threshold.threshold, 1)], _GATE)
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path, format="PNG")


def reliability(confidence: Sequence[float], right: Sequence[bool]) -> list[tuple[float, float, int]]:
    """Return mean confidence, share right and rows of each bin that has rows."""
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(_BINS)]
    for value, hit in zip(confidence, right, strict=True):
        bins[min(int(value * _BINS), _BINS - 1)].append((value, hit))
    return [
        (sum(value for value, _ in rows) / len(rows), sum(hit for _, hit in rows) / len(rows), len(rows))
        for rows in bins
        if rows
    ]


def curve(confidence: Sequence[float], right: Sequence[bool]) -> list[tuple[float, float, float]]:
    """Return threshold, coverage and share right among the accepted, from the strictest threshold to the loosest."""
    rows = sorted(zip(confidence, right, strict=True), reverse=True)
    points: list[tuple[float, float, float]] = []
    hits = 0
    for place, (value, hit) in enumerate(rows, start=1):
        hits += hit
        last_of_ties = place == len(rows) or rows[place][0] < value
        if last_of_ties:
            points.append((value, place / len(rows), hits / place))
    return points


def _headline(outcome: Calibrated) -> str:
    error = f"calibration error {outcome.error_before:.3f} (grey), {outcome.error_after:.3f} (green)"
    if isinstance(outcome.threshold, ThresholdFound):
        found = outcome.threshold
        return f"{error} · threshold {found.threshold:.3f} accepts {found.coverage:.1%}, {found.accuracy:.1%} right"
    return f"{error} · no threshold meets the target of {outcome.file.target:.1%}"


class _Panel:
    """A unit square on the picture; points are (x, y) from 0 to 1, y upwards."""

    def __init__(self, pen: ImageDraw.ImageDraw, left: int) -> None:
        self._pen = pen
        self._left = left

    def frame(self, x_name: str, y_name: str) -> None:
        for tick in range(6):
            share = tick / 5
            self._pen.line([self._at((share, 0)), self._at((share, 1))], fill="#f0f2f4")
            self._pen.line([self._at((0, share)), self._at((1, share))], fill="#f0f2f4")
            x, y = self._at((share, 0))
            _say(self._pen, (x - 10, y + 8), f"{share:.1f}", size=14)
            x, y = self._at((0, share))
            _say(self._pen, (x - 34, y - 8), f"{share:.1f}", size=14)
        self._pen.rectangle([self._at((0, 1)), self._at((1, 0))], outline=_GRID)
        x, y = self._at((0, 0))
        _say(self._pen, (x, y + 32), f"across: {x_name}   up: {y_name}", size=15)

    def line(self, points: Sequence[Point], colour: str) -> None:
        if len(points) > 1:
            self._pen.line([self._at(point) for point in points], fill=colour, width=3)
        elif points:
            self.dots([(*points[0], 1)], colour)

    def dots(self, points: Sequence[tuple[float, float, int]], colour: str) -> None:
        """Draw one disc per bin, the larger the more rows it has."""
        for x, y, rows in points:
            radius = 4 + min(rows, 400) ** 0.5 / 2
            centre_x, centre_y = self._at((x, y))
            self._pen.ellipse([centre_x - radius, centre_y - radius, centre_x + radius, centre_y + radius], fill=colour)

    def _at(self, point: Point) -> Point:
        bottom = _HEIGHT - 90
        return self._left + point[0] * _SIDE, bottom - point[1] * (bottom - _TOP)


def _say(pen: ImageDraw.ImageDraw, at: Point, text: str, *, size: int) -> None:
    pen.text(at, text, fill=_INK, font=ImageFont.load_default(size))
