"""Other models made of a fitted one: with rules changed by hand, or from its path."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from math import isfinite
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Mask
from unfis.data.columns import Input
from unfis.data.naming import as_list, position_of
from unfis.data.samples import TrainingSample
from unfis.learning.local_problem import LocalProblem
from unfis.model.fitted import FittedModel
from unfis.model.points import with_points
from unfis.model.settings import Settings
from unfis.model.training import network_to_train, prior_of
from unfis.network import Parameters, Selection
from unfis.rules import Scorecard
from unfis.rules.text.numbers import percent
from unfis.selection import at_point, point_on
from unfis.selection.scoring import hit_rate, network_loss
from unfis.serial.messages import quoted
from unfis.serial.parameters import check_number


@dataclass(frozen=True)
class EditReport:
    """What was edited, and what it costs on some rows.

    Attributes
    ----------
    changes : what was done, in sentences
    rows : how many rows the costs were measured on
    given : whether these were given, or are the training rows that the model keeps
    models : "before", "edited" and, if it was, "refitted"
    loss, accuracy : of each of these; the loss in nats per row, by the weights of rows and classes
        that a fit minimises it with, the accuracy by those of rows alone
    """

    changes: tuple[str, ...]
    rows: int
    given: bool
    models: tuple[str, ...]
    loss: tuple[float, ...]
    accuracy: tuple[float, ...]

    def __str__(self) -> str:
        origin = "given" if self.given else "training"
        title = f"On {self.rows:,} {origin} rows"
        rows = zip(self.models, self.loss, self.accuracy, strict=True)
        table = [
            f"  {name:{len(title) - 2}s}{loss:8.3f}{percent(hits, 1):>13s}"
            for name, loss, hits in rows
        ]
        return "\n".join([*self.changes, f"{title}    loss     accuracy", *table])


class Edited(NamedTuple):
    """A network after an edit, and what stays as it is in whatever learning follows."""

    parameters: Parameters
    start: Parameters  # where the prior holds its sets
    fixed: Mask  # centres that do not move, (rules, columns)
    given: tuple[str, ...]  # the rules as an expert gave them, if any
    scorecard: Scorecard | None  # how what is left of its effects counts in points
    changes: list[str]


class Editor(NamedTuple):
    """Changes a fitted model's network; rules are counted from 1, inputs go by name or position."""

    model: FittedModel

    def edit(
        self,
        drop: Iterable[Any],
        forbid: Iterable[Any],
        centres: Mapping[Any, float],
        remove: Iterable[int],
    ) -> Edited:
        """The network after all edits together; ValueError for what cannot be done."""
        network, fixed = self.model.network, self.model.fixed
        selection, moved = network.selection, network.centres.copy()
        fixed = np.zeros(moved.shape, dtype=bool) if fixed is None else fixed.copy()
        changes = []
        for pair in as_list("drop", drop):
            rule, item = self._pair("drop", pair)
            inside = (selection.in_condition | selection.in_consequent)[rule, item.columns]
            if not inside.any():
                raise ValueError(f"drop names {item.name} in rule {pair[0]}, which is not in it.")
            selection = selection.without(rule, item.columns)
            changes.append(f"Rule {rule + 1}: dropped {item.name}.")
        for wanted in as_list("forbid", forbid):
            rules, item = self._forbidden(wanted)
            for rule in rules:
                selection = selection.without(rule, item.columns)
            where = "all rules" if len(rules) > 1 else f"rule {rules[0] + 1}"
            changes.append(f"Forbade {item.name} in {where}.")
        if not isinstance(centres, Mapping):
            example = "{(1, 'age'): 50}"
            raise ValueError(f"centres must be a dict such as {example}, got {quoted(centres)}.")
        for pair, value in centres.items():
            rule, item = self._pair("centres", pair)
            column = number_column(item, value)
            if not network.selection.in_condition[rule, column]:
                raise ValueError(
                    f"centres names {item.name} in rule {pair[0]}, which has no condition on it."
                )
            if network.given[rule, column]:
                raise ValueError(
                    f"centres names {item.name} in rule {pair[0]}, whose conditions were given. "
                    "Change given_rules, and fit anew."
                )
            moved[rule, column] = (value - item.offsets[0]) / item.scales[0]
            fixed[rule, column] = True
            changes.append(f"Rule {rule + 1}: fixed the centre of {item.name} at {value:g}.")
        kept = np.ones(len(fixed), dtype=bool)
        for number in as_list("remove", remove):
            kept[self._rule("remove", number)] = False
            changes.append(f"Removed rule {number}.")
        if not kept.any():
            raise ValueError("remove must leave at least one rule, got the numbers of all of them.")
        network = replace(network, centres=moved).with_selection(selection)
        left = self._left(network, np.flatnonzero(kept))
        network = network.only_rules(left)
        if network.combination.has_otherwise and len(left) == 1:
            # It decides alone, whatever its conditions are.
            outside = np.zeros_like(network.selection.in_condition)
            selection = Selection.decided(outside, network.selection.in_classes)
            network = network.with_selection(selection)
        start, card = self.model.start.only_rules(left), self.model.scorecard
        if card is not None:
            card = card._replace(units=tuple(card.units[i] for i in left))
        given = tuple(self.model.given[i] for i in left) if self.model.given else ()
        return Edited(network, start, fixed[left], given, card, changes)

    def _left(self, network: Parameters, kept: NDArray[np.intp]) -> NDArray[np.intp]:
        """The rules that are left, as they are printed: one that speaks otherwise is the last."""
        bare = np.asarray(~network.selection.in_condition.any(axis=1))
        if not network.combination.has_otherwise:
            return kept
        without = kept[bare[kept]]
        if len(without) > 1:
            numbers = " and ".join(str(i + 1) for i in without)
            superfluous = [int(i) + 1 for i in without if i != self.model.network.otherwise]
            raise ValueError(
                f"drop and forbid must leave a condition in all rules but one, which speaks where "
                f"no other does; got none in rules {numbers}. Remove some too, such as "
                f"remove={superfluous[: len(without) - 1]}, or leave a condition in them."
            )
        return kept[np.argsort(bare[kept], kind="stable")]

    def _rule(self, setting: str, number: Any) -> int:
        """The index of a rule that the user counts from 1."""
        rules = self.model.network.shape.rules
        if isinstance(number, bool) or not isinstance(number, int | np.integer):
            raise ValueError(
                f"{setting} must name rules by number, from 1 to {rules}; got {quoted(number)}."
            )
        if not 1 <= number <= rules:
            raise ValueError(f"{setting} must name rules from 1 to {rules}, got rule {number}.")
        return int(number) - 1

    def _input(self, setting: str, name: Any) -> Input:
        """An input by name, or by position where no input has such a name."""
        inputs = self.model.columns.inputs
        return inputs[position_of(setting, name, inputs)]

    def _pair(self, setting: str, pair: Any) -> tuple[int, Input]:
        """The rule and the input of a pair."""
        if not isinstance(pair, tuple) or len(pair) != 2:
            example = "(1, 'age')"
            raise ValueError(
                f"{setting} must name inputs of rules as (rule, input), such as {example}; got "
                f"{quoted(pair)}."
            )
        return self._rule(setting, pair[0]), self._input(setting, pair[1])

    def _forbidden(self, wanted: Any) -> tuple[list[int], Input]:
        """The rules in which an input is forbidden: the one named with it, or all."""
        if isinstance(wanted, tuple) and len(wanted) == 2:
            return [self._rule("forbid", wanted[0])], self._input("forbid", wanted[1])
        return list(range(self.model.network.shape.rules)), self._input("forbid", wanted)


