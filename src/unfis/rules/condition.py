"""Condition: where a rule holds, on one input, to a degree between 0 and 1."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TypeAlias

import numpy as np

from unfis.arrays import Array


@dataclass(frozen=True)
class Trapezoid:
    """A range of a number: 0 up to `a`, rising to 1 at `b`, 1 to `c`, falling to 0 at `d`.

    Shoulders have infinite ends. Where a = b the edge is sharp and includes its value; where
    c = d the range ends just below it, so that two ranges that meet share no value.
    """

    input: int
    a: float = -inf
    b: float = -inf
    c: float = inf
    d: float = inf
    unknown: float = 0.0  # the degree of a missing value

    def __post_init__(self) -> None:
        if not self.a <= self.b <= self.c <= self.d:
            raise ValueError(
                f"A range must have rising borders; got {self.a:g}, {self.b:g}, {self.c:g}, "
                f"{self.d:g}."
            )

    def degrees(self, values: Array) -> Array:
        """How far the condition holds for values of its input, (rows,)."""
        rising = _rise(values, self.a, self.b) if self.a > -inf else 1.0
        falling = _rise(values, self.c, self.d) if self.d < inf else 0.0
        degrees = np.asarray(rising - falling) * np.ones(np.shape(values))
        return np.where(np.isnan(values), self.unknown, degrees)

    @property
    def edges(self) -> tuple[tuple[float, float], ...]:
        """The edges where the degree changes, each from one number to another."""
        both = ((self.a, self.b), (self.c, self.d))
        return tuple(edge for edge in both if np.isfinite(edge[0]))


@dataclass(frozen=True)
class Kinds:
    """Some of the categories of an input: 1 for those, 0 for the others."""

    input: int
    kinds: tuple[int, ...]  # codes, rising
    unknown: float = 0.0  # the degree of a missing value

    def degrees(self, values: Array) -> Array:
        """How far the condition holds for codes of its input, (rows,)."""
        return np.where(np.isnan(values), self.unknown, np.isin(values, self.kinds).astype(float))


@dataclass(frozen=True)
class Unknown:
    """A missing value: 1 where the input is not known, 0 elsewhere."""

    input: int

    def degrees(self, values: Array) -> Array:
        """How far the condition holds for values of its input, (rows,)."""
        return np.isnan(values).astype(float)


Condition: TypeAlias = Trapezoid | Kinds | Unknown


def _rise(values: Array, low: float, high: float) -> Array:
    """From 0 at `low` to 1 at `high`; a step that includes its value where they are the same."""
    if low == high:
        return np.asarray(values >= high, dtype=float)
    return np.clip((values - low) / (high - low), 0.0, 1.0)
