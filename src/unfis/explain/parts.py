"""Explanation: one prediction taken apart, as plain data, text and HTML."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from math import isfinite
from typing import Any

import numpy as np

from unfis.text.explanation import Prediction, explanation, explanation_html


@dataclass(frozen=True)
class RulePart:
    """What one rule adds."""

    place: int  # among the rules of the model
    text: str
    points: float
    degree: float
    contribution: float  # points * degree


@dataclass(frozen=True)
class InputPart:
    """What the rules add that look at the same inputs."""

    inputs: tuple[str, ...]
    contribution: float


@dataclass(frozen=True)
class Sum:
    """start + contributions = total, of one output."""

    output: Any  # a class, the second of two, or the name of the number
    start: float
    rules: tuple[RulePart, ...]  # in the order in which they are added up
    inputs: tuple[InputPart, ...]  # those that add most first
    total: float


@dataclass(frozen=True)
class ValueChange:
    """Another value of an input."""

    name: str  # of the input
    before: Any  # None where unknown
    after: Any
    beyond: str  # "or more", "or less" where all such values do as well, else ""


@dataclass(frozen=True)
class Counterfactual:
    """The smallest change of one input, or of two, that changes the answer."""

    changes: tuple[ValueChange, ...]
    answer: Any  # then
    probability: float | None  # of it; None of a number
    size: float  # the share of the training rows between old and new values


@dataclass(frozen=True)
class Example:
    """A training row."""

    values: dict[str, Any]  # by input that the rules look at
    target: Any


@dataclass(frozen=True)
class Neighbours:
    """The training rows to which the rules add nearly the same, ten or those as near as these."""

    rows: float
    distance: float  # of the farthest: the sum of differences in points
    right: float | None  # the share that the model answers rightly; None of a number
    error: float | None  # its mean absolute error; None of classes
    examples: tuple[Example, ...]  # the nearest


@dataclass(frozen=True)
class Explanation:
    """Why a row gets its answer. `print` it, or take `to_dict()` or `to_html()`."""

    answer: Any  # a class, or the number
    runner_up: Any  # the most probable other class; None of a number
    probabilities: tuple[tuple[Any, float], ...]  # of each class; () of a number
    values: dict[str, Any]  # by input that the rules look at; None where unknown
    sums: tuple[Sum, ...]  # of each output
    counterfactual: Counterfactual | None
    neighbours: Neighbours | None  # None of a model that was read from a file
    notes: tuple[str, ...]  # inputs, counterfactual and neighbours in words
    prediction: Prediction = field(repr=False, compare=False)  # what the text is made of

    def __str__(self) -> str:
        return explanation(*self.prediction[:4], self.notes)

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_html(self) -> str:
        """The explanation as a table and sentences in HTML."""
        return explanation_html(*self.prediction[:4], self.notes)

    def to_dict(self) -> dict[str, Any]:
        """All of it as dicts, lists, numbers and text that JSON has."""
        parts = [part.name for part in fields(self) if part.compare]
        return {name: plain(getattr(self, name)) for name in parts}


def plain(value: Any) -> Any:
    """A value as JSON has it; what it has not as text, and infinite numbers as None."""
    if is_dataclass(value):
        return {part.name: plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if isfinite(value) else None
    return value if isinstance(value, int | str | None) else str(value)
