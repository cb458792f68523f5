"""What the data chooses: ridge, number of rules, and how few parts are enough.

Everything is chosen on the training samples alone. The ridge by leave-one-out in closed form, on
the network of all inputs, and so the number of rules that elimination begins with; how much of
which path stays by cross-validation of whole paths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.learning.leave_one_out import leave_one_out
from unfis.network import network_logits
from unfis.parallel import in_processes
from unfis.selection.beginning import SearchSpace, candidates
from unfis.selection.folds import fold_numbers
from unfis.selection.growth import Growth
from unfis.selection.path import best_by_size, eliminated_path, grown_path
from unfis.selection.scoring import mean_and_error
from unfis.selection.stage import Stage, Task
from unfis.ties import first_least, ranked

# Parts of the largest network that is compared: for each class, and in all.
PARTS_PER_CLASS, MOST_PARTS = 12, 60
# Networks are cross-validated up to so many times the parts that are best by Akaike's criterion.
SPARE_FACTOR, SPARE_PARTS = 1.5, 2
# The largest ridge of rules that grow, if it is not given.
MOST_GROWTH_RIDGE = 1.0
# Growth looks at very many sets: it must promise so many nats more than elimination.
GROWTH_LEAD = 5.0
# Which shares of a fit these are, about.
PATHS_SPAN, FOLDS_SPAN = (0.35, 0.65), (0.65, 0.95)


class Family(NamedTuple):
    """A kind of path: from nothing, or from all inputs in so many rules."""

    task: Task
    n_rules: int  # 0 for growth
    space: SearchSpace
    most: int  # parts of its largest network

    def path(self, task: Task) -> dict[int, Stage]:
        """The best network of each size, of a path for this task or a part of its samples."""
        space = self.space
        longest = space.max_conditions or 2 * len(task.inputs)
        if self.n_rules:
            path = eliminated_path(task, self.n_rules, space.n_rules is not None)
        else:
            path = grown_path(Growth(task, space.most_rules, self.most, longest))
        found = best_by_size(task, path, longest, space.numbers, self.most)
        return {**self.scorecards(task, longest, found), **found} if self.n_rules > 1 else found

    def scorecards(self, task: Task, longest: int, path: dict[int, Stage]) -> dict[int, Stage]:
        """Those of fewer parts than several rules on a path have: so few may not be readable."""
        if not self.space.has_scorecards:
            return {}
        least: float = min((parts for parts, stage in path.items() if stage.rules > 1), default=0)
        if task.watch.is_over():
            least = np.inf  # several rules that were shortened in haste are hardly worth reading
        cards = eliminated_path(task, 1, keeps_rules=False)
        found = best_by_size(task, cards, longest, (1,), self.most)
        return {parts: stage for parts, stage in found.items() if parts < least}

    def followed(self) -> FollowedFamily:
        """Its path on all samples, and what it promises."""
        path = self.path(self.task)
        criteria = {parts: self.task.criterion(stage) for parts, stage in path.items()}
        best = min(criteria, key=lambda parts: criteria[parts], default=0)
        most = min(self.most, int(SPARE_FACTOR * best) + SPARE_PARTS)
        path = {parts: stage for parts, stage in path.items() if parts <= most}
        criterion = criteria.get(best, np.inf) + (0.0 if self.n_rules else GROWTH_LEAD)
        return FollowedFamily(self._replace(most=most), path, criterion)

    def held_out(
        self, sizes: Sequence[int], learned: NDArray[np.intp], held: NDArray[np.intp]
    ) -> tuple[Array, Array] | None:
        """Losses and hits of samples along a path that is learned from others: (sizes, held).

        None if time is over before the path is.
        """
        task = self.task
        if task.watch.is_over():
            return None
        path = self.path(replace(task, samples=task.samples.part(learned)))
        if task.watch.is_over():
            return None
        unseen = task.samples.part(held)
        losses, hits = np.full((2, len(sizes), len(held)), np.nan)
        known: dict[int, tuple[Array, Array]] = {}
        for number, size in enumerate(sizes):
            if not path:
                break
            nearest = max((parts for parts in path if parts <= size), default=min(path))
            if nearest not in known:
                outputs = network_logits(path[nearest].parameters, unseen.X)
                known[nearest] = (
                    task.objective.losses(outputs, unseen.targets),
                    task.objective.hits(outputs, unseen.targets),
                )
            losses[number], hits[number] = known[nearest]
        return losses, hits


class FollowedFamily(NamedTuple):
    """A family with its path, and the least of Akaike's criterion on it, by which it is chosen."""

    family: Family
    path: dict[
        int, Stage
    ]  # by the number of parts, up to what cross-validation may still find best
    criterion: float  # in nats


class Point(NamedTuple):
    """A network of a path, and how well its like predict what they have not seen."""

    stage: Stage
    parts: int
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


