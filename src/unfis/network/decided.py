"""Layers 2 to 4 and 6 of a network whose inputs are all decided, as matrix products.

With vs 0 or 1, log f_i = -sum_j vs_j^i (x_j - m_j^i)^2 / (2 sigma^2), multiplied out, and y_c^i are
linear in 1, x and x^2: two products give them all, and two more the gradient. No array of samples x
rules x features is made (tests/network/test_decided.py holds it to the layers one by one).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unfis.arrays import Array, Mask
from unfis.network.layers import squared_widths
from unfis.network.parameters import Parameters

# Centres farther from their middle than the root of this, in widths, cost more than six of sixteen
# digits when a square is multiplied out.
FARTHEST_CENTRES = 1e6


class Powers(NamedTuple):
    """The inputs around the middle of the centres, with 0 for all of a missing one."""

    middle: Array  # c, (features,)
    linear: Array  # 1 and x - c, (1 + features, samples)
    squares: Array  # (x - c)^2, (features, samples)
    known: Array | None  # 1 where x is known, (features, samples); None if none is missing


class SetSums(NamedTuple):
    """r' dZ over the samples, of the parameters that a decided network can learn."""

    centres: Array  # (rules, features)
    widths: Array  # (rules, features)
    consequents: Array  # (rules, classes, 1 + features)


def powers_of(inputs: Array, missing: Mask | None, middle: Array) -> Powers:
    """The powers of inputs of shape (samples, features), around a middle of shape (features,)."""
    linear = np.empty((1 + len(middle), len(inputs)))
    linear[0] = 1.0
    np.subtract(inputs.T, middle[:, None], out=linear[1:])
    if missing is None:
        return Powers(middle, linear, np.square(linear[1:]), None)
    linear[1:][missing.T] = 0.0
    return Powers(middle, linear, np.square(linear[1:]), (~missing.T).astype(float))


def firing_and_outputs(
    powers: Powers, parameters: Parameters, selection: Array
) -> tuple[Array, Array] | None:
    """log f, shape (samples, rules), and y, shape (samples, rules, classes).

    None where the centres lie too far from their middle for squares to be multiplied out.
    """
    rules, features, classes = parameters.shape
    precision = selection / squared_widths(parameters.widths)
    centres = parameters.centres - powers.middle
    first = centres * precision
    second = centres * first
    if second.max(initial=0.0) > FARTHEST_CENTRES:
        return None
    slopes = (selection[:, None, :] * parameters.consequents[:, :, 1:]).reshape(
        rules * classes, features
    )
    weights = np.zeros((rules * (1 + classes), 1 + features))
    weights[:rules, 1:] = first
    weights[rules:, 0] = parameters.consequents[:, :, 0].ravel()
    weights[rules:, 1:] = slopes
    # What a known input adds wherever it is: its centre's square, its slopes at the middle.
    fixed = np.concatenate([-0.5 * second, slopes * powers.middle])
    if powers.known is None:
        weights[:, 0] += fixed.sum(axis=1)
    outputs: Array = weights @ powers.linear
    if powers.known is not None:
        outputs += fixed @ powers.known
    outputs[:rules] -= (0.5 * precision) @ powers.squares
    return outputs[:rules].T, outputs[rules:].reshape(rules, classes, -1).transpose(2, 0, 1)


def summed(
    powers: Powers, parameters: Parameters, selection: Array, firing: Array, weighted: Array
) -> SetSums:
    """Eqs. (j3), (j4) and (j1), summed.

    For r dz/d log f, `firing` of shape (rules, samples), and r phi, `weighted` of shape (rules,
    classes, samples).
    """
    rules, features, classes = parameters.shape
    stacked = np.concatenate([firing, weighted.reshape(rules * classes, -1)])
    found = stacked @ powers.linear.T
    # How much of each sum is of samples that know the input.
    total = found[:, :1] if powers.known is None else stacked @ powers.known.T
    second = firing @ powers.squares.T
    sets = spread_out(powers, parameters, selection, (total[:rules], found[:rules, 1:], second))
    slopes = (found[rules:, 1:] + powers.middle * total[rules:]).reshape(rules, classes, features)
    biases = found[rules:, 0].reshape(rules, classes, 1)
    consequents = np.concatenate([biases, selection[:, None, :] * slopes], axis=2)
    return SetSums(*sets, consequents)


def spread_out(
    powers: Powers, parameters: Parameters, selection: Array, moments: tuple[Array, Array, Array]
) -> tuple[Array, Array]:
    """Sums for centres and widths, given those of 1, x - c and (x - c)^2: (rules, features)."""
    total, first, second = moments
    centres = parameters.centres - powers.middle
    inverse = selection / squared_widths(parameters.widths)
    spread = second - 2 * centres * first + np.square(centres) * total
    widths = inverse * spread * parameters.widths / squared_widths(parameters.widths)
    return inverse * (first - centres * total), widths
