"""What rules are made of, as plain data in the units of the table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any

from unfis.serial.schema import check_of, list_of, number, one_of, whole

# Types with what is checked of them where plain data is read.
Share = Annotated[float, number(0.0, 1.0 + 1e-9)]
Kind = Annotated[str, one_of("number", "boolean", "category")]
Positive = Annotated[float, number(0.0, above=True)]


@dataclass(frozen=True)
class Variable:
    """An input, and how its values lie in the training rows: its words get their meaning here."""

    name: str  # of the column
    kind: Kind
    # The kinds of a category in order; (False, True) for a boolean; () for a number.
    categories: tuple[Any, ...]
    reference: float  # a number x enters the opinions as x - reference
    scale: Positive  # a number's unit inside the network
    lowest: float  # of the known values
    highest: float
    # Where "very low", "low", "high" and "very high" begin and end: at 10, 35, 65 and 90 % of them.
    cuts: Annotated[tuple[float, ...], list_of(number(), least=4, most=4)]
    levels: tuple[float, ...]  # the values themselves where there are few, () otherwise
    decimals: Annotated[int, whole(0, 400)]  # how many of them the values resolve
    typical: Any  # the median of a number; the most frequent category
    missing: Share  # of the rows in which it is unknown
    importance: float = 0.0  # what it costs to know it in no row, in nats of loss per row

    @property
    def label(self) -> str:
        """The name without its unit."""
        return self.name[: -len(self.unit) - 2].rstrip() if self.unit else self.name

    @property
    def unit(self) -> str:
        """The unit in brackets at the end of the name, as in "petal width (cm)"; "" if none."""
        found = re.fullmatch(r".*\S +\(([^()]*[^()\s][^()]*)\)", self.name, flags=re.DOTALL)
        return found[1] if found and self.kind == "number" else ""

    @property
    def span(self) -> float:
        """How far its values spread: from the first cut to the last, or from end to end."""
        return (self.cuts[-1] - self.cuts[0]) or (self.highest - self.lowest) or 1.0


@dataclass(frozen=True)
class Condition:
    """One input's fuzzy set in one rule."""

    input: str  # its name
    kind: Kind  # of the input
    selection: Annotated[float, number(0.0, 1.0, above=True)]  # vs, how far it is in the rule
    centre: float | None = None  # of the set of a number, mu = exp(-(x - centre)^2 / (2 width^2))
    width: Positive | None = None
    shift: float | None = None  # the centre's distance from the reference, with all its digits
    # Where a number fulfils it by more than half; None at an end that no training row goes beyond.
    interval: tuple[float | None, float | None] = (None, None)
    # How far each category fulfils it, and those that do by more than half of the best degree.
    degrees: tuple[Annotated[float, number(0.0, 1.0 + 1e-9, above=True)], ...] = ()
    accepted: tuple[Any, ...] = ()
    # Where a number lies in four fifths of the rows that the rule leads on; None if on none.
    leading: tuple[float, float] | None = None
    term: str = ""  # the condition in words, to follow "is"


@dataclass(frozen=True)
class Consequent:
    """A rule's opinion on one class: bias + sum over its conditions of what their inputs add."""

    label: Any  # the class
    bias: float  # the opinion where every input is at its reference; the threshold is in it
    # For each condition what a number adds per unit above its reference, or each category adds.
    slopes: tuple[float | tuple[float, ...], ...]


@dataclass(frozen=True)
class Rule:
    """One rule, with what stands behind it."""

    conditions: tuple[Condition, ...]
    consequents: Annotated[tuple[Consequent, ...], list_of(check_of(Consequent), least=1)]
    support: Share = 0.0  # of the training rows, those on which it is the strongest rule
    rows: int = 0  # how many rows these are
    strength: Share = 0.0  # its mean over all training rows
    mix: tuple[Share, ...] = ()  # of each class in the rows it leads on; () if it leads on none
    # What the rule alone says of each class, averaged over the rows by its strength.
    probabilities: tuple[Share, ...] = ()
    label: Any = None  # the class it argues for, the most probable of these
