"""What the data chooses: ridge, number of rules, and how few parts are enough.

Everything is chosen on the training samples alone. The ridge by leave-one-out in closed form or by
folds, on the network of all inputs, and so the number of rules that elimination begins with; how
much of which path stays by cross-validation of whole paths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import NamedTuple

import numpy as np

from unfis.arrays import Array
from unfis.data.held_out import HeldOutAnswers
from unfis.data.samples import Samples
from unfis.learning.leave_one_out import leave_one_out
from unfis.selection.beginning import SearchSpace, candidates, compared_samples
from unfis.selection.families import Followed, followed_in_time
from unfis.selection.folds import Folds, fold_numbers
from unfis.selection.scorecards import judged_stages
from unfis.selection.scoring import frequency_loss, mean_and_error
from unfis.selection.stage import Stage, Task
from unfis.ties import first_least, ranked

# Paths of several rules that are cross-validated at most, if none of them beats scorecards.
MOST_VALIDATED = 3
# Classes with this share of the largest entropy, or more, count as even.
EVEN_ENOUGH = 0.8


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
    weights: Array  # of the samples that judge
    by: str  # by what it was chosen
    seconds: dict[str, float]  # spent on each part
    held_out: HeldOutAnswers | None  # of the samples that judge, by the like of the chosen one


def choose_path(task: Task, space: SearchSpace) -> Choice:
    """Follow the paths that promise something, and choose from the one that keeps it."""
    began = perf_counter()
    compared, unseen = compared_samples(task)
    task = replace(task, samples=compared, consequents=space.consequents)
    folds = fold_numbers(task.samples, task.objective)
    firsts = candidates(task, space, folds)
    seconds = {"ridge": perf_counter() - began}
    began = perf_counter()
    followed = followed_in_time(firsts, space, folds if unseen is None else None)
    seconds["path"] = perf_counter() - began
    began = perf_counter()
    tolerance = space.tolerance * share_of_part(task)
    if unseen is None:
        points, judges = judged_points(followed, folds, tolerance), task.samples
    else:
        points, judges = judged_by_others(followed, unseen), unseen
    seconds["cross-validation"] = perf_counter() - began
    chosen = cheapest(points, judges.weights, tolerance)
    by = "cross-validation" if unseen is None else "other rows"
    by = by if np.isnan(chosen.criterion) else "information criterion"
    return Choice(
        points, chosen, judges.weights, by, seconds, answers_held_out(task, chosen, judges)
    )


def answers_held_out(task: Task, chosen: Point, judges: Samples) -> HeldOutAnswers | None:
    """What the like of the chosen point answered to samples they had not seen, if any."""
    if not task.objective.of_classes:
        return None
    codes = judges.targets.argmax(axis=1)
    return HeldOutAnswers.of_losses(codes, chosen.losses, judges.weights)


def share_of_part(task: Task) -> float:
    """What of the tolerance a part may cost: less where there is little to say.

    Of many classes a part speaks for a small share; and where one is rare, little loss is all there
    is (the entropy of the classes): what is a detail among even classes may be all that is known.
    """
    entropy = frequency_loss(task.objective, task.samples)
    even = float(np.log(max(task.samples.targets.shape[1], 2)))
    return min(1.0, 2 / max(task.outputs - 1, 1)) * min(1.0, entropy / even / EVEN_ENOUGH)


def judged_by_others(followed: Sequence[Followed], unseen: Samples) -> list[Point]:
    """The points of all paths, judged by samples that none of them has looked at."""
    points: list[Point] = []
    for one in followed:
        judged = judged_stages(one.task.objective, list(one.path.values()), unseen)
        own = path_points(one, *judged)
        if points and followed[0].scorecards is not None:
            own = [point for point in own if point.stage.rules > 1]
        points += own
    return points


def path_points(
    followed: Followed, losses: Array, hits: Array, *, without_others: bool = False
) -> list[Point]:
    """The points of a path, given losses and hits of each, (points, samples).

    Without others that could judge them they have a criterion.
    """
    task = followed.task
    return [
        Point(
            stage,
            parts,
            task.ridge,
            task.training_loss(stage),
            losses[number],
            hits[number],
            akaike(task, stage) if without_others else np.nan,
        )
        for number, (parts, stage) in enumerate(followed.path.items())
    ]


def judged_points(followed: Sequence[Followed], folds: Folds, tolerance: float) -> list[Point]:
    """The points of the path that promises most; beside scorecards until one beats them.

    A path may promise more than the like of it keep that are learned without a fold.
    """
    order = ranked([one.criterion for one in followed]).tolist()
    if followed[0].scorecards is None:
        return validated(followed[order[0]], folds)
    cards = validated(followed[0], folds)
    task = followed[0].task
    for number in order[: order.index(0)][:MOST_VALIDATED]:
        several = [one for one in validated(followed[number], folds) if one.stage.rules > 1]
        known = [one for one in several if folds is None or not np.isnan(one.losses).all()]
        if cheapest([*cards, *known], task.samples.weights, tolerance).stage.rules > 1:
            return [*cards, *known]
    return cards


def cheapest(points: Sequence[Point], weights: Array, tolerance: float) -> Point:
    """The point of the least price; of several the simplest."""
    simplest = sorted(points, key=lambda point: (point.parts, point.stage.rules))
    return simplest[first_least([price(point, weights, tolerance) for point in simplest])]


def price(point: Point, weights: Array, tolerance: float) -> float:
    """What a point costs: its loss, and `tolerance` for each of its parts."""
    return loss_of(point, weights) + tolerance * point.parts


def validated(followed: Followed, folds: Folds) -> list[Point]:
    """The points of a path, cross-validated."""
    losses, hits = followed.judged(list(followed.path))
    late = followed.task.watch.is_over() and bool(np.isnan(losses).all())
    return path_points(followed, losses, hits, without_others=folds is None or late)


def akaike(task: Task, stage: Stage) -> float:
    """Akaike's, per unit of weight: training loss plus effective parameters."""
    network, problem = task.problem(stage)
    effective = leave_one_out(problem, network.start).effective_parameters
    return task.training_loss(stage) + effective / problem.weight


def loss_of(point: Point, weights: Array) -> float:
    """The loss of a point by which it is chosen.

    Held-out losses are those of other networks of its size, made without each fold: where its own
    path went astray, as it may with hardly a prior, its training loss is the higher one, and true.
    """
    held_out, _ = mean_and_error(point.losses, weights)
    return point.criterion if np.isnan(held_out) else max(held_out, point.training_loss)
