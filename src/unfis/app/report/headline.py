"""What the page begins with: how good the model is, by what suits the table, and who says so."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.app.report.answers import TableAnswers
from unfis.app.report.baselines import OWN_FOLDS, Comparison
from unfis.app.tables.evaluation import measured_on
from unfis.app.tables.figures import performance_sentences, verdict
from unfis.arrays import Array
from unfis.evaluation.measures import Estimate, mean_of_rows
from unfis.evaluation.performance import Performance
from unfis.text.numbers import rounded_words

# What figures are called where their number stands before them.
FIGURE_NAMES = {
    "accuracy": "right",
    "balanced_accuracy": "balanced accuracy",
    "cost": "cost per row",
    "rmse": "root mean squared error",
    "mae": "mean absolute error",
    "r2": "R²",
}
SHARES = ("accuracy", "balanced_accuracy")


class Judged(NamedTuple):
    """Rows of known targets with predictions for them, of the model or of those of its folds."""

    rows: NDArray[np.intp]  # their indices in the table, (rows,)
    targets: Array  # codes of classes, or numbers, (rows,)
    predictions: Array  # (rows, classes), or (rows,)
    where: str  # which rows they are
    words: str  # the same in a sentence, with who answered
    unseen: bool = True  # whether these are not the very rows that were learned from
    row: str = "row"  # what one of them is called

    @property
    def codes(self) -> NDArray[np.intp]:
        """The targets where they are classes."""
        return self.targets.astype(np.intp)


class NumberErrors(NamedTuple):
    """How far predictions of a number are off, each beside what the mean of these rows is."""

    rmse: Estimate
    mae: Estimate
    r2: Estimate
    ahead: Estimate  # how much less its squared error is than the mean's

    leading_name = "rmse"

    @classmethod
    def of(cls, targets: Array, predictions: Array) -> NumberErrors:
        """Those of rows, (rows,)."""
        errors, plain = targets - predictions, targets - targets.mean()
        variance = float((plain**2).mean())
        square = mean_of_rows(errors**2, variance)
        share = [1 - one / variance if variance else math.nan for one in square]
        return cls(
            Estimate(*map(math.sqrt, square)),
            mean_of_rows(np.abs(errors), float(np.abs(plain).mean())),
            Estimate(share[0], share[2], share[1], 0.0),
            mean_difference(plain**2 - errors**2),
        )

    def sentences(self) -> list[str]:
        """What was measured, with 95 % intervals."""
        found = []
        for name in ("rmse", "mae", "r2"):
            number, interval = estimate_words(name, getattr(self, name))
            base = estimate_words(name, Estimate(*[getattr(self, name).baseline] * 4))[0]
            title = FIGURE_NAMES[name][0].upper() + FIGURE_NAMES[name][1:]
            found.append(
                f"{title} {number} (95 % interval {interval}), where the mean of these rows has "
                f"{base}."
            )
        return found

    def verdict(self) -> list[str]:
        """That it is, or may be, no better than the mean; nothing where it is better."""
        if self.ahead.low > 0:
            return []
        if self.ahead.value > 0:
            return ["Perhaps no better than always answering the mean: chance may do as much."]
        return ["No better than always answering the mean."]


class Figure(NamedTuple):
    """A number to be seen first, and what it is."""

    number: str
    words: str


class Headline(NamedTuple):
    """How good a model is: the figure that suits the table, sentences, and its verdict."""

    figure: Figure | None  # None where none is known
    sentences: list[str]
    verdict: list[str]  # that it is no better than one answer to all rows
    known: Figure | None  # what was measured before on other rows


def mean_difference(values: Array) -> Estimate:
    """The mean of differences, of either sign, with its 95 % interval."""
    found = mean_of_rows(values - values.min(), 0.0)
    return Estimate(*(one + float(values.min()) for one in found[:3]), 0.0)


def measured(
    answers: TableAnswers, targets: Array, predictions: Array
) -> Performance | NumberErrors:
    """How good predictions are for rows of such targets."""
    if not answers.classes:
        return NumberErrors.of(targets, predictions)
    return measured_on(answers.model, predictions, targets.astype(np.intp))  # type: ignore[arg-type]


def estimate_words(name: str, found: Estimate) -> tuple[str, str]:
    """A figure and its interval: shares in per cent, others in a few digits."""
    if name in SHARES:
        numbers = [f"{100 * one:.1f}" for one in found[:3]]
        return f"{numbers[0]} %", f"{numbers[1]} to {numbers[2]} %"
    if name in ("cost", "r2"):
        numbers = [f"{one:.3f}" for one in found[:3]]
    else:
        numbers = [rounded_words(one, 3) for one in found[:3]]
    return numbers[0], f"{numbers[1]} to {numbers[2]}"


def rows_words(count: int, row: str = "row") -> str:
    """So many rows."""
    return f"{count:,} {row}" if count == 1 else f"{count:,} {row}s"


def judged_rows(answers: TableAnswers, comparison: Comparison | None) -> Judged | None:
    """The rows to judge by, with answers of models that had not seen them if there are any."""
    if answers.targets is None:
        return None
    if comparison is None or OWN_FOLDS not in comparison.predictions:
        return judged_here(answers, answers.targets)
    words = (
        f"The model learned from these rows. The models of the {comparison.folds} folds of its fit "
        "are judged in its place, each on the rows that it had not seen."
    )
    by_hand = ", without what was changed by hand" if not answers.fitted.path else ""
    if by_hand:
        words += " They lack what was changed by hand."
    rows = comparison.rows
    return Judged(
        rows=rows,
        targets=answers.targets[rows],
        predictions=comparison.predictions[OWN_FOLDS],
        where=f"in cross-validation on {rows_words(len(rows))} of this table{by_hand}",
        words=words,
    )


def judged_here(answers: TableAnswers, targets: Array) -> Judged:
    """All rows of the table, with the answers of the model itself."""
    row = "held-out row" if answers.held_out else "row"
    words = "The held-out rows." if answers.held_out else "The rows of this table."
    if answers.learned:
        words = "The rows that it learned from: on others it will do worse."
    return Judged(
        rows=np.arange(len(targets)),
        targets=targets,
        predictions=answers.predictions,
        where=f"on the {rows_words(len(targets), row)} of this table",
        words=words,
        unseen=not answers.learned,
        row=row,
    )


def headline_of(
    answers: TableAnswers, judged: Judged | None, found: Performance | NumberErrors | None
) -> Headline:
    """What to begin with: what was measured here, else what was measured before."""
    before = measured_before(answers, found)
    if judged is None or found is None or not judged.unseen:
        return Headline(before, [], [], None)
    name = found.leading_name
    figure = Figure(
        estimate_words(name, getattr(found, name))[0], f"{FIGURE_NAMES[name]} {judged.where}"
    )
    if isinstance(found, NumberErrors):
        return Headline(figure, found.sentences(), found.verdict(), before)
    return Headline(figure, performance_sentences(found, judged.row), verdict(found), before)


def measured_before(
    answers: TableAnswers, found: Performance | NumberErrors | None
) -> Figure | None:
    """What was measured on rows held out when the model was learned, if its file has it.

    Not where these are the rows at hand, which have just been measured again.
    """
    record: dict[str, Any] = dict(answers.fitted.origin.held_out or {})
    rows = record.get("rows")
    if not isinstance(rows, int) or (answers.held_out and rows == len(answers.values)):
        return None
    if found is not None:
        name = found.leading_name
    else:
        name = "balanced_accuracy" if record.get("rare") else "accuracy"
        name = name if answers.classes else NumberErrors.leading_name
    value = record.get(name)
    # What answers cost may have been by other costs.
    if name == "cost" or not isinstance(value, int | float):
        return None
    number = estimate_words(name, Estimate(*[float(value)] * 4))[0]
    where = f"on {rows_words(rows)} that were held out when it was learned"
    return Figure(number, f"{FIGURE_NAMES[name]} {where}")
