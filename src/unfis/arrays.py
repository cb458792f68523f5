"""Names for the kinds of arrays that the package passes around, and soft-max over them.

scipy's soft-max finds out first which library its arrays are of, which for a few hundred samples
takes longer than the soft-max itself.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


def softmax(logits: Array) -> Array:
    """exp(z) / sum exp(z) over the last axis."""
    exponentials = np.exp(logits - logits.max(axis=-1, keepdims=True))
    exponentials /= exponentials.sum(axis=-1, keepdims=True)
    return np.asarray(exponentials)


def log_softmax(logits: Array) -> Array:
    """z - log sum exp(z) over the last axis."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)))
