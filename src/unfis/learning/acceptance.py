"""Whether a damped step is taken, when there is no more to gain, and how the damping follows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import NamedTuple, Self

from unfis.learning.system import NormalEquations

# A step counts as a descent from this share of the predicted decrease on.
SMALLEST_RATIO = 1e-4
# From this share on it did what was predicted; below, it may have gone too far.
GOOD_RATIO = 0.25
# The parameters by themselves cannot promise more than their number times the decrease they promise
# together. If they promise so many times more, then damping hides that there is no minimum here.
STALLED = 10


@dataclass(frozen=True)
class Damping(ABC):
    """A damping that follows what became of the steps."""

    value: float

    @abstractmethod
    def accepted(self, ratio: float) -> Self:
        """After a step that was taken, with this ratio of actual to predicted decrease."""

    @abstractmethod
    def rejected(self) -> Self:
        """After a step that was not."""

    def within(self, least: float, most: float) -> Self:
        """The same damping, between two bounds."""
        value = min(max(self.value, least), most)
        return self if value == self.value else replace(self, value=value)


@dataclass(frozen=True)
class MarquardtDamping(Damping):
    """A tenth after an accepted step, ten times after a rejected one."""

    def accepted(self, ratio: float) -> Self:
        return type(self)(self.value / 10)

    def rejected(self) -> Self:
        return type(self)(self.value * 10)


@dataclass(frozen=True)
class RatioDamping(Damping):
    """Nielsen's: the less, the better steps do what is predicted; ever more when they do not."""

    growth: float = 2.0  # the factor by which the next rejection raises it

    def accepted(self, ratio: float) -> Self:
        return type(self)(self.value * max(1 / 3, 1 - (2 * ratio - 1) ** 3))

    def rejected(self) -> Self:
        return type(self)(self.value * self.growth, 2 * self.growth)


class Trial(NamedTuple):
    """What a step was to gain and what it does."""

    predicted: float
    gain: float  # of the objective
    first: bool  # whether it is the iteration's first, at the damping that it began with

    @property
    def ratio(self) -> float:
        """Of the gain to what was predicted, at most 1: more is chance, or both are nothing."""
        return 1.0 if self.gain >= self.predicted else self.gain / self.predicted


class Verdict(Enum):
    """What becomes of a step."""

    ACCEPTED = auto()
    REJECTED = auto()
    CONVERGED = auto()  # the last one, to be taken if it gains anything
    STUCK = auto()  # no step helps


class ExactCriterion(NamedTuple):
    """All samples are looked at with their own curvature: there is a minimum to be found."""

    enough: float
    system: NormalEquations

    def doubts(self, predicted: float) -> bool:
        """Whether it may be the damping that makes a step short: one hardly damped is tried."""
        return predicted <= self.enough

    def verdict(self, trial: Trial) -> Verdict:
        """Near a minimum the last step is worth more than all before it: it is taken too."""
        small = trial.predicted <= self.enough
        if small or (not trial.first and 0 < trial.gain <= self.enough):
            bound = STALLED * len(self.system.rhs) * self.enough
            if self.system.uncoupled_decrease() <= bound:
                return Verdict.CONVERGED
            if small:  # it is the damping that makes all steps short
                return Verdict.STUCK
        return accepted_or_rejected(trial)


class SamplingCriterion(NamedTuple):
    """Some samples, or their curvature, stand for others: no minimum is there to be found.

    It is enough that the first step of an iteration lowers the objective by little, as predicted,
    or that two iterations do.
    """

    enough: float
    was_short: bool  # whether the step before gained hardly anything

    def doubts(self, predicted: float) -> bool:
        """Never: a short step is short enough."""
        return False

    def verdict(self, trial: Trial) -> Verdict:
        """Converged by a step that gains little and was to."""
        if trial.predicted <= self.enough and not trial.gain > 0:
            return Verdict.CONVERGED
        verdict = accepted_or_rejected(trial)
        as_predicted = trial.first and trial.gain >= GOOD_RATIO * trial.predicted
        short = trial.gain <= self.enough and (self.was_short or as_predicted)
        return Verdict.CONVERGED if short and verdict is Verdict.ACCEPTED else verdict


Criterion = ExactCriterion | SamplingCriterion


def accepted_or_rejected(trial: Trial) -> Verdict:
    """By the share of the predicted decrease that a step brings."""
    descends = trial.gain > SMALLEST_RATIO * trial.predicted
    return Verdict.ACCEPTED if descends else Verdict.REJECTED
