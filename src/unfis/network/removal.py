"""What the outputs become when one input is taken out of one rule, exactly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, log_softmax
from unfis.network.forward import Activations
from unfis.network.layers import squared_widths
from unfis.network.parameters import Parameters

# Beyond it an exponential is infinite.
LARGEST_EXPONENT = 700.0


def removal_changes(
    parameters: Parameters,
    activations: Activations,
    pairs: NDArray[np.intp],
    inputs: Sequence[slice],
) -> Array:
    """How z changes if mu+ = 1 and alpha+ = 0 for an input of a rule, (pairs, samples, classes)."""
    chosen = [inputs[item] for item in pairs[:, 1]]
    lengths = [columns.stop - columns.start for columns in chosen]
    columns = np.concatenate([np.arange(own.start, own.stop) for own in chosen])
    rules = np.repeat(pairs[:, 0], lengths)
    firsts = np.cumsum([0, *lengths[:-1]])
    eases = np.square(activations.deviations.transpose(1, 2, 0)[rules, columns])
    eases *= (0.5 / squared_widths(parameters.widths[rules, columns]))[:, None]
    slopes = parameters.consequents[rules, :, 1 + columns][:, :, None]
    lost = slopes * activations.inputs.T[columns, None, :]
    if len(columns) > len(pairs):  # some inputs have several columns
        eases, lost = np.add.reduceat(eases, firsts), np.add.reduceat(lost, firsts)
    return output_changes(activations, parameters.thresholds, pairs[:, 0], eases, lost)


def output_changes(
    activations: Activations, thresholds: Array, rules: NDArray[np.intp], eases: Array, lost: Array
) -> Array:
    """How z changes when a rule's log f rises by e and its y loses something.

    It fires with phi' = phi e^e / t of all, and the others with 1 / t of what they did,
    t = 1 - phi + phi e^e: d = (1 - 1 / t) (y - sum_r phi_r y^r) - phi' (what is lost). One change
    for each of `rules`, for e of shape (changes, samples) and what is lost of shape (changes,
    classes, samples). Shape (changes, samples, classes), samples side by side.
    """
    raised = log_softmax(activations.log_firing).T[rules] + eases
    raised = np.exp(np.minimum(raised, LARGEST_EXPONENT))
    total = 1 - activations.strengths.T[rules] + raised
    outputs = activations.rule_outputs.transpose(1, 2, 0)[rules]
    outputs -= (activations.logits + thresholds).T
    outputs *= (1 - 1 / total)[:, None, :]
    outputs -= (raised / total)[:, None, :] * lost
    return outputs.transpose(0, 2, 1)
