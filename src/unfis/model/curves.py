"""What rules of one input, or of two, add up to over the values of these inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from unfis.arrays import Array
from unfis.model.fitted import FittedModel
from unfis.rules import Rule, RuleModel, Trapezoid, Unknown
from unfis.text.numbers import number_words

FEW = 12  # whole numbers up to so many are shown one by one
TAIL = 0.01  # of rows at either end that may lie outside, where no border is
MARGIN = 0.05  # of the range that a curve goes on beyond its last border
BINS = 30  # of a histogram
CELLS = 16  # of a map, along an edge where a condition holds in part
DEVIATIONS = 2.0  # from the mean on, where no row is known: a range


@dataclass(frozen=True, eq=False)
class Scale:
    """The values of an input, from the lowest to the highest, or all of few."""

    input: int
    values: Array
    labels: tuple[str, ...] = ()  # of few values; () of a range
    ordered: bool = True  # whether values have an order

    @property
    def is_range(self) -> bool:
        """Whether it has a lowest and a highest value and all between."""
        return not self.labels


@dataclass(frozen=True, eq=False)
class Curve:
    """The sum of the points of all rules on one input alone.

    Between two places it is a straight line. Where it jumps a place stands twice.
    """

    scale: Scale
    outputs: tuple[int, ...]  # that have such rules
    places: Array  # values of the input, (places,)
    points: Array  # (outputs, places)
    unknown: Array  # the points of a missing value, (outputs,)
    is_unknown: bool  # whether rows miss a value, or a rule speaks of that
    borders: Array  # of a histogram of the rows, (bins + 1,); none of few values or without rows
    shares: Array  # of the rows in each bin, or at each of few values
    importance: float  # how much the sum varies over the rows

    @property
    def input(self) -> int:
        """The input."""
        return self.scale.input


@dataclass(frozen=True, eq=False)
class PairMap:
    """The sum of the points of one output's rules on two inputs together, over both."""

    scales: tuple[Scale, Scale]
    output: int
    borders: tuple[Array, Array]  # of the cells of each input
    points: Array  # (cells of the second, cells of the first)
    importance: float

    @property
    def inputs(self) -> tuple[int, int]:
        """Both inputs."""
        return self.scales[0].input, self.scales[1].input


def curves_of(model: FittedModel) -> list[Curve]:
    """The curve of each input that a rule looks at alone, the most important first."""
    inputs = {rule.inputs[0] for rule in model.rules.rules if len(set(rule.inputs)) == 1}
    return sorted((curve(model, j) for j in sorted(inputs)), key=lambda one: -one.importance)


def curve(model: FittedModel, j: int) -> Curve:
    """The curve of an input."""
    scale, rules = scale_of(model, j), rules_on(model.rules, {j})
    outputs = tuple(sorted({rule.output for rule in rules}))
    places = vertices(rules, scale) if scale.is_range else scale.values
    by_output = [[rule for rule in rules if rule.output == output] for output in outputs]
    points = np.array([sums(own, {j: places}) for own in by_output])
    points = points.reshape(len(outputs), len(places))  # of no outputs too
    unknown = np.array([sums(own, {j: np.array([np.nan])})[0] for own in by_output])
    values, weights = rows_of(model)
    column = values[:, j]
    is_unknown = bool(np.isnan(column).any()) or any(
        isinstance(one, Unknown) or one.unknown == 1 for rule in rules for one in rule.conditions
    )
    importance = [spread(model, own, {j: places}) for own in by_output]
    borders, shares = histogram(column, weights, scale)
    return Curve(
        scale, outputs, places, points, unknown, is_unknown, borders, shares, sum(importance)
    )


def maps_of(model: FittedModel) -> list[PairMap]:
    """The map of each two inputs and output that have rules, the most important first."""
    rules = model.rules.rules
    found = sorted({(*sorted(set(r.inputs)), r.output) for r in rules if len(set(r.inputs)) == 2})
    maps = [pair_map(model, (j, k), output) for j, k, output in found]
    return sorted(maps, key=lambda one: -one.importance)


def pair_map(
    model: FittedModel, inputs: tuple[int, int], output: int, *, singles: bool = False
) -> PairMap:
    """The map of two inputs for an output; with `singles` the rules on one of them alone too."""
    rules = [rule for rule in rules_on(model.rules, set(inputs)) if rule.output == output]
    if singles:
        parts = [rules_on(model.rules, {j}) for j in inputs]
        rules += [rule for part in parts for rule in part if rule.output == output]
    first, second = (scale_of(model, j) for j in inputs)
    across, upwards = cells(rules, first), cells(rules, second)
    x, y = np.meshgrid(cell_middles(across, first), cell_middles(upwards, second))
    at = {inputs[0]: x.ravel(), inputs[1]: y.ravel()}
    points = sums(rules, at).reshape(x.shape)
    importance = spread(model, rules, at)
    return PairMap((first, second), output, (across, upwards), points, importance)


