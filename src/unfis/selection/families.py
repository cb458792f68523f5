"""Kinds of paths that are followed: scorecards, elimination, growth and splits; and their folds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from unfis.arrays import Array
from unfis.parallel import in_processes
from unfis.selection.beginning import Beginning, SearchSpace
from unfis.selection.folds import Folds
from unfis.selection.growth import Growth
from unfis.selection.path import best_by_size, eliminated_path, grown_path, least_by_parts
from unfis.selection.scorecards import ScorecardPath, Scorecards, judged_stages
from unfis.selection.splitting import Splitting
from unfis.selection.stage import Stage, Task
from unfis.ties import ranked

# Parts of the largest network of several rules that is compared: for each class, and in all.
PARTS_PER_CLASS, MOST_PARTS = 12, 60
# Which shares of a fit these are, of the time that it usually takes.
PATHS_SPAN, FOLDS_SPAN = (0.35, 0.65), (0.65, 0.95)
# Networks are cross-validated up to so many times the parts that are best by Akaike's criterion.
SPARE_FACTOR, SPARE_PARTS = 1.5, 2
# Parts of a scorecard that is split, beside those of one that is not.
SPLIT_FACTOR = 3
# None is split whose curvature afterwards would take more products than this.
MOST_PRODUCTS_SPLIT = 1e10
# The largest ridge of rules that grow, if it is not given.
MOST_GROWTH_RIDGE = 1.0
# Of more classes growth takes many steps to where a scorecard is, which splits begin with.
MOST_CLASSES_GROWN = 4
# Growth looks at very many sets: it must promise so many nats more than elimination.
GROWTH_LEAD = 5.0


class Followed(NamedTuple):
    """A path, and how to judge it."""

    task: Task
    path: dict[int, Stage]  # by the number of parts
    best: int  # parts of the network that is best by Akaike's criterion
    criterion: float  # the least of Akaike's on it, in nats, by which a path is chosen
    # Losses and hits of samples held out by networks of so many parts at most, (sizes, samples).
    judged: Callable[[Sequence[int]], tuple[Array, Array]]
    scorecards: ScorecardPath | None = None  # where it is a path of these


class Family(NamedTuple):
    """A kind of path: from nothing, or from all inputs in so many rules."""

    task: Task
    n_rules: int  # 0 for growth
    space: SearchSpace
    most: int  # parts of its largest network
    cards: ScorecardPath | None = None  # of which one is split, None for growth from nothing
    card: int = 0  # its parts

    def path(self, task: Task, number: int = 0) -> dict[int, Stage]:
        """The best network of each size, of a path for this task or a part of its samples.

        Without a fold by its number and 1.
        """
        space = self.space
        longest = space.longest(task)
        if self.n_rules:
            path = eliminated_path(task, self.n_rules, space.n_rules is not None)
        elif self.cards is not None:
            card = self.cards.nearest(self.card, number)
            path = Splitting(task, card.stage, space.most_rules, longest).path()
        else:
            path = grown_path(Growth(task, space.most_rules, self.most, longest))
            if space.has_scorecards:  # those of a single rule are on a path of their own
                path = [trained for trained in path if trained.stage.rules > 1]
        return best_by_size(task, path, longest, space.numbers, self.most)

    def followed(self, folds: Folds) -> Followed:
        """Its path on all samples, and what it promises."""
        path, best, most, criterion = promising_part(self.task, self.path(self.task), self.most)
        family = self._replace(most=most)
        criterion += 0.0 if self.n_rules else GROWTH_LEAD
        return Followed(self.task, path, best, criterion, partial(cross_validated, family, folds))

    def held_out(self, sizes: Sequence[int], folds: Folds, fold: int) -> tuple[Array, Array] | None:
        """Losses and hits of a fold along a path that is learned without it: (sizes, held).

        None if time is over before the path is.
        """
        task = self.task
        learned, held = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        if task.watch.is_over():
            return None
        path = self.path(replace(task, samples=task.samples.part(learned)), fold + 1)
        if task.watch.is_over():
            return None
        if not path:
            nothing = np.full((len(sizes), len(held)), np.nan)
            return nothing, nothing
        nearest = [max((p for p in path if p <= size), default=min(path)) for size in sizes]
        stages = [path[parts] for parts in nearest]
        return judged_stages(task.objective, stages, task.samples.part(held))


def promising_part(
    task: Task, path: dict[int, Stage], most: int
) -> tuple[dict[int, Stage], int, int, float]:
    """What of a path cross-validation may find best, its best, the most parts and its promise."""
    best, criterion = best_by_criterion(task, path)
    most = min(most, int(SPARE_FACTOR * best) + SPARE_PARTS)
    part = {parts: stage for parts, stage in path.items() if parts <= most}
    return part, best, most, criterion


def best_by_criterion(task: Task, path: dict[int, Stage]) -> tuple[int, float]:
    """The parts of the network with the least of Akaike's criterion, and that; none of no path."""
    criteria = {parts: task.criterion(stage) for parts, stage in path.items()}
    best = min(criteria, key=lambda parts: criteria[parts], default=0)
    return best, criteria.get(best, np.inf)


