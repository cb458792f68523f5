"""What a model knows of its rows but the rules: ranges, calibration, the estimate of its points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import inf, isfinite
from typing import Any

import numpy as np

from unfis.additive.model.calibration import Calibration
from unfis.additive.model.estimate import MOST_PARAMETERS, PointEstimate
from unfis.additive.model.ranges import Ranges
from unfis.additive.rules import RuleModel
from unfis.arrays import Array
from unfis.serial.schema import list_of, number, optional, require, truth

NUMBERS = list_of(number(-1e200, 1e200))
# Of an input: the least and the greatest value in training, null if there was none, and whether
# some were missing, null if nothing is known.
RANGE = {"low": optional(number()), "high": optional(number()), "missing": optional(truth)}
NO_RANGE = dict.fromkeys(RANGE)
CALIBRATION = {
    "scores": list_of(NUMBERS), "weights": list_of(list_of(number(0.0, 1e200))), "borders": NUMBERS,
}  # fmt: skip
ESTIMATE = {
    "numbers": NUMBERS, "precision": list_of(NUMBERS), "dispersion": number(0.0, 1e200),
}  # fmt: skip


def plain_range(ranges: Ranges, j: int) -> dict[str, Any]:
    """The least and the greatest value of an input, and whether some were missing."""
    ends = {"low": float(ranges.low[j]), "high": float(ranges.high[j])}
    found = {name: end if isfinite(end) else None for name, end in ends.items()}
    return {**found, "missing": bool(ranges.missing[j])}


def ranges_of(inputs: Sequence[Mapping[str, Any]]) -> Ranges | None:
    """The ranges from what `plain_range` gave; None if they are not known of all inputs."""
    if any(one["missing"] is None for one in inputs):
        return None
    low, high = (
        np.array([end if one[name] is None else one[name] for one in inputs], dtype=float)
        for name, end in (("low", inf), ("high", -inf))
    )
    return Ranges(low, high, np.array([one["missing"] for one in inputs]))


def plain_arrays(value: Calibration | PointEstimate | None) -> dict[str, Any] | None:
    """A value of arrays as lists of numbers."""
    if value is None:
        return None

    def plain(one: Any) -> Any:
        return one.tolist() if isinstance(one, np.ndarray) else one

    fields = asdict(value).items()
    return {n: [*map(plain, one)] if isinstance(one, tuple) else plain(one) for n, one in fields}


def calibration_of(found: Mapping[str, Any] | None, classes: int) -> Calibration | None:
    """The calibration of a model of so many classes, 1 of a number."""
    if found is None:
        return None
    scores, weights, borders = found["scores"], found["weights"], rising_numbers(found["borders"])
    parts = len(borders) + 1 if classes == 1 else classes
    fits = len(scores) == len(weights) == parts and (classes == 1 or not len(borders))
    require(fits, f"calibration must have scores and weights of {parts} classes or ranges.")
    same = all(len(one) == len(other) for one, other in zip(scores, weights, strict=True))
    require(same, "calibration must have as many weights as scores.")
    counts = tuple(np.array(one, dtype=float) for one in weights)
    return Calibration(tuple(map(rising_numbers, scores)), counts, borders)


def rising_numbers(numbers: Sequence[float]) -> Array:
    """Numbers in rising order as an array."""
    found = np.array(numbers, dtype=float)
    require(bool((np.diff(found) > 0).all()), "calibration must have rising scores and borders.")
    return found


def estimate_of(found: Mapping[str, Any] | None, rules: RuleModel) -> PointEstimate | None:
    """The estimate of the points of rules."""
    if found is None:
        return None
    count = len(rules.start) + len(rules.rules)
    require(count <= MOST_PARAMETERS, f"estimate must be null of {count} starts and points.")
    sizes = {len(found["numbers"]), len(found["precision"]), *map(len, found["precision"])}
    require(sizes == {count}, f"estimate must have {count} numbers, and as many in each direction.")
    numbers, precision = (np.array(found[n], dtype=float) for n in ("numbers", "precision"))
    signs = np.linalg.eigvalsh(precision)
    fits = np.allclose(precision, precision.T) and signs[0] >= -1e-9 * signs[-1]
    require(bool(fits), "estimate.precision must be symmetric, and not below zero.")
    return PointEstimate(numbers, precision, float(found["dispersion"]))
