"""How many rules a network has, and how strong its prior is: by leave-one-out in closed form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from unfis.arrays import Array, Mask
from unfis.data.drawing import deduplicated, every_kth
from unfis.data.samples import Samples, mean_within, weighted_deviation, weighted_mean
from unfis.learning.damped import TrustRegion
from unfis.learning.leave_one_out import leave_one_out
from unfis.learning.local_problem import LocalProblem
from unfis.learning.loop import train
from unfis.learning.objective import CrossEntropy
from unfis.learning.watch import UNWATCHED, Watch
from unfis.network.parameters import Parameters
from unfis.network.prior import start_prior, trainable
from unfis.network.selection import Selection
from unfis.parallel import in_processes
from unfis.ties import first_least, is_less, rounding

# Ridges that are tried, from the middle outwards as long as they predict better.
RIDGES = tuple(10.0 ** (exponent / 2) for exponent in range(-3, 4))
# Rows that a choice looks at: more do not make it better, only slower.
CHOICE_ROWS = 2000
SPAN = (0.0, 0.35)  # of a fit, what the choice usually takes
# The number of rules that others must beat: two are the least that decide between them.
USUAL_RULES = 2
# More rules than this are tried only if so few promise to be better than the usual number, and if
# there are as many samples as parameters.
FEW_RULES = 3
# By how many standard errors a number of rules must be better, and must be at the first ridge for
# others to be tried.
CLEARLY, PROMISING = 2.0, 1.0
# How closely networks are trained that only have to be compared: tolerance, iterations, and the
# first damping per unit of a sample's weight.
CLOSENESS, MOST_ITERATIONS, FIRST_DAMPING = 3e-3, 50, 0.1
# All samples are looked at, so none are drawn; to make a generator takes as long as an iteration.
NO_CHANCE = np.random.RandomState(0)


class Beginning(NamedTuple):
    """A network whose inputs are all in, trained with one ridge, and how well it predicts."""

    n_rules: int
    ridge: float
    start: Parameters
    network: Parameters
    losses: Array  # of each sample left out, (samples,)
    loss: float  # their mean


@dataclass(frozen=True)
class Choice:
    """What networks are chosen for.

    Attributes
    ----------
    inputs : the columns of each
    start : makes a network's first parameters of X, targets, weights and a number of rules
    numbers, ridges : of rules, and strengths of the prior, to choose from
    most_parameters : of very many inputs so few are in that there are no more
    """

    samples: Samples
    inputs: Sequence[slice]
    start: Callable[..., Parameters]
    numbers: Sequence[int]
    ridges: Sequence[float]
    consequents: str = "linear"
    n_jobs: int | None = None
    watch: Watch = UNWATCHED
    most_parameters: int = 1500

    def best(self) -> Beginning:
        """The least loss of a usual number of rules, and of those that are clearly better.

        Another number must have a clearly lower loss, and many rules are tried only if few promise
        one.
        """
        task = replace(self, samples=every_kth(deduplicated(self.samples), CHOICE_ROWS))
        ridges = self.ridges
        self.watch.begin("number of rules", SPAN)
        usual, *others = sorted(self.numbers, key=lambda number: abs(number - USUAL_RULES))
        first = task.best_ridge(ridges, len(ridges) // 2, None, usual)
        # Constant rules have little but their sets, which a single sample may decide under a weak
        # prior: one ridge then says nothing of the others, and each number looks for its own.
        alone = self.consequents == "constant"
        middle = len(ridges) // 2 if alone else ridges.index(first.ridge)
        to_beat = None if alone else first
        rivals = task.tried(ridges, middle, to_beat, [n for n in others if n <= FEW_RULES])
        if task.better(rivals, first, PROMISING):
            most = len(task.samples.X) // task.parameters_per_rule
            more = [n for n in others if FEW_RULES < n <= most]
            found = rivals[int(first_least([one.loss for one in rivals]))]
            own = ridges if alone else (found.ridge,)
            for two in (more[start : start + 2] for start in range(0, len(more), 2)):
                pair = task.tried(own, len(own) // 2, to_beat, two)
                rivals += pair
                pair = [one for one in pair if is_less(one.loss, found.loss)]
                if not pair:
                    break
                found = pair[int(first_least([one.loss for one in pair]))]
        self.watch.is_over("more numbers of rules")
        kept = sorted([first, *task.better(rivals, first, CLEARLY)], key=lambda one: one.n_rules)
        return kept[int(first_least([one.loss for one in kept]))]

    def tried(
        self,
        ridges: Sequence[float],
        middle: int,
        to_beat: Beginning | None,
        numbers: Sequence[int],
    ) -> list[Beginning]:
        """Networks with these numbers of rules, each at the ridge that suits it, in time."""
        most = max(self.numbers)

        def tell(done: int) -> None:
            number = numbers[done - 1]
            self.watch.report(number / most, f"number of rules, {number} of at most {most}")

        works = [partial(self.in_time, ridges, middle, to_beat, number) for number in numbers]
        # To start processes takes seconds, which nobody has who is late already.
        n_jobs = None if self.watch.is_over() else self.n_jobs
        return [one for one in in_processes(works, n_jobs, tell) if one is not None]

    def in_time(
        self, ridges: Sequence[float], middle: int, to_beat: Beginning | None, n_rules: int
    ) -> Beginning | None:
        """What `best_ridge` finds, None if time is over before it begins."""
        if self.watch.is_over():
            return None
        return self.best_ridge(ridges, middle, to_beat, n_rules)

    def best_ridge(
        self, ridges: Sequence[float], middle: int, to_beat: Beginning | None, n_rules: int
    ) -> Beginning:
        """The ridge with the least loss, sought from one of the list outwards.

        Not sought if the first one does not promise to become clearly better than what is to beat.
        """
        best = self.trained(ridges[middle], *self.begin(n_rules))
        if to_beat and not self.better([best], to_beat, PROMISING):
            return best
        for outward in (ridges[:middle][::-1], ridges[middle + 1 :]):
            found = best
            for ridge in outward:
                if self.watch.is_over():
                    break
                other = self.trained(ridge, found.start, found.network)
                if not is_less(other.loss, found.loss):
                    break
                found = other
            if found is not best:
                return found
        return best

    def begin(self, n_rules: int) -> tuple[Parameters, Parameters]:
        """A start, and its network with all inputs in that tell the classes apart at all.

        Of very many inputs only those that do so best by themselves: what it takes to train them
        grows with their cube.
        """
        # A copy: then every start draws alike, in whatever order or process it is made.
        start = deepcopy(self.start)(*self.samples, n_rules)
        most = max(1, self.most_parameters // (n_rules * (self.samples.targets.shape[1] + 2)))
        widths = [columns.stop - columns.start for columns in self.inputs]
        inside = np.repeat(self.best_inputs(most), widths)
        return start, start.with_selection(Selection.decided(np.tile(inside, (n_rules, 1))))

    def trained(self, ridge: float, start: Parameters, network: Parameters) -> Beginning:
        """A network trained under a ridge, and its losses."""
        objective = CrossEntropy()
        model = trainable(objective, network, "soft", self.consequents)
        prior = start_prior(model, start, ridge, self.consequents)
        problem = LocalProblem(model, objective, *self.samples, prior)
        damping = FIRST_DAMPING * problem.weight / problem.samples
        learner = TrustRegion(damping, CLOSENESS, problem.samples, MOST_ITERATIONS)
        vector = train(learner, problem, model.start, NO_CHANCE, watch=self.watch).vector
        losses = leave_one_out(problem, vector).losses
        mean = mean_within(losses, problem.weights)
        return Beginning(len(start.widths), ridge, start, model.parameters(vector), losses, mean)

    def better(self, rivals: list[Beginning], first: Beginning, errors: float) -> list[Beginning]:
        """Those that are better than the first, sample by sample, by so many standard errors."""
        weights, found = self.samples.weights, []
        shares = weights / weights.sum()
        for rival in rivals:
            gains = first.losses - rival.losses
            gain = mean_within(gains, weights)
            variance = float(shares @ np.square(gains - gain))
            if is_less(errors * float(np.sqrt(variance * np.square(shares).sum())), gain):
                found.append(rival)
        return found

    @property
    def parameters_per_rule(self) -> int:
        """What there is to learn in a rule of all inputs: sets, a bias and slopes."""
        columns, contrasts = self.samples.X.shape[1], self.samples.targets.shape[1] - 1
        slopes = columns if self.consequents == "linear" else 0
        return int(2 * columns + contrasts * (1 + slopes))

    def best_inputs(self, most: int) -> Mask:
        """So many of the inputs that tell the classes apart best by themselves, and equals."""
        scores = self.scores
        if not scores.any():
            return np.ones(len(scores), dtype=bool)
        least = np.sort(scores)[::-1][:most][-1]
        return np.asarray((scores >= least - rounding(least)) & (scores > 0))

    @cached_property
    def scores(self) -> Array:
        """How well each input tells any class from the others by itself, from 0 to 1, (inputs,).

        The squared correlation with the class that a column of it tells best, of the column or of
        its squared deviation, which a class between two others has.
        """
        X, targets, weights = self.samples
        total, tiny = weights.sum(), np.finfo(float).tiny
        best = np.zeros(X.shape[1])
        for values in (X, np.square(X - weighted_mean(X, weights))):
            mean, spread = weighted_mean(values, weights), weighted_deviation(values, weights) ** 2
            for members in (weights[:, None] * targets).T:
                rest = total - members.sum()
                if members.sum() > 0 and rest > 0:
                    shift = np.nan_to_num(weighted_mean(values, members) - mean)
                    told = members.sum() / rest * shift**2 / np.maximum(spread, tiny)
                    best = np.maximum(best, np.where(spread > 0, told, 0.0))
        best = np.where(weighted_deviation(X, weights) > 0, best + tiny, 0.0)
        return np.array([best[columns].max() for columns in self.inputs])
