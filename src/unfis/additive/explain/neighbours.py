"""Training rows that meet the same rules, and how well the model answers them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from unfis.additive.explain.contributions import contributions
from unfis.additive.model import FittedModel
from unfis.arrays import Array

COUNT = 10  # the nearest rows that are looked at; more where more are as near
EXAMPLES = 3  # that are shown
ROWS_AT_ONCE = 256
SAME = 1e-9  # distances that differ by less are the same


class Alike(NamedTuple):
    """The training rows nearest to a row."""

    rows: float  # how many: their weight
    distance: float  # of the farthest, in points
    right: float  # the share whose answer was right, or the mean absolute error of numbers
    examples: NDArray[np.intp]  # among the searched rows, the nearest first


class TrainingRows(NamedTuple):
    """What rules add in the rows that were learned from, and how the model answers these."""

    added: Array  # (rows, rules)
    right: Array  # whether the answer is right, or the absolute error of a number, (rows,)
    weights: Array  # (rows,)

    @classmethod
    def of(cls, model: FittedModel) -> TrainingRows | None:
        """Those of a model, None if it does not have them."""
        rows = model.searched
        if rows is None:
            return None
        found = model.predictions(rows.values)
        of_classes = model.rules.link in ("logistic", "softmax")
        right = (
            (model.answers(found) == rows.targets).astype(float)
            if of_classes
            else np.abs(found - rows.targets)
        )
        return cls(contributions(model.rules, rows.values), right, rows.weights)

    def nearest(self, added: Array) -> Iterator[Alike]:
        """Those nearest to rows by sum_i |difference of what rule i adds|."""
        place = min(COUNT, len(self.added)) - 1
        for first in range(0, len(added), ROWS_AT_ONCE):
            distances = cdist(added[first : first + ROWS_AT_ONCE], self.added, "cityblock")
            limits = np.partition(distances, place, axis=1)[:, place]
            for row, limit in zip(distances, limits, strict=True):
                near = np.flatnonzero(row <= limit + SAME)
                weights = self.weights[near]
                rows = float(weights.sum())
                order = np.argsort(np.round(row[near], 9), kind="stable")[:EXAMPLES]
                right = float(weights @ self.right[near]) / rows
                yield Alike(rows, float(limit), right, near[order])
