"""What the THEN of a rule counts, in words: lines of inputs, and from points to answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from unfis.arrays import Array, softmax
from unfis.rules.data import Effect, Rule
from unfis.rules.directions import MOST_ROWS_LED
from unfis.rules.plain_rules import PlainRules
from unfis.rules.points import classes_spoken_for, reference_class, starts_of
from unfis.rules.text.counted import PointsRow, effect_rows, effect_size, points_text
from unfis.rules.text.numbers import numbered, percent
from unfis.rules.text.terms import MOST_NAMES, any_of_these
from unfis.rules.text.words import class_name
from unfis.ties import ranked

# Of inputs that are counted exactly, so many are shown: the text with every number has all.
MOST_COUNTED_EXACTLY = 6
# So many classes have columns of a table; of more each has lines of its own.
MOST_IN_TABLE = 5
# From these log-odds on a class has over 99 %, or under 1 %: the table need not go on.
NEARLY_SURE = 5.3
# The table from points to probabilities has about so many columns.
COLUMNS = 6
# Names longer than this do not move the column that follows them.
WIDEST = 40


class ClassPoints(NamedTuple):
    """What counts for one of many classes."""

    name: str
    rows: list[PointsRow]  # its start, and a line for each input that speaks for it


class ListedLine(NamedTuple):
    """A line of the list of many classes."""

    name: str  # of the class where its lines begin, "" otherwise
    row: PointsRow


class PointsWords(NamedTuple):
    """The THEN of a rule that counts: a table, or of many classes a list."""

    title: str
    classes: list[str]  # those that inputs speak for
    rows: list[PointsRow]  # of the table, which begins with the start
    scale: list[tuple[str, str]]  # points and the probability of the class, of two classes
    notes: list[str]
    by_class: Sequence[ClassPoints] = ()  # the list in place of the table

    @property
    def heading(self) -> str:
        """What the points are for."""
        return f"{self.title} {'each class' if self.listed else ', '.join(self.classes)}"

    @property
    def listed(self) -> bool:
        """Whether there is a list in place of the table."""
        return not self.rows

    @property
    def lines(self) -> list[ListedLine]:
        """The lines of the list."""
        return [
            ListedLine("" if k else block.name, row)
            for block in self.by_class
            for k, row in enumerate(block.rows)
        ]


def points_words(rule: Rule, base: PlainRules) -> PointsWords:
    """What the inputs of a rule add, in whole points where it counts so, else in log-odds."""
    reference, unit = reference_class(base), rule.unit or 1.0
    shown = classes_spoken_for(rule, base, reference)
    starts = starts_of(rule, base, reference) / unit
    title = f"{'Points' if rule.unit else 'Log-odds'} for"
    names = [class_name(base.classes[c]) for c in shown]
    if len(starts) == 2:
        # The table from points to probabilities has what the start lacks to be whole.
        exact = starts[shown]
        told = exact.round() if rule.unit else exact
        rows, notes = table_rows(rule, base, shown, reference, told)
        scale = scale_of(rule, reference, unit, unit * float((exact - told)[0]))
        return PointsWords(title, names, rows, scale, notes)
    closing = start_only_note(rule, base, starts, [*shown, reference])
    closing.append(worked_note(base, reference, unit, starts))
    if 0 < len(shown) <= MOST_IN_TABLE:
        rows, notes = table_rows(rule, base, shown, reference, starts[shown])
        return PointsWords(title, names, rows, [], [*notes, *closing])
    blocks = [class_points(rule, base, c, reference, starts[c]) for c in shown]
    notes = direction_notes(rule.effects, base, shown)
    if rule.unit is None and len(rule.effects) > MOST_COUNTED_EXACTLY:
        notes.append(
            f"Of each class at most {MOST_COUNTED_EXACTLY} inputs are shown, those that move it "
            "most: the text with every number has all."
        )
    return PointsWords(title, names, [], [], [*notes, *closing], blocks)


def counted_class(base: PlainRules) -> int:
    """Of two classes the one that points are for."""
    return 1 - int(reference_class(base) or 0)


def table_rows(
    rule: Rule, base: PlainRules, classes: Sequence[int], reference: int | None, starts: Array
) -> tuple[list[PointsRow], list[str]]:
    """The start and the inputs by classes, those that move most first, and what to remark."""
    order = ranked([-effect_size(one, base, classes, reference) for one in rule.effects])
    shown = order if rule.unit else order[:MOST_COUNTED_EXACTLY]
    rows = [PointsRow("start", [points_text(start, rule) for start in starts], "")]
    for k in shown:
        rows += effect_rows(rule.effects[k], rule, base, classes, reference)
    notes = direction_notes([rule.effects[k] for k in shown], base, classes)
    if len(order) > len(shown):
        left_out = numbered(len(order) - len(shown), "more input")
        notes.append(f"{left_out} count less, in the text with every number.")
    return rows, notes


def class_points(
    rule: Rule, base: PlainRules, c: int, reference: int | None, start: float
) -> ClassPoints:
    """The start and the inputs of one class, those that move it most first."""
    order = ranked([-effect_size(effect, base, [c], reference) for effect in rule.effects])
    rows = [PointsRow("start", [points_text(start, rule)], "")]
    for k in order if rule.unit else order[:MOST_COUNTED_EXACTLY]:
        rows += effect_rows(rule.effects[k], rule, base, [c], reference)
    return ClassPoints(class_name(base.classes[c]), rows)


def start_only_note(
    rule: Rule, base: PlainRules, starts: Array, others: Sequence[int | None]
) -> list[str]:
    """The classes that no input speaks for, each with its start; not those told otherwise."""
    told = [
        f"{class_name(label)} {points_text(starts[c], rule)}"
        for c, label in enumerate(base.classes)
        if c not in others
    ]
    return [f"Start only: {', '.join(told)}."] if told else []


def direction_notes(
    effects: Sequence[Effect], base: PlainRules, others: Sequence[int]
) -> list[str]:
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


def worked_note(base: PlainRules, reference: int | None, unit: float, starts: Array) -> str:
    """How probabilities of several classes come from points, with the start for an example."""
    shares, names = softmax(unit * starts[None, :])[0], [class_name(c) for c in base.classes]
    order, more = [*range(len(names))], ""
    if len(names) > MOST_NAMES:
        order = ranked(-shares).tolist()[: MOST_NAMES - 1]
        more = f" and {len(names) - len(order)} more"
    example = ", ".join(f"{percent(shares[c])} {names[c]}" for c in order)
    power = "e" if unit == 1 else f"{math.exp(unit):.3g}"
    whose = "the" if len(base) == 1 else "the rule's"
    without = "" if reference is None else f"{names[reference]} has 0. "
    most = "" if base.costs else f"The class with the most is {whose} answer. "
    return (
        f"{without}{most}Probabilities are {power} to the power of each class's number, divided by "
        f"their sum: at the start {example}{more}."
    )


def scale_of(
    rule: Rule, reference: int | None, unit: float, remainder: float
) -> list[tuple[str, str]]:
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
    if points.listed:
        return list_lines(points)
    single = len(points.classes) == 1
    width = min(WIDEST, max(len(row.name) for row in points.rows))
    width = width if single else max(width, len(points.title) - 2)
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


def list_lines(points: PointsWords) -> list[str]:
    """The same of many classes: of each its start and its own inputs."""
    lines = points.lines
    widths = [
        min(WIDEST, max((len(text) for text in texts), default=0))
        for texts in zip(*[(line.name, line.row.name) for line in lines], strict=True)
    ]
    place = max((len(line.row.points[0]) for line in lines), default=0)
    told = [
        f"  {line.name:{widths[0]}s}  {beside(line.row.name, widths[1], line.row.points, [place])}"
        f"  {line.row.per}".rstrip()
        for line in lines
    ]
    return [points.heading, *told]


def beside(name: str, width: int, cells: Sequence[str], widths: Sequence[int]) -> str:
    """A name and cells to the right of it."""
    parts = [f"{cell:>{place}s}" for cell, place in zip(cells, widths, strict=True)]
    return "  ".join([f"{name:{width}s}", *parts])
