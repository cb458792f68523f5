"""The algorithms: objectives, problems, normal equations, learners and the loop that runs them.

Arrays only, no network. What predicts needs an `objective` alone, without scipy or scikit-learn: so
nothing is imported here before it is asked for.
"""

from importlib import import_module
from typing import Any

# The learners by name, with their modules.
LEARNERS = {
    "trust-region": "unfis.learning.trust_region.TrustRegion",
    "gqlm": "unfis.learning.gqlm.GqLM",
    "lm": "unfis.learning.lm.LM",
    "sgd": "unfis.learning.first_order.SGD",
    "momentum": "unfis.learning.first_order.Momentum",
}


def learner_class(name: str) -> Any:
    """The class of a learner."""
    module, _, kind = LEARNERS[name].rpartition(".")
    return getattr(import_module(module), kind)


def registered_name(learner: object) -> str | None:
    """The name of a learner, None where it is not one of these."""
    kind = type(learner)
    names = {path: name for name, path in LEARNERS.items()}
    return names.get(f"{kind.__module__}.{kind.__qualname__}")
