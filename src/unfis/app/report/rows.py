"""Rows worth a look: those with the largest errors, and those it is least sure of."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.app.report.answers import TableAnswers
from unfis.arrays import Array
from unfis.data.costs import expected_costs
from unfis.explain import Explanation, Explanations, Goal
from unfis.explain.parts import Sum
from unfis.text.explanation import answer_words, one_value, sums_words
from unfis.text.numbers import percent, points_words, rounded_words
from unfis.ties import ranked

MOST_EXPLAINED = 10
MOST_SUMS = 2  # classes whose points are taken apart


class ShownRows(NamedTuple):
    """Rows to show, by their indices in the table."""

    wrong: NDArray[np.intp]  # the largest errors first
    unsure: NDArray[np.intp]  # the least sure first; of numbers the lowest, then the highest


def shown_rows(answers: TableAnswers) -> ShownRows:
    """The rows that the page may show: none if it must hold none."""
    none = np.empty(0, dtype=np.intp)
    if not answers.shows_rows:
        return ShownRows(none, none)
    if not answers.classes:
        order = ranked(answers.predictions)
        ends = order[:3], order[3:][-3:]
        wrong = none if answers.targets is None else ranked(-np.abs(answers.errors))
        return ShownRows(wrong[:MOST_EXPLAINED], np.concatenate(ends))
    sureness, wrong = sureness_of(answers), none
    if answers.targets is not None:
        wrong = np.flatnonzero(answers.errors)
        wrong = wrong[ranked(-sureness[wrong])][:MOST_EXPLAINED]
    return ShownRows(wrong, ranked(sureness)[:MOST_EXPLAINED])


def sureness_of(answers: TableAnswers) -> Array:
    """How sure answers are, (rows,): how probable the first class is.

    Where errors cost differently, by how much any other answer is expected to cost more.
    """
    if not answers.fitted.costs:
        return np.asarray(answers.predictions.max(axis=1))
    cheapest = np.sort(expected_costs(answers.predictions, answers.fitted.costs), axis=1)
    return np.asarray(cheapest[:, 1] - cheapest[:, 0])


def explained_rows(answers: TableAnswers, rows: NDArray[np.intp]) -> list[dict[str, Any]]:
    """Rows with their answers and explanations, for the page."""
    goal = Goal() if answers.classes else None
    explained = Explanations(answers.fitted, answers.values[rows], goal)
    return [explained_row(answers, *pair) for pair in zip(rows.tolist(), explained, strict=True)]


def explained_row(answers: TableAnswers, row: int, one: Explanation) -> dict[str, Any]:
    """One row: the answer, the truth, what the rules add, and notes."""
    names, found = answers.names, one.prediction
    truth, right = "", True
    if answers.targets is not None:
        target, right = answers.targets[row], not answers.classes or not answers.errors[row]
        truth = answers.class_names[int(target)] if answers.classes else rounded_words(target)
        truth = "right" if answers.classes and right else f"is {truth}"
    share = percent(float(found.answer[found.best])) if answers.classes else ""
    is_one = len(one.sums) == 1
    order = [found.best, *np.argsort(-found.answer, kind="stable").tolist()]
    outputs = [0] if is_one else list(dict.fromkeys(order))[:MOST_SUMS]
    return {
        "row": row,
        "number": answers.numbers[row],
        "answer": answers.class_names[found.best] if share else rounded_words(found.answer[0]),
        "share": share,
        "truth": truth,
        "right": right,
        "title": answer_words(answers.fitted.rules, names, found.answer, found.best),
        "sums": [waterfall(answers, one.sums[c], c, found.row) for c in outputs],
        "notes": one.notes,
    }


def waterfall(answers: TableAnswers, one: Sum, output: int, values: Array) -> dict[str, Any]:
    """The rules of one sum that hold, what each adds, and from where to where the sum goes."""
    link, names = answers.fitted.rules.link, answers.names
    held = sorted((part for part in one.rules if part.degree), key=lambda p: -abs(p.contribution))
    start = one.start if link in ("softmax", "identity") else 0.0
    ends = np.cumsum([start, *(part.contribution for part in held)]).tolist()
    low, high = min(ends), max(ends)
    span = (high - low) or 1.0
    words = sums_words([start, *(part.contribution for part in held), ends[-1]])
    rules, lines = answers.fitted.rules.rules, []
    for number, part in enumerate(held):
        inputs = dict.fromkeys(rules[part.place].inputs)
        before, after = ends[number], ends[number + 1]
        share = "" if part.degree == 1 else f"holds {percent(part.degree)} of "
        lines.append(
            {
                "text": part.text,
                "values": ", ".join(one_value(names, j, float(values[j])) for j in inputs),
                "part": f"{share}{points_words(part.points)}" if share else "",
                "adds": words[number + 1].replace("-", "−"),
                "bar": ((min(before, after) - low) / span, abs(after - before) / span),
                "against": after < before,
            }
        )
    title = names.output(0) if link == "identity" else names.titled_output(
        -1 if link == "logistic" else output
    )  # fmt: skip
    return {
        "title": title if link == "identity" else f"Points for {title}",
        "start": "" if link in ("logistic", "exp") else words[0].removeprefix("+"),
        "lines": lines,
        "sum": words[-1].replace("-", "−"),
    }
