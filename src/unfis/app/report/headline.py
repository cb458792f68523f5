"""What the page begins with: how good the model is, by what suits the table, and who says so."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.app.report.answers import TableAnswers
from unfis.app.report.baselines import OWN_FOLDS, Comparison
from unfis.app.tables.evaluation import measured_on
from unfis.app.tables.figures import figure_sentences, verdict
from unfis.arrays import Array
from unfis.evaluation.errors import Errors, errors_of
from unfis.evaluation.measures import Estimate
from unfis.evaluation.performance import Performance
from unfis.text.numbers import numbered, rounded_words

# What figures are called where their number stands before them.
FIGURE_NAMES = {
    "accuracy": "right",
    "balanced_accuracy": "balanced accuracy",
    "cost": "cost per row",
    "rmse": "root mean squared error",
}
IN_PERCENT = ("accuracy", "balanced_accuracy")


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


def performance_of(
    answers: TableAnswers, targets: Array, predictions: Array
) -> Performance | Errors:
    """How good predictions are for rows of such targets."""
    if not answers.classes:
        return errors_of(targets, predictions)
    return measured_on(answers.model, predictions, targets.astype(np.intp))


def leading_name(found: Performance | Errors) -> str:
    """Which figure suits the table."""
    return found.leading_name if isinstance(found, Performance) else "rmse"


def estimate_words(name: str, found: Estimate) -> tuple[str, str]:
    """A figure and its interval: shares in per cent, others in a few digits."""
    if name in IN_PERCENT:
        numbers = [f"{100 * one:.1f}" for one in found[:3]]
        return f"{numbers[0]} %", f"{numbers[1]} to {numbers[2]} %"
    if name == "cost":
        numbers = [f"{one:.3f}" for one in found[:3]]
    else:
        numbers = [rounded_words(one, 3) for one in found[:3]]
    return numbers[0], f"{numbers[1]} to {numbers[2]}"


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
        where=f"in cross-validation on {numbered(len(rows), 'row')} of this table{by_hand}",
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
        where=f"on the {numbered(len(targets), row)} of this table",
        words=words,
        unseen=not answers.learned,
        row=row,
    )


def headline_of(
    answers: TableAnswers, judged: Judged | None, found: Performance | Errors | None
) -> Headline:
    """What to begin with: what was measured here, else what was measured before."""
    before = measured_before(answers, found)
    if judged is None or found is None or not judged.unseen:
        return Headline(before, [], [], None)
    name = leading_name(found)
    figure = Figure(
        estimate_words(name, getattr(found, name))[0], f"{FIGURE_NAMES[name]} {judged.where}"
    )
    worse = verdict(found) if isinstance(found, Performance) else []
    sentences = figure_sentences(found, judged.row)
    if isinstance(found, Errors) and found.r2 is not None and not found.beats_baseline:
        worse = sentences[-1:]
    return Headline(figure, sentences[: len(sentences) - len(worse)], worse, before)


def measured_before(answers: TableAnswers, found: Performance | Errors | None) -> Figure | None:
    """What was measured on rows held out when the model was learned, if its file has it.

    Not where these are the rows at hand, which have just been measured again.
    """
    record: dict[str, Any] = dict(answers.fitted.origin.held_out or {})
    rows = record.get("rows")
    if not isinstance(rows, int) or (answers.held_out and rows == len(answers.values)):
        return None
    name = "balanced_accuracy" if record.get("rare") else "accuracy"
    name = name if answers.classes else "rmse"
    name = name if found is None else leading_name(found)
    value = record.get(name)
    # What answers cost may have been by other costs.
    if name == "cost" or not isinstance(value, int | float):
        return None
    number = estimate_words(name, Estimate(*[float(value)] * 4))[0]
    where = f"on {numbered(rows, 'row')} that were held out when it was learned"
    return Figure(number, f"{FIGURE_NAMES[name]} {where}")
