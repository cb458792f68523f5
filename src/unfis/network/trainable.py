"""The network as a learner sees it: a vector of free parameters, logits, rows of derivatives."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from unfis.arrays import Array, Mask
from unfis.network.forward import Activations, forward
from unfis.network.gradient import gradient_sums
from unfis.network.jacobian import jacobian_rows
from unfis.network.parameters import Parameters
from unfis.threads import in_parts


class Rows(Protocol):
    """A matrix by its rows: an array, or what makes one of the rows that are asked for."""

    def __len__(self) -> int: ...

    def __getitem__(self, rows: Any) -> Array:
        """Some of the rows, shape (rows, columns)."""


# Elements of the largest temporary array of one block of samples: about 8 MB, a cache's size.
BLOCK_ELEMENTS = 1 << 20
# Fewer samples than this side by side make short loops of every operation.
FEWEST_SAMPLES = 64


class LinearNetwork(NamedTuple):
    """A network near one point, for some samples."""

    parameters: Parameters
    activations: Activations
    free: Mask

    @property
    def logits(self) -> Array:
        """z, shape (samples, classes)."""
        return self.activations.logits

    def rows(self, weights: Array) -> Array:
        """B dZ over the free parameters, for B of shape (samples, rows, classes)."""
        return jacobian_rows(self.parameters, self.activations, weights, self.free)

    def sums(self, residuals: Array) -> Array:
        """r' dZ summed over the samples, for r of shape (samples, classes)."""
        return gradient_sums(self.parameters, self.activations, residuals, self.free)


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
        used = fixed.used
        self._columns = columns_of(used)
        flags = Parameters.from_vector(free.astype(float), fixed.shape)
        self._free_in_use = flags.only_features(used).to_vector().astype(bool)
        self._in_use = fixed.only_features(used)
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
        return logits_in_blocks(self._parameters_in_use(vector), X, self._columns)

    def linearise(self, vector: Array, X: Array) -> LinearNetwork:
        """The network around a vector: logits on X and their derivatives."""
        parameters = self._parameters_in_use(vector)
        return LinearNetwork(
            parameters, forward(parameters, X[:, self._columns]), self._free_in_use
        )

    def _parameters_in_use(self, vector: Array) -> Parameters:
        """As `parameters`, without the unused features."""
        full = self._vector_in_use.copy()
        full[self._free_in_use] = vector
        return Parameters.from_vector(full, self._in_use.shape)

    def block_length(self, rows_per_sample: int) -> int:
        """How many samples fill one block, of rows or of activations if there are no rows."""
        rules, features, classes = self._in_use.shape
        widest = rows_per_sample * self._in_use.shape.size or rules * (features + classes)
        return max(FEWEST_SAMPLES, BLOCK_ELEMENTS // widest)


def columns_of(used: Mask) -> Mask | slice:
    """Where the used features are; all of them as a slice, which copies nothing."""
    return slice(None) if used.all() else used


def network_logits(parameters: Parameters, X: Rows) -> Array:
    """z for each row of X, shape (samples, classes)."""
    used = parameters.used
    parameters = parameters if used.all() else parameters.only_features(used)
    return logits_in_blocks(parameters, X, columns_of(used))


def logits_in_blocks(parameters: Parameters, X: Rows, columns: Mask | slice) -> Array:
    """z of a network whose features are some columns of X, shape (samples, classes).

    In blocks, so that memory does not grow with samples x rules x inputs.
    """
    rules, features, classes = parameters.shape
    length = max(FEWEST_SAMPLES, BLOCK_ELEMENTS // (rules * (features + classes)))
    logits = np.empty((len(X), classes))

    def fill(starts: range) -> None:
        for start in starts:
            block = X[start : start + length]
            logits[start : start + length] = forward(parameters, block[:, columns]).logits

    in_parts(range(0, len(X), length), fill)
    return logits


def select_all(parameters: Parameters) -> Parameters:
    """The same network without the selection layer: every input in every rule (the paper's FNN).

    Only what is out for good stays out.
    """
    logits = np.where(np.isneginf(parameters.logits), -np.inf, np.inf)
    return replace(parameters, logits=logits)