def choose_path(task: Task, space: SearchSpace) -> Choice:
    """Follow the path that promises most, and choose from it."""
    began = perf_counter()
    families = families_of(task, space)
    samples = families[0].task.samples
    seconds = {"ridge": perf_counter() - began, "path": 0.0, "cross-validation": 0.0}
    folds = fold_numbers(samples, task.objective)
    began = perf_counter()
    followed = followed_in_time(families)
    promising = followed[first_least([one.criterion for one in followed])]
    seconds["path"] = perf_counter() - began
    points = validated(promising, folds, seconds)
    chosen = cheapest(points, samples.weights, space.tolerance)
    judged = folds if np.isnan(chosen.criterion) else None
    return Choice(points, chosen, samples.weights, judged, seconds)


def followed_in_time(families: Sequence[Family]) -> list[FollowedFamily]:
    """Families with their paths; if time is over only as many as have one at all."""
    found: list[FollowedFamily] = []
    for number, family in enumerate(families, start=1):
        watch = family.task.watch
        if any(one.path for one in found) and watch.is_over():
            break
        watch.begin("path", PATHS_SPAN, number, len(families))
        found.append(family.followed())
    families[0].task.watch.is_over("whole paths")
    return found


def simplicity(point: Point) -> tuple[int, int]:
    """By which the simpler of two points comes first."""
    return point.parts, point.stage.rules


def cheapest(points: Sequence[Point], weights: Array, tolerance: float) -> Point:
    """The point of the least price; of several the simplest."""
    simplest = sorted(points, key=simplicity)
    return simplest[first_least([price(point, weights, tolerance) for point in simplest])]


def price(point: Point, weights: Array, tolerance: float) -> float:
    """What a point costs: its loss, and `tolerance` for each of its parts."""
    return loss_of(point, weights) + tolerance * point.parts


def families_of(task: Task, space: SearchSpace) -> list[Family]:
    """Elimination from the numbers of rules that promise most, and growth of averaged rules.

    Of several rules what comes after the beginning may not be readable: two numbers are followed.
    """
    firsts = candidates(task, space)
    task.watch.begin("path", PATHS_SPAN)
    if task.watch.is_over():
        firsts = firsts[:1]
    best, *others = [firsts[k] for k in ranked([first.loss for first in firsts])]
    seconds = [other for other in others if min(best.n_rules, other.n_rules) > 1][:1]
    most = min(PARTS_PER_CLASS * task.samples.targets.shape[1], MOST_PARTS)
    eliminated = [Family(first.task, first.n_rules, space, most) for first in (best, *seconds)]
    if not task.combination.has_otherwise:
        return eliminated
    # Of a scorecard that says little the ridge is large, and would keep rules from saying much.
    ridge = firsts[0].task.ridge
    if space.ridge is None:
        ridge = min(ridge, MOST_GROWTH_RIDGE)
    return [*eliminated, Family(replace(firsts[0].task, ridge=ridge), 0, space, most)]


def validated(
    followed: FollowedFamily, folds: NDArray[np.intp] | None, seconds: dict[str, float]
) -> list[Point]:
    """The points of a family's path, cross-validated."""
    family, path, _ = followed
    began, task = perf_counter(), family.task
    losses, hits = cross_validated(family, list(path), folds)
    seconds["cross-validation"] += perf_counter() - began
    if task.watch.is_over() and np.isnan(losses).all():
        folds = None
    return [
        Point(
            stage,
            parts,
            task.ridge,
            task.training_loss(stage),
            losses[number],
            hits[number],
            np.nan if folds is not None else information_criterion(task, stage),
        )
        for number, (parts, stage) in enumerate(path.items())
    ]


def information_criterion(task: Task, stage: Stage) -> float:
    """Akaike's, per unit of weight: training loss plus effective parameters."""
    network, problem = task.problem(stage)
    effective = leave_one_out(problem, network.start).effective_parameters
    return task.training_loss(stage) + effective / problem.weight


def cross_validated(
    family: Family, sizes: Sequence[int], folds: NDArray[np.intp] | None
) -> tuple[Array, Array]:
    """Losses and hits of samples held out, along a path learned without them: (sizes, samples)."""
    losses, hits = np.full((2, len(sizes), len(family.task.samples.X)), np.nan)
    if folds is None:
        return losses, hits
    held = [np.flatnonzero(folds == fold) for fold in range(folds.max() + 1)]
    works = [
        partial(family.held_out, sizes, np.flatnonzero(folds != fold), rows)
        for fold, rows in enumerate(held)
    ]
    watch, count = family.task.watch, len(works)

    def tell(done: int) -> None:
        watch.begin("cross-validation, fold", FOLDS_SPAN, min(done + 1, count), count)

    tell(0)
    results = in_processes(works, family.space.n_jobs, tell)
    for rows, found in zip(held, results, strict=True):
        if found is not None:
            losses[:, rows], hits[:, rows] = found
    if missing := sum(found is None for found in results):
        watch.is_over(f"{missing} of {count} folds")
    watch.report(1.0)
    return losses, hits


def loss_of(point: Point, weights: Array) -> float:
    """The loss of a point by which it is chosen.

    Held-out losses are those of other networks of its size, made without each fold: where its own
    path went astray, as it may with hardly a prior, its training loss is the higher one, and true.
    """
    held_out, _ = mean_and_error(point.losses, weights)
    return point.criterion if np.isnan(held_out) else max(held_out, point.training_loss)
