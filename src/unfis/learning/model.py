"""What learners ask of a model: its outputs and derivatives near a vector of parameters."""

from __future__ import annotations

from typing import Any, Protocol

from unfis.arrays import Array


class LinearisedModel(Protocol):
    """A model near one vector, for some samples."""

    @property
    def outputs(self) -> Array:
        """z, shape (samples, outputs)."""

    def rows(self, weights: Array) -> Array:
        """B dZ for weights B, (samples, rows, outputs): shape (samples, rows, parameters)."""

    def sums(self, residuals: Array) -> Array:
        """r' dZ summed over the samples, for r of shape (samples, outputs)."""


class TrainableModel(Protocol):
    """Anything with outputs, derivatives and a vector of parameters can be learned."""

    def outputs(self, vector: Array, X: Array) -> Array:
        """z, shape (samples, outputs)."""

    def prepared(self, X: Array) -> Any:
        """Samples as `linearise` takes them, which may be done once for all vectors."""

    def linearise(self, vector: Array, samples: Any) -> LinearisedModel:
        """The model near a vector."""

    def block_length(self, rows_per_sample: int) -> int:
        """How many samples to linearise at once."""
