"""What is minimised, one file each; nothing but this and words for people knows the task."""

from unfis.additive.objective.base import Evaluation, Objective
from unfis.additive.objective.cross_entropy import CrossEntropyOfClasses, CrossEntropyOfTwo
from unfis.additive.objective.poisson import PoissonDeviance
from unfis.additive.objective.squared_error import HalfSquaredError

__all__ = [
    "CrossEntropyOfClasses",
    "CrossEntropyOfTwo",
    "Evaluation",
    "HalfSquaredError",
    "Objective",
    "PoissonDeviance",
]
