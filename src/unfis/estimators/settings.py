"""The estimator's settings: learners by name, and every parameter checked before a fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from unfis.data.samples import Samples
from unfis.data.target import check_option
from unfis.initialisation.start import STARTS
from unfis.learning import LM, SGD, GqLM, Learner, Momentum, TrustRegion
from unfis.learning.loop import check_positive
from unfis.messages import quoted
from unfis.network import Shape
from unfis.selection import Wishes
from unfis.selection.elimination import MOST_PARAMETERS

LEARNERS: dict[str, type[Learner]] = {
    "trust-region": TrustRegion,
    "gqlm": GqLM,
    "lm": LM,
    "sgd": SGD,
    "momentum": Momentum,
}


def check_settings(estimator: Any) -> Learner:
    """Raise ValueError where a parameter of the estimator is wrong; return its learner."""
    check_positive(estimator, "n_rules", whole=True, otherwise="auto")
    check_positive(estimator, "max_rules", whole=True)
    check_positive(estimator, "max_conditions", whole=True, otherwise=None)
    check_positive(estimator, "tolerance", zero=True)
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
        check_option(name, getattr(estimator, name), allowed)
    if estimator.max_conditions is not None and estimator.selection != "decisive":
        raise ValueError(
            f"max_conditions={estimator.max_conditions} needs selection='decisive', got "
            f"selection={estimator.selection!r}, whose rules keep all inputs."
        )
    if isinstance(estimator.categorical_features, str):
        check_option("categorical_features", estimator.categorical_features, ("from_dtype",))
    check_positive(estimator, "ridge", zero=True, otherwise="auto")
    check_positive(estimator, "validation_fraction", below=1)
    check_jobs(estimator.n_jobs)
    return check_learner(estimator.learner)


def check_jobs(n_jobs: Any) -> None:
    """Raise ValueError unless it is a number of processes as joblib takes it."""
    whole = isinstance(n_jobs, int | np.integer) and not isinstance(n_jobs, bool)
    if n_jobs is not None and (not whole or n_jobs == 0):
        raise ValueError(
            "n_jobs must be a whole number other than 0 (-1 for all cores), or None, "
            f"got {quoted(n_jobs)}."
        )


def is_auto(value: Any) -> bool:
    """Whether a setting is left to the data."""
    return isinstance(value, str) and value == "auto"


def most_rules(estimator: Any) -> int:
    """The most rules that a network of these settings can have."""
    return int(estimator.max_rules if is_auto(estimator.n_rules) else estimator.n_rules)


def size_of_network(estimator: Any, samples: Samples) -> int:
    """The most parameters of a network that is trained with these settings on samples."""
    shape = Shape(most_rules(estimator), samples.X.shape[1], samples.targets.shape[1])
    return min(shape.size, MOST_PARAMETERS) if estimator.selection == "decisive" else shape.size


def wishes_of(estimator: Any, samples: Samples) -> Wishes:
    """What the settings leave to the data, in the bounds of the samples."""
    rows, inputs = len(samples.X), len(estimator.inputs_)
    fixed = not is_auto(estimator.n_rules)
    if fixed and estimator.n_rules > rows:
        raise ValueError(
            f"n_rules must be at most the number of rows, got n_rules={estimator.n_rules} for "
            f"{rows} rows."
        )
    if estimator.max_conditions is not None and estimator.max_conditions > inputs:
        raise ValueError(
            f"max_conditions must be at most the number of inputs, got max_conditions="
            f"{estimator.max_conditions} for {inputs} inputs. None sets no bound."
        )
    return Wishes(
        n_rules=estimator.n_rules if fixed else None,
        max_rules=min(estimator.max_rules, rows),
        max_conditions=estimator.max_conditions,
        ridge=None if is_auto(estimator.ridge) else estimator.ridge,
        consequents=estimator.consequents,
        tolerance=estimator.tolerance,
        n_jobs=estimator.n_jobs,
    )


def unchangeable_settings(estimator: Any) -> dict[str, Any]:
    """The settings that shape a network, and so cannot change while it goes on learning."""
    names = (
        "n_rules",
        "max_rules",
        "max_conditions",
        "selection",
        "consequents",
        "scale",
        "categorical_features",
    )
    return {name: getattr(estimator, name) for name in names}


def fitted_settings(estimator: Any) -> dict[str, Any]:
    """All settings, those that shape a network as they were when it was made."""
    return {**estimator.get_params(deep=False), **estimator._fitted_with}


def check_unchanged(estimator: Any) -> None:
    """Raise ValueError where a model that goes on learning would need another network."""
    for name, now in unchangeable_settings(estimator).items():
        before = estimator._fitted_with[name]
        if not np.array_equal(np.asarray(now, dtype=object), np.asarray(before, dtype=object)):
            raise ValueError(
                f"{name} was {before!r} when learning began and is {now!r} now. warm_start and "
                "partial_fit go on with the same network: set it back, or fit anew with "
                "warm_start=False."
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
