"""One prediction taken apart: the rules that hold, what each adds, the sum, and the answer."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10

import numpy as np

from unfis.additive.rules import Kinds, Rule, RuleModel
from unfis.additive.text.layout import Line, aligned, paragraph
from unfis.additive.text.names import Names
from unfis.additive.text.numbers import listed, number_words, percent, points_words, rounded_words
from unfis.additive.text.words import Wording
from unfis.arrays import Array

TAKEN_APART = 3  # classes whose points are taken apart
LEAST = 0.01  # the least probability of a class that is named
VALUE_WIDTH = 14


def explanation(model: RuleModel, names: Names, row: Array) -> str:
    """How a model answers a row of values, (inputs,), at most 80 columns wide."""
    values = np.asarray(row, dtype=float)
    answer = np.atleast_1d(model.predictions(values[None])[0])
    degrees = model.degrees(values[None])[:, 0]
    outputs = range(len(model.start))
    order = sorted(outputs, key=lambda c: -answer[c])[:TAKEN_APART] if len(outputs) > 1 else outputs
    lines: list[Line] = []
    for c in order:
        lines += [Line("")] if lines else []
        lines += output_lines(model, names, values, degrees, c)
    heads = ("value", "points", "holds", "adds")
    return "\n".join([*paragraph(answer_words(model, names, answer)), "", *aligned(heads, lines)])


def output_lines(
    model: RuleModel, names: Names, values: Array, degrees: Array, output: int
) -> list[Line]:
    """The rules of one output that hold, what they add, and the sum."""
    held = [n for n, rule in enumerate(model.rules) if rule.output == output and degrees[n]]
    added = {n: float(model.rules[n].points * degrees[n]) for n in held}
    held.sort(key=lambda n: -abs(added[n]))
    # Of one sum the start is part of the table from sums to answers.
    start = [model.start[output]] if model.link in ("softmax", "identity") else []
    parts = [*start, *(added[n] for n in held)]
    starts, shown = [], sums_words([*parts, sum(parts)])
    if start:
        starts = [Line("start", ("", "", "", shown.pop(0)), 2)]
    wording = Wording(model, names)
    rules = []
    for n, adds in zip(held, shown[:-1], strict=True):
        rule = model.rules[n]
        figures = value_words(rule, names, values), points_words(rule.points), percent(degrees[n])
        rules.append(Line(wording.rule(rule), (*figures, adds), 2))
    title = names.titled_output(1 if model.link == "logistic" else output)
    title = title if model.link == "identity" else f"Points for {title}"
    title += "" if held else ": no rule holds"
    return [Line(title), *starts, *rules, Line("sum", ("", "", "", shown[-1]), 2)]


def sums_words(numbers: Sequence[float]) -> list[str]:
    """Numbers that are added up, all with the same decimals."""
    if all(float(number).is_integer() for number in numbers):
        return [*map(points_words, numbers)]
    largest = max(map(abs, numbers))
    decimals = max(0, 2 - floor(log10(largest)))
    rounded = [round(number, decimals) + 0.0 for number in numbers]
    return [f"{number:{'+' if number else ''},.{decimals}f}" for number in rounded]


def answer_words(model: RuleModel, names: Names, answer: Array) -> str:
    """The answer, and the probability of each class that has a chance."""
    if model.link not in ("logistic", "softmax"):
        return f"{names.output(0)}: {rounded_words(float(answer[0]))}"
    best, *others = sorted(range(len(answer)), key=lambda c: -answer[c])
    rest = [f"{names.output(c)} {percent(answer[c])}" for c in others if answer[c] >= LEAST]
    shown = f" ({', '.join(rest)})" if rest and model.link == "softmax" else ""
    return f"{names.titled_output(best)}, probability {percent(answer[best])}{shown}"


def value_words(rule: Rule, names: Names, values: Array) -> str:
    """The values of the inputs of a rule."""
    words = []
    for condition in rule.conditions:
        j, value = condition.input, values[condition.input]
        if np.isnan(value):
            words.append("unknown")
        else:
            is_kind = isinstance(condition, Kinds)
            words.append(names.category(j, int(value)) if is_kind else number_words(value))
    text = listed(words, "and")
    return text if len(text) <= VALUE_WIDTH else f"{text[: VALUE_WIDTH - 1]}…"