def followed_scorecards(task: Task, space: SearchSpace, folds: Folds) -> Followed:
    """The path of scorecards, whose folds are followed with it."""
    scorecards = Scorecards(task, folds)
    found = scorecards.path()
    longest = space.longest(task)
    short = [card for card in found.cards[0] if card.stage.longest <= longest]
    path = least_by_parts(task, [(card.objective, card.stage) for card in short])
    best, criterion = best_by_criterion(task, path)
    return Followed(task, path, best, criterion, partial(scorecards.judged, found), found)


def followed_in_time(
    firsts: Sequence[Beginning], space: SearchSpace, folds: Folds
) -> list[Followed]:
    """Scorecards, if they may be chosen, and other paths; if time is over one that is there."""
    watch = firsts[0].task.watch
    watch.begin("path", PATHS_SPAN)
    found = []
    if firsts[0].n_rules == 1 and space.has_scorecards:
        found.append(followed_scorecards(firsts[0].task, space, folds))
    families = families_of(firsts, space)
    if found and space.most_rules > 1:
        families += split_families(found[0], space)
    for number, family in enumerate(families, start=1):
        if any(one.path for one in found) and watch.is_over():
            break
        watch.begin("path", PATHS_SPAN, number, len(families))
        found.append(family.followed(folds))
    watch.is_over("whole paths")
    return found


def families_of(firsts: Sequence[Beginning], space: SearchSpace) -> list[Family]:
    """Elimination from the numbers of rules that promise most, and growth of averaged rules.

    Of several rules what comes after the beginning may not be readable: two numbers are followed.
    """
    task = firsts[0].task
    several = [first for first in firsts if first.n_rules > 1 or not space.has_scorecards]
    order = ranked([first.loss for first in several]).tolist() if several else []
    most = min(PARTS_PER_CLASS * task.samples.targets.shape[1], MOST_PARTS)
    eliminated = [Family(several[k].task, several[k].n_rules, space, most) for k in order[:2]]
    if not task.combination.has_otherwise:
        return eliminated[:1]
    # Of a scorecard that says little the ridge is large, and would keep rules from saying much.
    ridge = task.ridge
    if space.ridge is None:
        ridge = min(ridge, MOST_GROWTH_RIDGE)
    if space.has_scorecards and task.outputs > MOST_CLASSES_GROWN:
        return eliminated
    return [*eliminated, Family(replace(task, ridge=ridge), 0, space, most)]


def split_families(scorecards: Followed, space: SearchSpace) -> list[Family]:
    """Splits of the scorecard that is the best by Akaike's criterion; none of very many numbers."""
    task, card = scorecards.task, scorecards.best
    most = SPLIT_FACTOR * card + SPARE_PARTS
    rows = len(task.samples.X) * (task.outputs - 1)
    if rows * (2.0 * card) ** 2 > MOST_PRODUCTS_SPLIT:
        return []
    return [Family(task, 0, space, most, scorecards.scorecards, card)]


def cross_validated(family: Family, folds: Folds, sizes: Sequence[int]) -> tuple[Array, Array]:
    """Losses and hits of samples held out, along a path learned without them: (sizes, samples)."""
    losses, hits = np.full((2, len(sizes), len(family.task.samples.X)), np.nan)
    if folds is None:
        return losses, hits
    works = [partial(family.held_out, sizes, folds, fold) for fold in range(folds.max() + 1)]
    watch, count = family.task.watch, len(works)

    def tell(done: int) -> None:
        watch.begin("cross-validation, fold", FOLDS_SPAN, min(done + 1, count), count)

    tell(0)
    results = in_processes(works, family.space.n_jobs, tell)
    for fold, found in enumerate(results):
        if found is not None:
            losses[:, folds == fold], hits[:, folds == fold] = found
    if missing := sum(found is None for found in results):
        watch.is_over(f"{missing} of {count} folds")
    watch.report(1.0)
    return losses, hits
