"""Whether the whole model moves with an input as a rule says, on the rows that it leads on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unfis.arrays import Array, softmax
from unfis.data.samples import TrainingSample
from unfis.network.layers import rule_layer
from unfis.rules.data import Effect, Rule
from unfis.rules.evaluation import Evaluation, times_slopes, with_otherwise
from unfis.rules.points import contrast, reference_class

if TYPE_CHECKING:
    from unfis.rules.rule_base import RuleBase

# A number is moved by this share of its span, half of it up and half of it down.
MOVED = 0.05
# So many rows tell a direction.
MOST_MOVED = 1000


def with_directions(
    base: RuleBase, i: int, leads: Array, found: Evaluation, sample: TrainingSample
) -> Rule:
    """Rule i with how far its directions are the model's; `leads` is how far it leads, (rows,)."""
    rule, led = base[i], np.flatnonzero(leads)
    if len(base) == 1 or not len(led) or not rule.effects:
        return rule
    spaced = np.linspace(0, len(led) - 1, min(len(led), MOST_MOVED)).round().astype(np.intp)
    rows = led[spaced]
    moves = Moves(base, found.part(rows), sample.values[rows], (leads * sample.weights)[rows])
    reference = reference_class(base)
    effects = [replace(one, directed=moves.directed(one, reference)) for one in rule.effects]
    return replace(rule, effects=tuple(effects))


class Moves(NamedTuple):
    """Evaluated rows of which single inputs are moved."""

    base: RuleBase
    found: Evaluation
    values: Array  # (rows, inputs)
    weights: Array  # (rows,)

    def directed(self, effect: Effect, reference: int) -> tuple[float, ...]:
        """For each class, the share of rows on which its log-odds move as the effect says."""
        arrays = self.base.arrays
        index = [variable.name for variable in arrays.variables].index(effect.input)
        variable, column = arrays.variables[index], self.values[:, arrays.used[index]]
        known = self.weights * ~np.isnan(column)
        half = MOVED / 2 * variable.span
        ends, shares = (column - half, column + half), []
        for c in range(len(self.base.classes)):
            rises = difference = contrast(effect, c, reference)
            if variable.categories:
                kinds = difference.argmin(), difference.argmax()
                ends = np.full(len(column), kinds[0], float), np.full(len(column), kinds[1], float)
                rises = np.ptp(difference)
            if not rises or not known.any():
                shares.append(1.0)
                continue
            moved = np.subtract(*(self.logits_at(index, end) for end in ends[::-1]))
            right = known @ ((moved[:, c] - moved[:, reference]) * np.sign(rises) > 0)
            shares.append(min(float(right / known.sum()), 1.0))
        return tuple(shares)

    def logits_at(self, index: int, at: Array) -> Array:
        """z of the rows with other values of one used input, (rows, classes)."""
        arrays = self.base.arrays
        log_degrees = self.found.log_degrees.copy(order="F")
        log_degrees[:, :, index] = arrays.log_degrees_at(index, at)
        log_firing = with_otherwise(rule_layer(log_degrees), arrays.otherwise)
        now = arrays.columns_at(index, self.values[:, arrays.used[index]])
        slopes = arrays.slopes[:, :, arrays.spans[index]]
        moved = times_slopes(arrays.columns_at(index, at) - now, slopes)
        return arrays.logits_of(softmax(log_firing), self.found.opinions + moved)
