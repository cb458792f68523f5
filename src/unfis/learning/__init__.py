"""The algorithms: objectives, Systems, learners and the loop that runs them. Arrays only."""

from unfis.learning.first_order import SGD, Momentum
from unfis.learning.gqlm import GqLM
from unfis.learning.leave_one_out import leave_one_out
from unfis.learning.lm import LM
from unfis.learning.loop import Learner, Outcome, Record, train
from unfis.learning.objective import CrossEntropy
from unfis.learning.problem import Prior, Problem
from unfis.learning.system import System
from unfis.learning.trust_region import TrustRegion

LEARNERS: dict[str, type[Learner]] = {
    "trust-region": TrustRegion,
    "gqlm": GqLM,
    "lm": LM,
    "sgd": SGD,
    "momentum": Momentum,
}

__all__ = [
    "LEARNERS",
    "LM",
    "SGD",
    "CrossEntropy",
    "GqLM",
    "Learner",
    "Momentum",
    "Outcome",
    "Prior",
    "Problem",
    "Record",
    "System",
    "TrustRegion",
    "leave_one_out",
    "train",
]
