"""Exact derivatives of the logits z, one function per block of pi.

Every function takes `weights` B, shape (samples, rows, classes), and returns the rows B dZ of its
block, shape (samples, rows, *block). With B the identity these are the Jacobian itself; with B a
root of a curvature matrix they are the C - 1 rows a sample adds to a System; with B the residual
they are its gradient. So the (samples, classes, parameters) array is never formed.

Departures from eqs. (j1) to (j4), each shown in tests/paper/test_errata.py: the off-diagonal sign,
the sign of the antecedent part of d/ds, epsilon kept, and no selection on the bias.
"""

from __future__ import annotations

import math

import numpy as np

from unfis.arrays import Array, Mask
from unfis.network.layers import EPSILON, Activations, is_decided, squared_widths
from unfis.network.parameters import Parameters


def firing_rows(activations: Activations, weights: Array) -> Array:
    """B dz/d log f with dz_c / d log f_i = phi_i (y_c^i - sum_r phi_r y_c^r).

    Shape (samples, rows, rules).
    """
    outputs, strengths = activations.rule_outputs, activations.strengths
    mean_output = np.einsum("kr,krc->kc", strengths, outputs)
    advantage = strengths[:, :, None] * (outputs - mean_output[:, None, :])
    return np.asarray(weights @ advantage.transpose(0, 2, 1))


def selected_slope(activations: Activations) -> Array:
    """d log mu+ / d log mu = mu vs (1 + eps) / ((mu + eps) D), D = (1 - vs) mu + vs + eps.

    vs itself where it is 0 or 1 exactly, since there the selection layer is absent. Shape
    (samples, rules, features), or (rules, features) if every input is decided.
    """
    mu, vs = activations.memberships, activations.selection
    if is_decided(vs):
        return vs
    slope = mu * vs * (1 + EPSILON) / ((mu + EPSILON) * ((1 - vs) * mu + vs + EPSILON))
    return np.where(vs == 1, 1.0, slope)


def centre_rows(parameters: Parameters, activations: Activations, weights: Array) -> Array:
    """Eq. (j3): d log mu / dm = (x - m) / sigma^2. Shape (samples, rows, rules, features)."""
    local = selected_slope(activations) * activations.deviations
    local /= squared_widths(parameters.widths)
    return firing_rows(activations, weights)[..., None] * local[:, None]


def width_rows(parameters: Parameters, activations: Activations, weights: Array) -> Array:
    """Eq. (j4): d log mu / dsigma = (x - m)^2 sigma / (sigma^2 + floor^2)^2.

    Shape (samples, rows, rules, features).
    """
    local = selected_slope(activations) * activations.deviations**2
    local *= parameters.widths / squared_widths(parameters.widths) ** 2
    return firing_rows(activations, weights)[..., None] * local[:, None]


def logit_rows(parameters: Parameters, activations: Activations, weights: Array) -> Array:
    """Eq. (j2): through the antecedent -vs (1 - vs) (1 - mu) / D, and the consequent phi alpha x.

    Shape (samples, rows, rules, features).
    """
    mu, vs = activations.memberships, activations.selection
    spread = vs * (1 - vs)
    local = -spread * (1 - mu) / ((1 - vs) * mu + vs + EPSILON)
    rows = firing_rows(activations, weights)[..., None] * local[:, None]
    slopes = np.tensordot(weights, parameters.consequents[:, :, 1:] * spread[:, None], (2, 1))
    slopes *= activations.strengths[:, None, :, None]
    slopes *= activations.inputs[:, None, None, :]
    return np.asarray(rows + slopes)


def consequent_rows(parameters: Parameters, activations: Activations, weights: Array) -> Array:
    """Eq. (j1): dz_c / dalpha_cj^i = phi_i vs_j^i x_j, and phi_i for the bias.

    Shape (samples, rows, rules, classes, 1 + features).
    """
    local = np.empty((*activations.strengths.shape, parameters.consequents.shape[2]))
    local[:, :, 0] = 1.0
    np.multiply(activations.inputs[:, None, :], activations.selection, out=local[:, :, 1:])
    local *= activations.strengths[:, :, None]
    return weights[:, :, None, :, None] * local[:, None, :, None, :]


def threshold_rows(parameters: Parameters, activations: Activations, weights: Array) -> Array:
    """Eq. (j5): dz_c / dtheta_c = -1. Shape (samples, rows, classes)."""
    return -weights


BLOCK_ROWS = {
    "centres": centre_rows,
    "widths": width_rows,
    "logits": logit_rows,
    "consequents": consequent_rows,
    "thresholds": threshold_rows,
}


def jacobian_rows(
    parameters: Parameters, activations: Activations, weights: Array, free: Mask | None = None
) -> Array:
    """B dZ over all parameters, in the order of pi, or over the free ones only.

    Shape (samples, rows, parameters). Blocks without a free parameter are not computed.
    """
    samples, rows, _ = weights.shape
    blocks, start = [], 0
    for name, shape in parameters.shape.blocks.items():
        stop = start + math.prod(shape)
        chosen = slice(None) if free is None or free[start:stop].all() else free[start:stop]
        if free is None or free[start:stop].any():
            block = BLOCK_ROWS[name](parameters, activations, weights)
            blocks.append(block.reshape(samples, rows, stop - start)[:, :, chosen])
        start = stop
    return np.concatenate(blocks, axis=2)
