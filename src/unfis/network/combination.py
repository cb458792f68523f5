"""How rules are put together to outputs: all that the layers and derivatives need to know of it.

The paper's is here. Another one, such as the average of the rules' own probabilities, is a class
with the same methods, and `run_layers` chooses. `ClassCurvature` takes it that what a rule says of
a class moves no other class's output: where that is not so, a network does without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, log_softmax
from unfis.network.layers import output_layer

if TYPE_CHECKING:
    from unfis.network.forward import Activations

# Beyond it an exponential is infinite.
LARGEST_EXPONENT = 700.0


class MixedOpinions:
    """z_c = sum_i phi_i y_c^i - theta_c: rules mix what they say, and soft-max comes after it."""

    def outputs(self, strengths: Array, rule_outputs: Array, thresholds: Array) -> Array:
        """z, shape (samples, classes)."""
        return output_layer(strengths, rule_outputs, thresholds)

    def firing_rows(self, activations: Activations, weights: Array | None) -> Array:
        """B dz/d log f with dz_c / d log f_i = phi_i (y_c^i - sum_r phi_r y_c^r).

        Shape (samples, rows, rules); for no B, of the identity.
        """
        outputs, strengths = activations.rule_outputs, activations.strengths[:, None, :]
        if weights is None:
            rows = outputs.transpose(0, 2, 1)
            return np.asarray(strengths * (rows - (strengths * rows).sum(axis=2, keepdims=True)))
        rows = np.empty((outputs.shape[1], weights.shape[1], len(weights))).transpose(2, 1, 0)
        np.multiply(weights[:, :, None, 0], outputs[:, None, :, 0], out=rows)
        for c in range(1, weights.shape[2]):  # sums of a few, each over samples side by side
            rows += weights[:, :, None, c] * outputs[:, None, :, c]
        rows -= (strengths * rows).sum(axis=2, keepdims=True)
        rows *= strengths
        return rows

    def rule_rows(self, weights: Array) -> Array:
        """B dz/dy^i, but for the factor phi_i: B itself, (samples, rows, 1 or rules, classes)."""
        return weights[:, :, None, :]

    def threshold_rows(self, weights: Array) -> Array:
        """B dz/dtheta = -B, shape (samples, rows, classes)."""
        return np.negative(weights)

    def changes(
        self,
        activations: Activations,
        thresholds: Array,
        rules: NDArray[np.intp],
        eases: Array,
        lost: Array,
    ) -> Array:
        """How z changes when a rule's log f rises by e and its y loses something.

        It fires with phi' = phi e^e / t of all, and the others with 1 / t of what they did,
        t = 1 - phi + phi e^e: d = (1 - 1 / t) (y - sum_r phi_r y^r) - phi' (what is lost). One
        change for each of `rules`, for e of shape (changes, samples) and what is lost of shape
        (changes, classes, samples). Shape (changes, samples, classes), samples side by side.
        """
        raised = log_softmax(activations.log_firing).T[rules] + eases
        raised = np.exp(np.minimum(raised, LARGEST_EXPONENT))
        total = 1 - activations.strengths.T[rules] + raised
        outputs = activations.rule_outputs.transpose(1, 2, 0)[rules]
        outputs -= (activations.logits + thresholds).T
        outputs *= (1 - 1 / total)[:, None, :]
        outputs -= (raised / total)[:, None, :] * lost
        return outputs.transpose(0, 2, 1)


MIXED_OPINIONS = MixedOpinions()
