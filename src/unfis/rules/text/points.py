"""What the THEN of a rule counts, in words: a line for each input, and from points to answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unfis.arrays import softmax
from unfis.rules.data import Effect, Rule, Variable
from unfis.rules.directions import MOST_ROWS_LED
from unfis.rules.points import (
    contrast,
    is_whole,
    kind_shift,
    other_classes,
    reference_class,
    start_of,
    steps_counted,
)
from unfis.rules.text.numbers import exact, numbered, percent, signed
from unfis.rules.text.terms import MOST_NAMES, any_of_these
from unfis.rules.text.words import category_name, class_name, levels_of, visible
from unfis.ties import ranked

if TYPE_CHECKING:
    from unfis.rules.rule_base import RuleBase

# Of inputs that are counted exactly, so many are shown: the text with every number has all.
MOST_COUNTED_EXACTLY = 6
# From these log-odds on a class has over 99 %, or under 1 %: the table need not go on.
NEARLY_SURE = 5.3
# The table from points to probabilities has about so many columns.
COLUMNS = 6
# Names longer than this do not move the column that follows them.
WIDEST = 40


class PointsRow(NamedTuple):
    """What one input, or one kind of it, adds."""

    name: str
    points: list[str]  # for each class but the one that has 0
    per: str  # for how much of a number, "" otherwise

    @property
    def sizes(self) -> list[float]:
        """The points to draw: as large as they are printed."""
        return [float(text) for text in self.points]


class PointsWords(NamedTuple):
    """The THEN of a rule that counts."""

    title: str
    classes: list[str]  # those that have points
    rows: list[PointsRow]
    scale: list[tuple[str, str]]  # points and the probability of the class, of two classes
    notes: list[str]


def points_words(rule: Rule, base: RuleBase) -> PointsWords:
    """What the inputs of a rule add, in whole points where it counts so, else in log-odds."""
    reference = reference_class(base)
    others, unit = other_classes(base, reference), rule.unit or 1.0
    starts = [start_of(rule, base, c, reference) / unit for c in others]
    # Of two classes the table from points to probabilities has what the start lacks to be whole.
    start = round(starts[0]) if rule.unit and len(others) == 1 else starts[0]
    rows = [PointsRow("start", [points_text(s, rule) for s in [start, *starts[1:]]], "")]
    order = ranked([-effect_size(effect, base, reference) for effect in rule.effects])
    shown = order if rule.unit else order[:MOST_COUNTED_EXACTLY]
    for k in shown:
        rows += effect_rows(rule.effects[k], rule, base, reference)
    notes = direction_notes([rule.effects[k] for k in shown], base, others)
    if len(order) > len(shown):
        left_out = numbered(len(order) - len(shown), "more input")
        notes.append(f"{left_out} count less, in the text with every number.")
    names = [class_name(base.classes[c]) for c in others]
    if len(others) > 1:
        notes.append(worked_note(base, reference, unit, starts))
    title = f"{'Points' if rule.unit else 'Log-odds'} for"
    scale = scale_of(rule, reference, unit, unit * (starts[0] - start))
    return PointsWords(title, names, rows, scale, notes)


def points_text(value: float, rule: Rule) -> str:
    """Points with their sign, whole ones as such."""
    if rule.unit and is_whole(value):
        return f"{round(value):+d}" if round(value) else "0"
    return signed(value)


def effect_size(effect: Effect, base: RuleBase, reference: int) -> float:
    """How far an effect moves the log-odds of any class, over the span of its input."""
    variable = base.by_name[effect.input]
    differences = [contrast(effect, c, reference) for c in other_classes(base, reference)]
    if variable.categories:
        return max(float(np.ptp(difference)) for difference in differences)
    return max(abs(float(difference)) for difference in differences) * variable.span


def effect_rows(effect: Effect, rule: Rule, base: RuleBase, reference: int) -> list[PointsRow]:
    """The lines of one input; none where it adds nothing."""
    variable, label, unit = base.by_name[effect.input], base.labels[effect.input], rule.unit or 1.0
    sizes = [contrast(effect, c, reference) / unit for c in other_classes(base, reference)]
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
    row = PointsRow(name, [points_text(value, rule) for value in points], per)
    return [row, *unknown_rows(average, variable, label, rule)]


def unknown_rows(
    points: Sequence[float], variable: Variable, label: str, rule: Rule
) -> list[PointsRow]:
    """The line of an input that is unknown, which counts as its reference, if it ever was."""
    told = [points_text(value, rule) for value in points]
    nothing = all(text in ("0", "+0.00") for text in told)
    return [] if nothing or not variable.missing else [PointsRow(f"{label} is unknown", told, "")]


def without_rounding(value: float) -> str:
    """A round number without the digits that are rounding."""
    return exact(float(f"{value:.12g}") + 0.0)  # no -0


def kind_rows(sizes: Any, variable: Variable, label: str, rule: Rule) -> list[PointsRow]:
    """A line for the kinds of a category that add the same; none for those that add nothing."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for category, added in zip(variable.categories, sizes, strict=True):
        texts = tuple(points_text(value, rule) for value in added)
        groups.setdefault(texts, []).append(visible(category_name(category)))
    nothing = tuple(points_text(0.0, rule) for _ in sizes[0])
    return [
        PointsRow(f"{label} is {alternatives(names, variable)}", list(texts), "")
        for texts, names in groups.items()
        if texts != nothing
    ]


