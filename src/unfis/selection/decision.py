"""What a choice comes to: the network to train, and a record of all that was compared."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from unfis.data.held_out import HeldOutAnswers
from unfis.data.samples import Samples
from unfis.learning.objective import Objective
from unfis.learning.watch import UNWATCHED, Watch
from unfis.network import Parameters
from unfis.network.combination import AVERAGED, MIXED_OUTPUTS
from unfis.network.constraints import UNCONSTRAINED, Constraints
from unfis.selection.beginning import CHOICE_ROWS, RIDGES, SearchSpace, choose_size
from unfis.selection.choice import Choice, choose_path
from unfis.selection.scoring import mean_and_error
from unfis.selection.stage import Stage, Task
from unfis.ties import first_least

# A network goes on from that of its choice if this share of the inputs was in it: where most were
# left out, it learned more slowly so than from the start.
WARM_START_SHARE = 0.5
# Beside so many rows the prior hardly counts: the least one is taken.
MANY_ROWS = 50_000


class Decision(NamedTuple):
    """A network to train, and why this one."""

    network: Parameters
    start: Parameters  # where the prior holds its fuzzy sets
    choices: dict[str, Any]
    path: dict[str, list[Any]]  # one entry per point, in every list; empty if all inputs stay
    stages: tuple[Stage, ...]  # the networks of the path
    known_held_out: HeldOutAnswers | None = None  # by which the network was chosen, if by any


def decide(
    samples: Samples,
    inputs: Sequence[slice],
    start: Callable[..., Parameters],
    selection: str,
    space: SearchSpace,
    objective: Objective,
    *,
    rows: int | None = None,
    goes_on: bool = True,
    watch: Watch = UNWATCHED,
    constraints: Constraints = UNCONSTRAINED,
) -> Decision:
    """Choose what is left to the data, for each kind of selection.

    By `samples` that were drawn of `rows`, or that are all. A start may draw at random: what is
    compared is drawn from copies of its source. The network to train goes on from what the one it
    was chosen by has learned, or begins anew.
    """
    rows = len(samples.X) if rows is None else rows
    averaged = selection == "decisive" and objective.of_classes
    combination = AVERAGED if averaged else MIXED_OUTPUTS
    task = Task(
        samples, inputs, objective, start, combination, watch=watch, constraints=constraints
    )
    if selection == "decisive":
        return decision_on(choose_path(task, space))
    choices: dict[str, Any]
    first = trained = None
    if space.n_rules is not None and space.ridge is None and rows > MANY_ROWS:
        n_rules, ridge, choices = space.n_rules, min(RIDGES), {"by": "number of rows"}
    elif space.n_rules is None or space.ridge is None:
        best = choose_size(task, space)
        n_rules, ridge = best.n_rules, best.task.ridge
        choices = {"by": "leave-one-out", "loss": best.loss}
        if rows <= CHOICE_ROWS:
            first = best.stage.start
            if goes_on and best.stage.condition.mean() > WARM_START_SHARE:
                trained = with_learned(first, best.stage.parameters, selection)
    else:
        n_rules, ridge, choices = space.n_rules, space.ridge, {}
    first = first or start(*samples, n_rules)
    choices = {"n_rules": n_rules, "ridge": ridge, **choices}
    return Decision(trained or first, first, choices, {}, ())


def with_learned(start: Parameters, learned: Parameters, selection: str) -> Parameters:
    """A start that says what a network has learned by which all inputs are in every rule.

    Slopes are the larger, the less of its input a soft selection lets through.
    """
    consequents = learned.consequents.copy()
    if selection == "soft":
        consequents[:, :, 1:] /= start.selection.degrees.consequent[:, None, :]
    return replace(learned, logits=start.logits, consequents=consequents, slopes=None)


def decision_on(choice: Choice) -> Decision:
    """The chosen point of the paths, and the table of all of them."""
    stage = choice.chosen.stage
    choices = {
        "n_rules": stage.rules,
        "ridge": choice.chosen.ridge,
        "parts": choice.chosen.parts,
        "by": choice.by,
        "seconds": choice.seconds,
    }
    stages = tuple(point.stage for point in choice.points)
    path = path_table(choice)
    return Decision(stage.parameters, stage.start, choices, path, stages, choice.held_out)


def path_table(choice: Choice) -> dict[str, list[Any]]:
    """Each point's size and its losses, with standard errors over the samples."""
    table: dict[str, list[Any]] = {}
    for point in choice.points:
        loss, loss_error = mean_and_error(point.losses, choice.weights)
        accuracy, accuracy_error = mean_and_error(point.hits, choice.weights)
        row = {
            "rules": point.stage.rules,
            "parts": point.parts,
            "conditions": int(point.stage.condition.sum()),
            "longest_rule": point.stage.longest,
            "ridge": point.ridge,
            "training_loss": point.training_loss,
            "cv_loss": loss,
            "cv_loss_error": loss_error,
            "cv_accuracy": accuracy,
            "cv_accuracy_error": accuracy_error,
            "criterion": point.criterion,
            "chosen": point is choice.chosen,
        }
        for name, value in row.items():
            table.setdefault(name, []).append(value)
    return table


def point_on(path: Mapping[str, list[Any]], parts: int, rules: int | None) -> int:
    """The number of the best point of so many rules, or of any number, and at most so many parts.

    The best by cross-validation, or by what stands in for it.
    """
    if not path:
        raise ValueError(
            "There is no path to choose from: it takes rules that were neither given nor edited. "
            "Fit without given_rules, or ask the model from before its edit."
        )
    numbers = [n for n, of in enumerate(path["rules"]) if rules is None or of == rules]
    if not numbers:
        raise ValueError(
            f"rules must be one of {sorted(set(path['rules']))}, the numbers of rules on the path, "
            f"got {rules!r}."
        )
    few = [number for number in numbers if path["parts"][number] <= parts]
    if not few:
        least = min(path["parts"][number] for number in numbers)
        where = "on the path" if rules is None else f"with {rules} rules on the path"
        raise ValueError(f"parts must be at least {least}, the least {where}, got {parts!r}.")
    score = "criterion" if path["cv_loss"][few[0]] != path["cv_loss"][few[0]] else "cv_loss"
    return few[int(first_least([path[score][number] for number in few]))]


def at_point(
    choices: Mapping[str, Any], path: Mapping[str, list[Any]], number: int
) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """Copies of choices and path, as if this point had been chosen by the user."""
    chosen = {
        "by": "user",
        "n_rules": path["rules"][number],
        "ridge": path["ridge"][number],
        "parts": path["parts"][number],
    }
    marks = [other == number for other in range(len(path["chosen"]))]
    return {**copy.deepcopy(choices), **chosen}, {**copy.deepcopy(path), "chosen": marks}
