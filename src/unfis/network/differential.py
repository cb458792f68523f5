"""Products with dZ at one point, forward and transposed, and blocks of the curvature's diagonal.

dZ v costs as much as the outputs do and r' dZ as their gradient: both are linear in the rules and
in the classes, where rows of dZ are quadratic in the classes (tests/network/test_differential.py).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.network.forward import Activations
from unfis.network.output_map import contrast_weights
from unfis.network.parameters import Parameters, Shape
from unfis.network.set_map import set_map

# Products of all pairs of so many inputs cost as much as twenty products with dZ: of more inputs
# the blocks of the curvature are those of every second, third, ... sample.
MANY_INPUTS = 120


class Differential:
    """dZ of some samples, for many products with it.

    With v the changes of the free parameters, d log f by the sets, dy^i = (dalpha - dtheta)' (1, vs
    x) + alpha vs (1 - vs) ds x by the consequents, and dz of both by the combination. A threshold
    is every rule's bias, since sum_i phi_i = 1.
    """

    def __init__(
        self, parameters: Parameters, activations: Activations, free: Mask, basis: Array
    ) -> None:
        self._parameters, self._activations = parameters, activations
        self._free, self._basis = free, basis
        self._sets = set_map(parameters, activations, set_names(parameters.shape, free))
        self._outputs = activations.combination.output_map(activations)
        inputs = activations.inputs.T
        self._regressors = np.concatenate([np.ones((1, inputs.shape[1])), inputs])
        condition, self._degrees = activations.selection
        self._bends = parameters.consequents[:, :, 1:] * (condition * (1 - condition))[:, None]

    def tangents(self, vector: Array) -> Array:
        """dZ v for v of shape (parameters,): (samples, classes)."""
        shape, combination = self._parameters.shape, self._activations.combination
        full = np.zeros(shape.size)
        full[self._free] = vector
        changes = Parameters.from_vector(full, shape)
        coefficients = changes.consequents.copy()
        coefficients[:, :, 0] -= changes.thresholds
        coefficients[:, :, 1:] *= self._degrees[:, None]
        coefficients[:, :, 1:] += self._bends * changes.logits[:, None]
        if self._outputs.basis is not None:
            coefficients = self._outputs.basis.T @ coefficients
        rules, outputs, columns = coefficients.shape
        moved = coefficients.reshape(rules * outputs, columns) @ self._regressors
        moved = moved.reshape(rules, outputs, -1)
        found = self._outputs.forward(self._sets.forward(changes), moved)
        return combination.of_classes(found.T, self._basis)

    def sums(self, residuals: Array) -> Array:
        """r' dZ summed over the samples, for r of shape (samples, classes): (parameters,)."""
        combination = self._activations.combination
        own = combination.weights(residuals[:, None, :], self._basis)[:, 0].T
        firing, weighted = self._outputs.backward(np.ascontiguousarray(own))
        rules, outputs, samples = weighted.shape
        moved = weighted.reshape(rules * outputs, samples) @ self._regressors.T
        coefficients = moved.reshape(rules, outputs, -1)
        if self._outputs.basis is not None:
            coefficients = self._outputs.basis @ coefficients
        shape = self._parameters.shape
        found = Parameters.from_vector(np.zeros(shape.size), shape)
        found.thresholds[:] = -coefficients[:, :, 0].sum(axis=0)
        found.consequents[:] = coefficients
        found.consequents[:, :, 1:] *= self._degrees[:, None]
        if names := self._sets.names:  # a single rule has none
            sets = self._sets.backward(firing).reshape(rules, len(names), shape.features)
            for number, name in enumerate(names):
                getattr(found, name)[:] = sets[:, number]
        found.logits[:] += (self._bends * coefficients[:, :, 1:]).sum(axis=1)
        return found.to_vector()[self._free]

    def blocks(self, diagonal: Array, rank_one: Array) -> list[Array]:
        """The blocks of dZ' S dZ that `block_positions` names, S = diag(d) - a a'.

        For d and a of shape (samples, classes). What logits do by the consequents is on their
        diagonal alone, and what thresholds do is as if all rules said the same.
        """
        step = -(-self._parameters.shape.features // MANY_INPUTS)
        seen = slice(None, None, step)
        curvature = step * diagonal.T, np.sqrt(step) * rank_one.T, self._basis
        by_output = self._outputs.output_weights(*curvature)[:, :, seen]
        rules, contrasts, samples = by_output.shape
        regressors = np.ascontiguousarray(self._regressors[:, seen])
        consequents = pair_sums(by_output.reshape(rules * contrasts, samples), regressors)
        consequents = consequents.reshape(rules, contrasts, *consequents.shape[1:])
        found = []
        if self._sets.names:
            sets = self._set_blocks(self._outputs.firing_weights(*curvature), seen)
            if self._sets.names[-1] == "logits":
                own = np.diagonal(consequents, axis1=2, axis2=3)[:, :, 1:]
                of_logits = (np.square(self._bends) * own).sum(axis=1)
                first = sets.shape[1] - of_logits.shape[1]
                places = np.arange(first, sets.shape[1])
                sets[:, places, places] += of_logits
            found.append(sets)
        degrees = np.concatenate([np.ones((rules, 1)), self._degrees], axis=1)
        thresholds = contrast_weights(*curvature)[:, seen].sum(axis=1)[:, None, None]
        consequents *= (degrees[:, :, None] * degrees[:, None, :])[:, None]
        found.append(consequents.reshape(rules * contrasts, *consequents.shape[2:]))
        return [*found, thresholds]

    def _set_blocks(self, weights: Array, seen: slice) -> Array:
        """sum_k (g' S g)_k l_k l_k' with l = d log f_i, shape (rules, parameters, parameters)."""
        found = []
        for rule, own in enumerate(weights):
            derivatives = self._sets.of_rule(rule)[:, seen]
            found.append((derivatives * own[seen]) @ derivatives.T)
        return np.stack(found)


def pair_sums(weights: Array, regressors: Array) -> Array:
    """sum_k w_k x_k x_k' for w of shape (many, samples), x (columns, samples): both triangles."""
    columns = len(regressors)
    found = np.empty((len(weights), columns, columns))
    for j, regressor in enumerate(regressors):
        found[:, j, j:] = weights @ (regressor * regressors[j:]).T
        found[:, j:, j] = found[:, j, j:]
    return found


def set_names(shape: Shape, free: Mask) -> list[str]:
    """Which of the sets' blocks of parameters have any free."""
    flags = Parameters.from_vector(free.astype(float), shape)
    return [name for name in ("centres", "widths", "logits") if getattr(flags, name).any()]


def block_positions(shape: Shape, free: Mask) -> list[NDArray[np.intp]]:
    """Where each block's parameters are in the vector: (blocks, size), -1 for what is not free.

    Sets and logits by rules, consequents by rules and classes, thresholds one by one.
    """
    numbers = np.where(free, np.cumsum(free) - 1, -1).astype(float)
    places = Parameters.from_vector(numbers, shape)
    sets = [getattr(places, name) for name in set_names(shape, free)]
    found = [np.concatenate(sets, axis=1)] if sets else []
    rules, features, classes = shape
    found.append(places.consequents.reshape(rules * classes, 1 + features))
    found.append(places.thresholds[:, None])
    return [positions.astype(np.intp) for positions in found]
