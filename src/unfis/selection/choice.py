"""What the data chooses: ridge, number of rules, and how few parts are enough.

Everything is chosen on the training samples alone. The ridge by leave-one-out in closed form, on
the network of all inputs, and so the number of rules that elimination begins with; how much of
which path stays by cross-validation of whole paths.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from unfis.selection.beginning import Beginning, SearchSpace, candidates, compared_samples
from unfis.selection.folds import Folds, fold_numbers
from unfis.selection.growth import Growth
from unfis.selection.path import best_by_size, eliminated_path, grown_path
from unfis.selection.scorecards import Scorecards
from unfis.selection.scoring import mean_and_error
from unfis.selection.splitting import Splitting
from unfis.selection.stage import Stage, Task
from unfis.ties import first_least, ranked

# Parts of the largest network of several rules that is compared: for each class, and in all.
PARTS_PER_CLASS, MOST_PARTS = 12, 60
# Which shares of a fit these are, of the time that it usually takes.
PATHS_SPAN, FOLDS_SPAN = (0.35, 0.65), (0.65, 0.95)
# Networks are cross-validated up to so many times the parts that are best by Akaike's criterion.
SPARE_FACTOR, SPARE_PARTS = 1.5, 2
# Parts of a scorecard that is split, beside those of one that is not.
SPLIT_FACTOR = 3
# The largest ridge of rules that grow, if it is not given.
MOST_GROWTH_RIDGE = 1.0
# Of more classes growth from nothing takes many steps to where a scorecard is, which splits begin with.
MOST_CLASSES_GROWN = 4
# Growth looks at very many sets: it must promise so many nats more than elimination.
GROWTH_LEAD = 5.0


class Followed(NamedTuple):
    """A path, and how to judge it."""

    task: Task
    path: dict[int, Stage]  # by the number of parts
    criterion: float  # the least of Akaike's on it, in nats, by which a path is chosen
    # Losses and hits of samples held out by networks of so many parts at most, (sizes, samples).
    judged: Callable[[Sequence[int]], tuple[Array, Array]]
    are_scorecards: bool = False


class Family(NamedTuple):
    """A kind of path: from nothing, or from all inputs in so many rules."""

    task: Task
    n_rules: int  # 0 for growth
    space: SearchSpace
    most: int  # parts of its largest network
    card: int = 0  # parts of the scorecard that growth begins with, by splits; 0 for nothing

    def path(self, task: Task) -> dict[int, Stage]:
        """The best network of each size, of a path for this task or a part of its samples."""
        space = self.space
        longest = space.longest(task)
        if self.n_rules:
            path = eliminated_path(task, self.n_rules, space.n_rules is not None)
        elif self.card:
            card = Scorecards(task).path().nearest(self.card)
            path = Splitting(task, card, space.most_rules, longest).path()
        else:
            path = grown_path(Growth(task, space.most_rules, self.most, longest))
            if space.has_scorecards:  # those of a single rule are on a path of their own
                path = [trained for trained in path if trained.stage.rules > 1]
        return best_by_size(task, path, longest, space.numbers, self.most)

    def followed(self, folds: Folds) -> Followed:
        """Its path on all samples, and what it promises."""
        path, best, criterion = promising_part(self.task, self.path(self.task), self.most)
        family = self._replace(most=best)
        criterion += 0.0 if self.n_rules else GROWTH_LEAD
        return Followed(self.task, path, criterion, partial(cross_validated, family, folds))

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


def promising_part(
    task: Task, path: dict[int, Stage], most: int
) -> tuple[dict[int, Stage], int, float]:
    """What of a path cross-validation may find best, up to how many parts, and what it promises."""
    criteria = {parts: task.criterion(stage) for parts, stage in path.items()}
    best = min(criteria, key=lambda parts: criteria[parts], default=0)
    most = min(most, int(SPARE_FACTOR * best) + SPARE_PARTS)
    part = {parts: stage for parts, stage in path.items() if parts <= most}
    return part, most, criteria.get(best, np.inf)


def followed_scorecards(task: Task, space: SearchSpace, folds: Folds) -> Followed:
    """The path of scorecards, whose folds are followed with it."""
    scorecards = Scorecards(task, folds)
    found = scorecards.path()
    best: dict[int, tuple[float, Stage]] = {}
    for card in found.cards:
        if card.stage.longest > space.longest(task):
            continue
        if card.parts not in best or card.objective < best[card.parts][0]:
            best[card.parts] = card.objective, card.stage
    path = {parts: best[parts][1] for parts in sorted(best)}
    criterion = min(task.criterion(stage) for stage in path.values())
    return Followed(task, path, criterion, partial(scorecards.judged, found), True)


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
    folds: Folds
    seconds: dict[str, float]  # spent on each part


def choose_path(task: Task, space: SearchSpace) -> Choice:
    """Follow the path that promises most, and choose from it."""
    began = perf_counter()
    task = replace(task, samples=compared_samples(task), consequents=space.consequents)
    folds = fold_numbers(task.samples, task.objective)
    firsts = candidates(task, space, folds)
    seconds = {"ridge": perf_counter() - began}
    began = perf_counter()
    followed = followed_in_time(firsts, space, folds)
    promising = followed[first_least([one.criterion for one in followed])]
    seconds["path"] = perf_counter() - began
    began = perf_counter()
    points = validated(promising, folds)
    if followed[0].are_scorecards and promising is not followed[0]:
        # So few parts may not be readable as several rules: shorter ones are scorecards. And so is
        # all that is judged by other samples if there was no time for it.
        least: float = min((point.parts for point in points if point.stage.rules > 1), default=0)
        if task.watch.is_over() and np.isnan(points[0].losses).all():
            points, least = [], np.inf
        points = [one for one in validated(followed[0], folds) if one.parts < least] + points
    seconds["cross-validation"] = perf_counter() - began
    # Of many classes a part speaks for a small share.
    tolerance = space.tolerance * min(1.0, 2 / max(task.outputs - 1, 1))
    chosen = cheapest(points, task.samples.weights, tolerance)
    judged = folds if np.isnan(chosen.criterion) else None
    return Choice(points, chosen, task.samples.weights, judged, seconds)


def followed_in_time(
    firsts: Sequence[Beginning], space: SearchSpace, folds: Folds
) -> list[Followed]:
    """Scorecards, if they may be chosen, and other paths; if time is over only one that is there."""
    watch = firsts[0].task.watch
    watch.begin("path", PATHS_SPAN)
    found = []
    if firsts[0].n_rules == 1 and space.has_scorecards:
        found.append(followed_scorecards(firsts[0].task, space, folds))
    families = families_of(firsts, space)
    if found and found[0].path and space.most_rules > 1:
        families.append(split_family(found[0], space))
    for number, family in enumerate(families, start=1):
        if any(one.path for one in found) and watch.is_over():
            break
        watch.begin("path", PATHS_SPAN, number, len(families))
        found.append(family.followed(folds))
    watch.is_over("whole paths")
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


def families_of(firsts: Sequence[Beginning], space: SearchSpace) -> list[Family]:
    """Elimination from the numbers of rules that promise most, and growth of averaged rules.

    Of several rules what comes after the beginning may not be readable: two numbers are followed.
    """
    task = firsts[0].task
    several = [first for first in firsts if first.n_rules > 1 or not space.has_scorecards]
    order = ranked([first.loss for first in several]) if several else []
    most = min(PARTS_PER_CLASS * task.samples.targets.shape[1], MOST_PARTS)
    eliminated = [
        Family(several[k].task, several[k].n_rules, space, most) for k in order[:2]
    ]
    if not task.combination.has_otherwise:
        return eliminated[:1]
    # Of a scorecard that says little the ridge is large, and would keep rules from saying much.
    ridge = task.ridge
    if space.ridge is None:
        ridge = min(ridge, MOST_GROWTH_RIDGE)
    if space.has_scorecards and task.outputs > MOST_CLASSES_GROWN:
        return eliminated
    return [*eliminated, Family(replace(task, ridge=ridge), 0, space, most)]


def split_family(scorecards: Followed, space: SearchSpace) -> Family:
    """Splits of the scorecard that is the best by Akaike's criterion."""
    task, path = scorecards.task, scorecards.path
    card = min(path, key=lambda parts: task.criterion(path[parts]))
    return Family(task, 0, space, SPLIT_FACTOR * card + SPARE_PARTS, card)


def validated(followed: Followed, folds: Folds) -> list[Point]:
    """The points of a path, cross-validated."""
    task, path = followed.task, followed.path
    losses, hits = followed.judged(list(path))
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
    family: Family, folds: Folds, sizes: Sequence[int]
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
