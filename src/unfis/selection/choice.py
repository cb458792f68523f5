"""What the data chooses: ridge, number of rules, and how few conditions are enough.

Everything is chosen on the training samples alone. The ridge by leave-one-out in closed form, on
the network of all inputs; the number of rules by the same, and by cross-validation of whole
elimination paths with it the conditions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.learning.leave_one_out import leave_one_out
from unfis.network import network_logits
from unfis.parallel import in_processes
from unfis.selection.elimination import Elimination, Stage, path_sizes
from unfis.selection.folds import deduplicated, every_kth, fold_numbers, subsample
from unfis.selection.scoring import mean_and_error
from unfis.ties import first_least, is_less

# Ridges that are tried, from the middle outwards as long as they predict better.
RIDGES = tuple(10.0 ** (exponent / 2) for exponent in range(-3, 4))
# Rows that a choice looks at: more do not make it better, only slower.
CHOICE_ROWS = 2000
# The number of rules that others must beat: with fewer there is nothing to decide between.
USUAL_RULES = 2
# By how many standard errors they must, and must at the first ridge for others to be tried.
CLEARLY, PROMISING = 2.0, 1.0
# Rules of up to so many conditions are easily read; every further one counts so many times.
EASILY_READ = 4
LONG_FACTOR = 6


@dataclass(frozen=True)
class SearchSpace:
    """What the user leaves to the data (None, or a bound), and what not."""

    n_rules: int | None  # None to choose from 1 to `max_rules`
    max_rules: int  # most rules to choose from
    max_conditions: int | None  # most conditions of a rule, None for no bound
    ridge: float | None  # None to choose
    consequents: str  # "linear" or "constant"
    tolerance: float  # how much cross-validated loss it may cost to be rid of a condition per rule
    n_jobs: int | None = None  # how many processes share the work, None for this one alone

    @property
    def numbers(self) -> Sequence[int]:
        """The numbers of rules to choose from."""
        return range(1, self.max_rules + 1) if self.n_rules is None else (self.n_rules,)

    @property
    def ridges(self) -> Sequence[float]:
        """The ridges to choose from."""
        return RIDGES if self.ridge is None else (self.ridge,)


class Point(NamedTuple):
    """A network of a path, and how well its like predict what they have not seen."""

    stage: Stage
    ridge: float
    training_loss: float  # per unit of weight
    losses: Array  # of each sample held out, NaN where it never was, (samples,)
    hits: Array  # whether it was predicted rightly, (samples,)
    criterion: float  # what stands in for the losses where nothing can be held out


class Choice(NamedTuple):
    """All that was compared, and the one that was chosen."""

    points: list[Point]
    chosen: Point
    weights: Array  # of the samples
    folds: NDArray[np.intp] | None
    seconds: dict[str, float]  # spent on each part


def choose_path(elimination: Elimination, space: SearchSpace) -> Choice:
    """Follow the paths of the numbers of rules that promise something, and choose from them."""
    began = perf_counter()
    firsts = candidates(elimination, space)
    samples = firsts[0].elimination.samples
    seconds = {"ridge": perf_counter() - began, "path": 0.0, "cross-validation": 0.0}
    folds = fold_numbers(samples, elimination.objective)
    points = [point for first in firsts for point in follow(first, folds, seconds, space.n_jobs)]
    chosen = cheapest(points, samples.weights, space.tolerance)
    return Choice(points, chosen, samples.weights, folds, seconds)


def choose_size(elimination: Elimination, space: SearchSpace) -> Beginning:
    """The number of rules and the ridge of a network that keeps all its inputs."""
    found = sorted(candidates(elimination, space), key=lambda first: first.n_rules)
    return found[first_least([first.loss for first in found])]


class Beginning(NamedTuple):
    """The network of all inputs at the ridge that suits it."""

    elimination: Elimination
    stage: Stage
    n_rules: int
    losses: Array  # of each sample left out, (samples,)
    loss: float  # their mean


def candidates(elimination: Elimination, space: SearchSpace) -> list[Beginning]:
    """Beginnings with the usual number of rules, and with others if they are clearly better.

    Two rules are the least that have anything to decide between; another number must have a clearly
    lower leave-one-out loss.
    """
    objective = elimination.objective
    samples = deduplicated(subsample(elimination.samples, objective))
    samples = every_kth(samples, objective, CHOICE_ROWS)
    task = replace(elimination, samples=samples, consequents=space.consequents)
    usual, *others = sorted(space.numbers, key=lambda n_rules: abs(n_rules - USUAL_RULES))
    first = best_ridge(task, usual, space.ridges, len(space.ridges) // 2)
    middle = space.ridges.index(first.elimination.ridge)
    to_beat: Beginning | None = first
    if space.consequents == "constant":
        # They have little but their sets, which a single sample may decide under a weak prior: one
        # ridge then says nothing of the others, and each number looks for its own.
        middle, to_beat = len(space.ridges) // 2, None
    works = [partial(best_ridge, task, n, space.ridges, middle, to_beat) for n in others]
    rivals = in_processes(works, space.n_jobs)
    weights = samples.weights
    return [first, *(r for r in rivals if lower(r.losses, first.losses, weights, CLEARLY))]


def best_ridge(
    elimination: Elimination,
    n_rules: int,
    ridges: Sequence[float],
    middle: int,
    to_beat: Beginning | None = None,
) -> Beginning:
    """The ridge with the least leave-one-out loss, sought from one of the list outwards.

    Not sought if the first one does not promise to become clearly better than what is to beat.
    """

    def tried(ridge: float, start: Stage) -> Beginning:
        task = replace(elimination, ridge=ridge)
        stage, _, problem, vector = task.trained(start)
        losses = leave_one_out(problem, vector).losses
        mean, _ = mean_and_error(losses, problem.weights)
        return Beginning(task, stage, n_rules, losses, mean)

    best = tried(ridges[middle], elimination.begin(n_rules))
    weights = elimination.samples.weights
    if to_beat and not lower(best.losses, to_beat.losses, weights, PROMISING):
        return best
    for outward in (ridges[:middle][::-1], ridges[middle + 1 :]):
        found = best
        for ridge in outward:
            candidate = tried(ridge, found.stage)
            if not is_less(candidate.loss, found.loss):
                break
            found = candidate
        if found is not best:
            return found
    return best


def follow(
    first: Beginning,
    folds: NDArray[np.intp] | None,
    seconds: dict[str, float],
    n_jobs: int | None,
) -> list[Point]:
    """The points of the path from a beginning, cross-validated."""
    began = perf_counter()
    elimination = first.elimination
    trained = elimination.train(first.stage)
    stage, rules = trained.stage, len(trained.stage.selected)
    sizes = path_sizes(min(stage.conditions, rules * elimination.longest), rules)
    stages = elimination.path(trained, sizes)
    followed = perf_counter()
    losses, hits = cross_validated(elimination, first.n_rules, sizes, folds, n_jobs)
    seconds["path"] += followed - began
    seconds["cross-validation"] += perf_counter() - followed
    # A step may overshoot, by a rule that is idle or was too long; then several sizes are one.
    last = [
        number
        for number, stage in enumerate(stages)
        if number + 1 == len(stages) or stages[number + 1].conditions < stage.conditions
    ]
    return [
        Point(
            stages[number],
            elimination.ridge,
            elimination.training_loss(stages[number]),
            losses[number],
            hits[number],
            np.nan if folds is not None else information_criterion(elimination, stages[number]),
        )
        for number in last
    ]


def information_criterion(elimination: Elimination, stage: Stage) -> float:
    """Akaike's, per unit of weight: training loss plus effective parameters."""
    network, problem = elimination.problem(stage)
    effective = leave_one_out(problem, network.start).effective_parameters
    return elimination.training_loss(stage) + effective / problem.weight


