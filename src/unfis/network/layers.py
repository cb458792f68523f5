"""The seven layers of the paper, in its order, and `forward`, which runs them.

Axes are (samples, rules, features) and (samples, rules, classes). Two departures from the print,
both in `errata`: firing strengths live in the log domain, so that a product of thousands of
memberships does not underflow (tests/paper/test_layers.py::test_many_inputs_do_not_underflow), and
the output layer is the soft-max of which the print lost the exponentials.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import expit

from unfis.arrays import Array, softmax
from unfis.network.parameters import Parameters

# The paper's "very small positive constant" of eq. (muplus).
EPSILON = 1e-8

# Smallest effective width. A width enters as sigma^2 + WIDTH_FLOOR^2, so that no step of any
# learner, not even one across zero, can make a fuzzy set collapse onto a point.
WIDTH_FLOOR = 1e-3


class Activations(NamedTuple):
    """What every layer put out for a block of samples; forward and derivatives share it."""

    inputs: Array  # x with missing values as 0, (samples, features)
    deviations: Array  # x - m, 0 where x is missing, (samples, rules, features)
    memberships: Array  # mu, (samples, rules, features)
    selection: Array  # vs, (rules, features)
    log_firing: Array  # log f, (samples, rules)
    strengths: Array  # phi, (samples, rules)
    rule_outputs: Array  # y, (samples, rules, classes)
    logits: Array  # z, (samples, classes)

    @property
    def probabilities(self) -> Array:
        """p = softmax(z), eq. (output) with its exponentials, (samples, classes)."""
        return softmax(self.logits)


def input_layer(X: Array, centres: Array) -> tuple[Array, Array]:
    """Layer 1: x and x - m; a missing x sits on every centre and adds 0 to every consequent.

    Then mu = 1 on it and every derivative through it vanishes: "don't know", the paper's
    tautology set, without a mask in any later layer.
    """
    deviations = X[:, None, :] - centres
    missing = np.isnan(X)
    if missing.any():
        deviations = np.where(missing[:, None, :], 0.0, deviations)
        X = np.where(missing, 0.0, X)
    return X, deviations


def squared_widths(widths: Array) -> Array:
    """sigma^2, kept away from zero by the floor, (rules, features)."""
    return widths**2 + WIDTH_FLOOR**2


def fuzzification_layer(deviations: Array, widths: Array) -> tuple[Array, Array]:
    """Layer 2: mu = exp(-(x - m)^2 / (2 sigma^2)), eq. (fs), as (log mu, mu)."""
    log_memberships = deviations**2 * (-0.5 / squared_widths(widths))
    return log_memberships, np.exp(log_memberships)


def selection_neuron(logits: Array) -> Array:
    """vs = 1 / (1 + exp(-s)), eq. (varsigma)."""
    return np.asarray(expit(logits))


def is_decided(selection: Array) -> bool:
    """Whether every input is in its rule or out of it exactly, none in between."""
    return bool(((selection == 0) | (selection == 1)).all())


def selection_layer(log_memberships: Array, memberships: Array, selection: Array) -> Array:
    """Layer 3: log mu+ with mu+ = (mu + eps) / ((1 - vs) mu + vs + eps), eq. (muplus).

    Where vs = 1 exactly the layer is absent, as in the paper's FNN: mu+ = mu.
    """
    if is_decided(selection):
        inside = selection == 1
        return log_memberships if inside.all() else np.where(inside, log_memberships, 0.0)
    selected = memberships + EPSILON
    selected /= (1 - selection) * memberships + selection + EPSILON
    return np.where(selection == 1, log_memberships, np.log(selected, out=selected))


def rule_layer(log_selected: Array) -> Array:
    """Layer 4: log f_i = sum_j log mu+_j^i, the product T-norm, (samples, rules)."""
    return np.asarray(log_selected.sum(axis=2))


def normalisation_layer(log_firing: Array) -> Array:
    """Layer 5: phi_i = f_i / sum_l f_l = softmax(log f)_i, (samples, rules)."""
    return softmax(log_firing)


def consequent_layer(inputs: Array, selection: Array, consequents: Array) -> Array:
    """Layer 6: y_c^i = alpha_c0^i + sum_j vs_j^i alpha_cj^i x_j, eq. (conseq).

    The bias is not selected. Shape (samples, rules, classes).
    """
    rules, classes, columns = consequents.shape
    slopes = (selection[:, None, :] * consequents[:, :, 1:]).reshape(rules * classes, columns - 1)
    outputs: Array = inputs @ slopes.T + consequents[:, :, 0].ravel()
    return outputs.reshape(len(inputs), rules, classes)


def output_layer(strengths: Array, rule_outputs: Array, thresholds: Array) -> Array:
    """Layer 7: z_c = sum_i phi_i y_c^i - theta_c, the argument of the soft-max of eq. (output)."""
    return np.asarray(np.einsum("kr,krc->kc", strengths, rule_outputs) - thresholds)


def forward(parameters: Parameters, X: Array) -> Activations:
    """Run the seven layers on X, shape (samples, features), NaN where missing."""
    selection = selection_neuron(parameters.logits)
    inputs, deviations = input_layer(X, parameters.centres)
    log_memberships, memberships = fuzzification_layer(deviations, parameters.widths)
    log_selected = selection_layer(log_memberships, memberships, selection)
    log_firing = rule_layer(log_selected)
    strengths = normalisation_layer(log_firing)
    rule_outputs = consequent_layer(inputs, selection, parameters.consequents)
    logits = output_layer(strengths, rule_outputs, parameters.thresholds)
    return Activations(
        inputs,
        deviations,
        memberships,
        selection,
        log_firing,
        strengths,
        rule_outputs,
        logits,
    )
