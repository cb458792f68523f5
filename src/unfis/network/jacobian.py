"""Exact derivatives of the logits z, one function per block of pi.

Every function takes `weights` B, shape (samples, rows, classes), and fills in the rows B dZ of its
block, shape (samples, rows, *block). With B the identity these are the Jacobian itself; with B a
root of a curvature matrix they are the C - 1 rows a sample adds to the normal equations; with B the
residual they are its gradient. So the (samples, classes, parameters) array is never formed.

`gradient_sums` are the same derivatives contracted over the samples as matrix products, so that a
gradient costs about as much as the logits do (tests/network/test_gradient.py).

Departures from eqs. (j1) to (j4), each shown in tests/paper/test_errata.py: the off-diagonal sign,
the sign of the antecedent part of d/ds, epsilon kept, and no selection on the bias.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from unfis.arrays import Array, Mask
from unfis.network.decided import summed
from unfis.network.forward import Activations
from unfis.network.layers import EPSILON, squared_widths
from unfis.network.parameters import FreeBlock, Parameters, free_blocks


def selected_slope(activations: Activations) -> Array:
    """d log mu+ / d log mu = mu vs (1 + eps) / ((mu + eps) D), D = (1 - vs) mu + vs + eps.

    vs itself where it is 0 or 1 exactly, since there the selection layer is absent. Shape
    (samples, rules, features), or (rules, features) if every input is decided.
    """
    mu, vs = activations.memberships, activations.selection
    if mu is None:
        return vs
    slope = mu * (vs * (1 + EPSILON))
    slope /= (mu + EPSILON) * ((1 - vs) * mu + (vs + EPSILON))
    return np.where(vs == 1, 1.0, slope) if (vs == 1).any() else slope


class Local:
    """What several blocks share at one point: activations, B, and B dz/d log f.

    None for B is the identity, whose zeros of many classes would be all the work.
    """

    def __init__(
        self, parameters: Parameters, activations: Activations, weights: Array | None
    ) -> None:
        self.parameters = parameters
        self.activations = activations
        self._weights = weights

    @property
    def weights(self) -> Array:
        """B, shape (samples, rows, outputs)."""
        if self._weights is None:
            samples, classes = self.activations.logits.shape
            return np.broadcast_to(np.eye(classes), (samples, classes, classes))
        return self._weights

    @cached_property
    def firing(self) -> Array:
        """B dz/d log f, (samples, rows, rules, 1): phi_i (y_c^i - sum_r phi_r y_c^r) for no B."""
        outputs, strengths = self.activations.rule_outputs, self.activations.strengths[:, None, :]
        if self._weights is None:
            rows = outputs.transpose(0, 2, 1)
            rows = strengths * (rows - (strengths * rows).sum(axis=2, keepdims=True))
            return np.asarray(rows[..., None])
        rows = weighted_sums(self._weights, outputs)
        rows -= (strengths * rows).sum(axis=2, keepdims=True)
        rows *= strengths
        return rows[..., None]

    def over_classes(self, values: Array, slopes: Array, out: Array) -> None:
        """Add B (values slopes_c), given (samples, rules, features) and (rules, classes, features).

        To an array of shape (samples, rows, rules, features).
        """
        if self._weights is None:
            out += values[:, None] * slopes.transpose(1, 0, 2)
            return
        for c in range(slopes.shape[1]):
            out += self._weights[:, :, None, None, c] * (values * slopes[:, c])[:, None]

    @cached_property
    def deviation(self) -> Array:
        """d log mu+ / dm = slope (x - m) / sigma^2, shape (samples, rules, features)."""
        inverse = 1 / squared_widths(self.parameters.widths)
        return selected_slope(self.activations) * inverse * self.activations.deviations


def weighted_sums(weights: Array, values: Array) -> Array:
    """sum_c B_c values_c, (samples, rows, rules), samples side by side in memory."""
    rows = np.empty((values.shape[1], weights.shape[1], len(weights))).transpose(2, 1, 0)
    np.multiply(weights[:, :, None, 0], values[:, None, :, 0], out=rows)
    for c in range(1, weights.shape[2]):  # sums of a few, each over samples side by side
        rows += weights[:, :, None, c] * values[:, None, :, c]
    return rows


def centre_rows(local: Local, out: Array) -> None:
    """Eq. (j3): d log mu / dm = (x - m) / sigma^2."""
    np.multiply(local.firing, local.deviation[:, None], out=out)


def width_rows(local: Local, out: Array) -> None:
    """Eq. (j4): d log mu / dsigma = (x - m)^2 sigma / (sigma^2 + floor^2)^2."""
    widths = local.parameters.widths
    ratio = local.activations.deviations * (widths / squared_widths(widths))
    ratio *= local.deviation
    np.multiply(local.firing, ratio[:, None], out=out)


def logit_rows(local: Local, out: Array) -> None:
    """Eq. (j2): by the antecedent -vs (1 - vs) (1 - mu) / D, and by the consequent phi alpha x."""
    activations = local.activations
    antecedent = logit_antecedent(activations)
    if antecedent is None:
        out[:] = 0.0
        return
    np.multiply(local.firing, antecedent[:, None], out=out)
    spread = activations.selection * (1 - activations.selection)
    slopes = local.parameters.consequents[:, :, 1:] * spread[:, None]
    weighed_inputs = activations.strengths[:, :, None] * activations.inputs[:, None, :]
    local.over_classes(weighed_inputs, slopes, out)


def logit_antecedent(activations: Activations) -> Array | None:
    """d log mu+ / ds = -vs (1 - vs) (1 - mu) / D, (samples, rules, features); None for all 0."""
    mu, vs = activations.memberships, activations.selection
    if mu is None:
        return None
    antecedent = mu - 1
    antecedent *= vs * (1 - vs)
    antecedent /= (1 - vs) * mu + (vs + EPSILON)
    return antecedent


def consequent_rows(local: Local, out: Array) -> None:
    """Eq. (j1): dz_c / dalpha_cj^i = phi_i vs_j^i x_j, and phi_i for the bias."""
    regressors = consequent_inputs(local.activations)
    np.multiply(local.weights[:, :, None, :, None], regressors[:, None, :, None, :], out=out)


def consequent_inputs(activations: Activations) -> Array:
    """phi_i and phi_i vs_j^i x_j, what consequents multiply: (samples, rules, 1 + features)."""
    samples, rules = activations.strengths.shape
    features = activations.inputs.shape[1]
    regressors = np.empty((rules, 1 + features, samples)).transpose(2, 0, 1)
    regressors[:, :, 0] = activations.strengths
    selection = activations.selection
    np.multiply(activations.inputs[:, None, :], selection, out=regressors[:, :, 1:])
    regressors[:, :, 1:] *= activations.strengths[:, :, None]
    return regressors


def threshold_rows(local: Local, out: Array) -> None:
    """Eq. (j5): dz_c / dtheta_c = -1."""
    np.negative(local.weights, out=out)


BLOCK_DERIVATIVES = {
    "centres": centre_rows,
    "widths": width_rows,
    "logits": logit_rows,
    "consequents": consequent_rows,
    "thresholds": threshold_rows,
}


def jacobian_rows(
    parameters: Parameters,
    activations: Activations,
    weights: Array | None,
    free: Sequence[FreeBlock] | None = None,
) -> Array:
    """B dZ over all parameters, in the order of pi, or over the free ones only; dZ for no B.

    Shape (samples, rows, parameters), where in memory the samples lie side by side and the
    parameters are farthest apart. Blocks without a free parameter are not computed.
    """
    samples, classes = activations.logits.shape
    rows = classes if weights is None else weights.shape[1]
    local = Local(parameters, activations, weights)
    if free is None:
        free = free_blocks(parameters.shape, np.ones(parameters.shape.size, dtype=bool))
    found = np.empty((free[-1].span.stop if free else 0, rows, samples))
    for name, shape, chosen, span in free:
        block = found[span] if chosen is None else np.empty((len(chosen), rows, samples))
        axes = (len(shape) + 1, len(shape), *range(len(shape)))
        BLOCK_DERIVATIVES[name](local, block.reshape(*shape, rows, samples).transpose(axes))
        if chosen is not None:
            np.compress(chosen, block, axis=0, out=found[span])
    return found.transpose(2, 1, 0)


def over_samples(firing: Array, local: Array) -> Array:
    """sum_k firing_ki local_kij, shape (rules, features)."""
    # In memory each rule's features are rows of samples: a product of a matrix and a vector.
    return np.asarray((local.transpose(1, 2, 0) @ firing[:, :, None])[:, :, 0])


def set_sums(local: Local, firing: Array) -> tuple[Array, Array]:
    """Eqs. (j3) and (j4), summed: for centres and for widths, (rules, features) each."""
    widths, activations = local.parameters.widths, local.activations
    inverse = 1 / squared_widths(widths)
    mu, vs = activations.memberships, activations.selection
    if mu is None or (vs == 1).any():
        slope = selected_slope(activations) * activations.deviations
    else:  # what samples share is multiplied last
        slope = mu + EPSILON
        slope *= activations.denominators
        np.divide(mu, slope, out=slope)
        slope *= activations.deviations
        inverse = inverse * vs * (1 + EPSILON)
    first = over_samples(firing, slope)
    slope *= activations.deviations
    second = over_samples(firing, slope)
    return first * inverse, second * (widths * inverse / squared_widths(widths))


def logit_sums(local: Local, firing: Array, input_sums: Array) -> Array:
    """Eq. (j2), summed, shape (rules, features), given the sums of r phi x."""
    activations = local.activations
    mu, vs = activations.memberships, activations.selection
    if mu is None:
        return np.zeros_like(vs)
    antecedent = mu - 1
    antecedent /= activations.denominators
    slopes = (local.parameters.consequents[:, :, 1:] * input_sums).sum(axis=1)
    return np.asarray((over_samples(firing, antecedent) + slopes) * (vs * (1 - vs)))


def gradient_sums(
    parameters: Parameters, activations: Activations, residuals: Array, free: Mask
) -> Array:
    """sum_k r_k' dZ_k over the free parameters, for residuals r of shape (samples, classes)."""
    local = Local(parameters, activations, residuals[:, None, :])
    firing = np.ascontiguousarray(local.firing[:, 0, :, 0].T)
    # r phi, (rules, classes, samples)
    weighted = activations.strengths.T[:, None, :] * local.weights[:, 0, None, :].transpose(1, 2, 0)
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
