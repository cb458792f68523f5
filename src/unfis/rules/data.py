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
    """An input, and how its values lie in the training rows: its words get their meaning here.

    Attributes
    ----------
    name : the column's name
    kind : "number", "boolean" or "category"
    categories : the kinds of a category in order; (False, True) for a boolean; () for a number
    reference, scale : a number x enters the opinions as x - reference; scale is its unit inside
        the network
    lowest, highest : the range of the known values
    cuts : where "very low", "low", "high" and "very high" begin and end: four values, at 10, 35,
        65 and 90 % of the known values
    levels : the values themselves where there are few, () otherwise
    decimals : how many decimals the values resolve
    typical : the median of a number; the most frequent category
    missing : share of the rows in which it is unknown
    importance : what it costs to know it in no row, in nats of loss per row
    """

    name: str
    kind: Kind
    categories: tuple[Any, ...]
    reference: float
    scale: Positive
    lowest: float
    highest: float
    cuts: Annotated[tuple[float, ...], list_of(number(), least=4, most=4)]
    levels: tuple[float, ...]
    decimals: Annotated[int, whole(0, 400)]
    typical: Any
    missing: Share
    importance: float = 0.0

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
    """One input's fuzzy set in one rule.

    Attributes
    ----------
    input : name of the input
    kind : the input's kind
    selection : vs, how far the input is in the rule, above 0 and at most 1
    centre, width : of the set of a number, mu = exp(-(x - centre)^2 / (2 width^2))
    shift : the centre's distance from the input's reference, with all its digits
    interval : where the condition on a number holds by more than half; None at an end that no
        training row goes beyond
    degrees : how far each category fulfils the condition
    accepted : the categories that fulfil it by more than half of the best one's degree
    leading : from where to where a number lies in four fifths of the rows that the rule leads on;
        None if it leads on none
    term : the condition in words, to follow "is"
    """

    input: str
    kind: Kind
    selection: Annotated[float, number(0.0, 1.0, above=True)]
    centre: float | None = None
    width: Positive | None = None
    shift: float | None = None
    interval: tuple[float | None, float | None] = (None, None)
    degrees: tuple[Annotated[float, number(0.0, 1.0 + 1e-9, above=True)], ...] = ()
    accepted: tuple[Any, ...] = ()
    leading: tuple[float, float] | None = None
    term: str = ""


@dataclass(frozen=True)
class Consequent:
    """A rule's opinion on one class: bias + sum over its conditions of what their inputs add.

    Attributes
    ----------
    label : the class
    bias : the opinion where every input is at its reference; the class's threshold is in it
    slopes : for each condition, what a number adds per unit above its reference, or what each
        category adds
    """

    label: Any
    bias: float
    slopes: tuple[float | tuple[float, ...], ...]


@dataclass(frozen=True)
class Rule:
    """One rule, with what stands behind it.

    Attributes
    ----------
    conditions : what it looks at
    consequents : its opinion on each class
    support : share of the training rows on which it is the strongest rule
    rows : how many rows these are
    strength : its mean strength over all training rows
    mix : share of each class in the rows it leads on; () if it leads on none
    probabilities : what the rule alone says of each class, averaged over the rows by its strength
    label : the class it argues for, the most probable of these
    """

    conditions: tuple[Condition, ...]
    consequents: Annotated[tuple[Consequent, ...], list_of(check_of(Consequent), least=1)]
    support: Share = 0.0
    rows: int = 0
    strength: Share = 0.0
    mix: tuple[Share, ...] = ()
    probabilities: tuple[Share, ...] = ()
    label: Any = None
