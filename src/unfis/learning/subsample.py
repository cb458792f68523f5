"""Which of very many samples a training looks at, and when it looks at more."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.learning.problem import ALL, Problem, SampleRows

# By this factor the samples looked at grow, up to so many; then all are.
GROWTH, LARGEST_PART = 4, 100_000
# Samples that the curvature is taken of: that of more would be nearly the same at more cost.
CURVED_SAMPLES = 10_000
# More samples are looked at once those that are not gain less than this share by an iteration.
GROWING_TOLERANCE = 1e-2


@dataclass(frozen=True)
class Subsample:
    """Some of the samples, which stand for all."""

    total: int  # how many samples there are
    size: int  # how many of them are looked at now
    order: NDArray[np.intp]  # of samples that were drawn, those come first that are looked at
    first: int  # how many were looked at first
    # The objective over samples that are not looked at, where the last iteration ended.
    unseen: float = np.inf

    @classmethod
    def of(cls, total: int, size: int, generator: np.random.RandomState) -> Subsample:
        """So many samples to begin with, drawn at random if there are more."""
        if size >= total:
            return cls(total, total, np.arange(0), total)
        from sklearn.utils.random import sample_without_replacement  # late: it takes its time

        most = min(total, 2 * max(LARGEST_PART, size, CURVED_SAMPLES))
        drawn = sample_without_replacement(total, most, random_state=generator)
        return cls(total, size, generator.permutation(drawn), size)

    @property
    def is_all(self) -> bool:
        """Whether all samples are looked at."""
        return self.size == self.total

    @property
    def rows(self) -> SampleRows:
        """The samples that are looked at."""
        return ALL if self.is_all else self.order[: self.size]

    @property
    def curved(self) -> SampleRows | None:
        """Those whose curvature stands for that of all that are looked at; None for all."""
        most = max(CURVED_SAMPLES, self.first)
        return self.order[:most] if self.size > most else None

    @property
    def is_exact(self) -> bool:
        """Whether all samples are looked at with their own curvature."""
        return self.is_all and self.curved is None

    def unseen_loss(self, problem: Problem, vector: Array) -> float:
        """The objective over as many samples as are looked at, but others."""
        others = problem.subset(self.order[self.size : 2 * self.size])
        return others.value(vector) / others.share

    def larger(self) -> Subsample:
        """More samples, or all."""
        size = GROWTH * self.size
        size = size if size <= min(LARGEST_PART, self.total) else self.total
        return replace(self, size=size, unseen=np.inf)
