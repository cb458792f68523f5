"""The settings of a fit: the one table of what an estimator's parameters may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, NamedTuple, get_type_hints

import numpy as np

from unfis.network.start import STARTS
from unfis.serial.parameters import check_jobs, check_number, check_option

# The estimators, and which of them it is by its selection.
RULES, NETWORK = "UNFISClassifier", "UNFISNetworkClassifier"
ESTIMATORS = {"decisive": RULES, "soft": NETWORK, "none": NETWORK}
# The most rules that are chosen by themselves; networks of all inputs have fewer.
MOST_RULES = {"decisive": 8, "soft": 3, "none": 3}
# Points for a step, if they are left to the data.
TWO_CLASS_POINTS, MOST_AUTO_POINTS = 5, 9


class LearnerName(NamedTuple):
    """A learner as a model file names it."""

    name: str
    parameters: Mapping[str, Any]


def any_value(name: str, value: Any) -> None:
    """What is checked only where more is known, beside the table."""


def by_dtype_or_named(name: str, value: Any) -> None:
    """Raise ValueError for text that names no way to tell categories."""
    if isinstance(value, str):
        check_option(name, value, ("from_dtype",))


class Parameter(NamedTuple):
    """What a parameter may be, and which estimators have it."""

    check: Callable[[str, Any], None] = any_value  # given its name and its value
    of: tuple[str, ...] = (RULES, NETWORK)
    shapes: bool = False  # a network, and so it cannot change while that goes on learning


def numeric(**kind: Any) -> Callable[[str, Any], None]:
    """The check of such a number."""
    return partial(check_number, **kind)


def option(*options: Any) -> Callable[[str, Any], None]:
    """The check of one of these values."""
    return partial(check_option, options=options)


FLAG = option(True, False)
COUNT = numeric(whole=True, otherwise=None)
POINT_LIMIT = numeric(whole=True, otherwise=("auto", "exact"))


@dataclass(frozen=True)
class Settings:
    """The parameters of an estimator, whose docstring says what they mean.

    One that an estimator does not have is as it is here.
    """

    n_rules: Annotated[int | str, Parameter(numeric(whole=True, otherwise="auto"), shapes=True)] = (
        "auto"
    )
    max_rules: Annotated[int | None, Parameter(COUNT, shapes=True)] = None
    max_conditions: Annotated[int | None, Parameter(COUNT, (RULES,), shapes=True)] = None
    tolerance: Annotated[float, Parameter(numeric(zero=True), (RULES,))] = 0.0015
    points: Annotated[int | str, Parameter(POINT_LIMIT, (RULES,))] = "auto"
    selection: Annotated[str, Parameter(option("soft", "none"), (NETWORK,), shapes=True)] = (
        "decisive"
    )
    consequents: Annotated[str, Parameter(option("linear", "constant"), shapes=True)] = "linear"
    learner: Annotated[Any, Parameter(of=(NETWORK,))] = "trust-region"
    initialisation: Annotated[str, Parameter(option(*STARTS), (NETWORK,))] = "k-means"
    scale: Annotated[bool, Parameter(FLAG, (NETWORK,), shapes=True)] = True
    ridge: Annotated[float | str, Parameter(numeric(zero=True, otherwise="auto"))] = "auto"
    class_weight: Annotated[Any, Parameter()] = None
    costs: Annotated[Any, Parameter(of=(RULES,))] = None
    threshold: Annotated[Any, Parameter(of=(RULES,))] = None
    categorical_features: Annotated[Any, Parameter(by_dtype_or_named, shapes=True)] = "from_dtype"
    monotonic_cst: Annotated[Any, Parameter(of=(RULES,), shapes=True)] = None
    forbidden_inputs: Annotated[Any, Parameter(of=(RULES,), shapes=True)] = None
    given_rules: Annotated[Any, Parameter(of=(RULES,), shapes=True)] = None
    early_stopping: Annotated[bool, Parameter(FLAG, (NETWORK,))] = False
    validation_fraction: Annotated[float, Parameter(numeric(below=1), (NETWORK,))] = 0.1
    warm_start: Annotated[bool, Parameter(FLAG, (NETWORK,))] = False
    n_jobs: Annotated[int | None, Parameter(check_jobs)] = None
    time_limit: Annotated[float | None, Parameter(numeric(otherwise=None))] = None
    random_state: Annotated[Any, Parameter()] = None
    verbose: Annotated[bool, Parameter(FLAG)] = False

    @property
    def estimator(self) -> str:
        """The name of the estimator whose parameters these are."""
        return ESTIMATORS.get(self.selection, NETWORK)

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
        """The parameters of the estimator by name, none of them copied."""
        return {name: getattr(self, name) for name in parameters_of(self.estimator)}

    def check(self) -> None:
        """Raise ValueError where a parameter of the estimator is wrong by itself."""
        for name, value in self.plain().items():
            TABLE[name].check(name, value)

    def shaped_as(self, other: Settings) -> Settings:
        """These settings, with those that shape a network from others."""
        return replace(self, **{name: getattr(other, name) for name in SHAPING})

    def check_shaped_as(self, before: Settings) -> None:
        """Raise ValueError where a model that goes on learning would need another network."""
        for name in SHAPING:
            then, now = getattr(before, name), getattr(self, name)
            if not np.array_equal(np.asarray(now, dtype=object), np.asarray(then, dtype=object)):
                raise ValueError(
                    f"{name} was {then!r} when learning began and is {now!r} now. What goes on "
                    "learning keeps its network: set it back, or fit anew."
                )


TABLE: dict[str, Parameter] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(Settings, include_extras=True).items()
}
SHAPING = tuple(name for name, item in TABLE.items() if item.shapes)


def parameters_of(estimator: str) -> list[str]:
    """The names of an estimator's parameters."""
    return [name for name, item in TABLE.items() if estimator in item.of]


def is_auto(value: Any) -> bool:
    """Whether a setting is left to the data."""
    return isinstance(value, str) and value == "auto"