def cross_validated(
    elimination: Elimination,
    n_rules: int,
    sizes: Sequence[int],
    folds: NDArray[np.intp] | None,
    n_jobs: int | None = None,
) -> tuple[Array, Array]:
    """Losses and hits of samples held out, along a path learned without them: (sizes, samples)."""
    losses = np.full((len(sizes), len(elimination.samples.X)), np.nan)
    hits = losses.copy()
    if folds is None:
        return losses, hits
    held = [np.flatnonzero(folds == fold) for fold in range(folds.max() + 1)]
    works = [
        partial(held_out_path, elimination, n_rules, sizes, np.flatnonzero(folds != fold), rows)
        for fold, rows in enumerate(held)
    ]
    for rows, found in zip(held, in_processes(works, n_jobs), strict=True):
        losses[:, rows], hits[:, rows] = found
    return losses, hits


def held_out_path(
    elimination: Elimination,
    n_rules: int,
    sizes: Sequence[int],
    learned: NDArray[np.intp],
    held: NDArray[np.intp],
) -> tuple[Array, Array]:
    """Losses and hits of some samples along a path that is learned from others: (sizes, held)."""
    without = replace(elimination, samples=elimination.samples.part(learned))
    stages = without.path(without.train(without.begin(n_rules)), sizes)
    unseen = elimination.samples.part(held)
    outputs = [network_logits(stage.parameters, unseen.X) for stage in stages]
    losses = [elimination.objective.losses(one, unseen.targets) for one in outputs]
    hits = [elimination.objective.hits(one, unseen.targets) for one in outputs]
    return np.array(losses), np.array(hits)


def cheapest(points: Sequence[Point], weights: Array, tolerance: float) -> Point:
    """The point of the least price; of several that of the fewest rules, then of the shortest."""
    simplest = sorted(points, key=lambda point: (len(point.stage.selected), point.stage.conditions))
    return simplest[first_least([price(point, weights, tolerance) for point in simplest])]


def price(point: Point, weights: Array, tolerance: float) -> float:
    """What a point costs: its loss, and `tolerance` for each condition of its rules."""
    return loss_of(point, weights) + tolerance * effort(point.stage.length)


def effort(length: float) -> float:
    """How hard a rule of so many conditions is to read, in conditions of a short one."""
    return length + (LONG_FACTOR - 1) * max(length - EASILY_READ, 0.0)


def loss_of(point: Point, weights: Array) -> float:
    """The loss of a point by which it is chosen.

    Held-out losses are those of other networks of its size, made without each fold: where its own
    path went astray, as it may with hardly a prior, its training loss is the higher one, and true.
    """
    held_out, _ = mean_and_error(point.losses, weights)
    return point.criterion if np.isnan(held_out) else max(held_out, point.training_loss)


def lower(losses: Array, others: Array, weights: Array, errors: float) -> bool:
    """Whether losses are lower than others, sample by sample, by so many standard errors."""
    gain, error = mean_and_error(others - losses, weights)
    return is_less(errors * error, gain)
