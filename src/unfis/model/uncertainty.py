"""How sure the training rows make a probability: intervals by the covariance of what was learned.

It needs numpy alone; the covariance itself is made in `covariance.py`, when a model is fitted.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, softmax
from unfis.network import Parameters, forward, jacobian_rows
from unfis.network.forward import columns_of, length_of_blocks
from unfis.network.parameters import free_blocks

# Of how many rows of a table like the training's the interval of one has the true probability.
USUAL_CONFIDENCE = 0.95


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """How far the training rows leave a network's parameters open.

    Attributes
    ----------
    positions : in pi of the parameters that were learned, rising, (uncertain,); soft-max minds
        nothing that all classes have in common, so that those of the first class count as known
    root : R with R R' the covariance of these parameters, (uncertain, directions), 0 above its
        diagonal
    """

    positions: NDArray[np.intp]
    root: Array

    def intervals(
        self, network: Parameters, X: Array, confidence: float = USUAL_CONFIDENCE
    ) -> Array:
        """Between which probabilities each class of each sample is, (samples, classes, 2).

        Of the log-odds g = log p_c / (1 - p_c), by the delta method: g -+ q |R' dg/dpi|, with q the
        normal quantile; then as probabilities, so that both ends are between 0 and 1.
        """
        free = np.zeros(network.shape.size)
        free[self.positions] = 1
        used = network.selection.used
        flags = Parameters.from_vector(free, network.shape).only_features(used).to_vector() > 0
        network, columns = network.only_features(used), columns_of(used)
        blocks = free_blocks(network.shape, flags)
        rules, features, classes = network.shape
        length = length_of_blocks(classes * max(network.shape.size, rules * (features + classes)))
        quantile = NormalDist().inv_cdf((1 + confidence) / 2)
        found = np.empty((len(X), classes, 2))
        for start in range(0, len(X), length):
            part = slice(start, start + length)
            activations = forward(network, X[part][:, columns])
            log_odds, changes = log_odds_of(activations.logits)
            rows = jacobian_rows(network, activations, changes, blocks)
            errors = np.sqrt(np.square(rows @ self.root).sum(axis=2))
            found[part] = log_odds[:, :, None] + quantile * errors[:, :, None] * [-1.0, 1.0]
        return np.asarray(np.exp(-np.logaddexp(0.0, -found)))


def log_odds_of(logits: Array) -> tuple[Array, Array]:
    """g_c = z_c - log sum_{g != c} exp z_g, (samples, classes), and dg/dz, with one more axis.

    dg_c/dz_c = 1, and minus the others' shares of what is left beside c.
    """
    own = np.eye(logits.shape[1])
    others = np.where(own > 0, -np.inf, logits[:, None, :])
    highest = others.max(axis=2)
    left = highest + np.log(np.exp(others - highest[:, :, None]).sum(axis=2))
    return logits - left, own - softmax(others)
