"""The settings of a fit, checked: what a user decides, and what is left to the data."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from unfis.data.samples import Samples
from unfis.data.target import check_option
from unfis.initialisation.start import STARTS
from unfis.learning import LEARNERS, Learner
from unfis.learning.loop import check_positive
from unfis.messages import quoted
from unfis.network import Shape
from unfis.selection import Wishes
from unfis.selection.elimination import MOST_PARAMETERS

# They shape a network, and so cannot change while it goes on learning.
SHAPING = (
    "n_rules",
    "max_rules",
    "max_conditions",
    "selection",
    "consequents",
    "scale",
    "categorical_features",
)


@dataclass(frozen=True)
class Settings:
    """The parameters of an estimator; its docstring says what they mean."""

    n_rules: int | str
    max_rules: int
    max_conditions: int | None
    tolerance: float
    selection: str
    consequents: str
    learner: Any
    initialisation: str
    scale: bool
    ridge: float | str
    class_weight: Any
    categorical_features: Any
    unseen_categories: str
    early_stopping: bool
    validation_fraction: float
    warm_start: bool
    n_jobs: int | None
    random_state: Any
    verbose: bool

    def plain(self) -> dict[str, Any]:
        """The settings by name, none of them copied."""
        return {item.name: getattr(self, item.name) for item in fields(self)}

    def check(self) -> Learner:
        """Raise ValueError where a setting is wrong; return the learner."""
        check_positive(self, "n_rules", whole=True, otherwise="auto")
        check_positive(self, "max_rules", whole=True)
        check_positive(self, "max_conditions", whole=True, otherwise=None)
        check_positive(self, "tolerance", zero=True)
        options = {
            "selection": ("decisive", "soft", "none"),
            "consequents": ("linear", "constant"),
            "initialisation": tuple(STARTS),
            "unseen_categories": ("missing", "error"),
            "scale": (True, False),
            "early_stopping": (True, False),
            "warm_start": (True, False),
            "verbose": (True, False),
        }
        for name, allowed in options.items():
            check_option(name, getattr(self, name), allowed)
        if self.max_conditions is not None and self.selection != "decisive":
            raise ValueError(
                f"max_conditions={self.max_conditions} needs selection='decisive', got "
                f"selection={self.selection!r}, whose rules keep all inputs."
            )
        if isinstance(self.categorical_features, str):
            check_option("categorical_features", self.categorical_features, ("from_dtype",))
        check_positive(self, "ridge", zero=True, otherwise="auto")
        check_positive(self, "validation_fraction", below=1)
        check_jobs(self.n_jobs)
        return check_learner(self.learner)

    def size_of_network(self, samples: Samples) -> int:
        """The most parameters of a network that is trained with these settings on samples."""
        rules = int(self.max_rules if is_auto(self.n_rules) else self.n_rules)
        size = Shape(rules, samples.X.shape[1], samples.targets.shape[1]).size
        return min(size, MOST_PARAMETERS) if self.selection == "decisive" else size

    def wishes(self, samples: Samples, inputs: int) -> Wishes:
        """What the settings leave to the data, in the bounds of the samples."""
        rows, fixed = len(samples.X), not is_auto(self.n_rules)
        if fixed and int(self.n_rules) > rows:
            raise ValueError(
                f"n_rules must be at most the number of rows, got n_rules={self.n_rules} for "
                f"{rows} rows."
            )
        if self.max_conditions is not None and self.max_conditions > inputs:
            raise ValueError(
                f"max_conditions must be at most the number of inputs, got max_conditions="
                f"{self.max_conditions} for {inputs} inputs. None sets no bound."
            )
        return Wishes(
            n_rules=int(self.n_rules) if fixed else None,
            max_rules=min(self.max_rules, rows),
            max_conditions=self.max_conditions,
            ridge=None if is_auto(self.ridge) else float(self.ridge),
            consequents=self.consequents,
            tolerance=self.tolerance,
            n_jobs=self.n_jobs,
        )

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


def check_jobs(n_jobs: Any) -> None:
    """Raise ValueError unless it is a number of processes as joblib takes it."""
    whole = isinstance(n_jobs, int | np.integer) and not isinstance(n_jobs, bool)
    if n_jobs is not None and (not whole or n_jobs == 0):
        raise ValueError(
            "n_jobs must be a whole number other than 0 (-1 for all cores), or None, "
            f"got {quoted(n_jobs)}."
        )


def check_learner(learner: Any) -> Learner:
    """The learner itself, or the one of that name with its defaults."""
    if isinstance(learner, Learner):
        chosen = learner
    elif isinstance(learner, str) and learner in LEARNERS:
        chosen = LEARNERS[learner]()
    else:
        names = ", ".join(repr(name) for name in LEARNERS)
        raise ValueError(
            f"learner must be one of {names} or a Learner object; got {quoted(learner)}."
        )
    chosen.check()
    return chosen
