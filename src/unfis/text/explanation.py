"""One prediction taken apart: the rules that hold, what each adds, the sum, and the answer."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import floor, log10
from typing import NamedTuple

import numpy as np

from unfis.arrays import Array
from unfis.rules import Rule, RuleModel
from unfis.text.layout import Line, aligned_columns, paragraph
from unfis.text.names import Names
from unfis.text.numbers import enumerated, number_words, percent, points_words, rounded_words
from unfis.text.words import Wording

TAKEN_APART = 3  # classes whose points are taken apart
LEAST = 0.01  # the least probability of a class that is named
VALUE_WIDTH = 14
HEADS = ("value", "points", "holds", "adds")


class Prediction(NamedTuple):
    """A row and its answer."""

    model: RuleModel
    names: Names
    row: Array  # values, (inputs,)
    best: int  # the position of the class that is the answer; 0 of a number
    answer: Array  # the probability of each class, or the number, (1,)

    @property
    def words(self) -> str:
        """The answer in short: "negative (81 %)"."""
        if not is_of_classes(self.model):
            return rounded_words(float(self.answer[0]))
        return f"{self.names.titled_output(self.best)} ({percent(self.answer[self.best])})"


def is_of_classes(model: RuleModel) -> bool:
    """Whether answers are classes."""
    return model.link in ("logistic", "softmax")


def explanation(
    model: RuleModel,
    names: Names,
    row: Array,
    best: int | None = None,
    notes: Sequence[str] = (),
) -> str:
    """How a model answers a row of values, (inputs,), at most 80 columns wide.

    The answer is the most probable class unless it is given.
    """
    title, lines = answer_and_lines(model, names, row, best)
    parts = [*paragraph(title), "", *aligned_columns(HEADS, lines)]
    wrapped = [line for note in notes for line in paragraph(note)]
    return "\n".join([*parts, *([""] if notes else []), *wrapped])


def explanation_html(
    model: RuleModel,
    names: Names,
    row: Array,
    best: int | None = None,
    notes: Sequence[str] = (),
) -> str:
    """The same as a table and sentences in HTML."""
    title, lines = answer_and_lines(model, names, row, best)
    cells = "".join(f'<th style="text-align:right">{head}</th>' for head in HEADS)
    found = [f"<table><caption>{escape(title)}</caption>", f"<tr><th>rule</th>{cells}</tr>"]
    for line in lines:
        if line.figures:
            cells = "".join(
                f'<td style="text-align:right">{escape(one)}</td>' for one in line.figures
            )
            found.append(f'<tr><td style="text-align:left">{escape(line.text)}</td>{cells}</tr>')
        elif line.text:
            found.append(f'<tr><th colspan="{1 + len(HEADS)}">{escape(line.text)}</th></tr>')
    return "\n".join([*found, "</table>", *(f"<p>{escape(note)}</p>" for note in notes)])


def answer_and_lines(
    model: RuleModel, names: Names, row: Array, best: int | None
) -> tuple[str, list[Line]]:
    """The answer, and what the rules add that hold."""
    values = np.asarray(row, dtype=float)
    answer = np.atleast_1d(model.predictions(values[None])[0])
    best = int(answer.argmax()) if best is None else best
    degrees = model.degrees(values[None])[:, 0]
    outputs = range(len(model.start))
    order = sorted(outputs, key=lambda c: (c != best, -answer[c]))[:TAKEN_APART]
    lines: list[Line] = []
    for c in order:
        lines += [Line("")] if lines else []
        lines += output_lines(model, names, values, degrees, c)
    return answer_words(model, names, answer, best), lines


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


def answer_words(model: RuleModel, names: Names, answer: Array, best: int) -> str:
    """The answer, and the probability of each class that has a chance."""
    if not is_of_classes(model):
        return f"{names.output(0)}: {rounded_words(float(answer[0]))}"
    others = sorted((c for c in range(len(answer)) if c != best), key=lambda c: -answer[c])
    rest = [f"{names.output(c)} {percent(answer[c])}" for c in others if answer[c] >= LEAST]
    shown = f" ({', '.join(rest)})" if rest and model.link == "softmax" else ""
    least = ", is expected to cost least" if answer[best] < answer.max() else ""
    return f"{names.titled_output(best)}, probability {percent(answer[best])}{shown}{least}"


def value_words(rule: Rule, names: Names, values: Array) -> str:
    """The values of the inputs of a rule."""
    text = enumerated([one_value(names, j, values[j]) for j in rule.inputs], "and")
    return text if len(text) <= VALUE_WIDTH else f"{text[: VALUE_WIDTH - 1]}…"


def one_value(names: Names, j: int, value: float) -> str:
    """A value of an input."""
    if np.isnan(value):
        return "unknown"
    return names.category(j, int(value)) if names.categories[j] else number_words(value)


def inputs_words(names: Names, added: Sequence[tuple[Sequence[int], float]]) -> str:
    """What the rules of the same inputs add together, the strongest first."""
    parts = [
        f"{enumerated([names.input(j) for j in inputs], 'and')} {points}"
        for (inputs, _), points in zip(added, sums_words([one for _, one in added]), strict=True)
    ]
    return f"By input: {'; '.join(parts)}."


def change_words(then: Prediction, row: Array, inputs: Sequence[int], beyond: str) -> str:
    """What another answer needs: "If TSH were 5.4 or less in place of 6.1, ..."."""
    names, more = then.names, f" {beyond}" if beyond else ""
    changes = [
        f"{names.input(j)} were {one_value(names, j, then.row[j])}{more} in place of "
        f"{one_value(names, j, row[j])}"
        for j in inputs
    ]
    what = "the answer" if is_of_classes(then.model) else names.output(0)
    return f"If {' and '.join(changes)}, {what} would be {then.words}."


def no_change_words(names: Names, aim: str, is_met: bool) -> str:
    """That no change does, or that none is needed; `aim` is empty or as "above 5"."""
    if is_met:
        return f"{names.output(0)} is {aim} as it is."
    does = f"brings {names.output(0)} {aim}" if aim else "changes the answer"
    return f"No change of one or two inputs {does}."


def alike_words(model: RuleModel, rows: float, same: bool, right: float) -> str:
    """How well the model answers the training rows that are alike."""
    number, are = number_words(round(rows)), "row is" if round(rows) == 1 else "rows are"
    which = "the same to the rules" if same else "most alike to the rules"
    if is_of_classes(model):
        return f"{number} training {are} {which}: the answer is right for {percent(right)} of them."
    off = rounded_words(right, 3)
    return f"{number} training {are} {which}: their answers are off by {off} on average."
