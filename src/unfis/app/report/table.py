"""What the table is: rows, inputs, kinds, what is missing, classes; and which inputs matter."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from unfis.app.report.answers import TableAnswers
from unfis.arrays import Array
from unfis.text.numbers import enumerated, number_words, numbered, percent, rounded_words

KIND_WORDS = {
    "number": ("number", "numbers"),
    "category": ("category", "categories"),
    "boolean": ("truth value", "truth values"),
}


def table_words(answers: TableAnswers) -> list[tuple[str, str]]:
    """The table in a few facts."""
    rows, inputs = answers.values.shape
    kinds = Counter(one.kind for one in answers.fitted.columns.inputs)
    counted = [f"{count} {KIND_WORDS[kind][count > 1]}" for kind, count in kinds.items()]
    missing = float(np.isnan(answers.values).mean())
    found = [
        ("Rows", f"{rows:,}, held out of the fit" if answers.held_out else f"{rows:,}"),
        ("Inputs", enumerated(counted, "and")),
        ("Used by the rules", f"{len(answers.used)} of {inputs}"),
        ("Missing values", f"{percent(missing)} of all" if missing else "none"),
        ("Learned from", numbered(answers.fitted.origin.rows, "row")),
    ]
    if answers.targets is not None and not answers.classes:
        mean, deviation = (float(one) for one in (answers.targets.mean(), answers.targets.std()))
        words = f"mean {rounded_words(mean)}, standard deviation {rounded_words(deviation, 3)}"
        found.append((answers.names.output(0), words))
    return found


def class_shares(answers: TableAnswers) -> list[tuple[str, int, float]]:
    """Each class with its count and its share; none where they are not known."""
    if answers.targets is None or not answers.classes:
        return []
    counts = np.bincount(answers.targets.astype(np.intp), minlength=len(answers.classes))
    shares = (counts / counts.sum()).tolist()
    return list(zip(answers.class_names, counts.tolist(), shares, strict=True))


def inputs_table(answers: TableAnswers) -> list[dict[str, Any]]:
    """What each input is in these rows, and how many points it is worth, most important first."""
    missing = np.isnan(answers.values).mean(axis=0)
    worth, rules = answers.model.feature_importances_, answers.fitted.rules.rules
    counts = Counter(j for rule in rules for j in set(rule.inputs))
    largest = float(worth.max()) or 1.0
    return [
        {
            "name": answers.names.input(j),
            "kind": KIND_WORDS[one.kind][0],
            "values": values_words(answers, j) if answers.shows_rows else "",
            "missing": percent(float(missing[j])) if missing[j] else "–",
            "rules": counts[j] or "–",
            "size": float(worth[j]) / largest,
            "worth": rounded_words(float(worth[j]), 2) if counts[j] else "–",
        }
        for j, one in sorted(
            enumerate(answers.fitted.columns.inputs), key=lambda pair: -float(worth[pair[0]])
        )
    ]


def values_words(answers: TableAnswers, j: int) -> str:
    """The values of an input in these rows."""
    values: Array = answers.values[:, j]
    known = values[~np.isnan(values)]
    if not len(known):
        return "never known"
    if answers.names.categories[j]:
        counts = Counter(known.astype(int).tolist()).most_common()
        shares = [f"{answers.names.category(j, c)} ({percent(n / len(known))})" for c, n in counts]
        return enumerated(shares, "and")
    low, middle, high = (number_words(float(one)) for one in np.quantile(known, [0, 0.5, 1]))
    return f"{low} to {high}, median {middle}"
