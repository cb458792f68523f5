"""What single inputs count in a THEN, in words: lines of numbers, and of kinds that are alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from unfis.rules.data import Effect, Rule, Variable
from unfis.rules.plain_rules import PlainRules
from unfis.rules.points import NEARLY_WHOLE, contrast, is_whole, kind_shift, steps_counted
from unfis.rules.text.numbers import exact, signed
from unfis.rules.text.terms import MOST_NAMES, any_of_these, frequent_first, worded_list
from unfis.rules.text.words import category_name, levels_of, visible


class PointsRow(NamedTuple):
    """What one input, or one kind of it, adds."""

    name: str
    points: list[str]  # for each class that is shown; of several classes "" for none
    per: str  # for how much of a number, "" otherwise
    every: str = ""  # all kinds where the name has not room for them

    @property
    def sizes(self) -> list[float]:
        """The points to draw: as large as they are printed."""
        return [float(text or 0) for text in self.points]


def points_text(value: float, rule: Rule) -> str:
    """Points with their sign, whole ones as such."""
    if rule.unit and is_whole(value):
        return f"{round(value):+d}" if round(value) else "0"
    return signed(value)


def points_cell(value: float, rule: Rule) -> str:
    """The same for an input: nothing where it does not speak for one of several classes."""
    nothing = len(rule.biases) > 2 and abs(value) <= NEARLY_WHOLE
    return "" if nothing else points_text(value, rule)


def effect_size(
    effect: Effect, base: PlainRules, classes: Sequence[int], reference: int | None
) -> float:
    """How far an effect moves the log-odds of any of some classes, over the span of its input."""
    variable = base.by_name[effect.input]
    differences = [contrast(effect, c, reference) for c in classes]
    if variable.categories:
        return max(float(np.ptp(difference)) for difference in differences)
    return max(abs(float(difference)) for difference in differences) * variable.span


def effect_rows(
    effect: Effect, rule: Rule, base: PlainRules, classes: Sequence[int], reference: int | None
) -> list[PointsRow]:
    """The lines of one input for some classes; none where it adds nothing for them."""
    variable, label, unit = base.by_name[effect.input], base.labels[effect.input], rule.unit or 1.0
    sizes = [contrast(effect, c, reference) / unit for c in classes]
    if variable.categories:
        shifts = [kind_shift(unit * size, rule, variable) / unit for size in sizes]
        rows = kind_rows(np.transpose(sizes) - shifts, variable, label, rule)
        return rows + unknown_rows([-shift for shift in shifts], variable, label, rule)
    step, origin = steps_counted(effect, variable)
    measure = f" {visible(variable.unit)}" if variable.unit else ""
    name, points = label, [size * step for size in sizes]
    per = f"for each {without_rounding(step)}{measure} above {without_rounding(origin)}"
    if len(variable.levels) == 2 and origin in variable.levels:
        level = 1 - variable.levels.index(origin)
        there = [size * (variable.levels[level] - origin) for size in sizes]
        if not rule.unit or all(map(is_whole, there)):
            name, points, per = f"{label} is {levels_of(variable)[level]}", there, ""
    if not any(sizes):
        return []
    average = [size * (variable.reference - origin) for size in sizes]
    row = PointsRow(name, [points_cell(value, rule) for value in points], per)
    return [row, *unknown_rows(average, variable, label, rule)]


def unknown_rows(
    points: Sequence[float], variable: Variable, label: str, rule: Rule
) -> list[PointsRow]:
    """The line of an input that is unknown, which counts as its reference, if it ever was."""
    told = [points_cell(value, rule) for value in points]
    nothing = all(text in ("", "0", "+0.00") for text in told)
    return [] if nothing or not variable.missing else [PointsRow(f"{label} is unknown", told, "")]


def without_rounding(value: float) -> str:
    """A round number without the digits that are rounding."""
    return exact(float(f"{value:.12g}") + 0.0)  # no -0


def kind_rows(sizes: Any, variable: Variable, label: str, rule: Rule) -> list[PointsRow]:
    """A line for the kinds of a category that add the same; none for those that add nothing."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for category, added in zip(variable.categories, sizes, strict=True):
        texts = tuple(points_cell(value, rule) for value in added)
        groups.setdefault(texts, []).append(visible(category_name(category)))
    nothing = tuple(points_cell(0.0, rule) for _ in sizes[0])
    return [
        PointsRow(f"{label} is {alternatives(names, variable)}", list(texts), "", all_of(names))
        for texts, names in groups.items()
        if texts != nothing
    ]


def alternatives(names: Sequence[str], variable: Variable) -> str:
    """Some kinds, or that it is known and none of the others where these are fewer; of many some.

    The most frequent kind is among those that are named.
    """
    every = [visible(category_name(category)) for category in variable.categories]
    others = [name for name in every if name not in names]
    if len(names) > MOST_NAMES and len(others) <= MOST_NAMES:
        return f"known and not {any_of_these(others)}" if others else "known"
    typical = visible(category_name(variable.typical))
    return worded_list(frequent_first(names, {typical: 1.0}))


def all_of(names: Sequence[str]) -> str:
    """All names where a list of them is cut short, "" otherwise."""
    return any_of_these(names) if len(names) > MOST_NAMES else ""
