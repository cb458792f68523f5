"""ROC, precision-recall, gain and calibration of each class as charts, and where it is answered."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from unfis.app.report.answers import TableAnswers
from unfis.app.report.headline import Judged
from unfis.app.report.pictures import CHART, Frame, line
from unfis.arrays import Array, Mask
from unfis.model.calibration import calibration_sentences
from unfis.model.curves import CURVES, Coordinates, Curve, CurveKind, calibration_tenths
from unfis.model.performance import percents
from unfis.model.ranking import positive_class, ranked_classes
from unfis.rules.costs import decision_threshold
from unfis.rules.text.numbers import percent

# Curves are drawn of so many classes, those of fewest rows.
MOST_CHARTED = 8
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
    return {
        "name": answers.class_names[c],
        "rows": int(given[0].sum()),
        "curves": [curve_chart(kind, kind.curve(*given)) for kind in CURVES.values()],
        "calibration": calibration_chart(*given, threshold)
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


def curve_chart(kind: CurveKind, curve: Curve) -> dict[str, Any]:
    """A curve, the line of chance, and the point of the answers with its intervals."""
    across, up = frames(1.0)

    def at(point: Coordinates) -> Coordinates:
        return across.at(point[0]), up.at(point[1])

    chart = {
        **ticks_of(1.0),
        "title": kind.title,
        "across_name": kind.across,
        "up_name": kind.upwards,
        "line": line(map(at, zip(curve.x.tolist(), curve.y.tolist(), strict=True))),
        "chance": line(map(at, curve.baseline)),
        "point": None,
        "words": "It is never the answer, so there is no point.",
    }
    if curve.point is None or curve.x_interval is None or curve.y_interval is None:
        return chart
    (x, y), (left, right), (low, high) = curve.point, curve.x_interval, curve.y_interval
    told = [
        f"{name} {percent(share)} (95 % interval {percents(*interval)})"
        for name, share, interval in (
            (kind.upwards, y, curve.y_interval),
            (kind.across, x, curve.x_interval),
        )
    ]
    return chart | {
        "point": at(curve.point),
        "reach": line([at((left, y)), at((right, y))]) + line([at((x, low)), at((x, high))]),
        "words": f"The point is what it answers: {told[0]}, {told[1]}.",
    }


def calibration_chart(
    positive: Mask, scores: Array, answered: Mask, threshold: float | None
) -> dict[str, Any]:
    """How probable a class was against how often rows had it, in ten parts of the rows."""
    tenths = calibration_tenths(positive, scores, answered)
    most = max(float(tenths.probability.max()), float(tenths.share.max()))
    top = next(limit for limit in TOPS if most <= limit or limit == TOPS[-1])
    across, up = frames(top)
    bins = [
        {
            "count": int(count),
            "said": percent(said, 1),
            "was": percent(share, 1),
            "interval": percents(low, high),
            "x": across.at(said),
            "y": up.at(share),
            "low": up.at(low),
            "high": up.at(min(high, top)),
        }
        for count, said, share, low, high in zip(*tenths[:5], strict=True)
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
