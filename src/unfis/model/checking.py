"""Settings, checked, and what they leave to the data."""

from __future__ import annotations

from typing import Any

from unfis.data.samples import Samples
from unfis.learning import LEARNERS, learner_class
from unfis.learning.loop import Learner
from unfis.model.settings import LearnerName, Settings, is_auto
from unfis.network import Shape
from unfis.network.constraints import Constraints
from unfis.selection import SearchSpace
from unfis.selection.stage import MOST_PARAMETERS
from unfis.serial.messages import quoted


def check_settings(settings: Settings) -> Learner:
    """Raise ValueError where a setting is wrong; return the learner."""
    settings.check()
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
