"""Coordinates of the pictures: what templates draw as SVG, in the colours of the page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from unfis.arrays import Array
from unfis.plots.sources import condition_curve, known_range
from unfis.rules.data import Condition, Variable

# The picture of a fuzzy set, in units of its own.
WIDTH, HEIGHT = 200.0, 56.0
# Points of a curve over the range, and again where the set is; bars of a histogram.
CURVE_POINTS = 40
BARS = 32


class Frame(NamedTuple):
    """Where numbers come to lie in a picture: their range, and that of the picture."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The coordinate of a number."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 2)


def line(points: Iterable[tuple[float, float]]) -> str:
    """A path through points."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def set_curve(condition: Condition, variable: Variable) -> str:
    """The path of a number's fuzzy set over the input's range."""
    low, high = known_range(variable, None)
    points, degrees = condition_curve(condition, low, high, CURVE_POINTS)
    across, up = Frame(low, high, 0, WIDTH), Frame(0, 1, HEIGHT, 2)
    return line((across.at(x), up.at(y)) for x, y in zip(points, degrees, strict=True))


def histogram(values: Array, variable: Variable) -> str:
    """The path of bars that tell how a number's values lie, within its range."""
    low, high = known_range(variable, None)
    known = values[~np.isnan(values)]
    counts, _ = np.histogram(known, bins=BARS, range=(low, high))
    if not counts.any():
        return ""
    heights = 0.8 * HEIGHT * counts / counts.max()
    step = WIDTH / BARS
    return "".join(
        f"M{i * step + 0.5:.1f} {HEIGHT:.0f}v{-height:.1f}h{step - 1:.1f}v{height:.1f}"
        for i, height in enumerate(heights)
        if height > 0
    )


# The charts, in units of which one is about a pixel on a small screen.
CHART = {"left": 46.0, "right": 340.0, "top": 12.0, "bottom": 196.0}
LENGTHS = (0, 1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000)


def path_chart(path: dict[str, list[Any]], measure: str) -> dict[str, Any] | None:
    """Accuracy or loss by length on a model's path; None if not cross-validated, or of one dot."""
    rows = [dict(zip(path, row, strict=True)) for row in zip(*path.values(), strict=True)]
    rows = [row for row in rows if math.isfinite(row["cv_accuracy"])]
    by_accuracy = measure == "accuracy"
    for row in rows:
        row["value"], row["error"] = row[f"cv_{measure}"], row[f"cv_{measure}_error"]
        row["merit"] = row["value"] if by_accuracy else -row["value"]
    if len({(row["parts"], row["value"]) for row in rows}) < 2:
        return None
    sizes = [math.log1p(row["parts"]) for row in rows]
    across = Frame(min(sizes) - 0.1, max(sizes) + 0.1, CHART["left"], CHART["right"])
    lowest = min(row["value"] - row["error"] for row in rows)
    highest = max(row["value"] + row["error"] for row in rows)
    ticks = share_ticks(lowest, min(1.0, highest) if by_accuracy else highest)
    up = Frame(ticks[0], ticks[-1], CHART["bottom"], CHART["top"])
    return {
        "measure": measure,
        "lines": [rules_line(rows, n, across, up) for n in sorted({r["rules"] for r in rows})],
        "chosen": next((point_of(row, across, up) for row in rows if row["chosen"]), None),
        "across": [(across.at(math.log1p(n)), str(n)) for n in spaced_lengths(rows, across)],
        "up": [
            (up.at(tick), f"{100 * tick:.0f} %" if by_accuracy else f"{tick:.2f}") for tick in ticks
        ],
        "table": sorted(rows, key=lambda row: (row["rules"], row["parts"])),
    }


def point_of(row: dict[str, Any], across: Frame, up: Frame) -> tuple[float, float]:
    """Where a point of the path lies."""
    return across.at(math.log1p(row["parts"])), up.at(row["value"])


def rules_line(rows: Sequence[dict[str, Any]], count: int, across: Frame, up: Frame) -> Any:
    """The points of one number of rules, and a line through the best of each length with a band."""
    own = sorted((r for r in rows if r["rules"] == count), key=lambda row: row["merit"])
    best = sorted({row["parts"]: row for row in own}.items())
    points = [point_of(row, across, up) for _, row in best]
    ends = [
        [
            (x, up.at(max(up.low, min(up.high, r["value"] + sign * r["error"]))))
            for (x, _), (_, r) in zip(points, best, strict=True)
        ]
        for sign in (1, -1)
    ]
    band = line([*ends[0], *reversed(ends[1])]) + "Z"
    dots = [point_of(row, across, up) for row in own]
    return {"rules": count, "line": line(points), "band": band, "points": dots}


def spaced_lengths(rows: Sequence[dict[str, Any]], across: Frame) -> list[int]:
    """Numbers of parts to mark, not too near each other."""
    shortest, longest = (f(row["parts"] for row in rows) for f in (min, max))
    marked: list[int] = []
    for length in LENGTHS:
        position = across.at(math.log1p(length))
        far = not marked or position - across.at(math.log1p(marked[-1])) > 22
        if shortest <= length <= longest and far:
            marked.append(length)
    return marked or [shortest]


def share_ticks(low: float, high: float) -> list[float]:
    """Three to six round shares that hold a range."""
    for step in (0.01, 0.02, 0.05, 0.1, 0.2):
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        if last - first <= 5:
            break
    return [step * n for n in range(min(first, last - 1), last + 1)]