def scale_of(model: FittedModel, j: int) -> Scale:
    """The values of an input: its categories, few whole numbers, or a range."""
    names, (values, weights) = model.names, rows_of(model)
    categories, pair = names.categories[j], names.pair(j)
    if categories:
        labels = tuple(names.category(j, code) for code in range(len(categories)))
        return Scale(j, np.arange(float(len(categories))), labels, ordered=False)
    if pair:
        return _few(j, np.array(pair))
    column, one = values[:, j], model.columns.inputs[j]
    known = ~np.isnan(column)
    if known.any():
        ends = _quantiles(column[known], weights[known])
        least, most = float(column[known].min()), float(column[known].max())
    else:
        mean, deviation = float(one.offsets[0]), float(one.scales[0])
        ends = mean - DEVIATIONS * deviation, mean + DEVIATIONS * deviation
        least, most = -np.inf, np.inf
    if names.is_whole(j) and known.any() and most - least < FEW:
        return _few(j, np.arange(least, most + 1))
    knots = knots_of(model.rules.rules, j)
    low, high = min([ends[0], *knots]), max([ends[1], *knots])
    more = MARGIN * (high - low) or 1.0
    inside = max(low - more, min(least, low)), min(high + more, max(most, high))
    if not inside[0] < inside[1] or inside[0] in knots or inside[1] in knots:
        inside = low - more, high + more  # so that a step at the end is seen
    return Scale(j, np.array(inside))


def rules_on(model: RuleModel, inputs: set[int]) -> list[Rule]:
    """The rules that look at these inputs and no others."""
    return [rule for rule in model.rules if set(rule.inputs) == inputs]


def knots_of(rules: Sequence[Rule], j: int) -> list[float]:
    """The borders of rules on an input, rising."""
    conditions = [one for rule in rules for one in rule.conditions if one.input == j]
    ranges = [one for one in conditions if isinstance(one, Trapezoid)]
    return sorted({knot for one in ranges for edge in one.edges for knot in edge})


def vertices(rules: Sequence[Rule], scale: Scale) -> Array:
    """The places between which a sum of rules on one input is straight; twice where it jumps."""
    low, high = scale.values.tolist()
    found = [low]
    for knot in knots_of(rules, scale.input):
        below = np.nextafter(knot, -np.inf)
        before, at = sums(rules, {scale.input: np.array([below, knot])})
        found += [knot] if np.isclose(before, at) else [below, knot]
    return np.array([*found, high])


def sums(rules: Sequence[Rule], at: dict[int, Array]) -> Array:
    """The sum of the points of rules where their inputs have these values, (values,)."""
    rows = np.column_stack([*at.values()])
    place = {j: n for n, j in enumerate(at)}
    found = np.zeros(len(rows))
    for rule in rules:
        degrees = [one.degrees(rows[:, place[one.input]]) for one in rule.conditions]
        found += rule.points * np.prod(degrees, axis=0)
    return found


def spread(model: FittedModel, rules: Sequence[Rule], at: dict[int, Array]) -> float:
    """The standard deviation of a sum of rules over the rows; over `at` where there are none."""
    values, weights = rows_of(model)
    if not len(values):
        return float(sums(rules, at).std())
    found = sums(rules, {j: values[:, j] for j in at})
    return float(np.sqrt(np.cov(found, aweights=weights, ddof=0)))


def histogram(column: Array, weights: Array, scale: Scale) -> tuple[Array, Array]:
    """The shares of rows in bins of equal width, or at each of few values; none without rows."""
    none = np.empty(0)
    total = float(weights.sum())
    if not total:
        return none, none
    if not scale.is_range:
        members = column[:, None] == scale.values
        return none, np.asarray(weights @ members / total)
    counts, borders = np.histogram(column, BINS, tuple(scale.values), weights=weights)
    return np.asarray(borders, dtype=np.float64), counts / total


def cells(rules: Sequence[Rule], scale: Scale) -> Array:
    """The borders of the cells of a map: exact ones, and more where a condition holds in part."""
    if not scale.is_range:
        return np.arange(len(scale.values) + 1.0) - 0.5
    ends = scale.values.tolist()
    found = {*ends, *(knot for knot in knots_of(rules, scale.input) if ends[0] < knot < ends[1])}
    edges = [
        edge
        for rule in rules
        for one in rule.conditions
        if isinstance(one, Trapezoid) and one.input == scale.input
        for edge in one.edges
    ]
    finer = [np.linspace(low, high, CELLS + 1) for low, high in edges if low < high]
    return np.unique(np.concatenate([np.array([*found]), *finer]))


def cell_middles(borders: Array, scale: Scale) -> Array:
    """The values in the middle of cells."""
    return (borders[:-1] + borders[1:]) / 2 if scale.is_range else scale.values


def rows_of(model: FittedModel) -> tuple[Array, Array]:
    """The values and weights of the searched rows; none where a file has not kept them."""
    if model.searched is None:
        return np.empty((0, len(model.names.inputs))), np.empty(0)
    return model.searched.values, model.searched.weights


def same_runs(found: Curve) -> list[list[int]]:
    """The places of few values where all points are the same, together; of numbers next ones."""
    columns = [tuple(np.round(column, 9).tolist()) for column in found.points.T]
    if not found.scale.ordered:
        return [[n for n, one in enumerate(columns) if one == c] for c in dict.fromkeys(columns)]
    runs = [[0]]
    for n, (before, own) in enumerate(pairwise(columns), 1):
        if own == before:
            runs[-1].append(n)
        else:
            runs.append([n])
    return runs


def _few(j: int, values: Array) -> Scale:
    return Scale(j, values, tuple(map(number_words, values.tolist())))


def _quantiles(values: Array, weights: Array) -> tuple[float, float]:
    """The values that a share TAIL of the rows is below, and above."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weights[order]) / weights.sum()
    places = np.searchsorted(below, [TAIL, 1 - TAIL])
    low, high = values[order][np.minimum(places, len(values) - 1)].tolist()
    return low, high
