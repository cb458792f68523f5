"""Caveats: why a class that is answered is not to be relied on, in words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.text import Names
from unfis.text.numbers import enumerated, number_words


def set_caveats(
    sets: Mask, answers: NDArray[np.intp], thresholds: Array, names: Names, confidence: float
) -> list[list[str]]:
    """For each row, what its set of classes says against its answer; none if it has that alone."""
    level = f"at {number_words(round(100 * confidence, 6))} % confidence"
    every, place = np.unique(np.column_stack([sets, answers]), axis=0, return_inverse=True)
    found = []
    for *inside, answer in every.tolist():
        classes = [c for c, one in enumerate(inside) if one]
        words = caveat_of_set(classes, answer, thresholds, names)
        found.append([f"{words} {level}"] if words else [])
    return [found[n] for n in place.ravel()]


def caveat_of_set(classes: list[int], answer: int, thresholds: Array, names: Names) -> str:
    """What a set says against an answer; "" if it has that alone."""
    others = [c for c in classes if c != answer]
    if not classes:
        return "unusual for every class"
    if answer not in classes:
        return f"unusual for {class_words([answer], names)}, usual for {class_words(others, names)}"
    if not others:
        return ""
    words = f"may also be {class_words(others, names)}"
    if np.isneginf(thresholds[others]).all():
        return f"{words}, which training has too few rows of to rule out"
    return words


def class_words(classes: list[int], names: Names) -> str:
    """Classes as they are written."""
    return enumerated([names.titled_output(c) for c in classes])
