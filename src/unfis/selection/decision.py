"""What a choice comes to: the network to train, and a record of all that was compared."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from unfis.data.samples import Samples
from unfis.learning.objective import Objective
from unfis.network import Parameters
from unfis.selection.choice import (
    CHOICE_ROWS,
    RIDGES,
    Choice,
    SearchSpace,
    choose_path,
    choose_size,
)
from unfis.selection.elimination import Elimination, Stage
from unfis.selection.folds import subsample
from unfis.selection.scoring import mean_and_error

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
    path: dict[str, list[Any]]  # one entry per point, in every list; empty without elimination
    stages: tuple[Stage, ...]  # the networks of the path


def decide(
    samples: Samples,
    inputs: Sequence[slice],
    start: Callable[..., Parameters],
    selection: str,
    space: SearchSpace,
    objective: Objective,
    *,
    goes_on: bool = True,
) -> Decision:
    """Choose what is left to the data, for each kind of selection.

    A start may draw at random: what is compared is drawn from copies of its source. The network to
    train goes on from what the one it was chosen by has learned, or begins anew.
    """
    longest = space.max_conditions or len(inputs)
    keeps_idle = space.n_rules is not None
    elimination = Elimination(samples, start, inputs, longest, keeps_idle, objective)
    if selection == "decisive":
        return decision_on(choose_path(elimination, space))
    choices: dict[str, Any]
    first = trained = None
    if space.n_rules is not None and space.ridge is None and len(samples.X) > MANY_ROWS:
        n_rules, ridge, choices = space.n_rules, min(RIDGES), {"by": "number of rows"}
    elif space.n_rules is None or space.ridge is None:
        best = choose_size(elimination, space)
        n_rules, ridge = best.n_rules, best.elimination.ridge
        choices = {"by": "leave-one-out", "loss": best.loss}
        if len(samples.X) <= CHOICE_ROWS:
            first = best.stage.start
            if goes_on and best.stage.selected.mean() > WARM_START_SHARE:
                trained = with_learned(first, best.stage.parameters, selection)
    else:
        n_rules, ridge, choices = space.n_rules, space.ridge, {}
    first = first or start(*subsample(samples, objective), n_rules)
    choices = {"n_rules": n_rules, "ridge": ridge, **choices}
    return Decision(trained or first, first, choices, {}, ())


def with_learned(start: Parameters, learned: Parameters, selection: str) -> Parameters:
    """A start that says what a network has learned by which all inputs are in every rule.

    Slopes are the larger, the less of its input a soft selection lets through.
    """
    consequents = learned.consequents.copy()
    if selection == "soft":
        consequents[:, :, 1:] /= start.selection.degrees[:, None, :]
    return replace(learned, logits=start.logits, consequents=consequents)


def decision_on(choice: Choice) -> Decision:
    """The chosen point of the paths, and the table of all of them."""
    stage = choice.chosen.stage
    choices = {
        "n_rules": len(stage.selected),
        "ridge": choice.chosen.ridge,
        "conditions": stage.conditions,
        "by": "information criterion" if choice.folds is None else "cross-validation",
        "seconds": choice.seconds,
    }
    stages = tuple(point.stage for point in choice.points)
    return Decision(stage.parameters, stage.start, choices, path_table(choice), stages)


def path_table(choice: Choice) -> dict[str, list[Any]]:
    """Each point's size and its losses, with standard errors over the samples."""
    table: dict[str, list[Any]] = {}
    for point in choice.points:
        loss, loss_error = mean_and_error(point.losses, choice.weights)
        accuracy, accuracy_error = mean_and_error(point.hits, choice.weights)
        row = {
            "rules": len(point.stage.selected),
            "conditions": point.stage.conditions,
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


def point_on(path: Mapping[str, list[Any]], conditions: int, rules: int) -> int:
    """The number of the longest point of so many rules and at most so many conditions."""
    if not path:
        raise ValueError(
            "There is no path to choose from: it takes selection='decisive' and rules that were "
            "not edited. Set it and fit anew, or ask the model from before its edit."
        )
    numbers = [number for number, of in enumerate(path["rules"]) if of == rules]
    if not numbers:
        raise ValueError(
            f"rules must be one of {sorted(set(path['rules']))}, the numbers of rules on the path, "
            f"got {rules!r}."
        )
    sizes = {number: path["conditions"][number] for number in numbers}
    short = [number for number in numbers if sizes[number] <= conditions]
    if not short:
        raise ValueError(
            f"conditions must be at least {min(sizes.values())}, the least with {rules} rules on "
            f"the path, got {conditions!r}."
        )
    # Two paths may meet at one size, when a rule is dropped: the chosen or the better one counts.
    return max(short, key=lambda n: (sizes[n], path["chosen"][n], -path["cv_loss"][n]))


def at_point(
    choices: Mapping[str, Any], path: Mapping[str, list[Any]], number: int
) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """Copies of choices and path, as if this point had been chosen by the user."""
    chosen = {
        "by": "user",
        "n_rules": path["rules"][number],
        "ridge": path["ridge"][number],
        "conditions": path["conditions"][number],
    }
    marks = [other == number for other in range(len(path["chosen"]))]
    return {**copy.deepcopy(choices), **chosen}, {**copy.deepcopy(path), "chosen": marks}
