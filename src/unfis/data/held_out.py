"""HeldOutAnswers: what was answered to training rows by networks that had not seen them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.ties import rounded_likelihoods


class HeldOutAnswers(NamedTuple):
    """How probable networks held the true class of rows that they had not seen.

    By class, each by rising likelihood; a row is no part of it but by that.
    """

    codes: NDArray[np.intp]  # the true classes, (rows,)
    likelihoods: Array  # probabilities that they were given, (rows,)
    weights: Array  # how many rows each stands for, (rows,)

    @classmethod
    def of_losses(
        cls, codes: NDArray[np.intp], losses: Array, weights: Array
    ) -> HeldOutAnswers | None:
        """Those of losses -log p of the true class, NaN where never held out; None if all are."""
        known = np.flatnonzero(~np.isnan(losses))
        if not len(known):
            return None
        likelihoods = rounded_likelihoods(np.exp(-losses[known]))
        order = np.lexsort((weights[known], likelihoods, codes[known]))
        rows = known[order]
        return cls(codes[rows], likelihoods[order], weights[rows])

    def of_class(self, code: int) -> tuple[Array, Array]:
        """The likelihoods of a class in rising order, and their weights."""
        first, last = np.searchsorted(self.codes, [code, code + 1])
        return self.likelihoods[first:last], self.weights[first:last]

    def counting(self, rows_by_class: Array) -> HeldOutAnswers:
        """The same where a unit of the weights of each class stands for so many rows."""
        return self._replace(weights=self.weights * rows_by_class[self.codes])
