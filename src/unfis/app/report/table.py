"""What the table was: rows, inputs, kinds, what is missing, classes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from unfis.app.report.answers import TableAnswers
from unfis.rules import RuleBase, Variable
from unfis.rules.text.numbers import numbered, percent, rounded
from unfis.rules.text.terms import worded_list
from unfis.rules.text.words import category_name, visible

KIND_WORDS = {
    "number": ("number", "numbers"),
    "category": ("category", "categories"),
    "boolean": ("truth value", "truth values"),
}


def table_words(answers: TableAnswers) -> list[tuple[str, str]]:
    """The table in a few facts."""
    rows, inputs = answers.values.shape
    kinds = Counter(variable.kind for variable in answers.base.variables)
    counted = [f"{count} {KIND_WORDS[kind][count > 1]}" for kind, count in kinds.items()]
    missing = float(np.isnan(answers.values).mean())
    used = len(answers.base.arrays.used)
    return [
        ("Rows", f"{rows:,}, held out of the fit" if answers.held_out else f"{rows:,}"),
        ("Inputs", worded_list(counted, last="and")),
        ("Used by the rules", f"{used} of {inputs}"),
        ("Missing values", f"{percent(missing)} of all" if missing else "none"),
        ("Learned from", numbered(answers.base.rows, "row")),
    ]


def class_shares(answers: TableAnswers) -> list[tuple[str, int, float]]:
    """Each class with its count and its share; none where they are not known."""
    if answers.codes is None:
        return []
    counts = np.bincount(answers.codes, minlength=len(answers.base.classes))
    shares = (counts / counts.sum()).tolist()
    return list(zip(answers.class_names, counts.tolist(), shares, strict=True))


def inputs_table(answers: TableAnswers) -> list[dict[str, Any]]:
    """What each input is in these rows, those that the rules use first."""
    base = answers.base
    missing = np.isnan(answers.values).mean(axis=0)
    found = [
        {
            "label": base.labels[variable.name],
            "unit": variable.unit and visible(variable.unit),
            "kind": KIND_WORDS[variable.kind][0],
            "values": values_words(variable, answers.values[:, j]) if answers.shows_rows else "",
            "missing": percent(float(missing[j])) if missing[j] else "",
            "rules": rules_words(variable, base),
        }
        for j, variable in enumerate(base.variables)
    ]
    return sorted(found, key=lambda item: not item["rules"])


def rules_words(variable: Variable, base: RuleBase) -> str:
    """In which rules an input is, in their IF and in their THEN; "" if in none."""
    single = len(base) == 1
    told = []
    for word, parts in (("IF", "conditions"), ("THEN", "effects")):
        numbers = [
            str(number)
            for number, rule in enumerate(base, start=1)
            if any(part.input == variable.name for part in getattr(rule, parts))
        ]
        if numbers:
            told.append(word if single else f"{word} of {', '.join(numbers)}")
    return "; ".join(told)


def values_words(variable: Variable, values: Any) -> str:
    """The values of an input in these rows."""
    known = values[~np.isnan(values)]
    if not len(known):
        return "never known"
    if variable.categories:
        counts = Counter(known.astype(int).tolist()).most_common()
        shares = [
            f"{visible(category_name(variable.categories[c]))} ({percent(n / len(known))})"
            for c, n in counts
        ]
        return worded_list(shares, last="and")
    low, middle, high = (
        rounded(float(value), variable.decimals) for value in np.quantile(known, [0, 0.5, 1])
    )
    return f"{low} to {high}, median {middle}"
