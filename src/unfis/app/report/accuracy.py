"""How often the model is right: the one number that is asked for first, with all its caveats."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from unfis.app.report.answers import TableAnswers
from unfis.app.report.baselines import OWN_RULES, Comparison
from unfis.model.fitted import FittedModel
from unfis.model.measures import wilson
from unfis.model.origin import Origin
from unfis.rules.text.numbers import numbered


class Measured(NamedTuple):
    """A share of right answers, on how many rows, and what rows these were."""

    accuracy: float
    rows: int
    where: str

    @property
    def interval(self) -> tuple[float, float]:
        """Its 95 % interval."""
        return wilson(self.accuracy, self.rows)

    @property
    def words(self) -> str:
        """The interval in words."""
        low, high = self.interval
        return f"{exact_share(low)[:-2]} to {exact_share(high)}"


def exact_share(share: float) -> str:
    """A share in per cent with one decimal."""
    return f"{100 * share:.1f} %"


def measurements(answers: TableAnswers, comparison: Comparison | None) -> list[Measured]:
    """What is known of the accuracy, the most trustworthy first."""
    found = list(on_these_rows(answers))
    # Of rows that were held out the file may tell what has just been measured again.
    known = [
        one
        for one in on_held_out_rows(answers.model.origin_)
        if not (answers.held_out and same(one, found))
    ]
    found += [*known, *while_learning(answers.model.model_)]
    return [*found, *in_comparison(comparison, by_hand=answers.by_hand)]


def same(measured: Measured, others: list[Measured]) -> bool:
    """Whether a measurement is among others, whatever its words."""
    return any(
        measured.rows == other.rows and math.isclose(measured.accuracy, other.accuracy)
        for other in others
    )


def on_these_rows(answers: TableAnswers) -> Iterator[Measured]:
    """The accuracy on the rows given, if they are not the very ones of the training."""
    if answers.codes is not None and not answers.learned:
        rows = len(answers.codes)
        which = "held-out row" if answers.held_out else "row"
        where = f"right on the {numbered(rows, which)} of this table"
        yield Measured(float(answers.hits.mean()), rows, where)


def on_held_out_rows(origin: Origin) -> Iterator[Measured]:
    """What was measured on rows held out when the model was learned, if its file tells."""
    record = origin.held_out or {}
    accuracy, rows = record.get("accuracy"), record.get("rows")
    if isinstance(accuracy, int | float) and isinstance(rows, int) and rows > 0:
        where = f"right on {numbered(rows, 'row')} that were held out when it was learned"
        yield Measured(float(accuracy), rows, where)


def while_learning(model: FittedModel) -> Iterator[Measured]:
    """The cross-validated accuracy of the chosen point of the path, if there is one."""
    path = model.path
    if path and any(path["chosen"]):
        accuracy = path["cv_accuracy"][path["chosen"].index(True)]
        if accuracy is not None and np.isfinite(accuracy):
            rows = model.rules.rows
            where = f"right in cross-validation while it learned from {numbered(rows, 'row')}"
            yield Measured(float(accuracy), rows, where)


def in_comparison(comparison: Comparison | None, *, by_hand: bool) -> Iterator[Measured]:
    """The cross-validated accuracy of the model's settings on the rows given."""
    if comparison is not None and OWN_RULES in comparison.hits:
        hits = comparison.hits[OWN_RULES]
        where = f"right in cross-validation on {numbered(len(hits), 'row')} of this table"
        if by_hand:
            where += ", without what was changed or chosen by hand"
        yield Measured(float(hits.mean()), len(hits), where)
