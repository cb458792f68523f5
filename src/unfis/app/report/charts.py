"""Charts as coordinates: what templates draw as SVG, in the colours of the page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from unfis.arrays import Array
from unfis.text.numbers import number_words

# The room of a chart, in units of which one is about a pixel on a small screen.
LEFT, RIGHT, TOP, BOTTOM = 46.0, 340.0, 12.0, 196.0
MOST_POINTS = 200  # of a curve
MOST_MARKS = 6
Place = tuple[float, float]


class Frame(NamedTuple):
    """Where numbers come to lie in a picture: their range, and that of the picture."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The coordinate of a number, inside of the picture."""
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(self.start + min(max(share, 0.0), 1.0) * (self.end - self.start), 2)


@dataclass
class Chart:
    """Axes, and lines and dots between them; `kind` of a line or dot is its class in the style."""

    title: str
    across_name: str
    up_name: str
    x: Frame
    y: Frame
    words: str = ""  # below it
    across: Sequence[tuple[float, str]] = ()  # ticks
    up: Sequence[tuple[float, str]] = ()
    lines: list[tuple[str, str]] = field(default_factory=list)  # (kind, path)
    dots: list[tuple[str, float, float, float]] = field(default_factory=list)  # (kind, x, y, size)
    shades: list[tuple[str, float, str]] = field(default_factory=list)  # (kind, opacity, path)
    texts: list[tuple[float, float, str]] = field(default_factory=list)  # (x, y, text)
    left: float = LEFT

    @classmethod
    def of(
        cls, title: str, across: tuple[str, float, float], up: tuple[str, float, float],
        words: str = "", *, shares: bool = False, whole: bool = False,
    ) -> Chart:  # fmt: skip
        """A chart of ranges, each with its name, wide enough for round ticks upwards."""
        (across_name, left, right), (up_name, low, high) = across, up
        ticks = round_ticks(low, high)
        bottom, top = (low, high) if shares else (min(ticks[0], low), max(ticks[-1], high))
        x, y = Frame(left, right, LEFT, RIGHT), Frame(bottom, top, BOTTOM, TOP)
        below = [one for one in round_ticks(left, right, whole=whole) if left <= one <= right]
        ticks = [one for one in ticks if bottom <= one <= top]
        found = cls(title, across_name, up_name, x, y, words)
        found.across = [(x.at(one), tick_words(one, shares=shares)) for one in below]
        found.up = [(y.at(one), tick_words(one, shares=shares)) for one in ticks]
        return found

    def line(self, kind: str, points: Iterable[Place], *, closed: bool = False) -> None:
        """Draw a line through points."""
        places = [f"{self.x.at(x):g} {self.y.at(y):g}" for x, y in points]
        self.lines.append((kind, "M" + "L".join(places) + "Z" * closed))

    def dot(self, kind: str, x: float, y: float, size: float = 4.0) -> None:
        """Draw a dot."""
        self.dots.append((kind, self.x.at(x), self.y.at(y), size))

    def stairs(self, kind: str, borders: Array, heights: Array, part: float) -> None:
        """Draw a histogram from the bottom, its highest bar as high as a part of the chart."""
        most, low, span = float(heights.max()) or 1.0, self.y.low, self.y.high - self.y.low
        tops = (low + part * span * heights / most).tolist()
        points: list[Place] = []
        for left, right, top in zip(borders[:-1], borders[1:], tops, strict=True):
            points += [(float(left), top), (float(right), top)]
        self.line(kind, [(points[0][0], low), *points, (points[-1][0], low)], closed=True)


def round_ticks(low: float, high: float, *, whole: bool = False) -> list[float]:
    """A few round numbers, from one not above the low end to one not below the high end."""
    span = (high - low) or 1.0
    power = 10.0 ** math.floor(math.log10(span / MOST_MARKS))
    steps = (factor * power for factor in (1, 2, 5, 10, 20))
    step = next(one for one in steps if span / one < MOST_MARKS and not (whole and one < 1))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [float(f"{step * n:.12g}") for n in range(first, last + 1)]


def tick_words(value: float, *, shares: bool = False) -> str:
    """What stands at a tick."""
    return f"{100 * value:.3g} %" if shares else number_words(value).replace("-", "−")


def thinned(x: Array, y: Array) -> list[Place]:
    """At most so many points of a curve, evenly along its way, both ends among them."""
    points = np.column_stack([x, y])
    if len(points) > MOST_POINTS:
        way = np.append(0, np.abs(np.diff(points, axis=0)).sum(axis=1).cumsum())
        even = np.linspace(0, way[-1], MOST_POINTS)
        points = points[np.unique([0, len(x) - 1, *np.searchsorted(way, even[1:-1])])]
    return [(across, up) for across, up in points.tolist()]
