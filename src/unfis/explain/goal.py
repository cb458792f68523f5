"""Goal: what a change is to reach, another answer or a number, as a function of sums of points."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, log

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from unfis.arrays import Array, Mask, softmax
from unfis.data.costs import decision_threshold, expected_costs
from unfis.model import FittedModel
from unfis.model.given import is_number
from unfis.serial.messages import quoted
from unfis.text.explanation import is_of_classes
from unfis.text.numbers import number_words

GoalAnswers = NDArray[np.intp]


@dataclass(frozen=True)
class Goal:
    """Another class than the answer, or a number above or below a given one."""

    above: float = -inf
    below: float = inf

    @classmethod
    def of(cls, above: float | None, below: float | None) -> Goal | None:
        """The goal of a number, None where none is given."""
        if above is None and below is None:
            return None
        if above is not None and below is not None:
            raise ValueError("Give above or below, not both.")
        for name, value in (("above", above), ("below", below)):
            if value is not None and not is_number(value):
                raise ValueError(f"{name} must be a finite number, or None; got {quoted(value)}.")
        return cls(-inf if above is None else float(above), inf if below is None else float(below))

    @property
    def words(self) -> str:
        """Where a number is to be, such as "above 5"; empty for another class."""
        if isfinite(self.above):
            return f"above {number_words(self.above)}"
        return f"below {number_words(self.below)}" if isfinite(self.below) else ""

    def answers(self, model: FittedModel, values: Array) -> GoalAnswers:
        """The positions of rows' classes; of a number 1 where the goal is reached, else 0."""
        found = model.predictions(values)
        if is_of_classes(model.rules):
            return model.answers(found)
        return np.asarray((found > self.above) & (found < self.below), dtype=np.intp)

    def leads(self, model: FittedModel, z: Array, old: GoalAnswers) -> Array:
        """Above 0 where sums of points, (rows, n, outputs), are others than the old answer's.

        By how much the best other answer leads, up to a factor, (rows, n).
        """
        unit = model.rules.unit
        if model.rules.link == "softmax":
            costs = expected_costs(softmax(unit * z), model.costs) if model.costs else -z
            own = np.take_along_axis(costs, old[:, None, None], axis=2)
            others = np.where(np.arange(costs.shape[2]) == old[:, None, None], inf, costs)
            return np.asarray(own[:, :, 0] - others.min(axis=2))
        if model.rules.link == "logistic":
            limit = float(logit(decision_threshold(model.costs, 1)))
            signs = np.where(old == 1, -1.0, 1.0)
        else:
            limit = self.above if isfinite(self.above) else self.below
            signs = np.full(len(old), 1.0 if isfinite(self.above) else -1.0)
            if model.rules.link == "exp":
                limit = log(limit) if limit > 0 else -inf
        return np.asarray(signs[:, None] * (z[:, :, 0] - limit / unit))

    def is_reached(self, model: FittedModel, values: Array, old: GoalAnswers) -> Mask:
        """Whether rows that had an old answer have another one, or a number that is to be."""
        new = self.answers(model, values)
        return np.asarray(new != old if is_of_classes(model.rules) else new == 1)


ANOTHER = Goal()  # class than the answer
