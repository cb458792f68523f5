"""Whether the whole model moves with an input as a rule says, on the rows that it leads on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unfis.arrays import Array, softmax
from unfis.network.layers import rule_layer
from unfis.rules.data import Effect
from unfis.rules.evaluation import Evaluation, times_slopes, with_otherwise
from unfis.rules.points import contrast, reference_class

if TYPE_CHECKING:
    from unfis.rules.rule_base import RuleBase

# A direction is the model's if it is so on this share of the rows that the rule leads on.
MOST_ROWS_LED = 0.9
# A number is moved by this share of its span, half of it up and half of it down.
MOVED = 0.05


def directions_of(
    base: RuleBase, i: int, led: Array, found: Evaluation, values: Array
) -> list[tuple[float, ...]]:
    """For each effect of rule i and each class, on what share of the rows led the model follows.

    `led` has the weight of each row as far as the rule leads on it, (rows,). A share is 1 of a
    class that an effect does not tell from the one without points; () where the input is known in
    no row led.
    """
    rows = np.flatnonzero(led)
    if not base[i].effects:
        return []
    moves = Moves(base, found.part(rows), values[rows], led[rows], reference_class(base))
    return [moves.directed(effect) for effect in base[i].effects]


class Moves(NamedTuple):
    """Evaluated rows of which single inputs are moved."""

    base: RuleBase
    found: Evaluation
    values: Array  # (rows, inputs)
    weights: Array  # (rows,)
    reference: int  # the class without points

    def directed(self, effect: Effect) -> tuple[float, ...]:
        """For each class, the share of rows on which its log-odds move as the effect says."""
        arrays, classes = self.base.arrays, range(len(self.base.classes))
        index = [variable.name for variable in arrays.variables].index(effect.input)
        column = self.values[:, arrays.used[index]]
        known = self.weights * ~np.isnan(column)
        if not known.any():
            return ()
        differences = [contrast(effect, c, self.reference) for c in classes]
        if not arrays.variables[index].categories:
            half = MOVED / 2 * arrays.variables[index].span
            moved = self.logits_at(index, column + half) - self.logits_at(index, column - half)
            signs = np.sign(differences)
            return tuple(self.share(known, moved, c, signs[c]) for c in classes)
        shares = []
        for c, difference in enumerate(differences):
            least, most = (
                self.logits_at(index, np.full(len(column), float(kind)))
                for kind in (difference.argmin(), difference.argmax())
            )
            shares.append(self.share(known, most - least, c, np.sign(np.ptp(difference))))
        return tuple(shares)

    def share(self, known: Array, moved: Array, c: int, sign: float) -> float:
        """The share of weight on which the logits move a class as a sign says; 1 if it is 0."""
        if not sign:
            return 1.0
        right = (moved[:, c] - moved[:, self.reference]) * sign > 0
        return min(float(known[right].sum() / known.sum()), 1.0)

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
