"""Curvature sums of many classes, without a row for every sample, class and parameter.

A consequent's derivative, dz_c / dalpha_cj^i = u_ij, is the same for every class c and 0 for the
others. So the curvature of classes c and g is sum_k T_cg u u' with T = B' B, and a sample costs C^2
products with u' u in place of C^3; and so it is with dZ H^-1 dZ', of which c and g have
u' H^-1_cg u (tests/network/test_curvature.py holds both to the rows).
"""

from __future__ import annotations

import numpy as np

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
        self._free_regressors = flags.consequents[:, 0] > 0  # (rules, 1 + features)
        head = free.copy()
        head[-(flags.consequents.size + flags.thresholds.size) :] = False
        self._head = free_blocks(parameters.shape, head)
        self._antecedents = int(head.sum())
        self._width = int(self._free_regressors.sum()) + 1  # of a class
        # Where each parameter of pi is by classes.
        numbers = np.cumsum(self._free_regressors).reshape(self._free_regressors.shape) - 1
        starts = self._antecedents + self._width * np.arange(parameters.shape.classes)
        rules, classes, columns = np.nonzero(flags.consequents)
        consequents = starts[classes] + numbers[rules, columns]
        head_order = np.arange(self._antecedents)
        self._order = np.concatenate([head_order, consequents, starts + self._width - 1])

    @property
    def widest(self) -> int:
        """Elements of the largest temporary array, for one sample."""
        return self._shape.classes * max(self._antecedents, self._width, self._shape.classes)

    @property
    def size(self) -> int:
        """How many parameters are free."""
        return self._antecedents + self._shape.classes * self._width

    def add_sums(
        self, found: Array, parameters: Parameters, activations: Activations, weights: Array
    ) -> None:
        """Add those for B, (samples, rows, classes), of pairs of classes c, g with g <= c."""
        samples, _, classes = weights.shape
        by_sample = np.ascontiguousarray(weights)
        curvature = by_sample.transpose(0, 2, 1) @ by_sample
        antecedents = self._antecedent_rows(parameters, activations)
        bent = curvature @ antecedents
        inputs = self._inputs(activations)
        first = self._antecedents
        flat = (samples * classes, first)
        found[:first, :first] += antecedents.reshape(flat).T @ bent.reshape(flat)
        cross = inputs @ bent.reshape(samples, classes * first)
        cross = cross.reshape(self._width, classes, first).transpose(1, 0, 2)
        found[first:, :first] += cross.reshape(classes * self._width, first)
        by_class = np.ascontiguousarray(curvature.transpose(1, 2, 0))
        for c in range(classes):  # one product for all pairs of a class
            scaled = by_class[c, : c + 1, None, :] * inputs
            width = (c + 1) * self._width
            own = slice(first + c * self._width, first + width)
            found[own, first : first + width] += inputs @ scaled.reshape(width, -1).T

    def influences(self, parameters: Parameters, activations: Activations, inverse: Array) -> Array:
        """dZ H^-1 dZ' of each sample, (samples, classes, classes), for H^-1 in the order of pi."""
        first, width, classes = self._antecedents, self._width, self._shape.classes
        by_class = np.empty_like(inverse)
        by_class[np.ix_(self._order, self._order)] = inverse
        antecedents = self._antecedent_rows(parameters, activations)
        inputs = self._inputs(activations)
        cross = by_class[:first, first:].reshape(first * classes, width) @ inputs
        cross = cross.reshape(first, classes, inputs.shape[1]).transpose(2, 0, 1)
        # Half of what antecedents have alone, and all they share with consequents: then K + K'.
        found = antecedents @ (
            0.5 * by_class[:first, :first] @ antecedents.transpose(0, 2, 1) + cross
        )
        found += found.transpose(0, 2, 1)
        for c in range(classes):  # one product for all pairs of a class
            own = by_class[first + c * width : first + (c + 1) * width, first:]
            turned = (own[:, : (c + 1) * width].T @ inputs).reshape(c + 1, width, -1)
            shared = (turned * inputs).sum(axis=1).T
            found[:, c, : c + 1] += shared
            found[:, :c, c] += shared[:, :c]
        return found

    def _antecedent_rows(self, parameters: Parameters, activations: Activations) -> Array:
        """dZ of the antecedents' parameters, shape (samples, classes, antecedents)."""
        return np.ascontiguousarray(jacobian_rows(parameters, activations, None, self._head))

    def _inputs(self, activations: Activations) -> Array:
        """What a class's consequents and its threshold multiply, shape (width, samples)."""
        regressors = consequent_inputs(activations).transpose(1, 2, 0)[self._free_regressors]
        return np.concatenate([regressors, np.full((1, regressors.shape[1]), -1.0)])

    def in_order(self, found: Array) -> Array:
        """Sums with the parameters in the order of pi, both triangles."""
        lower = np.tril(found)
        whole = lower + np.tril(found, -1).T
        return np.asarray(whole[np.ix_(self._order, self._order)])
