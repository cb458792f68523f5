"""Whether the whole model moves with an input as a rule says, on the rows that it leads on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, softmax
from unfis.network.layers import rule_layer
from unfis.rules.data import Effect
from unfis.rules.evaluation import Evaluation, times_slopes, with_otherwise
from unfis.rules.plain_rules import PlainRules
from unfis.rules.points import reference_class

# A direction is the model's if it is so on this share of the rows that the rule leads on.
MOST_ROWS_LED = 0.9
# A number is moved by this share of its span, half of it up and half of it down.
MOVED = 0.05


def directions_of(
    base: PlainRules, i: int, led: Array, found: Evaluation, values: Array
) -> list[tuple[float, ...]]:
    """For each effect of rule i and each class, on what share of the rows led the model follows.

    `led` has the weight of each row as far as the rule leads on it, (rows,). A class moves against
    the one without points, and where there is none against those that the effect says nothing of,
    or all. A share is 1 of a class that an effect does not tell from these; () where the input is
    known in no row led.
    """
    rows = np.flatnonzero(led)
    if not base[i].effects:
        return []
    moves = Moves(base, found.part(rows), values[rows], led[rows], reference_class(base))
    return [moves.directed(effect) for effect in base[i].effects]


class Moves(NamedTuple):
    """Evaluated rows of which single inputs are moved."""

    base: PlainRules
    found: Evaluation
    values: Array  # (rows, inputs)
    weights: Array  # (rows,)
    reference: int | None  # the class without points, if there is one

    def directed(self, effect: Effect) -> tuple[float, ...]:
        """For each class, the share of rows on which its log-odds move as the effect says."""
        arrays, classes = self.base.arrays, range(len(self.base.classes))
        index = [variable.name for variable in arrays.variables].index(effect.input)
        column = self.values[:, arrays.used[index]]
        known = self.weights * ~np.isnan(column)
        if not known.any():
            return ()
        slopes = np.array(effect.slopes)
        beside = self.beside(slopes)
        differences = slopes - slopes[beside].mean(axis=0)
        if not arrays.variables[index].categories:
            half = MOVED / 2 * arrays.variables[index].span
            moved = self.logits_at(index, column + half) - self.logits_at(index, column - half)
            moved = against(moved, beside)
            signs = np.sign(differences)
            return tuple(share_moved(known, moved[:, c], signs[c]) for c in classes)
        shares = []
        for c, difference in enumerate(differences):
            least, most = (
                self.logits_at(index, np.full(len(column), float(kind)))
                for kind in (difference.argmin(), difference.argmax())
            )
            moved = against(most - least, beside)[:, c]
            shares.append(share_moved(known, moved, np.sign(np.ptp(difference))))
        return tuple(shares)

    def beside(self, slopes: Array) -> NDArray[np.intp]:
        """The classes beside which others move by an effect's slopes: their numbers."""
        if self.reference is not None:
            return np.array([self.reference])
        silent = ~slopes.reshape(len(slopes), -1).any(axis=1)
        return np.flatnonzero(silent if silent.any() else ~silent)

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


def against(moved: Array, beside: NDArray[np.intp]) -> Array:
    """By how much logits move beside the mean of some classes, (rows, classes)."""
    return np.asarray(moved - moved[:, beside].mean(axis=1, keepdims=True))


def share_moved(known: Array, moved: Array, sign: float) -> float:
    """The share of weight on which a class moves as a sign says; 1 if it says nothing."""
    if not sign:
        return 1.0
    return min(float(known[moved * sign > 0].sum() / known.sum()), 1.0)
