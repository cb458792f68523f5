"""One prediction taken apart, as plain data."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from unfis.rules.text.explanation import explanation_html, explanation_text
from unfis.rules.text.words import class_name


@dataclass(frozen=True)
class HeldCondition:
    """How far one condition of a rule holds in a row."""

    input: str
    value: Any  # None where unknown
    label: str  # input and value in words
    term: str  # the condition in words
    degree: float  # from 0 to 1; 1 where the value is unknown
    limits: bool  # whether it is the one that holds least in its rule


@dataclass(frozen=True)
class RulePart:
    """What one rule has to say on a row."""

    number: int  # counted from 1
    strength: float  # how much of the say it has, all rules together 1
    share: float  # what it adds to the logit, strength times opinion
    conditions: tuple[HeldCondition, ...]


@dataclass(frozen=True)
class InputPart:
    """What one input adds to the logit, over all rules."""

    input: str
    value: Any  # None where unknown
    label: str  # input and value in words
    share: float  # by the conditions it fulfils and by the opinions it moves


@dataclass(frozen=True)
class Neighbour:
    """A training row that the rules see much alike."""

    row: int  # in the training table, counted from 0
    label: Any  # its class
    distance: float  # 0 where the rules cannot tell them apart


@dataclass(frozen=True)
class Change:
    """The smallest change of one input that would change the answer."""

    input: str
    value: Any
    to: Any  # what it would have to be
    label: str  # all of it in words
    prediction: Any  # the answer then


@dataclass(frozen=True)
class Explanation:
    """Why a row got its answer: parts that add up to the logit."""

    prediction: Any  # the most probable class
    runner_up: Any  # the next
    probabilities: tuple[float, ...]  # of each class, in the order of `classes`
    classes: tuple[Any, ...]
    # Logit of the prediction against the runner-up: the shares of all rules together, and start +
    # the shares of all inputs.
    margin: float
    start: float  # the margin if no input were known
    rules: tuple[RulePart, ...]
    inputs: tuple[InputPart, ...]
    unknown: tuple[str, ...]  # names of the inputs of which nothing is known
    coverage: float  # share of training rows that are covered no better; 0 where nothing like it
    neighbours: tuple[Neighbour, ...]  # the training rows most like it
    change: Change | None  # the smallest one that changes the answer, None if there is none

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_text(self) -> str:
        """The explanation in words."""
        return explanation_text(self)

    def to_html(self) -> str:
        """The explanation as HTML that stands by itself or inside a page."""
        return explanation_html(self)

    def to_dict(self) -> dict[str, Any]:
        """All of it as dicts, tuples, numbers and text."""
        return asdict(self)

    @property
    def title(self) -> str:
        """The answer in one line."""
        return f"{class_name(self.prediction)} rather than {class_name(self.runner_up)}"

    def plot(self, ax: Any = None) -> Any:
        """What each input adds to the logit, as a waterfall; needs matplotlib."""
        from unfis.plots import WaterfallDisplay

        return WaterfallDisplay.from_explanation(self, ax=ax)
