"""Rows worth a look: those that the model got wrong, and those it is least sure of."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.app.report.answers import TableAnswers
from unfis.arrays import Array
from unfis.data.costs import expected_costs
from unfis.rules.text.words import class_name
from unfis.ties import ranked

MOST_EXPLAINED = 10


class ShownRows(NamedTuple):
    """Rows to show, by their indices in the table."""

    wrong: NDArray[np.intp]  # the surest of the errors first
    unsure: NDArray[np.intp]  # the least sure first


def shown_rows(answers: TableAnswers) -> ShownRows:
    """The rows that the page may show: none if it must hold none."""
    none = np.empty(0, dtype=np.intp)
    if not answers.shows_rows:
        return ShownRows(none, none)
    sureness, wrong = sureness_of(answers), none
    if answers.codes is not None:
        wrong = np.flatnonzero(~answers.hits)
        wrong = wrong[ranked(-sureness[wrong])][:MOST_EXPLAINED]
    return ShownRows(wrong, ranked(sureness)[:MOST_EXPLAINED])


def sureness_of(answers: TableAnswers) -> Array:
    """How sure answers are, (rows,): how probable the first class is.

    Where errors cost differently, by how much any other answer is expected to cost more.
    """
    if not answers.base.costs:
        return np.asarray(answers.probabilities.max(axis=1))
    cheapest = np.sort(expected_costs(answers.probabilities, answers.base.costs), axis=1)
    return np.asarray(cheapest[:, 1] - cheapest[:, 0])


def explained_rows(answers: TableAnswers, rows: NDArray[np.intp]) -> list[dict[str, Any]]:
    """Rows with their answers and explanations, for the page."""
    answered = answers.answered
    return [
        {
            "row": row,
            "number": answers.numbers[row],
            "predicted": class_name(explanation.prediction),
            "share": answers.probabilities[row, answered[row]],
            "truth": None if answers.codes is None else answers.class_names[answers.codes[row]],
            "right": answers.codes is None or answers.hits[row],
            "explanation": explanation,
        }
        for row, explanation in zip(rows.tolist(), answers.explained(rows), strict=True)
    ]
