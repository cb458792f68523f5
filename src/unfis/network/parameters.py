"""The network's parameters: named arrays, and the flat vector pi of the paper."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.network.combination import MIXED_OUTPUTS, Combination
from unfis.network.selection import Selection


class Shape(NamedTuple):
    """Sizes of a network: R rules, n features, C classes."""

    rules: int
    features: int
    classes: int

    @property
    def blocks(self) -> dict[str, tuple[int, ...]]:
        """Shape of each named array, in the order of the flat vector."""
        rules, features, classes = self
        return {
            "centres": (rules, features),
            "widths": (rules, features),
            "logits": (rules, features),
            "consequents": (rules, classes, features + 1),
            "thresholds": (classes,),
        }

    @property
    def size(self) -> int:
        """Length of pi: (3 + C) R n + (R + 1) C."""
        rules, features, classes = self
        return (3 + classes) * rules * features + (rules + 1) * classes


class FreeBlock(NamedTuple):
    """The free parameters of one named array."""

    name: str
    shape: tuple[int, ...]  # of the array
    chosen: Mask | None  # which of its entries are free, None for all of them
    span: slice  # of them among all free parameters


def free_blocks(shape: Shape, free: Mask) -> list[FreeBlock]:
    """The named arrays with any free parameter, for a mask of shape (parameters,)."""
    found: list[FreeBlock] = []
    start = filled = 0
    for name, block in shape.blocks.items():
        chosen = free[start : start + math.prod(block)]
        start += len(chosen)
        if count := int(np.count_nonzero(chosen)):
            span = slice(filled, filled + count)
            found.append(FreeBlock(name, block, None if count == len(chosen) else chosen, span))
            filled += count
    return found


@dataclass(frozen=True)
class Parameters:
    """All adaptive parameters of the network, eq. (parameter vector), and its form.

    Attributes
    ----------
    centres : m, shape (rules, features)
    widths : sigma, shape (rules, features)
    logits : s, shape (rules, features); `selection` says what they mean
    consequents : alpha, shape (rules, classes, 1 + features); index 0 of the last axis is the bias
    thresholds : theta, shape (classes,)
    slopes : which inputs are in which rules' THEN for which classes, (rules, classes or 1 for all
        alike, features); None where the logits say that too
    combination : how the rules' outputs make the network's
    reaches : how far below and above its centre a set holds wholly, its core, (2, rules, features);
        None where all sets are Gaussian. Sets with a core were given by an expert: none is learned
    """

    centres: Array
    widths: Array
    logits: Array
    consequents: Array
    thresholds: Array
    slopes: Mask | None = None
    combination: Combination = MIXED_OUTPUTS
    reaches: Array | None = None

    @property
    def shape(self) -> Shape:
        """Sizes of the network these parameters belong to."""
        rules, classes, columns = self.consequents.shape
        return Shape(rules, columns - 1, classes)

    def to_vector(self) -> Array:
        """pi = [m, sigma, s, alpha, theta], shape (parameters,)."""
        return np.concatenate([getattr(self, name).ravel() for name in self.shape.blocks])

    def with_vector(self, vector: Array) -> Parameters:
        """A network of the same form with another vector pi."""
        found = Parameters.from_vector(vector, self.shape)
        return replace(
            found, slopes=self.slopes, combination=self.combination, reaches=self.reaches
        )

    @classmethod
    def from_vector(cls, vector: Array, shape: Shape) -> Parameters:
        """The named arrays of a flat vector pi, as views of it."""
        if vector.shape != (shape.size,):
            raise ValueError(
                f"vector must have {shape.size} entries for {shape}, got shape {vector.shape}."
            )
        arrays: dict[str, Any] = {}
        start = 0
        for name, block in shape.blocks.items():
            stop = start + math.prod(block)
            arrays[name] = vector[start:stop].reshape(block)
            start = stop
        return cls(**arrays)

    def only_rules(self, kept: Mask | NDArray[np.intp]) -> Parameters:
        """The network with some of its rules, by a mask or by their numbers; a copy."""
        return replace(
            self,
            centres=self.centres[kept],
            widths=self.widths[kept],
            logits=self.logits[kept],
            consequents=self.consequents[kept],
            slopes=None if self.slopes is None else self.slopes[kept],
            reaches=None if self.reaches is None else self.reaches[:, kept],
        )

    def only_features(self, kept: Mask) -> Parameters:
        """The network with some of its features."""
        slopes = self.consequents[:, :, 1:][:, :, kept]
        return replace(
            self,
            centres=self.centres[:, kept],
            widths=self.widths[:, kept],
            logits=self.logits[:, kept],
            consequents=np.concatenate([self.consequents[:, :, :1], slopes], axis=2),
            slopes=None if self.slopes is None else self.slopes[:, :, kept],
            reaches=None if self.reaches is None else self.reaches[:, :, kept],
        )

    @property
    def given(self) -> Mask:
        """Which sets have a core, and so were given by an expert, (rules, features)."""
        if self.reaches is None:
            return np.zeros(self.logits.shape, dtype=bool)
        return np.asarray((self.reaches > 0).any(axis=0))

    @property
    def selection(self) -> Selection:
        """Which inputs are in which rules."""
        return Selection(self.logits, self.slopes)

    def with_selection(self, selection: Selection) -> Parameters:
        """The network with other inputs in its rules; slopes of those that are out are 0."""
        consequents = self.consequents.copy()
        np.copyto(consequents[:, :, 1:], 0.0, where=~selection.in_classes)
        return replace(
            self, logits=selection.logits, consequents=consequents, slopes=selection.slopes
        )

    @property
    def otherwise(self) -> int | None:
        """The rule that speaks where no other does: one without IF, where rules are averaged."""
        if not self.combination.has_otherwise or len(self.logits) == 1:
            return None
        without = np.flatnonzero(~self.selection.in_condition.any(axis=1))
        return int(without[0]) if len(without) else None
