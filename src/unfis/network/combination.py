"""How rules are put together to outputs: all that the layers and derivatives need to know of it.

The paper's is the soft-max of mixed outputs; the other is the average of the rules' own
probabilities, in which each rule is a classifier of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, log_softmax
from unfis.network.layers import log_rests, output_layer

if TYPE_CHECKING:
    from unfis.network.forward import Activations

# Beyond it an exponential is infinite.
LARGEST_EXPONENT = 700.0


class MixedOutputs:
    """z_c = sum_i phi_i y_c^i - theta_c: rules mix what they say, and soft-max comes after it."""

    name: ClassVar[str] = "mixed outputs"
    # Whether a rule without IF speaks where no other does.
    has_otherwise: ClassVar[bool] = False
    # Whether what a rule says of a class moves no other class's output.
    by_class: ClassVar[bool] = True

    def outputs(self, strengths: Array, rule_outputs: Array, thresholds: Array) -> Array:
        """z, shape (samples, classes)."""
        return output_layer(strengths, rule_outputs, thresholds)

    def logits(self, activations: Activations) -> Array:
        """z, shape (samples, classes)."""
        return self.outputs(activations.strengths, activations.rule_outputs, activations.thresholds)

    def width(self, classes: int) -> int:
        """How many outputs z has of rules with so many: as many."""
        return classes

    def contrasted(self, basis: Array) -> MixedOutputs:
        """Itself, for rules whose outputs are contrasts of a basis (contrasts, classes)."""
        return self

    def of_classes(self, outputs: Array, basis: Array) -> Array:
        """z of all classes, given that of a contrasted network, (samples, classes)."""
        return np.asarray((basis.T @ outputs.T).T)

    def weights(self, weights: Array, basis: Array) -> Array:
        """B of a contrasted network's z, given that of all classes: (samples, rows, outputs)."""
        return np.asarray((basis @ weights.transpose(1, 2, 0)).transpose(2, 0, 1))

    def firing_rows(self, activations: Activations, weights: Array | None) -> Array:
        """B dz/d log f, (samples, rows, rules): phi_i (y_c^i - sum_r phi_r y_c^r) for no B."""
        outputs, strengths = activations.rule_outputs, activations.strengths[:, None, :]
        if weights is None:
            rows = outputs.transpose(0, 2, 1)
            return np.asarray(strengths * (rows - (strengths * rows).sum(axis=2, keepdims=True)))
        rows = weighted_sums(weights, outputs)
        rows -= (strengths * rows).sum(axis=2, keepdims=True)
        rows *= strengths
        return rows

    def rule_rows(self, activations: Activations, weights: Array) -> Array:
        """B dz/dy^i, but for the factor phi_i: B itself, (samples, rows, 1 or rules, classes)."""
        return weights[:, :, None, :]

    def threshold_rows(self, activations: Activations, rule_rows: Array) -> Array:
        """B dz/dtheta = -B, given the rows of the rules' outputs: (samples, rows, classes)."""
        return np.negative(rule_rows[:, :, 0])

    def changes(
        self, activations: Activations, rules: NDArray[np.intp], log_firing: Array
    ) -> Array:
        """How z changes when one rule fires with another log f, -inf for a rule that is gone.

        For each of `rules`, given log f of shape (changes, samples): (changes, samples, outputs).
        phi' = phi f' / (f t) and 1 / t of the others', t = 1 - phi + phi f' / f.
        """
        strengths = activations.strengths.T[rules]
        raised = log_softmax(activations.log_firing).T[rules]
        raised = raised + (log_firing - activations.log_firing.T[rules])
        raised = np.exp(np.minimum(raised, LARGEST_EXPONENT))[:, :, None]
        outputs = activations.rule_outputs.transpose(1, 0, 2)[rules]
        mixed = activations.logits + activations.thresholds
        total = 1 - strengths[:, :, None] + raised
        rest = mixed - strengths[:, :, None] * outputs
        return np.asarray((rest + raised * outputs) / total - mixed)


