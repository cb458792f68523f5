"""What the outputs become when one input is taken out of one rule, exactly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.network.forward import Activations
from unfis.network.layers import squared_widths
from unfis.network.parameters import Parameters


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
    return activations.combination.changes(
        activations, parameters.thresholds, pairs[:, 0], eases, lost
    )
