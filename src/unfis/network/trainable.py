"""The network as a learner sees it: a vector of free parameters, logits, rows of derivatives."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from unfis.arrays import Array, Mask
from unfis.network.forward import (
    Activations,
    PreparedSamples,
    columns_of,
    length_of_blocks,
    logits_in_blocks,
    middle_for,
    prepared,
    run_layers,
)
from unfis.network.jacobian import gradient_sums, jacobian_rows
from unfis.network.parameters import FreeBlock, Parameters, free_blocks


@dataclass(frozen=True, eq=False)
class LinearisedNetwork:
    """A network near one point, for some samples; its outputs are contrasts."""

    parameters: Parameters
    activations: Activations
    free: Mask  # (parameters,)
    blocks: list[FreeBlock]
    basis: Array
    outputs: Array

    def rows(self, weights: Array) -> Array:
        """B dZ over the free parameters, for B of shape (samples, rows, classes)."""
        weights = self.of_contrasts(weights)
        return jacobian_rows(self.parameters, self.activations, weights, self.blocks)

    def sums(self, residuals: Array) -> Array:
        """r' dZ summed over the samples, for r of shape (samples, classes)."""
        weights = self.of_contrasts(residuals[:, None, :])[:, 0]
        return gradient_sums(self.parameters, self.activations, weights, self.free)

    def of_contrasts(self, weights: Array) -> Array:
        """Weights of the network's own outputs, given those of the classes."""
        return np.asarray((self.basis @ weights.transpose(1, 2, 0)).transpose(2, 0, 1))


class Trainable:
    """A network whose free parameters form a vector, the others keep their values.

    What an objective does not mind is not learned, and stays as it started, as what consequents and
    thresholds say of all classes alike, since the prior minds no direction. The vector has their
    contrasts, C - 1 in place of C, which are the outputs of a network of C - 1 classes
    (tests/network/test_trainable.py). Features that are out of every rule cost nothing: it computes
    without them.

    Attributes
    ----------
    fixed : Parameters, whose values hold wherever a parameter is not free
    """

    def __init__(self, fixed: Parameters, free: Parameters, contrasts: Array) -> None:
        """`free` has 1 for what is free, nothing of an unused feature.

        `contrasts` is a basis of what is learned of the outputs, shape (contrasts, classes); unless
        it is the identity, what is free is the same for all classes.
        """
        self.fixed = fixed
        self._used = fixed.selection.used
        self._columns = columns_of(self._used)
        self._basis = contrasts
        self._contrasts = contrasted(self._of_used(fixed), self._basis)
        self._shape = self._contrasts.shape
        self._vector = self._contrasts.to_vector()
        self._free = self._flat(free) > 0
        self._blocks = free_blocks(self._shape, self._free)
        # Where no selection is learned it is known already, and with it the use of powers.
        selection = self._contrasts.selection.degrees
        learned = any(block.name == "logits" for block in self._blocks)
        self._selection = None if learned else selection
        self._middle = None if learned else middle_for(self._contrasts, selection)

    @property
    def start(self) -> Array:
        """The free parameters of the network as it was given."""
        return self._vector[self._free]

    def vector_of(self, parameters: Parameters) -> Array:
        """The vector of other parameters of this network."""
        used = self._of_used(parameters)
        return contrasted(used, self._basis).to_vector()[self._free]

    def values_of(self, values: Parameters) -> Array:
        """What is known of each parameter, the same for all classes, in the order of the vector."""
        return self._flat(values)[self._free]

    def parameters(self, vector: Array) -> Parameters:
        """The whole network's parameters for a vector of free ones."""
        now, before = self._at(vector), self._contrasts
        found = self.fixed.with_vector(self.fixed.to_vector())
        for name in ("centres", "widths", "logits"):
            getattr(found, name)[:, self._used] = getattr(now, name)
        consequents, thresholds = (
            self._basis.T @ (getattr(now, name) - getattr(before, name))
            for name in ("consequents", "thresholds")
        )
        found.consequents[:, :, np.append(True, self._used)] += consequents
        found.thresholds[:] += thresholds
        return found

    def outputs(self, vector: Array, X: Array) -> Array:
        """z for each row of X, shape (samples, classes)."""
        outputs = logits_in_blocks(self._at(vector), X, self._columns)
        return np.asarray((self._basis.T @ outputs.T).T)

    def prepared(self, X: Array) -> PreparedSamples:
        """Samples as `linearise` takes them, which may be done once for all vectors."""
        return prepared(X[:, self._columns], self._middle)

    def linearise(self, vector: Array, samples: PreparedSamples) -> LinearisedNetwork:
        """The network around a vector: logits of prepared samples and their derivatives."""
        parameters = self._at(vector)
        selection = self._selection
        if selection is None:
            selection = parameters.selection.degrees
        activations = run_layers(parameters, selection, samples)
        outputs = np.asarray((self._basis.T @ activations.logits.T).T)
        own = (self._free, self._blocks, self._basis, outputs)
        return LinearisedNetwork(parameters, activations, *own)

    def _at(self, vector: Array) -> Parameters:
        """The contrasts for a vector, without the unused features."""
        full = self._vector.copy()
        full[self._free] = vector
        return self._contrasts.with_vector(full)

    def _flat(self, values: Parameters) -> Array:
        """Values that are the same for all classes, for each parameter of the contrasts."""
        used, count = self._of_used(values), len(self._basis)
        consequents, thresholds = used.consequents[:, :count], used.thresholds[:count]
        return replace(used, consequents=consequents, thresholds=thresholds).to_vector()

    def _of_used(self, parameters: Parameters) -> Parameters:
        """Parameters without those of the unused features."""
        all_used = isinstance(self._columns, slice)
        return parameters if all_used else parameters.only_features(self._used)

    def block_length(self, rows_per_sample: int) -> int:
        """How many samples fill one block, of rows or of activations if there are no rows."""
        rules, features, classes = self._shape
        widest = rules * (features + classes)
        if rows_per_sample:
            widest = rows_per_sample * self._shape.size
        return length_of_blocks(widest, soft=self._selection is None and not rows_per_sample)


def contrasted(parameters: Parameters, basis: Array) -> Parameters:
    """A network of one class for each row of a basis, shape (rows, classes)."""
    return replace(
        parameters,
        consequents=basis @ parameters.consequents,
        thresholds=basis @ parameters.thresholds,
    )


def select_all(parameters: Parameters) -> Parameters:
    """The same network without the selection layer: every input in every rule (the paper's FNN).

    Only what is out for good stays out.
    """
    return parameters.with_selection(parameters.selection.all_in())
