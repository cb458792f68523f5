"""The network's parameters: named arrays, and the flat vector pi of the paper."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from unfis.arrays import Array, Mask
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
    """

    centres: Array
    widths: Array
    logits: Array
    consequents: Array
    thresholds: Array

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
        return Parameters.from_vector(vector, self.shape)

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

    def only_features(self, kept: Mask) -> Parameters:
        """The network with some of its features."""
        slopes = self.consequents[:, :, 1:][:, :, kept]
        return replace(
            self,
            centres=self.centres[:, kept],
            widths=self.widths[:, kept],
            logits=self.logits[:, kept],
            consequents=np.concatenate([self.consequents[:, :, :1], slopes], axis=2),
        )

    @property
    def selection(self) -> Selection:
        """Which inputs are in which rules."""
        return Selection(self.logits)

    def with_selection(self, selection: Selection) -> Parameters:
        """The network with other inputs in its rules; slopes of those that are out are 0."""
        consequents = self.consequents.copy()
        np.copyto(consequents[:, :, 1:], 0.0, where=selection.out[:, None, :])
        return replace(self, logits=selection.logits, consequents=consequents)