def number_column(item: Input, value: Any) -> int:
    """The column of a number whose centre can be fixed at a value."""
    if item.kind != "number":
        raise ValueError(f"centres must name numbers; {item.name} is a {item.kind}.")
    if isinstance(value, bool) or not isinstance(value, Real) or not isfinite(value):
        raise ValueError(f"The centre of {item.name} must be a finite number, got {quoted(value)}.")
    return int(item.columns.start)


def edit(
    model: FittedModel,
    settings: Settings,
    edited: Edited,
    given: TrainingSample | None,
    refit: Callable[[FittedModel], FittedModel] | None,
) -> FittedModel:
    """A model with its rules changed by hand, learned again around that if asked for.

    What it costs is measured on rows that were given, or else on those that the model keeps.
    """
    found = replace(
        model,
        settings=settings.shaped_as(model.settings),
        start=edited.start,
        fixed=edited.fixed,
        given=edited.given,
        path={},
        stages=(),
    ).with_network(edited.parameters, model.memory.weight)
    if found.in_consequent.any():  # what is left counts in points as before
        found = replace(found, scorecard=edited.scorecard)
    counts = {"n_rules": len(found.selected), "parts": found.parts, "by": "user"}
    found = replace(found, choices={**model.choices, **counts})
    networks = {"before": model.network, "edited": found.network}
    if refit is not None:
        found = refit(found)
        networks["refitted"] = found.network
    rows = model.sample if given is None else given
    if not len(found.sample.rows):
        found = replace(found, sample=rows.kept())
    samples = model.columns.samples(rows, model.objective.encode)
    # The loss is the one that a fit minimises, in which classes may have weights.
    learned = samples._replace(weights=model.learned_weights(rows))
    report = EditReport(
        tuple(edited.changes),
        len(samples.X),
        given is not None,
        tuple(networks),
        tuple(network_loss(model.objective, one, learned) for one in networks.values()),
        tuple(hit_rate(model.objective, one, samples) for one in networks.values()),
    )
    return replace(found, edits=report)


def at(model: FittedModel, settings: Settings, parts: int, rules: int | None = None) -> FittedModel:
    """The best model on the path of at most so many parts, and of so many rules if given."""
    check_number("parts", parts, whole=True, zero=True)
    check_number("rules", rules, whole=True, otherwise=None)
    number = point_on(model.path, parts, rules)
    choices, path = at_point(model.choices, model.path, number)
    found = replace(model, settings=settings.shaped_as(model.settings), choices=choices, path=path)
    if model.path["chosen"][number]:
        return found
    if not model.stages:
        raise ValueError(
            "A model file keeps the chosen model alone, not the others of its path: fit anew to "
            "choose among them."
        )
    stage = model.stages[number]
    found = replace(found, start=stage.start)
    found = found.with_network(stage.parameters, model.memory.weight)
    network = network_to_train(found)
    prior = prior_of(found, network)
    return with_points(found, LocalProblem(network, found.objective, *found.kept_samples, prior))
