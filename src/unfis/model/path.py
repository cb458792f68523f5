"""Other points of a model's path to few conditions, without learning again."""

from __future__ import annotations

from dataclasses import replace

from unfis.learning.loop import check_number
from unfis.model.fitted import FittedModel
from unfis.model.settings import Settings
from unfis.selection import at_point, point_on


def at(
    model: FittedModel, settings: Settings, conditions: int, rules: int | None = None
) -> FittedModel:
    """The longest model on the path of so many rules and at most so many conditions."""
    check_number("conditions", conditions, whole=True)
    check_number("rules", rules, whole=True, otherwise=None)
    number = point_on(model.path, conditions, rules or model.choices["n_rules"])
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
    return found.with_network(stage.parameters, model.memory.weight)
