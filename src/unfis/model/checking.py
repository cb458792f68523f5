"""Settings, checked, and what they leave to the data."""

from __future__ import annotations

from typing import Any

import numpy as np

from unfis.data.samples import Samples
from unfis.data.target import check_option
from unfis.initialisation.start import STARTS
from unfis.learning import LEARNERS, learner_class
from unfis.learning.loop import Learner, check_positive
from unfis.model.settings import WORDS, LearnerName, Settings, is_auto
from unfis.network import Shape
from unfis.network.constraints import Constraints
from unfis.selection import SearchSpace
from unfis.selection.stage import MOST_PARAMETERS
from unfis.serial.messages import quoted


def check_settings(settings: Settings) -> Learner:
    """Raise ValueError where a setting is wrong; return the learner."""
    check_positive(settings, "n_rules", whole=True, otherwise="auto")
    check_positive(settings, "max_rules", whole=True, otherwise=None)
    check_positive(settings, "max_conditions", whole=True, otherwise=None)
    check_positive(settings, "tolerance", zero=True)
    check_positive(settings, "points", whole=True, otherwise=("auto", "exact"))
    options = {
        **WORDS,
        "initialisation": tuple(STARTS),
        "scale": (True, False),
        "early_stopping": (True, False),
        "warm_start": (True, False),
        "verbose": (True, False),
    }
    for name, allowed in options.items():
        check_option(name, getattr(settings, name), allowed)
    if settings.max_conditions is not None and settings.selection != "decisive":
        raise ValueError(
            f"max_conditions={settings.max_conditions} needs selection='decisive', got "
            f"selection={settings.selection!r}, whose rules keep all inputs."
        )
    for name in ("monotonic_cst", "forbidden_inputs", "given_rules"):
        if getattr(settings, name) is not None and settings.selection != "decisive":
            raise ValueError(
                f"{name} needs selection='decisive', got selection={settings.selection!r}, whose "
                "rules have all inputs in their IF."
            )
    if isinstance(settings.categorical_features, str):
        check_option("categorical_features", settings.categorical_features, ("from_dtype",))
    check_positive(settings, "ridge", zero=True, otherwise="auto")
    check_positive(settings, "validation_fraction", below=1)
    check_jobs(settings.n_jobs)
    check_positive(settings, "time_limit", otherwise=None)
    return check_learner(settings.learner)


def size_of_network(settings: Settings, samples: Samples) -> int:
    """The most parameters of a network that is trained with these settings on such samples."""
    size = Shape(settings.most_rules, samples.X.shape[1], samples.targets.shape[1]).size
    return min(size, MOST_PARAMETERS) if settings.selection == "decisive" else size


def search_space(
    settings: Settings, rows: int, inputs: int, constraints: Constraints
) -> SearchSpace:
    """What the settings leave to the data, in the bounds of so many rows and of an expert."""
    # Where no input may be in an IF there is one rule.
    most = settings.most_rules if constraints.in_condition(inputs).any() else 1
    fixed = not is_auto(settings.n_rules)
    if fixed and int(settings.n_rules) > rows:
        raise ValueError(
            f"n_rules must be at most the number of rows, got n_rules={settings.n_rules} for "
            f"{rows} rows."
        )
    if settings.max_conditions is not None and settings.max_conditions > 2 * inputs:
        raise ValueError(
            "max_conditions must be at most twice the number of inputs, which may be in the IF and "
            f"in the THEN of a rule, got max_conditions={settings.max_conditions} for {inputs} "
            "inputs. None sets no bound."
        )
    return SearchSpace(
        n_rules=int(settings.n_rules) if fixed else None,
        max_rules=min(most, rows),
        max_conditions=settings.max_conditions,
        ridge=None if is_auto(settings.ridge) else float(settings.ridge),
        consequents=settings.consequents,
        tolerance=settings.tolerance,
        n_jobs=settings.n_jobs,
    )


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
    chosen = LearnerName(learner, {}) if isinstance(learner, str) else learner
    if isinstance(chosen, LearnerName) and chosen.name in LEARNERS:
        chosen = learner_class(chosen.name)(**chosen.parameters)
    if not isinstance(chosen, Learner):
        names = ", ".join(repr(name) for name in LEARNERS)
        raise ValueError(
            f"learner must be one of {names} or a Learner object; got {quoted(learner)}."
        )
    chosen.check()
    return chosen
