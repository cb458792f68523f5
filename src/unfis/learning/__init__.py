"""The algorithms: objectives, problems, normal equations, learners and the loop that runs them.

Arrays only, no network. What predicts needs an `objective` alone, without scipy or scikit-learn: so
nothing is imported here before it is asked for.
"""

from importlib import import_module
from typing import Any

from unfis.serial.messages import quoted

# The learners by name, with their modules.
LEARNERS = {
    "trust-region": "unfis.learning.damped.TrustRegion",
    "gqlm": "unfis.learning.epochs.GqLM",
    "lm": "unfis.learning.damped.LM",
    "sgd": "unfis.learning.epochs.SGD",
    "momentum": "unfis.learning.epochs.Momentum",
}


# What those who write learners of their own begin with.
FOR_OWN_LEARNERS = {
    "CrossEntropy": "unfis.learning.objective",
    "Learner": "unfis.learning.loop",
    "Problem": "unfis.learning.problem",
    "train": "unfis.learning.loop",
}


def __getattr__(name: str) -> Any:
    if name not in FOR_OWN_LEARNERS:
        raise AttributeError(f"module 'unfis.learning' has no attribute {name!r}")
    return getattr(import_module(FOR_OWN_LEARNERS[name]), name)


def learner_class(name: str) -> Any:
    """The class of a learner."""
    module, _, kind = LEARNERS[name].rpartition(".")
    return getattr(import_module(module), kind)


def registered_name(learner: object) -> str | None:
    """The name of a learner, None where it is not one of these."""
    path = f"{type(learner).__module__}.{type(learner).__qualname__}"
    return next((name for name, known in LEARNERS.items() if known == path), None)


def learner_of(value: Any) -> Any:
    """A learner itself, or the one of a name with its defaults; checked."""
    found = learner_class(value)() if isinstance(value, str) and value in LEARNERS else value
    if not isinstance(found, __getattr__("Learner")):
        names = ", ".join(repr(name) for name in LEARNERS)
        raise ValueError(
            f"learner must be one of {names} or a Learner object; got {quoted(value)}."
        )
    found.check()
    return found