@dataclass(frozen=True, eq=False)
class AveragedProbabilities:
    """z_c = log sum_i phi_i q_c^i with q^i = softmax(y^i - theta): the average of what rules say.

    Not in the paper. With r_c^i = phi_i q_c^i / p_c, the part that rule i has of what is said of c,

        dz_c / d log f_i = r_c^i - phi_i,    dz_c / dy_g^i = r_c^i ((c = g) - q_g^i),

    and where a rule speaks by f_o = prod (1 - f_i) if no other does, log f_i moves it by
    -f_i / (1 - f_i) (tests/network/test_combination.py).

    Attributes
    ----------
    basis : of the contrasts that the rules' outputs are, (contrasts, classes); None for classes
    """

    basis: Array | None = None

    name: ClassVar[str] = "averaged probabilities"
    has_otherwise: ClassVar[bool] = True
    by_class: ClassVar[bool] = False

    def outputs(self, strengths: Array, rule_outputs: Array, thresholds: Array) -> Array:
        """z = log p, shape (samples, classes)."""
        return self.averaged(strengths, self.log_said(rule_outputs, thresholds))

    def logits(self, activations: Activations) -> Array:
        """z = log p, shape (samples, classes)."""
        return self.averaged(activations.strengths, activations.said)

    def averaged(self, strengths: Array, said: Array) -> Array:
        """log p of what each rule says, log q of shape (samples, rules, classes)."""
        if said.shape[1] == 1:
            return said[:, 0]
        highest = said.max(axis=1, keepdims=True)
        averaged = (strengths[:, :, None] * np.exp(said - highest)).sum(axis=1)
        return np.asarray(np.log(np.maximum(averaged, np.finfo(float).tiny)) + highest[:, 0])

    def log_said(self, rule_outputs: Array, thresholds: Array) -> Array:
        """log q, what each rule says of each class by itself, (samples, rules, classes)."""
        outputs = np.asfortranarray(rule_outputs) - thresholds
        return log_softmax(outputs if self.basis is None else mapped(outputs, self.basis.T))

    def width(self, classes: int) -> int:
        """One for each class."""
        return classes if self.basis is None else self.basis.shape[1]

    def contrasted(self, basis: Array) -> AveragedProbabilities:
        """The same with a soft-max of each rule's contrasts; itself of classes."""
        return self if len(basis) == basis.shape[1] else AveragedProbabilities(basis)

    def of_classes(self, outputs: Array, basis: Array) -> Array:
        """z itself."""
        return outputs

    def weights(self, weights: Array, basis: Array) -> Array:
        """B itself."""
        return weights

    def firing_rows(self, activations: Activations, weights: Array | None) -> Array:
        """Of the rule itself, and of the one that speaks otherwise."""
        strengths, otherwise = activations.strengths, activations.otherwise
        rows = activations.ratios - 1  # (samples, rules, classes)
        rows = rows.transpose(0, 2, 1) if weights is None else weighted_sums(weights, rows)
        found = rows * strengths[:, None, :]
        if otherwise is not None:
            log_firing = activations.log_firing
            # phi_o f_i / (1 - f_i), in which 1 - f_i cancels.
            least = strengths[:, [otherwise]] * np.exp(log_firing - log_rests(log_firing))
            found -= least[:, None, :] * rows[:, :, [otherwise]]
            found[:, :, otherwise] = 0.0
        return found

    def rule_rows(self, activations: Activations, weights: Array) -> Array:
        """sum_c B_c (q_c / p_c) ((c = g) - q_g), in contrasts where the outputs are."""
        said = np.exp(activations.said)
        turned = weights[:, :, None, :] * activations.ratios[:, None, :, :]
        rows = turned - turned.sum(axis=3, keepdims=True) * said[:, None, :, :]
        return rows if self.basis is None else mapped(rows, self.basis)

    def threshold_rows(self, activations: Activations, rule_rows: Array) -> Array:
        """Minus what all rules' outputs do."""
        return np.asarray(-(activations.strengths[:, None, :, None] * rule_rows).sum(axis=2))

    def changes(
        self, activations: Activations, rules: NDArray[np.intp], log_firing: Array
    ) -> Array:
        """With f_o the rule that speaks otherwise, and the same sum of f alone below,

        p' = (sum_k f_k q^k + (f'_i - f_i) q^i + (f'_o - f_o) q^o) / ...,
        f'_o = f_o (1 - f'_i) / (1 - f_i).
        """
        otherwise = activations.otherwise
        highest = activations.log_firing.max(axis=1)
        firing = np.exp(activations.log_firing - highest[:, None]).T  # (rules, samples)
        said = np.exp(activations.said).transpose(1, 0, 2)  # (rules, samples, classes)
        now = np.exp(np.minimum(log_firing - highest, LARGEST_EXPONENT))
        whole = (firing[:, :, None] * said).sum(axis=0)
        parts = whole + (now - firing[rules])[:, :, None] * said[rules]
        total = firing.sum(axis=0) - firing[rules] + now
        if otherwise is not None:
            before = log_rests(activations.log_firing).T[rules]
            ratio = np.exp(log_rests(np.minimum(log_firing, 0.0)) - before) - 1
            ratio[rules == otherwise] = 0.0
            more = firing[otherwise] * ratio
            parts += more[:, :, None] * said[otherwise]
            total += more
        tiny = np.finfo(float).tiny
        after = np.log(np.maximum(parts, tiny)) - np.log(np.maximum(total, tiny))[:, :, None]
        return np.asarray(after - activations.logits)


def mapped(values: Array, matrix: Array) -> Array:
    """The last axis of values by a matrix, samples side by side in memory."""
    axes = range(values.ndim)
    found = matrix @ values.transpose(*axes[1:], 0)
    return found.transpose(axes[-1], *axes[:-1])


def weighted_sums(weights: Array, values: Array) -> Array:
    """sum_c B_c values_c, (samples, rows, rules), samples side by side in memory."""
    rows = np.empty((values.shape[1], weights.shape[1], len(weights))).transpose(2, 1, 0)
    np.multiply(weights[:, :, None, 0], values[:, None, :, 0], out=rows)
    for c in range(1, weights.shape[2]):  # sums of a few, each over samples side by side
        rows += weights[:, :, None, c] * values[:, None, :, c]
    return rows


Combination = MixedOutputs | AveragedProbabilities
MIXED_OUTPUTS = MixedOutputs()
AVERAGED = AveragedProbabilities()
# By the names that files give them.
COMBINATIONS: dict[str, Combination] = {one.name: one for one in (MIXED_OUTPUTS, AVERAGED)}
