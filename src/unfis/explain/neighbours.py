"""Training rows that meet the same rules, and how well the model answers them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from unfis.arrays import Array
from unfis.explain.contributions import contributions
from unfis.model import FittedModel
from unfis.text.explanation import is_of_classes

NEIGHBOURS = 10  # the nearest rows that are looked at; more where more are as near
COMPARED_AT_ONCE = 256
DISTANCE_DIGITS = 9  # of distances: those that differ by less are the same


class TrainingRows(NamedTuple):
    """What rules add in the rows that were learned from, and how the model answers these."""

    added: Array  # (rows, rules)
    right: Array  # whether the answer is right, or the absolute error of a number, (rows,)

    @classmethod
    def of(cls, model: FittedModel) -> TrainingRows | None:
        """Those of a model, None if it does not have them."""
        rows = model.searched
        if rows is None:
            return None
        found = model.predictions(rows.values)
        if is_of_classes(model.rules):
            right = (model.answers(found) == rows.targets).astype(float)
        else:
            right = np.abs(found - rows.targets)
        return cls(contributions(model.rules, rows.values), right)

    def nearest(self, added: Array) -> Iterator[tuple[NDArray[np.intp], float]]:
        """Those nearest to rows, and how far: sum_i |difference of what rule i adds|."""
        place = min(NEIGHBOURS, len(self.added)) - 1
        for first in range(0, len(added), COMPARED_AT_ONCE):
            distances = cdist(added[first : first + COMPARED_AT_ONCE], self.added, "cityblock")
            distances = np.round(distances, DISTANCE_DIGITS)
            limits = np.partition(distances, place, axis=1)[:, place]
            for row, limit in zip(distances, limits.tolist(), strict=True):
                near = np.flatnonzero(row <= limit)
                yield near[np.argsort(row[near], kind="stable")], limit
