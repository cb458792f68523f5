"""How changes of fuzzy sets and logits change log f at one point, and the transposed map.

Two of them: by arrays of derivatives, (rules, parameters of a rule, samples), and of decided
networks by matrix products, as in decided.py, without such arrays.
"""

from __future__ import annotations

import numpy as np

from unfis.arrays import Array
from unfis.network.decided import Powers, changed_firing, summed_sets
from unfis.network.forward import Activations
from unfis.network.jacobian import logit_antecedent, selected_slope
from unfis.network.layers import squared_widths
from unfis.network.parameters import Parameters


class ArraySets:
    """d log f of the sets' parameters, kept as an array, eqs. (j2) to (j4).

    `names` are the blocks of parameters, as many of each rule: (rules, parameters).
    """

    def __init__(self, parameters: Parameters, activations: Activations, names: list[str]) -> None:
        self.names = names
        samples, rules = activations.log_firing.shape
        features = parameters.shape.features
        found = np.zeros((rules, len(names), features, samples))
        inverse = 1 / squared_widths(parameters.widths)
        deviations = activations.deviations
        centres = (selected_slope(activations) * inverse * deviations).transpose(1, 2, 0)
        for number, name in enumerate(names):
            if name == "centres":
                found[:, number] = centres
            elif name == "widths":
                ratio = (parameters.widths * inverse)[:, :, None]
                np.multiply(centres, deviations.transpose(1, 2, 0), out=found[:, number])
                found[:, number] *= ratio
            else:
                antecedent = logit_antecedent(activations)
                if antecedent is not None:
                    found[:, number] = antecedent.transpose(1, 2, 0)
        self._derivatives = found.reshape(rules, len(names) * features, samples)

    def forward(self, changes: Parameters) -> Array:
        """d log f, shape (rules, samples): a product of a vector and a matrix for each rule."""
        vectors = np.concatenate([getattr(changes, name) for name in self.names], axis=1)
        return np.asarray((vectors[:, None, :] @ self._derivatives)[:, 0])

    def backward(self, firing: Array) -> Array:
        """sum_k r_k d log f_k, for r of shape (rules, samples): (rules, parameters)."""
        return np.asarray((self._derivatives @ firing[:, :, None])[:, :, 0])

    def of_rule(self, rule: int) -> Array:
        """d log f of one rule, a view of shape (parameters, samples)."""
        return np.asarray(self._derivatives[rule])


class DecidedSets:
    """The same by powers of the inputs, where every input is in a rule or out of it."""

    def __init__(
        self, parameters: Parameters, activations: Activations, powers: Powers, names: list[str]
    ) -> None:
        self.names = names
        self._parameters, self._powers = parameters, powers
        self._activations = activations

    def forward(self, changes: Parameters) -> Array:
        """Products with 1, x and x^2; decided logits change nothing."""
        sets = {name: getattr(changes, name) for name in ("centres", "widths")}
        selection = self._activations.selection
        return changed_firing(self._powers, self._parameters, selection, **sets)

    def backward(self, firing: Array) -> Array:
        """The same, transposed."""
        selection = self._activations.selection
        centres, widths = summed_sets(self._powers, self._parameters, selection, firing)
        found = {"centres": centres, "widths": widths, "logits": np.zeros_like(centres)}
        return np.concatenate([found[name] for name in self.names], axis=1)

    def of_rule(self, rule: int) -> Array:
        """Made of the inputs of one rule's set after the other's."""
        inputs, missing = self._activations.inputs.T, self._activations.missing
        deviations = inputs - self._parameters.centres[rule][:, None]
        if missing is not None:
            deviations[missing.T] = 0.0
        widths = self._parameters.widths[rule]
        inverse = 1 / squared_widths(widths)
        degrees = self._activations.selection.condition[rule] * inverse
        centres = degrees[:, None] * deviations
        found = {
            "centres": centres,
            "widths": (widths * inverse)[:, None] * centres * deviations,
            "logits": np.zeros_like(centres),
        }
        return np.concatenate([found[name] for name in self.names])


def set_map(
    parameters: Parameters, activations: Activations, names: list[str]
) -> ArraySets | DecidedSets:
    """The map of some blocks of parameters, by matrix products where they can be had."""
    if activations.powers is not None:
        return DecidedSets(parameters, activations, activations.powers, names)
    return ArraySets(parameters, activations, names)
