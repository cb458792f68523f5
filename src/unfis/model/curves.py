"""Curves of how probabilities tell one class from the rest, and where on them the answers are."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from unfis.arrays import Array, Mask
from unfis.model.measures import BINS, wilson
from unfis.model.ranking import counts_above

# A curve is drawn by so many points at most.
MOST_POINTS = 200

Coordinates = tuple[float, float]


class Curve(NamedTuple):
    """Points of a curve from left to right, that of the answers, and the line of chance."""

    x: Array  # (points,)
    y: Array  # (points,)
    point: Coordinates | None  # what is answered lies here; None where it has no place on the curve
    x_interval: Coordinates | None  # 95 %, of the answers' point
    y_interval: Coordinates | None
    baseline: tuple[
        Coordinates, Coordinates
    ]  # the two ends of the line without looking at any input


class Tenths(NamedTuple):
    """Rows in ten parts from the least to the most probable: how probable, and how often so."""

    counts: Array  # rows, (parts,)
    probability: Array  # mean, (parts,)
    share: Array  # of rows of the class, (parts,)
    low: Array  # its 95 % interval, (parts,)
    high: Array
    decided: float | None  # from which probability on the class is answered, None if never


def roc(positive: Mask, scores: Array, answered: Mask) -> Curve:
    """The share found against the share of false alarms, at every threshold.

    positive says which rows are of the class, scores how probable it was, answered where it was the
    answer; (rows,) each, with some rows that are positive and some that are not.
    """
    found, above = counts_above(positive, scores)
    rows, others = positive.sum(), (~positive).sum()
    x, y = np.append(0, (above - found) / others), np.append(0, found / rows)
    hits, alarms = positive & answered, ~positive & answered
    point = float(alarms.sum() / others), float(hits.sum() / rows)
    intervals = wilson(point[0], others), wilson(point[1], rows)
    return Curve(*thinned(x, y), point, *intervals, ((0.0, 0.0), (1.0, 1.0)))


def precision_recall(positive: Mask, scores: Array, answered: Mask) -> Curve:
    """Of what is called positive the share that is, against the share found; see `roc`."""
    found, above = counts_above(positive, scores)
    rows, chance = positive.sum(), float(positive.mean())
    x, y = found / rows, found / above
    x, y = np.append(0, x), np.append(y[0], y)
    line = (0.0, chance), (1.0, chance)
    called = answered.sum()
    if not called:
        return Curve(*thinned(x, y), None, None, None, line)
    hits = (positive & answered).sum()
    point = float(hits / rows), float(hits / called)
    intervals = wilson(point[0], rows), wilson(point[1], called)
    return Curve(*thinned(x, y), point, *intervals, line)


def cumulative_gain(positive: Mask, scores: Array, answered: Mask) -> Curve:
    """The share found against the share of all rows looked at, most probable first; see `roc`."""
    found, above = counts_above(positive, scores)
    count, rows = len(positive), positive.sum()
    x, y = np.append(0, above / count), np.append(0, found / rows)
    point = float(answered.mean()), float((positive & answered).sum() / rows)
    intervals = wilson(point[0], count), wilson(point[1], rows)
    return Curve(*thinned(x, y), point, *intervals, ((0.0, 0.0), (1.0, 1.0)))


def calibration_tenths(positive: Mask, scores: Array, answered: Mask) -> Tenths:
    """How probable a class was, against how often rows had it; rows alike stay together."""
    ordered = np.sort(scores)
    starts = ordered[np.linspace(0, len(scores), BINS, endpoint=False).astype(int)]
    bins = np.searchsorted(np.unique(starts), scores, side="right") - 1
    counts = np.bincount(bins)
    probability, share = (np.bincount(bins, weights=w) / counts for w in (scores, positive))
    low, high = np.transpose([wilson(*one) for one in zip(share, counts, strict=True)])
    decided = float(scores[answered].min()) if answered.any() else None
    return Tenths(counts.astype(float), probability, share, low, high, decided)


class CurveKind(NamedTuple):
    """A curve by its function, its name, and what it has across and upwards."""

    curve: Callable[[Mask, Array, Mask], Curve]
    title: str
    across: str
    upwards: str


CURVES = {
    "roc": CurveKind(roc, "ROC", "false alarms among other rows", "found"),
    "precision-recall": CurveKind(
        precision_recall, "Precision and recall", "found (recall)", "right when so answered"
    ),
    "gain": CurveKind(cumulative_gain, "Gain", "rows looked at, most probable first", "found"),
}


def thinned(x: Array, y: Array) -> tuple[Array, Array]:
    """At most so many points of a curve, evenly along its way, both ends among them."""
    if len(x) <= MOST_POINTS:
        return x, y
    way = np.append(0, np.cumsum(np.abs(np.diff(x)) + np.abs(np.diff(y))))
    even = np.linspace(0, way[-1], MOST_POINTS)
    chosen = np.unique([0, len(x) - 1, *np.searchsorted(way, even[1:-1])])
    return x[chosen], y[chosen]
