"""Sums over samples of r' dZ, one function per block of pi: a gradient without its rows.

The same derivatives as in `jacobian`, contracted over the samples as matrix products, so that a
gradient costs about as much as the logits do (tests/network/test_gradient.py).
"""

from __future__ import annotations

import numpy as np

from unfis.arrays import Array, Mask
from unfis.network.decided import summed
from unfis.network.forward import Activations
from unfis.network.jacobian import Local, logit_antecedent, selected_slope
from unfis.network.layers import squared_widths
from unfis.network.parameters import Parameters


def over_samples(firing: Array, local: Array) -> Array:
    """sum_k firing_ki local_kij, shape (rules, features)."""
    # In memory each rule's features are rows of samples: a product of a matrix and a vector.
    return np.asarray((local.transpose(1, 2, 0) @ firing[:, :, None])[:, :, 0])


def set_sums(local: Local, firing: Array) -> tuple[Array, Array]:
    """Eqs. (j3) and (j4), summed: for centres and for widths, (rules, features) each."""
    widths = local.parameters.widths
    inverse = 1 / squared_widths(widths)
    slope = selected_slope(local.activations) * local.activations.deviations
    first = over_samples(firing, slope)
    second = over_samples(firing, slope * local.activations.deviations)
    return first * inverse, second * (widths * inverse**2)


def logit_sums(local: Local, firing: Array, input_sums: Array) -> Array:
    """Eq. (j2), summed, shape (rules, features), given the sums of r phi x."""
    vs = local.activations.selection
    antecedent = logit_antecedent(local.activations)
    if antecedent is None:
        return np.zeros_like(vs)
    slopes = (local.parameters.consequents[:, :, 1:] * input_sums).sum(axis=1)
    return np.asarray(over_samples(firing, antecedent) + slopes * (vs * (1 - vs)))


def gradient_sums(
    parameters: Parameters, activations: Activations, residuals: Array, free: Mask
) -> Array:
    """sum_k r_k' dZ_k over the free parameters, for residuals r of shape (samples, classes)."""
    local = Local(parameters, activations, residuals[:, None, :])
    firing = np.ascontiguousarray(local.firing[:, 0, :, 0].T)
    weighted = activations.strengths.T[:, None, :] * residuals.T  # (rules, classes, samples)
    sums = Parameters.from_vector(np.zeros(parameters.shape.size), parameters.shape)
    sums.thresholds[:] = np.negative(residuals).sum(axis=0)
    if activations.powers is not None:
        found = summed(activations.powers, parameters, activations.selection, firing, weighted)
        sums.centres[:], sums.widths[:], sums.consequents[:] = found
        return sums.to_vector()[free]
    flags = Parameters.from_vector(free.astype(float), parameters.shape)
    rules, classes, samples = weighted.shape
    input_sums = (weighted.reshape(rules * classes, samples) @ activations.inputs).reshape(
        rules, classes, -1
    )
    # A product sums faster than a reduction.
    sums.consequents[:, :, :1] = weighted @ np.ones((samples, 1))
    sums.consequents[:, :, 1:] = input_sums * activations.selection[:, None, :]
    if flags.centres.any() or flags.widths.any():
        sums.centres[:], sums.widths[:] = set_sums(local, firing)
    if flags.logits.any():
        sums.logits[:] = logit_sums(local, firing, input_sums)
    return sums.to_vector()[free]
