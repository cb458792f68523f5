"""Rules on one input alone: the sum of their points, by the range of the input."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby, pairwise
from math import ceil, floor

import numpy as np

from unfis.arrays import Array
from unfis.rules import Kinds, Rule, RuleModel, Trapezoid
from unfis.text.layout import across, paragraph
from unfis.text.names import Names
from unfis.text.numbers import number_words, points_words, rounded

COLUMNS_A_RULE = 3  # a table of more columns than this for each rule is longer than its rules
LONGEST_TABLE = 40  # the longest name of a category in a table
MOST_WHOLE = 40  # whole numbers from the first border to the last that are looked at one by one


def single_inputs(model: RuleModel) -> dict[tuple[int, int], list[Rule]]:
    """The rules of one condition, by output and input."""
    found: dict[tuple[int, int], list[Rule]] = defaultdict(list)
    for rule in model.rules:
        if len(rule.conditions) == 1:
            found[rule.output, rule.inputs[0]].append(rule)
    return found


def points_by_range(model: RuleModel, names: Names) -> list[str]:
    """A table for each input on which several rules of one output stand alone."""
    lines: list[str] = []
    for (output, j), rules in single_inputs(model).items():
        table = range_points(rules, names, j) if len(rules) > 1 else []
        longest = max((len(place) for place, _ in table), default=0)
        if 0 < len(table) <= COLUMNS_A_RULE * len(rules) and longest <= LONGEST_TABLE:
            whose = f" for {names.output(output)}" if model.link == "softmax" else ""
            gradual = ", in proportion in between" if is_gradual(rules) else ""
            title = f"Points{whose} from the {len(rules)} rules on {names.input(j)} alone{gradual}:"
            places, totals = zip(*table, strict=True)
            points = [points_words(rounded(total, 3)) for total in totals]
            lines += ["", *paragraph(title), *across(("  value", "  points"), (places, points))]
    return lines


def range_points(rules: Sequence[Rule], names: Names, j: int) -> list[tuple[str, float]]:
    """The sum of rules on one input: where, and the points there."""
    conditions = [rule.conditions[0] for rule in rules]
    if any(isinstance(one, Kinds) for one in conditions):
        totals = total_points(rules, np.arange(float(len(names.categories[j]))))
        return [(names.category(j, code), total) for code, total in enumerate(totals.tolist())]
    ranges = [one for one in conditions if isinstance(one, Trapezoid)]
    knots = sorted({knot for one in ranges for edge in one.edges for knot in edge})
    if not knots or names.pair(j):
        return []
    if names.is_whole(j) and knots[-1] - knots[0] <= MOST_WHOLE:
        found = _of_whole(rules, floor(knots[0]) - 1, ceil(knots[-1]) + 1)
        if len(found) <= COLUMNS_A_RULE * len(rules):
            return found
    return _of_knots(rules, knots)


def total_points(rules: Sequence[Rule], values: Array) -> Array:
    """The sum of the points of rules of one condition, at values of their input."""
    found = np.zeros(len(values))
    for rule in rules:
        found += rule.points * rule.conditions[0].degrees(values)
    return found


def is_gradual(rules: Sequence[Rule]) -> bool:
    """Whether one of the rules holds in part somewhere."""
    conditions = [one for rule in rules for one in rule.conditions]
    return any(a < b for one in conditions if isinstance(one, Trapezoid) for a, b in one.edges)


def _of_knots(rules: Sequence[Rule], knots: Sequence[float]) -> list[tuple[str, float]]:
    """The sum at each border, and just below it where it jumps; or in each range, of steps."""
    at = total_points(rules, np.array(knots)).tolist()
    before = total_points(rules, np.nextafter(knots, -np.inf)).tolist()
    words = [number_words(knot) for knot in knots]
    if not is_gradual(rules):
        spans = [f"{low} to below {high}" for low, high in pairwise(words)]
        spans = [f"below {words[0]}", *spans, f"{words[-1]} or more"]
        return list(zip(spans, [before[0], *at], strict=True))
    found = []
    for n, word in enumerate(words):
        if not np.isclose(at[n], before[n]):
            found.append((f"just below {word}" if n else f"below {word}", before[n]))
            found.append((word, at[n]))
        else:
            found.append((word if n else f"{word} or less", at[n]))
    return [*found[:-1], (f"{words[-1]} or more", at[-1])]


def _of_whole(rules: Sequence[Rule], low: int, high: int) -> list[tuple[str, float]]:
    """The sum at whole numbers, those next to each other with the same sum together."""
    numbers = np.arange(float(low), high + 1)
    sums = np.round(total_points(rules, numbers), 9).tolist()
    found = []
    for total, places in groupby(range(len(sums)), lambda n: sums[n]):
        run = numbers[[*places]].tolist()
        first, last = number_words(run[0]), number_words(run[-1])
        if run[0] == low:
            words = f"{last} or less"
        elif run[-1] == high:
            words = f"{first} or more"
        else:
            words = first if first == last else f"{first} to {last}"
        found.append((words, float(total)))
    return found
