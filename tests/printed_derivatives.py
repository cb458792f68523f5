"""Eqs. (j1) to (j5) as they are printed, and with each erratum mended, for one sample."""

import numpy as np

from unfis.network import forward
from unfis.network.layers import EPSILON, squared_widths

MENDED = {"off_diagonal": True, "selection_sign": True, "epsilon": True, "bias": True}


def probability_derivatives(network, x, *, off_diagonal, selection_sign, epsilon, bias):
    """dp/dpi of one sample, shape (classes, parameters), as printed but for the errata mended.

    Parameters
    ----------
    off_diagonal : mend "+ phi_i phi_r f_i" to "- phi_i phi_r"
    selection_sign : mend the sign of the antecedent part of d/ds
    epsilon : keep epsilon
    bias : do not select the bias
    """
    layer = forward(network, x[None])
    p, phi, y = layer.probabilities[0], layer.strengths[0], layer.rule_outputs[0]
    mu, vs, f = layer.memberships[0], layer.selection, np.exp(layer.log_firing[0])
    spread = np.diag(p) - np.outer(p, p)  # delta p (1 - p) - (1 - delta) p p
    eps = EPSILON if epsilon else 0.0
    bottom = (1 - vs) * mu + vs + eps
    slope = mu * vs * (1 + eps) / ((mu + eps) * bottom) if epsilon else vs / bottom
    deviation, variance = layer.deviations[0], squared_widths(network.widths)
    by_selection = vs * (1 - vs) * (1 - mu) / bottom * (-1 if selection_sign else 1)

    def through_firing(i):
        """sum_r y_g^r (delta phi_i (1 - phi_i) +- (1 - delta) phi_i phi_r [f_i]), per class g."""
        cross = -phi[i] * phi if off_diagonal else phi[i] * phi * f[i]
        factors = np.where(np.arange(len(phi)) == i, phi[i] * (1 - phi[i]), cross)
        return factors @ y

    rules, features, classes = network.shape
    firing = np.array([through_firing(i) for i in range(rules)])  # (rules, classes)
    centres = firing[:, None] * (slope * deviation / variance)[..., None]
    by_width = slope * deviation**2 * network.widths / variance**2
    widths = firing[:, None] * by_width[..., None]
    opinions = phi[:, None] * x * vs * (1 - vs)
    slopes = network.consequents[:, :, 1:].transpose(0, 2, 1)
    logits = firing[:, None] * by_selection[..., None] + opinions[..., None] * slopes
    bias_selection = np.ones((rules, 1)) if bias else np.full((rules, 1), 0.5)
    inputs = np.hstack([bias_selection, vs * x]) * phi[:, None]
    consequents = np.zeros((rules, classes, features + 1, classes))
    for c in range(classes):
        consequents[:, c, :, c] = inputs
    blocks = [centres, widths, logits, consequents, -np.eye(classes)]
    by_logit = np.concatenate([block.reshape(-1, classes) for block in blocks])
    return spread @ by_logit.T
