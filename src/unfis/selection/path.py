"""Paths of networks from many parts to none, and from none to many."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unfis.selection.growth import Growth
from unfis.selection.readability import BARELY_TOLD, FAR_WORSE, TOLD_BY_RANGES, readability
from unfis.selection.removal import Removal, removal_costs, removals, without
from unfis.selection.stage import Stage, Task, Trained
from unfis.ties import ranked

# A step takes this share of the parts, until few are left; then it takes one at a time. Scorecards
# are quickly trained, and most have no more parts than this.
SHARE_TAKEN = 0.25
FEW_PARTS, FEW_OF_SCORECARD = 6, 12
# And when time is over, this share of however few.
SHARE_IN_HASTE = 0.5
# Iterations that a shorter network is trained for.
STEP_ITERATIONS = 4


def grown_path(growth: Growth) -> list[Trained]:
    """Networks that grow, and then lose what they can do without."""
    grown = growth.path()
    if all(trained.stage.rules == 1 for trained in grown):
        return grown  # elimination finds better scorecards than what would be taken back
    return [*grown, *shorter(growth.task, grown[-1], keeps_rules=False)]


def eliminated_path(task: Task, n_rules: int, keeps_rules: bool) -> list[Trained]:
    """Networks that begin with all inputs in every rule."""
    first = task.trained(task.begin(n_rules))
    return [first, *shorter(task, first, keeps_rules=keeps_rules)]


def shorter(task: Task, trained: Trained, *, keeps_rules: bool) -> list[Trained]:
    """Ever shorter networks, each without what costs it least for what need not be read then."""
    found, parts = [], max(1, task.parts(trained.stage))
    while (fewer := one_shorter(task, trained, keeps_rules)) is not None:
        trained = fewer
        found.append(trained)
        task.watch.report(1 - task.parts(trained.stage) / parts)
    return found


def one_shorter(task: Task, trained: Trained, keeps_rules: bool) -> Trained | None:
    """The network without what costs it least for what need not be read then; None if bare."""
    options = removals(task, trained.stage, keeps_rules)
    if not options:
        return None
    costs = removal_costs(task, trained, options) / trained.problem.weight
    # Of equally cheap ones the last: of two inputs that say the same the earlier stays.
    order = ranked((costs / [max(one.saved, 1) for one in options])[::-1])
    cheapest = [options[len(options) - 1 - k] for k in order]
    gone = removed_together(task, trained.stage, cheapest)
    return task.trained(without(task, trained.stage, gone), STEP_ITERATIONS)


def removed_together(task: Task, stage: Stage, cheapest: Sequence[Removal]) -> list[Removal]:
    """The cheapest removal, or of many parts several that do not depend on each other."""
    parts = task.parts(stage)
    few, share = FEW_OF_SCORECARD if stage.rules == 1 else FEW_PARTS, SHARE_TAKEN
    if task.watch.is_over():
        few, share = 0, SHARE_IN_HASTE
        cheapest = [removal for removal in cheapest if removal.half != "rule"] or cheapest
    first = cheapest[0]
    if parts <= few or first.half == "rule":
        return [first]
    most = max(1, int(share * parts))
    gone: list[Removal] = []
    lengths = stage.condition.sum(axis=1)
    for removal in cheapest:
        if removal.half == "rule" or sum(one.saved for one in gone) + removal.saved > most:
            break
        if removal.half == "condition":
            if lengths[removal.rule] == 1:
                break
            lengths[removal.rule] -= 1
        gone.append(removal)
    return gone or [first]


def best_by_size(
    task: Task, path: Sequence[Trained], longest: int, numbers: Sequence[int], most: int
) -> dict[int, Stage]:
    """The readable network of each number of parts that has come to the least objective.

    Where rules that ranges tell well are worse by far, less well will do. Where no network of that
    many rules is readable, or small, the smallest is taken.
    """
    suitable = [
        trained
        for trained in path
        if trained.stage.rules in numbers and trained.stage.longest <= longest
    ]
    small = [trained for trained in suitable if task.parts(trained.stage) <= most]
    told = [(readability(task, trained), trained.objective, trained.stage) for trained in small]
    readable, barely = (
        [(objective, stage) for share, objective, stage in told if share >= least]
        for least in (TOLD_BY_RANGES, BARELY_TOLD)
    )
    if least_objective(barely) < least_objective(readable) - FAR_WORSE:
        readable = barely
    smallest = [(trained.objective, trained.stage) for trained in suitable[-1:]]
    found = least_by_parts(task, readable or smallest)
    return {parts: stage.in_order for parts, stage in found.items()}


def least_by_parts(task: Task, networks: Sequence[tuple[float, Stage]]) -> dict[int, Stage]:
    """Of each number of parts the network that has come to the least objective."""
    best: dict[int, tuple[float, Stage]] = {}
    for objective, stage in networks:
        parts = task.parts(stage)
        if parts not in best or objective < best[parts][0]:
            best[parts] = objective, stage
    return {parts: best[parts][1] for parts in sorted(best)}


def least_objective(networks: Sequence[tuple[float, Stage]]) -> float:
    """The least of what networks have come to."""
    return min((objective for objective, _ in networks), default=np.inf)
