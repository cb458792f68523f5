"""Sets of kinds of a category that may act alike, of all categories at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import gammaln

from unfis.arrays import Array
from unfis.rules import Kinds
from unfis.search.bins import KindBins


class KindSets:
    """The first kinds in the order of a ratio, 1 to all but one; and each kind by itself.

    A set of s of k kinds costs log C(k, s), whichever of it and its complement is smaller; of two
    kinds there is nothing to choose.
    """

    def __init__(self, ratio: Array, held: Array) -> None:
        """Of several ratios, (categories, several, kinds); `held` is each kind's weight."""
        there = held > 0
        falling = np.where(there[:, None], -ratio, np.inf)
        self.order = np.argsort(falling, axis=-1, kind="stable")
        self.counts = there.sum(axis=1)
        count, sizes = self.counts[:, None], np.arange(1, ratio.shape[-1] + 1)
        some = sizes < count
        ways = (
            gammaln(count + 1) - gammaln(sizes + 1) - gammaln(np.where(some, count - sizes, 0) + 1)
        )
        several = np.where(some, np.where(count > 2, ways, 0.0), np.inf)
        single = np.where(some & (sizes > 1), np.log(np.maximum(count, 1)), np.inf)
        self.prices = np.concatenate([several, single], axis=1)

    def sums(self, values: Array) -> Array:
        """The sums over each set of values of kinds, (categories, several or any, kinds)."""
        order = np.broadcast_to(self.order, values.shape)
        ordered = np.take_along_axis(values, order, axis=-1)
        return np.concatenate([np.cumsum(ordered, axis=-1), ordered], axis=-1)

    def condition(
        self, categories: Sequence[KindBins], place: tuple[int, int], *, of: int = 0,
        others: bool = False,
    ) -> Kinds:  # fmt: skip
        """A set as a condition, or the other kinds; the last number is that of missing values."""
        category, which = place
        bins = categories[category]
        width = self.order.shape[-1]
        order = self.order[category, of, : self.counts[category]].tolist()
        chosen = order[: which + 1] if which < width else [order[which - width]]
        codes = sorted(set(order) - set(chosen) if others else chosen)
        known = tuple(code for code in codes if code < bins.count)
        return Kinds(bins.input, known, float(bins.count in codes))
