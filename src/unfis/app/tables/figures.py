"""How good answers were, in words: figures with their intervals, performance and calibration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sklearn.metrics import brier_score_loss

from unfis.arrays import Array, Mask
from unfis.evaluation.calibration import recalibration
from unfis.evaluation.errors import Errors
from unfis.evaluation.measures import Estimate, Rate
from unfis.evaluation.performance import Performance
from unfis.text.names import visible
from unfis.text.numbers import numbered, percent, rounded_words


def figure_sentences(found: Performance | Errors, row: str = "row") -> list[str]:
    """What was measured, and where that is, or may be, no better than one answer to all rows."""
    if isinstance(found, Errors):
        return error_sentences(found, row)
    return performance_sentences(found, row) + verdict(found)


def error_sentences(found: Errors, row: str = "row") -> list[str]:
    """How far numbers are off, beside always predicting the mean; rows may be "held-out row"."""
    told = [f"On {numbered(found.rows, row)}, beside always predicting their mean:"]
    for name, one in (
        ("Root mean squared error", found.rmse),
        ("Mean absolute error", found.mae),
        ("R2, the explained share of the variance,", found.r2),
    ):
        if one is not None:
            value, low, high, base = map(rounded_words, one, [3] * len(one))
            told.append(f"{name} {value} (95 % interval {low} to {high}); the mean has {base}.")
    if found.r2 is not None and not found.beats_baseline:
        is_worse = found.r2.value <= found.r2.baseline
        reach = "" if is_worse else ": the interval reaches as far"
        told.append(f"{'No' if is_worse else 'Perhaps no'} better than the mean{reach}.")
    return told


def performance_sentences(found: Performance, row: str = "row") -> list[str]:
    """What was measured, what suits the table first; rows may be of a kind, "held-out row"."""
    often, base = always_figure(found.most_frequent), percent(found.accuracy.baseline, 1)
    hits, rows = int(found.confusion.trace()), int(found.confusion.sum())
    too = " too" if base == percent(found.accuracy.value, 1) else ""
    right = (
        f"Right on {hits:,} of {numbered(rows, row)}: {share_words(found.accuracy)}, where "
        f"{often} is right on {base}{too}."
    )
    ranking, rare = [], []
    if found.roc_auc is not None:
        ranking = [f"ROC AUC {figure_words(found.roc_auc)}, where chance has 0.5."]
    if found.average_precision is not None:
        of = "" if found.positive is None else f" of {in_quotes(found.positive)}"
        words, chance = figure_words(found.average_precision), found.average_precision.baseline
        rare = [f"Average precision{of} {words}, where chance has {chance:.3f}."]
    ordered = [right, *ranking]
    if found.is_rare:
        balanced = share_words(found.balanced_accuracy)
        base = percent(found.balanced_accuracy.baseline, 1)
        told = f"Balanced accuracy {balanced}, where {often} has {base}."
        ordered = [*found_words(found), told, *ranking, *rare, right]
    if found.cost is not None:
        cheapest = f"{always_figure(found.cheapest)} costs {found.cost.baseline:.3f}"
        ordered = [f"Cost per row {figure_words(found.cost)}, where {cheapest}.", *ordered]
    return ordered


def found_words(found: Performance) -> list[str]:
    """How many rows of the rarer of two classes were found, and how often such answers were right.

    Nothing of several classes.
    """
    if found.positive is None:
        return []
    c, name = found.classes.index(found.positive), in_quotes(found.positive)
    of_class = Rate(int(found.confusion[c, c]), int(found.confusion[c].sum()))
    answered = int(found.confusion[:, c].sum())
    when = f"it was right in {of_class.part:,} of the {answered:,} rows where it answered so"
    return [
        f"Found {of_class.part:,} of {of_class.rows:,} {name} (95 % interval "
        f"{percents(of_class.interval)}); {when if answered else 'it was answered nowhere'}."
    ]


def verdict(found: Performance) -> list[str]:
    """That it is, or may be, no better than one answer to all rows; nothing where it is better."""
    if found.beats_baseline or (found.confusion.sum(axis=1) > 0).sum() < 2:
        return []
    worse = found.leading.value - found.leading.baseline
    worse = worse if found.leading is found.cost else -worse
    answer = always_figure(found.cheapest)
    told = [f"Perhaps no better than {answer}: the interval reaches as far."]
    if worse > -1e-9:
        told = [f"No better than {answer}."]
    ranks = found.roc_auc is not None and found.roc_auc.low > found.roc_auc.baseline
    if ranks and found.cost is None:
        told.append(
            "Its probabilities do tell the classes apart: another threshold, or what wrong "
            "answers cost, would make more of them."
        )
    return told


def calibration_sentences(label: Any, outcomes: Mask, probabilities: Array) -> list[str]:
    """How far the probabilities of a class can be believed, in words."""
    name, share = in_quotes(label), float(outcomes.mean())
    score = brier_score_loss(outcomes, probabilities)
    guess = f"where its share, said of every row, has {share * (1 - share):.4f}"
    told = [f"Brier score of {name} {score:.4f}, {guess}."]
    found = recalibration(outcomes, probabilities)
    if found is None:
        why = "rows are all alike, or told apart without an error"
        return [*told, f"There is no slope and no intercept to tell: {why}."]
    start, slope = found
    bold = "neither too near 0 and 1 nor too far from them, as far as these rows tell"
    if slope.high < 1 or slope.low > 1:
        bold = "too near 0 and 1" if slope.high < 1 else "not near enough to 0 and 1"
    often = "as frequent as its probabilities say, as far as these rows tell"
    if start.low > 0 or start.high < 0:
        often = f"{'more' if start.low > 0 else 'less'} frequent than its probabilities say"
    by, at = (
        f"{one.value:.2f}, 95 % interval {one.low:.2f} to {one.high:.2f}; {one.baseline:g}"
        for one in (slope, start)
    )
    return [
        *told,
        f"The probabilities of {name} are {bold} (slope {by} would be true).",
        f"On average {name} is {often} (intercept {at} would be true).",
    ]


def in_quotes(label: Any) -> str:
    """A class as the table writes it, in quotes."""
    return f'"{visible(label)}"'


def always_figure(label: Any) -> str:
    """The answer that looks at no input, in words."""
    return f"always answering {in_quotes(label)}"


def share_words(share: Estimate) -> str:
    """A share with its interval, in words."""
    return f"{percent(share.value, 1)} (95 % interval {percents(share[1:3])})"


def percents(interval: Sequence[float]) -> str:
    """Two shares, from the one to the other, in words."""
    low, high = interval
    return f"{100 * low:.1f} to {100 * high:.1f} %"


def figure_words(number: Estimate) -> str:
    """A number with its interval, in words."""
    return f"{number.value:.3f} (95 % interval {number.low:.3f} to {number.high:.3f})"
