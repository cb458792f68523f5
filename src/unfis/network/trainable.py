"""The network as a learner sees it: a vector of free parameters, logits, rows of derivatives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from unfis.arrays import Array, Mask
from unfis.network.jacobian import jacobian_rows
from unfis.network.layers import forward
from unfis.network.parameters import Parameters

# Elements of the largest temporary array of one block of samples: about 8 MB, a cache's size.
BLOCK_ELEMENTS = 1 << 20


class Trainable:
    """A network whose free parameters form a vector, the others keep their values.

    Features that are out of every rule cost nothing: it computes without them.

    Attributes
    ----------
    fixed : Parameters, whose values hold wherever a parameter is not free
    free : Mask of shape (parameters,), in the order of pi; nothing of an unused feature is free
    """

    def __init__(self, fixed: Parameters, free: Mask) -> None:
        self.fixed = fixed
        self.free = free
        self._vector = fixed.to_vector()
        self._used = fixed.used
        flags = Parameters.from_vector(free.astype(float), fixed.shape)
        self._free_in_use = flags.only_features(self._used).to_vector().astype(bool)
        self._in_use = fixed.only_features(self._used)
        self._vector_in_use = self._in_use.to_vector()

    @property
    def start(self) -> Array:
        """The free parameters of the network as it was given."""
        return self._vector[self.free]

    def parameters(self, vector: Array) -> Parameters:
        """The whole network's parameters for a vector of free ones."""
        full = self._vector.copy()
        full[self.free] = vector
        return Parameters.from_vector(full, self.fixed.shape)

    def logits(self, vector: Array, X: Array) -> Array:
        """z for each row of X, shape (samples, classes)."""
        return network_logits(self._parameters_in_use(vector), X[:, self._used])

    def linearise(self, vector: Array, X: Array) -> tuple[Array, Callable[[Array], Array]]:
        """The logits on X and the map from weights B to the rows B dZ."""
        parameters = self._parameters_in_use(vector)
        activations = forward(parameters, X[:, self._used])

        def rows(weights: Array) -> Array:
            return jacobian_rows(parameters, activations, weights, self._free_in_use)

        return activations.logits, rows

    def _parameters_in_use(self, vector: Array) -> Parameters:
        """As `parameters`, without the unused features."""
        full = self._vector_in_use.copy()
        full[self._free_in_use] = vector
        return Parameters.from_vector(full, self._in_use.shape)

    def block_length(self, rows_per_sample: int) -> int:
        """How many samples fill one block of rows."""
        return max(1, BLOCK_ELEMENTS // (rows_per_sample * self._in_use.shape.size))


def network_logits(parameters: Parameters, X: Array) -> Array:
    """z for each row of X in blocks, so that memory does not grow with samples x rules x inputs."""
    used = parameters.used
    if not used.all():
        return network_logits(parameters.only_features(used), X[:, used])
    rules, features, classes = parameters.shape
    length = max(1, BLOCK_ELEMENTS // (rules * (features + classes)))
    if len(X) <= length:
        return forward(parameters, X).logits
    blocks = [forward(parameters, X[i : i + length]).logits for i in range(0, len(X), length)]
    return np.concatenate(blocks)


def select_all(parameters: Parameters) -> Parameters:
    """The same network without the selection layer: every input in every rule (the paper's FNN).

    Only what is out for good stays out.
    """
    logits = np.where(np.isneginf(parameters.logits), -np.inf, np.inf)
    return replace(parameters, logits=logits)
