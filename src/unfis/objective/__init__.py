"""What is minimised, one file each; nothing but this and words for people knows the task."""

from unfis.objective.base import Evaluation, Objective
from unfis.objective.cross_entropy import CrossEntropyOfClasses, CrossEntropyOfTwo
from unfis.objective.poisson import PoissonDeviance
from unfis.objective.squared_error import HalfSquaredError

__all__ = [
    "CrossEntropyOfClasses",
    "CrossEntropyOfTwo",
    "Evaluation",
    "HalfSquaredError",
    "Objective",
    "PoissonDeviance",
]
