"""Answers to rows that were held out, as plain data of a model file, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unfis.data.held_out import HeldOutAnswers
from unfis.serial.schema import list_of, number, record, require

# Of one class.
ANSWERS = record(
    {"likelihoods": list_of(number(0.0, 1.0)), "weights": list_of(number(0.0, 1e100, above=True))}
)


def plain_held_out(answers: HeldOutAnswers | None, classes: int) -> list[dict[str, Any]] | None:
    """Likelihoods and weights of each class; None if there are none."""
    if answers is None:
        return None
    of_classes = [answers.of_class(c) for c in range(classes)]
    return [{"likelihoods": own.tolist(), "weights": of.tolist()} for own, of in of_classes]


def held_out_of(data: Sequence[dict[str, Any]] | None) -> HeldOutAnswers | None:
    """Answers from what `plain_held_out` gave."""
    if data is None:
        return None
    codes = np.repeat(np.arange(len(data)), [len(one["weights"]) for one in data])
    likelihoods, weights = (
        np.concatenate([np.array(one[name], dtype=float) for one in data])
        for name in ("likelihoods", "weights")
    )
    return HeldOutAnswers(codes, likelihoods, weights)


def check_answers(answers: Sequence[dict[str, Any]] | None, classes: int) -> None:
    """Raise SchemaError where there are not lists of equal length for each class, in order."""
    if answers is None:
        return
    where, count = "held_out_answers", len(answers)
    require(count == classes, f"{where} must have an entry for each of {classes} classes.")
    for c, one in enumerate(answers):
        likelihoods, weights = one["likelihoods"], one["weights"]
        same = len(likelihoods) == len(weights)
        require(same, f"{where}[{c}] must have as many weights as likelihoods.")
        rising = list(likelihoods) == sorted(likelihoods)
        require(rising, f"{where}[{c}].likelihoods must be in rising order.")
