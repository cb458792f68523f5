"""Fuzzy sets as curves."""

from __future__ import annotations

import numpy as np

from unfis.arrays import Array
from unfis.network.layers import selection_layer

# A curve has so many points over its range, and as many again where its set is, however narrow.
POINTS = 200
# Further than so many widths from its centre a set is as good as nought.
REACH = 4.0


def selected_membership(points: Array, centre: float, width: float, selection: float) -> Array:
    """mu+ of a Gaussian set with its selection, eq. (muplus), at points of an input, (points,)."""
    log_memberships = -0.5 * np.square((points - centre) / width)
    memberships = np.exp(log_memberships)
    return np.exp(selection_layer(log_memberships, memberships, np.array(float(selection))))


def curve_points(
    low: float, high: float, centre: float, width: float, count: int = POINTS
) -> Array:
    """Where to compute a curve between two ends, dense where the set is, ascending."""
    near = centre + REACH * width * np.linspace(-1, 1, count + 1)
    everywhere = np.linspace(low, high, count + 1)
    return np.unique(np.concatenate([everywhere, near[(near > low) & (near < high)]]))
