"""ROC, precision-recall, gain and calibration of each class as charts, and where it is answered."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from unfis.app.report.answers import TableAnswers
from unfis.app.report.headline import Judged
from unfis.app.report.pictures import CHART, Frame, line
from unfis.app.tables.figures import calibration_sentences, percents
from unfis.arrays import Array, Mask
from unfis.data.costs import decision_threshold
from unfis.evaluation.calibration import tenths
from unfis.evaluation.curves import Curve, curves_of
from unfis.evaluation.ranking import positive_class, ranked_classes
from unfis.plots.performance import CURVES
from unfis.rules.text.numbers import percent

# Curves are drawn of so many classes, those of fewest rows.
MOST_CHARTED = 8
# A curve is drawn by so many points at most.
MOST_POINTS = 200
# Probabilities up to one of these are drawn over the whole chart.
TOPS = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)


def class_curves(answers: TableAnswers, judged: Judged) -> list[dict[str, Any]]:
    """The charts of each class against the rest, the rarest first; of two classes of one alone."""
    names, counts = answers.class_names, np.bincount(judged.codes)
    regarded = ranked_classes(judged.codes, len(names)).tolist()
    if len(names) == 2 and regarded:
        regarded = [positive_class(judged.codes)]
    rarest = sorted(regarded, key=lambda c: int(counts[c]))[:MOST_CHARTED]
    return [charts_of(answers, judged, c) | {"more": len(regarded) - len(rarest)} for c in rarest]


def charts_of(answers: TableAnswers, judged: Judged, c: int) -> dict[str, Any]:
    """All charts of one class."""
    given = judged.codes == c, judged.probabilities[:, c], judged.answered == c
    threshold = None
    if len(answers.class_names) == 2:
        threshold = decision_threshold(answers.base.costs, c)
    curves = curves_of(*given)
    return {
        "name": answers.class_names[c],
        "rows": int(given[0].sum()),
        "curves": [curve_chart(*CURVES[kind], curve) for kind, curve in curves.items()],
        "calibration": calibration_chart(*given[:2], threshold)
        | {"sentences": calibration_sentences(answers.base.classes[c], *given[:2])},
    }


def frames(top: float) -> tuple[Frame, Frame]:
    """Shares up to one, across and upwards."""
    across = Frame(0, top, CHART["left"], CHART["right"])
    return across, Frame(0, top, CHART["bottom"], CHART["top"])


def ticks_of(top: float) -> dict[str, list[tuple[float, str]]]:
    """Marks at quarters of a range of shares, across and upwards."""
    across, up = frames(top)
    quarters = [top * n / 4 for n in range(5)]
    told = [f"{100 * q:.3g} %" for q in quarters]
    return {
        "across": [(across.at(q), words) for q, words in zip(quarters, told, strict=True)],
        "up": [(up.at(q), words) for q, words in zip(quarters, told, strict=True)],
    }


def curve_chart(title: str, across_name: str, up_name: str, curve: Curve) -> dict[str, Any]:
    """A curve, the line of chance, and the point of the answers with its intervals."""
    across, up = frames(1.0)

    def path(*points: tuple[float, float]) -> str:
        return line((across.at(x), up.at(y)) for x, y in points)

    chart = {
        **ticks_of(1.0),
        "title": title,
        "across_name": across_name,
        "up_name": up_name,
        "line": path(*thinned(curve.x, curve.y)),
        "chance": path((0.0, curve.chance[0]), (1.0, curve.chance[1])),
        "point": None,
        "words": "It is never the answer, so there is no point.",
    }
    if not all(rate.rows for rate in curve.point):
        return chart
    x, y = curve.point
    (left, right), (low, high) = x.interval, y.interval
    found, other = (
        f"{name} {percent(rate.value)} (95 % interval {percents(rate.interval)})"
        for name, rate in ((up_name, y), (across_name, x))
    )
    return chart | {
        "point": (across.at(x.value), up.at(y.value)),
        "reach": path((left, y.value), (right, y.value)) + path((x.value, low), (x.value, high)),
        "words": f"The point is what it answers: {found}, {other}.",
    }


def thinned(x: Array, y: Array) -> list[tuple[float, float]]:
    """At most so many points of a curve, evenly along its way, both ends among them."""
    points = np.column_stack([x, y])
    if len(points) > MOST_POINTS:
        way = np.append(0, np.abs(np.diff(points, axis=0)).sum(axis=1).cumsum())
        even = np.linspace(0, way[-1], MOST_POINTS)
        points = points[np.unique([0, len(x) - 1, *np.searchsorted(way, even[1:-1])])]
    return [(across, up) for across, up in points.tolist()]


def calibration_chart(positive: Mask, scores: Array, threshold: float | None) -> dict[str, Any]:
    """How probable a class was against how often rows had it, in ten parts of the rows."""
    found = tenths(positive, scores)
    most = max(max(probability, rate.value) for _, probability, rate in found)
    top = next(limit for limit in TOPS if most <= limit or limit == TOPS[-1])
    across, up = frames(top)
    bins = [
        {
            "count": rate.rows,
            "said": percent(probability, 1),
            "was": percent(rate.value, 1),
            "interval": percents(rate.interval),
            "x": across.at(probability),
            "y": up.at(rate.value),
            "low": up.at(rate.interval[0]),
            "high": up.at(min(rate.interval[1], top)),
        }
        for _, probability, rate in found
    ]
    seen = threshold is not None and threshold <= top
    return {
        **ticks_of(top),
        "bins": bins,
        "threshold": across.at(threshold) if seen and threshold is not None else None,
        "threshold_words": "" if threshold is None else threshold_words(threshold, seen),
    }


def threshold_words(threshold: float, seen: bool) -> str:
    """From which probability on the class is the answer."""
    digits = max(0, 1 - math.floor(math.log10(100 * threshold)))
    beyond = "the dashed line" if seen else "beyond this chart"
    return f"It is answered from {100 * threshold:.{digits}f} % on, {beyond}."
