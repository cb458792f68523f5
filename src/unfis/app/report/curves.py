"""Charts of how good answers are: ROC, calibration, errors of a number, and the path."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from unfis.app.report.answers import TableAnswers
from unfis.app.report.charts import Chart, thinned
from unfis.app.report.headline import Judged
from unfis.app.tables.figures import calibration_sentences, percents
from unfis.arrays import Array
from unfis.data.costs import decision_threshold
from unfis.evaluation.calibration import Bin, tenths
from unfis.evaluation.curves import Curve, curves_of
from unfis.evaluation.ranking import positive_class, ranked_classes
from unfis.fitting.points import objective_of
from unfis.plots.performance import CURVES
from unfis.search.judge import difference
from unfis.text.numbers import percent, rounded_words
from unfis.ties import first_least

MOST_CHARTED = 8  # classes with curves, those of fewest rows
MOST_DOTS = 1000  # rows of a number that are drawn
TOPS = (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)  # of charts of probabilities
RESIDUAL_BINS = 25


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
    answered = answers.answered(judged.predictions) == c
    positive, scores = judged.codes == c, judged.predictions[:, c]
    threshold = None
    if len(answers.classes) == 2:
        threshold = decision_threshold(answers.fitted.costs, c)
    found = curves_of(positive, scores, answered)
    bins = tenths(positive, scores)
    return {
        "name": answers.class_names[c],
        "rows": int(positive.sum()),
        "charts": [
            *(threshold_chart(*CURVES[kind], curve) for kind, curve in found.items()),
            calibration_chart(answers.class_names[c], bins, threshold),
        ],
        "bins": [
            (rate.rows, percent(said), percent(rate.value), percents(rate.interval))
            for _, said, rate in bins
        ],
        "sentences": calibration_sentences(answers.classes[c], positive, scores),
    }


def threshold_chart(title: str, across_name: str, up_name: str, curve: Curve) -> Chart:
    """A curve, the line of chance, and the point of the answers with its intervals."""
    chart = Chart.of(title, (across_name, 0, 1), (up_name, 0, 1), shares=True)
    chart.line("diagonal", [(0.0, curve.chance[0]), (1.0, curve.chance[1])])
    chart.line("path", thinned(curve.x, curve.y))
    chart.words = "It is never the answer, so there is no point."
    if all(rate.rows for rate in curve.point):
        x, y = curve.point
        chart.line("reach", [(x.interval[0], y.value), (x.interval[1], y.value)])
        chart.line("reach", [(x.value, y.interval[0]), (x.value, y.interval[1])])
        chart.dot("answered", x.value, y.value, 5)
        found, other = (
            f"{name} {percent(rate.value)} (95 % interval {percents(rate.interval)})"
            for name, rate in ((up_name, y), (across_name, x))
        )
        chart.words = f"The point is what it answers: {found}, {other}."
    return chart


def calibration_chart(name: str, bins: list[Bin], threshold: float | None) -> Chart:
    """How probable a class was against how often rows had it, in ten parts of the rows."""
    most = max(max(one.probability, one.rate.value) for one in bins)
    top = next(limit for limit in TOPS if most <= limit or limit == TOPS[-1])
    axes = ("how probable it was", 0, top), ("share of rows", 0, top)
    chart = Chart.of("Calibration", *axes, shares=True)
    chart.line("diagonal", [(0, 0), (top, top)])
    if threshold is not None:
        is_seen = threshold <= top
        if is_seen:
            chart.line("threshold", [(threshold, 0), (threshold, top)])
        chart.words = threshold_words(name, threshold, is_seen)
    for one in bins:
        low, high = one.rate.interval
        chart.line("reach", [(one.probability, low), (one.probability, min(high, top))])
        chart.dot("dot", one.probability, one.rate.value)
    return chart


def threshold_words(name: str, threshold: float, seen: bool) -> str:
    """From which probability on the class is the answer."""
    digits = max(0, 1 - math.floor(math.log10(100 * threshold)))
    beyond = "the dashed line" if seen else "beyond this chart"
    return f"The answer is {name} from {100 * threshold:.{digits}f} % on, {beyond}."


def number_charts(answers: TableAnswers, judged: Judged) -> list[Chart]:
    """Predicted against true numbers, and how far predictions were off."""
    targets, predictions = judged.targets, judged.predictions
    name = answers.names.output(0)
    both = np.concatenate([targets, predictions])
    ends = float(both.min()), float(both.max())
    chart = Chart.of("Predicted and true", ("predicted", *ends), (f"true {name}", *ends))
    chart.line("diagonal", [(ends[0], ends[0]), (ends[1], ends[1])])
    order = np.argsort(predictions, kind="stable")
    if answers.shows_rows:
        places = order[np.linspace(0, len(order) - 1, min(MOST_DOTS, len(order))).astype(int)]
        for place in places.tolist():
            chart.dot("dot pale", float(predictions[place]), float(targets[place]), 2.2)
    for part in np.array_split(order, min(10, len(order))):
        chart.dot("answered", float(predictions[part].mean()), float(targets[part].mean()))
    pale = "pale: rows; " if answers.shows_rows else ""
    chart.words = f"On the dotted line they are the same ({pale}dark: the means of tenths of them)."
    errors = targets - predictions
    borders = np.histogram_bin_edges(errors, RESIDUAL_BINS)
    counts, _ = np.histogram(errors, borders)
    across = "true less predicted", float(borders[0]), float(borders[-1])
    other = Chart.of("Errors", across, ("rows", 0, float(counts.max())))
    other.stairs("bars rows", borders, counts * 1.0, counts.max() / other.y.high)
    other.line("threshold", [(0, 0), (0, other.y.high)])
    low, high = (rounded_words(float(one), 3) for one in np.quantile(errors, [0.05, 0.95]))
    other.words = f"Nine of ten rows are between {low} and {high} off (true less predicted)."
    return [chart, other]


def path_chart(answers: TableAnswers, judged: Judged | None) -> dict[str, Any] | None:
    """Loss on rows that were not learned from by the number of rules; None if there is none."""
    found = path_losses(answers, judged)
    if found is None:
        return None
    losses, weights = found
    means = losses @ weights / weights.sum()
    best = losses[int(first_least(means))]
    errors = np.array([difference(one - best, weights)[1] for one in losses])
    is_number = answers.fitted.rules.link == "identity"
    if is_number:
        means = np.sqrt(means)
        errors = errors / (2 * np.maximum(means, 1e-300))
    low, high = float((means - errors).min()), float((means + errors).max())
    measure = "Root mean squared error" if is_number else "Loss (nats per row)"
    axes = ("number of rules", 0, len(means) - 1), (measure.lower(), low, high)
    chart = Chart.of("", *axes, whole=True)
    both = [*zip(range(len(means)), (means + errors).tolist(), strict=True)]
    both += [*zip(range(len(means)), (means - errors).tolist(), strict=True)][::-1]
    chart.line("band", both, closed=True)
    chart.line("path", enumerate(means.tolist()))
    for length, mean in enumerate(means.tolist()):
        chart.dot("dot", length, mean, 2.2)
    length = answers.fitted.length
    chart.dot("ring", length, float(means[length]), 7)
    rows = zip(means.tolist(), errors.tolist(), strict=True)
    return {
        "chart": chart,
        "measure": measure,
        "length": length,
        "rows": [(n, rounded_words(m, 3), rounded_words(e, 2)) for n, (m, e) in enumerate(rows)],
        "where": judged.where
        if judged is not None and judged.unseen and not answers.learned
        else "in cross-validation on the rows that were learned from",
    }


def path_losses(answers: TableAnswers, judged: Judged | None) -> tuple[Array, Array] | None:
    """The losses of rows by each length of the path, (lengths, rows), and the rows' weights."""
    fitted = answers.fitted
    if len(fitted.path) < 2:
        return None
    objective, is_number = objective_of(fitted.rules), fitted.rules.link == "identity"
    if judged is not None and judged.unseen and not answers.learned:
        ones, found = np.ones(len(judged.targets)), []
        for rules in fitted.path:
            z = rules.unit * rules.points(answers.values).T[None]
            found.append(objective.evaluate(z, judged.targets, ones[None]).losses[0])
        return np.array(found) * (2 if is_number else 1), ones
    rows = fitted.searched
    if fitted.losses is None or rows is None or not fitted.folds:
        return None
    scale = objective.units(rows.targets, rows.weights)[1]
    return fitted.losses * (2 * scale**2 if is_number else 1), rows.weights
