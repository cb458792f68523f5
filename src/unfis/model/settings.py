"""The settings of a fit: what a user decides, and what is left to the data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np

# The settings that are one of a few words.
WORDS = {
    "selection": ("decisive", "soft", "none"),
    "consequents": ("linear", "constant"),
    "unseen_categories": ("missing", "error"),
}
# The most rules that are chosen by themselves; networks of all inputs have fewer.
MOST_RULES = {"decisive": 8, "soft": 3, "none": 3}
# They shape a network, and so cannot change while it goes on learning.
SHAPING = (
    "n_rules",
    "max_rules",
    "max_conditions",
    "selection",
    "consequents",
    "scale",
    "categorical_features",
    "monotonic_cst",
    "forbidden_inputs",
    "given_rules",
)


# Points for a step, if they are left to the data.
TWO_CLASS_POINTS, MOST_AUTO_POINTS = 5, 9


class LearnerName(NamedTuple):
    """A learner as a model file names it."""

    name: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class Settings:
    """The parameters of an estimator; its docstring says what they mean."""

    n_rules: int | str
    max_rules: int | None
    max_conditions: int | None
    tolerance: float
    points: int | str
    selection: str
    consequents: str
    learner: Any
    initialisation: str
    scale: bool
    ridge: float | str
    class_weight: Any
    costs: Any
    threshold: Any
    categorical_features: Any
    unseen_categories: str
    monotonic_cst: Any
    forbidden_inputs: Any
    given_rules: Any
    early_stopping: bool
    validation_fraction: float
    warm_start: bool
    n_jobs: int | None
    time_limit: float | None
    random_state: Any
    verbose: bool

    @property
    def most_rules(self) -> int:
        """The most rules that a network may have."""
        if not is_auto(self.n_rules):
            return int(self.n_rules)
        return MOST_RULES[self.selection] if self.max_rules is None else int(self.max_rules)

    def most_points(self, classes: int) -> int | str:
        """The most points for a step of an input, or "exact".

        Of several classes each has its own: with as few as of two, small ones would be lost. Two
        have more where fewer would lose much of what was learned.
        """
        if is_auto(self.points):
            return TWO_CLASS_POINTS if classes == 2 else MOST_AUTO_POINTS
        return self.points

    def plain(self) -> dict[str, Any]:
        """The settings by name, none of them copied."""
        return {item.name: getattr(self, item.name) for item in fields(self)}

    def shaped_as(self, other: Settings) -> Settings:
        """These settings, with those that shape a network from others."""
        shaping = {name: getattr(other, name) for name in SHAPING}
        return Settings(**{**self.plain(), **shaping})

    def check_shaped_as(self, before: Settings) -> None:
        """Raise ValueError where a model that goes on learning would need another network."""
        for name in SHAPING:
            then, now = getattr(before, name), getattr(self, name)
            if not np.array_equal(np.asarray(now, dtype=object), np.asarray(then, dtype=object)):
                raise ValueError(
                    f"{name} was {then!r} when learning began and is {now!r} now. warm_start and "
                    "partial_fit go on with the same network: set it back, or fit anew with "
                    "warm_start=False."
                )


def is_auto(value: Any) -> bool:
    """Whether a setting is left to the data."""
    return isinstance(value, str) and value == "auto"
