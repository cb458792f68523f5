"""Curvature sums of many classes, without a row for every sample, class and parameter.

A consequent's derivative, dz_c / dalpha_cj^i = u_ij, is the same for every class c and 0 for the
others. So the curvature of classes c and g is sum_k T_cg u u' with T = B' B, and a sample costs C^2
products with u' u in place of C^3 (tests/network/test_curvature.py holds it to the rows).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.network.forward import Activations
from unfis.network.jacobian import consequent_inputs, jacobian_rows
from unfis.network.parameters import Parameters, free_blocks

# From so many classes (or contrasts) on this is faster than the products of rows.
MANY_CLASSES = 4


class ClassCurvature:
    """Sums over samples of (B dZ)' (B dZ), parameters in the order of their classes.

    First those of the antecedents, then class by class its consequents and its threshold.
    """

    def __init__(self, parameters: Parameters, free: Mask) -> None:
        """`free` is the same for all classes."""
        self._shape = parameters.shape
        flags = Parameters.from_vector(free.astype(float), parameters.shape)
        self._said = flags.consequents[:, 0] > 0  # (rules, 1 + features)
        head = free.copy()
        head[-(flags.consequents.size + flags.thresholds.size) :] = False
        self._head = free_blocks(parameters.shape, head)
        self._antecedents = int(head.sum())
        self._width = int(self._said.sum()) + 1  # of a class
        self._rules, self._classes, self._columns = np.nonzero(flags.consequents)

    @property
    def size(self) -> int:
        """How many parameters are free."""
        return self._antecedents + self._shape.classes * self._width

    def sums(self, parameters: Parameters, activations: Activations, weights: Array) -> Array:
        """The sums for weights B of shape (samples, rows, classes); (parameters, parameters)."""
        samples, _, classes = weights.shape
        by_sample = np.ascontiguousarray(weights)
        curvature = by_sample.transpose(0, 2, 1) @ by_sample
        identity = np.broadcast_to(np.eye(classes), (samples, classes, classes))
        rows = jacobian_rows(parameters, activations, identity, self._head)
        antecedents = np.ascontiguousarray(rows)
        bent = curvature @ antecedents
        inputs = self._inputs(activations)
        found, first = np.zeros((self.size, self.size)), self._antecedents
        flat = (samples * classes, first)
        found[:first, :first] = antecedents.reshape(flat).T @ bent.reshape(flat)
        cross = inputs @ bent.reshape(samples, classes * first)
        cross = cross.reshape(self._width, classes, first).transpose(1, 0, 2)
        found[first:, :first] = cross.reshape(classes * self._width, first)
        found[:first, first:] = found[first:, :first].T
        self._fill_classes(found[first:, first:], inputs, curvature)
        return found

    def _inputs(self, activations: Activations) -> Array:
        """What a class's consequents and its threshold multiply, shape (width, samples)."""
        said = consequent_inputs(activations).transpose(1, 2, 0)[self._said]
        return np.concatenate([said, np.full((1, said.shape[1]), -1.0)])

    def _fill_classes(self, found: Array, inputs: Array, curvature: Array) -> None:
        """The blocks of all pairs of classes, of which those with g <= c are products."""
        by_class = np.ascontiguousarray(curvature.transpose(1, 2, 0))
        for c in range(len(by_class)):  # one product for all pairs of a class
            scaled = by_class[c, : c + 1, None, :] * inputs
            block = scaled.reshape((c + 1) * self._width, -1) @ inputs.T
            own = slice(c * self._width, (c + 1) * self._width)
            found[: own.stop, own] = block
            found[own, : own.start] = block[: own.start].T

    def in_order(self, found: Array) -> Array:
        """Sums with the parameters in the order of pi."""
        numbers = np.cumsum(self._said.ravel()).reshape(self._said.shape) - 1
        starts = self._antecedents + self._width * np.arange(self._shape.classes)
        order: NDArray[np.intp] = np.concatenate(
            [
                np.arange(self._antecedents),
                starts[self._classes] + numbers[self._rules, self._columns],
                starts + self._width - 1,
            ]
        )
        return found[np.ix_(order, order)]
