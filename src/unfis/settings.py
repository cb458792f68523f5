"""The estimator's settings: learners by name, and every parameter checked before a fit."""

from __future__ import annotations

from typing import Any

from unfis.initialisation import STARTS
from unfis.learning import LM, SGD, GqLM, Learner, Momentum, TrustRegion
from unfis.learning.loop import check_positive
from unfis.validation import check_option

LEARNERS: dict[str, type[Learner]] = {
    "trust-region": TrustRegion,
    "gqlm": GqLM,
    "lm": LM,
    "sgd": SGD,
    "momentum": Momentum,
}


def check_settings(estimator: Any) -> Learner:
    """Raise ValueError where a parameter of the estimator is wrong; return its learner."""
    check_positive(estimator, "n_rules", whole=True)
    options = {
        "selection": ("soft", "none"),
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
    check_positive(estimator, "ridge", zero=True)
    check_positive(estimator, "validation_fraction", below=1)
    return check_learner(estimator.learner)


def check_learner(learner: Any) -> Learner:
    """The learner itself, or the one of that name with its defaults."""
    if isinstance(learner, Learner):
        chosen = learner
    else:
        check_option("learner", learner, (*LEARNERS, "a Learner object"))
        chosen = LEARNERS[learner]()
    chosen.check()
    return chosen
