"""What learners ask of a model: its outputs and derivatives near a vector of parameters."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array


class LinearMap(Protocol):
    """dZ of some samples, for many products with it."""

    def tangents(self, vector: Array) -> Array:
        """dZ v, shape (samples, outputs)."""

    def sums(self, residuals: Array) -> Array:
        """r' dZ summed over the samples, for r of shape (samples, outputs): (parameters,)."""

    def blocks(self, diagonal: Array, rank_one: Array) -> list[Array]:
        """Blocks of dZ' S dZ for S = diag(d) - a a', shapes (blocks, size, size)."""


class LinearisedModel(Protocol):
    """A model near one vector, for some samples."""

    @property
    def outputs(self) -> Array:
        """z, shape (samples, outputs)."""

    def rows(self, weights: Array) -> Array:
        """B dZ for weights B, (samples, rows, outputs): shape (samples, rows, parameters)."""

    def sums(self, residuals: Array) -> Array:
        """r' dZ summed over the samples, for r of shape (samples, outputs)."""

    @property
    def differential(self) -> LinearMap:
        """dZ for many products; only for models whose `product_work` is known."""


class TrainableModel(Protocol):
    """Anything with outputs, derivatives and a vector of parameters can be learned."""

    @property
    def product_work(self) -> int:
        """Numbers that a product with dZ reads and makes for one sample."""

    def block_positions(self) -> list[NDArray[np.intp]]:
        """Where the parameters of the differential's blocks are, -1 for none: (blocks, size)."""

    def outputs(self, vector: Array, X: Array) -> Array:
        """z, shape (samples, outputs)."""

    def prepared(self, X: Array) -> Any:
        """Samples as `linearise` takes them, which may be done once for all vectors."""

    def linearise(self, vector: Array, samples: Any) -> LinearisedModel:
        """The model near a vector."""

    def block_length(self, rows_per_sample: int) -> int:
        """How many samples to linearise at once."""
