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

    Attributes
    ----------
    fixed : Parameters, whose values hold wherever a parameter is not free
    free : Mask of shape (parameters,), in the order of pi
    """

    def __init__(self, fixed: Parameters, free: Mask) -> None:
        self.fixed = fixed
        self.free = free
        self._vector = fixed.to_vector()

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
        return network_logits(self.parameters(vector), X)

    def linearise(self, vector: Array, X: Array) -> tuple[Array, Callable[[Array], Array]]:
        """The logits on X and the map from weights B to the rows B dZ."""
        parameters = self.parameters(vector)
        activations = forward(parameters, X)

        def rows(weights: Array) -> Array:
            return jacobian_rows(parameters, activations, weights, self.free)

        return activations.logits, rows

    def block_length(self, rows_per_sample: int) -> int:
        """How many samples fill one block of rows."""
        return max(1, BLOCK_ELEMENTS // (rows_per_sample * self.fixed.shape.size))


def network_logits(parameters: Parameters, X: Array) -> Array:
    """z for each row of X in blocks, so that memory does not grow with samples x rules x inputs."""
    rules, features, classes = parameters.shape
    length = max(1, BLOCK_ELEMENTS // (rules * (features + classes)))
    if len(X) <= length:
        return forward(parameters, X).logits
    blocks = [forward(parameters, X[i : i + length]).logits for i in range(0, len(X), length)]
    return np.concatenate(blocks)


def select_all(parameters: Parameters) -> Parameters:
    """The same network without the selection layer: every input in every rule (the paper's FNN)."""
    return replace(parameters, logits=np.full_like(parameters.logits, np.inf))
