"""From sums of points to predictions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from unfis.arrays import Array, softmax


def two_classes(z: Array) -> Array:
    """The probabilities of two classes, given the log odds of the second, (rows, 2)."""
    return softmax(np.column_stack([np.zeros(len(z)), z[:, 0]]))


def identity(z: Array) -> Array:
    """The number itself, (rows,)."""
    return z[:, 0]


def exponential(z: Array) -> Array:
    """e to the number, (rows,): what is expected of a count."""
    return np.asarray(np.exp(z[:, 0]))


LINKS: Mapping[str, Callable[[Array], Array]] = MappingProxyType(
    {"identity": identity, "exp": exponential, "logistic": two_classes, "softmax": softmax}
)
