"""The seven layers of the paper, in its order.

Axes are (samples, rules, features) and (samples, rules, classes); in memory the samples lie side by
side, since there are many of them and few of all else. Two departures from the print,
both in `errata`: firing strengths live in the log domain, so that a product of thousands of
memberships does not underflow (tests/paper/test_layers.py::test_many_inputs_do_not_underflow), and
the output layer is the soft-max of which the print lost the exponentials.
"""

from __future__ import annotations

import numpy as np

from unfis.arrays import Array, Mask, softmax

# The paper's "very small positive constant" of eq. (muplus).
EPSILON = 1e-8

# The product of so many mu+, each of which is above eps / 2, does not underflow.
LONGEST_PRODUCT = 32

# Smallest effective width. A width enters as sigma^2 + WIDTH_FLOOR^2, so that no step of any
# learner, not even one across zero, can make a fuzzy set collapse onto a point.
WIDTH_FLOOR = 1e-3


def input_layer(X: Array) -> tuple[Array, Mask | None]:
    """Layer 1: x with 0 where it is missing, and where that is.

    A missing x sits on every centre and adds 0 to every consequent: then mu = 1 on it and every
    derivative through it vanishes, "don't know", the paper's tautology set.
    """
    X = np.asfortranarray(X)
    missing = np.isnan(X)
    return (np.where(missing, 0.0, X), missing) if missing.any() else (X, None)


def deviations_from(inputs: Array, missing: Mask | None, centres: Array) -> Array:
    """x - m, 0 where x is missing, (samples, rules, features)."""
    deviations = inputs[:, None, :] - centres
    if missing is not None:
        np.copyto(deviations, 0.0, where=missing[:, None, :])
    return deviations


def squared_widths(widths: Array) -> Array:
    """sigma^2, kept away from zero by the floor, (rules, features)."""
    return widths**2 + WIDTH_FLOOR**2


def fuzzification_layer(deviations: Array, widths: Array) -> Array:
    """Layer 2: log mu with mu = exp(-(x - m)^2 / (2 sigma^2)), eq. (fs)."""
    log_memberships = np.square(deviations)
    log_memberships *= -0.5 / squared_widths(widths)
    return log_memberships


def is_decided(selection: Array) -> bool:
    """Whether every input is in its rule or out of it exactly, none in between."""
    return bool(((selection == 0) | (selection == 1)).all())


def memberships_of(log_memberships: Array, selection: Array) -> Array | None:
    """mu, or None where every input is decided: then no layer needs it."""
    return None if is_decided(selection) else np.exp(log_memberships)


def selection_layer(log_memberships: Array, memberships: Array | None, selection: Array) -> Array:
    """Layer 3: log mu+ with mu+ = (mu + eps) / ((1 - vs) mu + vs + eps), eq. (muplus).

    Where vs = 1 exactly the layer is absent, as in the paper's FNN: mu+ = mu.
    """
    if memberships is None:
        inside = selection == 1
        return log_memberships if inside.all() else np.where(inside, log_memberships, 0.0)
    selected = memberships + EPSILON
    selected /= (1 - selection) * memberships + selection + EPSILON
    np.log(selected, out=selected)
    if (selection == 1).any():
        np.copyto(selected, log_memberships, where=selection == 1)
    return selected


def rule_layer(log_selected: Array) -> Array:
    """Layer 4: log f_i = sum_j log mu+_j^i, the product T-norm, (samples, rules)."""
    return np.asarray(log_selected.sum(axis=2))


def soft_firing(memberships: Array, selection: Array) -> Array:
    """Layers 3 and 4 at once, where no input is in for good: log f_i = log prod_j mu+_j^i.

    A logarithm of each product in place of one of each factor (tests/network/test_soft.py).
    """
    selected = memberships + EPSILON
    selected /= denominators_of(memberships, selection)
    log_firing = np.zeros(selected.shape[:2], order="F")
    for first in range(0, selected.shape[2], LONGEST_PRODUCT):
        factors = selected[:, :, first : first + LONGEST_PRODUCT]
        log_firing += np.log(factors.prod(axis=2))
    return log_firing


def denominators_of(memberships: Array, selection: Array) -> Array:
    """D = (1 - vs) mu + vs + eps of eq. (muplus), (samples, rules, features)."""
    found = memberships * (1 - selection)
    found += selection + EPSILON
    return found


def normalisation_layer(log_firing: Array) -> Array:
    """Layer 5: phi_i = f_i / sum_l f_l = softmax(log f)_i, (samples, rules)."""
    return softmax(log_firing)


def consequent_layer(inputs: Array, selection: Array, consequents: Array) -> Array:
    """Layer 6: y_c^i = alpha_c0^i + sum_j vs_j^i alpha_cj^i x_j, eq. (conseq), no vs on a bias."""
    rules, classes, columns = consequents.shape
    slopes = (selection[:, None, :] * consequents[:, :, 1:]).reshape(rules * classes, columns - 1)
    outputs: Array = slopes @ inputs.T
    outputs += consequents[:, :, 0].reshape(-1, 1)
    return outputs.reshape(rules, classes, len(inputs)).transpose(2, 0, 1)


def output_layer(strengths: Array, rule_outputs: Array, thresholds: Array) -> Array:
    """Layer 7: z_c = sum_i phi_i y_c^i - theta_c, the argument of the soft-max of eq. (output)."""
    return weighed(strengths, rule_outputs) - thresholds


def weighed(strengths: Array, rule_outputs: Array) -> Array:
    """sum_i phi_i y_c^i, shape (samples, classes)."""
    return np.asarray((strengths[:, :, None] * rule_outputs).sum(axis=1))