def alternatives(names: Sequence[str], variable: Variable) -> str:
    """All of some kinds, or that it is known and none of the others where they are many."""
    every = [visible(category_name(category)) for category in variable.categories]
    others = [name for name in every if name not in names]
    if len(names) > MOST_NAMES and len(others) <= MOST_NAMES:
        return f"known and not {any_of_these(others)}" if others else "known"
    return any_of_these(names)


def direction_notes(effects: Sequence[Effect], base: RuleBase, others: Sequence[int]) -> list[str]:
    """That points tell no direction of the answer, where the whole model does not follow them."""
    names = [
        base.labels[effect.input]
        for effect in effects
        if effect.directed and min(effect.directed[c] for c in others) < MOST_ROWS_LED
    ]
    if not names:
        return []
    return [
        f"Which way the answer goes with {any_of_these(names)} depends on all rules, not on these "
        "points alone."
    ]


def worked_note(base: RuleBase, reference: int, unit: float, starts: Sequence[float]) -> str:
    """How probabilities of several classes come from points, with the start for an example."""
    names = [class_name(label) for label in base.classes]
    points = dict(zip(other_classes(base, reference), starts, strict=True))
    odds = np.array([unit * points.get(c, 0.0) for c in range(len(names))])
    shares = softmax(odds[None, :])[0]
    example = ", ".join(f"{percent(p)} {name}" for p, name in zip(shares, names, strict=True))
    power = "e" if unit == 1 else f"{math.exp(unit):.3g}"
    whose = "the" if len(base) == 1 else "the rule's"
    return (
        f"{names[reference]} has 0. The class with the most is {whose} answer. Probabilities are "
        f"{power} to the power of each class's number, divided by their sum: at the start "
        f"{example}."
    )


def scale_of(rule: Rule, reference: int, unit: float, remainder: float) -> list[tuple[str, str]]:
    """From points to the probability of the second of two classes, until it is nearly sure."""
    if not rule.totals:
        return []
    ends = rule.totals if reference == 0 else [-end for end in reversed(rule.totals)]
    if not all(math.isfinite((end - remainder) / unit) for end in ends):
        return []
    ends = [min(max(end, -NEARLY_SURE), NEARLY_SURE) for end in ends]
    low = math.floor((ends[0] - remainder) / unit + 1e-9)
    high = max(math.ceil((ends[1] - remainder) / unit - 1e-9), low + 1)
    step = max(1, math.ceil((high - low) / COLUMNS))
    points = range(low // step * step, high + step, step)
    odds = np.array([[0.0, unit * p + remainder] for p in points])
    shares = [percent(share) for share in softmax(odds)[:, 1].tolist()]
    return list(zip(map(str, points), shares, strict=True))


def points_lines(points: PointsWords) -> list[str]:
    """The THEN of a rule that counts, in plain text."""
    single = len(points.classes) == 1
    width = min(WIDEST, max(len(row.name) for row in points.rows))
    lines = [f"{points.title} {points.classes[0]}"] if single else []
    heads = [""] if single else points.classes
    places = [
        max(len(head), *(len(row.points[c]) for row in points.rows)) for c, head in enumerate(heads)
    ]
    if not single:
        lines.append(beside(points.title, 2 + width, heads, places))
    for row in points.rows:
        told = beside(f"  {row.name}", 2 + width, row.points, places)
        lines.append(f"{told}  {row.per}".rstrip())
    if points.scale:
        measure, name = points.title.split()[0].lower(), points.classes[0]
        widths = [max(len(p), len(share)) for p, share in points.scale]
        first = min(WIDEST, max(len(measure), len(name)))
        lines.append(beside(measure, first, [p for p, _ in points.scale], widths))
        lines.append(beside(name, first, [share for _, share in points.scale], widths))
    return lines


def beside(name: str, width: int, cells: Sequence[str], widths: Sequence[int]) -> str:
    """A name and cells to the right of it."""
    parts = [f"{cell:>{place}s}" for cell, place in zip(cells, widths, strict=True)]
    return "  ".join([f"{name:{width}s}", *parts])
