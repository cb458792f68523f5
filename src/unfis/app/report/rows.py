"""The rows worth a look: those the model got wrong, and those it is least sure of."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.app.report.answers import TableAnswers
from unfis.rules import Explanation
from unfis.rules.text.explanation import (
    answer,
    closing_words,
    held,
    say,
    share_table,
    share_title,
    strongest_first,
    warnings_of,
    worth_telling,
)
from unfis.rules.text.numbers import percent, signed
from unfis.rules.text.words import class_name
from unfis.ties import ranked

MOST_EXPLAINED = 10


def wrong_rows(answers: TableAnswers) -> NDArray[np.intp]:
    """The rows that the model got wrong, the surest of its errors first."""
    if answers.codes is None:
        return np.empty(0, dtype=np.intp)
    wrong = np.flatnonzero(~answers.hits)
    sureness = answers.probabilities[wrong].max(axis=1)
    return wrong[ranked(-sureness)][:MOST_EXPLAINED]


def unsure_rows(answers: TableAnswers) -> NDArray[np.intp]:
    """The rows that the model is least sure of."""
    return ranked(answers.probabilities.max(axis=1))[:MOST_EXPLAINED]


def explained_rows(answers: TableAnswers, rows: NDArray[np.intp]) -> list[dict[str, Any]]:
    """Rows with their answers and explanations, for the page."""
    return [
        explained_row(answers, int(row), explanation)
        for row, explanation in zip(rows, answers.explained(rows), strict=True)
    ]


def explained_row(answers: TableAnswers, row: int, explanation: Explanation) -> dict[str, Any]:
    """One row."""
    truth, right = None, True
    if answers.codes is not None:
        truth = class_name(answers.base.classes[answers.codes[row]])
        right = bool(answers.hits[row])
    return {
        "row": row,
        "number": int(answers.numbers[row]),
        "predicted": class_name(explanation.prediction),
        "sure": percent(max(explanation.probabilities)),
        "truth": truth,
        "right": right,
        "why": explanation_words(explanation),
    }


def explanation_words(explanation: Explanation) -> dict[str, Any]:
    """An explanation in the words that its text has."""
    shares = share_table(explanation)
    largest = max(abs(share) for _, share in shares) or 1.0
    return {
        "answer": answer(explanation),
        "warnings": warnings_of(explanation),
        "rules": [
            {"say": say(rule), "held": [held(c) for c in worth_telling(explanation, rule)]}
            for rule in strongest_first(explanation)
        ],
        "title": share_title(explanation),
        "shares": [(label, signed(share), share / largest) for label, share in shares],
        "together": signed(explanation.margin),
        "closing": closing_words(explanation),
    }
