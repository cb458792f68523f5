"""Training samples as a network sees them, and their targets."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array


class Samples(NamedTuple):
    """Training samples as the network sees them."""

    X: Array  # (samples, columns), NaN where missing
    targets: Array  # as an objective encodes them, (samples, outputs)
    weights: Array  # (samples,)

    def part(self, rows: NDArray[np.intp] | slice) -> Samples:
        """Some of the samples."""
        return Samples(self.X[rows], self.targets[rows], self.weights[rows])
