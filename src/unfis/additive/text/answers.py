"""From sums of points to answers, so that a person can look them up."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np

from unfis.additive.rules import Rule, RuleModel, Trapezoid
from unfis.additive.rules.link import LINKS
from unfis.additive.text.layout import across, paragraph
from unfis.additive.text.names import Names
from unfis.additive.text.numbers import number_words, percent, rounded_words
from unfis.additive.text.together import single_inputs, total_points
from unfis.arrays import Array

COLUMNS = 22  # the most sums of a table
LEAST_COLUMNS = 12  # from which on a finer step than one point is not needed
ROUND_STEPS = [factor * 10.0**power for power, factor in product(range(-6, 9), (1, 2, 5))]
SHOWN = 0.01, 0.99  # probabilities that the table goes from and to
LEAST_WEIGHT = 1  # of 100, that the table of weights goes to


class AnswerTable(NamedTuple):
    """Sums of points, the answers that belong to them, and a note below."""

    heads: tuple[str, str]
    rows: tuple[list[str], list[str]]
    note: str


def answer_lines(model: RuleModel, names: Names, *, is_most_probable: bool = True) -> list[str]:
    """How sums of points become probabilities or counts; nothing of a number."""
    table = answer_table(model, is_most_probable=is_most_probable)
    return [] if table is None else ["", *across(*table[:2]), *paragraph(table.note)]


def answer_table(model: RuleModel, *, is_most_probable: bool = True) -> AnswerTable | None:
    """The same as a table; None of a number."""
    if not model.rules or model.link == "identity":
        return None
    if model.link == "softmax":
        return _weights(model, is_most_probable=is_most_probable)
    low, high = sum_range(model)
    factor = number_words(float(np.exp(model.unit)))
    if model.link == "exp":
        sums = sums_between(low, high)
        counts = np.exp(model.unit * (sums + model.start[0]))
        rows = [*map(number_words, sums)], [rounded_words(count, 3) for count in counts.tolist()]
        base = number_words(float(np.exp(model.unit * model.start[0])))
        note = f"At 0 points {base} is expected; each point multiplies it by {factor}."
        return AnswerTable(("sum of points", "expected"), rows, note)
    ends = [np.log(share / (1 - share)) / model.unit - model.start[0] for share in SHOWN]
    inside = max(low, ends[0]), min(high, ends[1])
    sums = sums_between(*(inside if inside[0] < inside[1] else (low, high)))
    beyond = [f"below: <{percent(SHOWN[0])}"] if low < sums[0] else []
    beyond += [f"above: >{percent(SHOWN[1])}"] if high > sums[-1] else []
    z = (sums + model.start[0])[:, None]
    shares = LINKS["logistic"](model.unit * z)[:, 1].tolist()
    rows = [*map(number_words, sums)], [*map(percent, shares)]
    note = (
        f"{', '.join(beyond).capitalize()}{'. ' if beyond else ''}"
        f"At {number_words(-model.start[0])} points the probability is 50 %; "
        f"each point multiplies the odds by {factor}."
    )
    return AnswerTable(("sum of points", "probability"), rows, note)


def _weights(model: RuleModel, *, is_most_probable: bool) -> AnswerTable:
    """How points of several classes become shares."""
    factor = float(np.exp(-model.unit))
    most = np.log(100 / LEAST_WEIGHT) / model.unit
    behind = sums_between(0.0, float(most), 16)
    weights = 100 * np.exp(-model.unit * behind)
    shown = [rounded_words(weight, 2) for weight in weights.tolist()]
    rows = [*map(number_words, behind)], shown
    note = "The class with most points is the answer. " if is_most_probable else ""
    note += (
        "The probability of a class is its weight divided by the sum of the weights of all "
        "classes. "
        f"Each point behind multiplies the weight by {number_words(factor)}."
    )
    return AnswerTable(("points behind the first", "weight"), rows, note)


def sums_between(low: float, high: float, columns: int = COLUMNS) -> Array:
    """Round sums from low to high, in steps that a person counts in."""
    fits = [step for step in ROUND_STEPS if (high - low) / step < columns]
    step = fits[0] if fits[0] >= 1 else min(s for s in fits if (high - low) / s < LEAST_COLUMNS)
    step = max(step, 1.0) if high - low >= 6 else step
    first, last = np.floor(low / step + 1e-9), np.ceil(high / step - 1e-9)
    return np.round(np.arange(first, last + 1) * step, 9) + 0.0


def sum_range(model: RuleModel) -> tuple[float, float]:
    """The least and the most that the rules can add up to; rules of one input exactly."""
    low = high = 0.0
    for rules in single_inputs(model).values():
        sums = total_points(rules, turning_values(rules))
        low, high = low + float(sums.min()), high + float(sums.max())
    for rule in model.rules:
        if len(rule.conditions) > 1:
            low, high = low + min(rule.points, 0.0), high + max(rule.points, 0.0)
    return low, high


def turning_values(rules: list[Rule]) -> Array:
    """Values of an input among which the sum of rules on it is least and most."""
    found = [np.nan]
    for rule in rules:
        one = rule.conditions[0]
        if isinstance(one, Trapezoid):
            for knot in (knot for edge in one.edges for knot in edge):
                found += [knot, np.nextafter(knot, -np.inf), np.nextafter(knot, np.inf)]
        elif hasattr(one, "kinds"):
            found += [*map(float, one.kinds), -1.0]
    return np.array(found)
