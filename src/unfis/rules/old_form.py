"""Rules as they were written before IF and THEN had inputs of their own, read as today's."""

from __future__ import annotations

from typing import Any

import numpy as np

from unfis.network.combination import MIXED_OUTPUTS
from unfis.rules.data import Condition, check_lengths
from unfis.serial.schema import check_of, either, list_of, number, record, require, scalar
from unfis.ties import first_greatest

CONDITIONS = list_of(check_of(Condition))
CONSEQUENTS = list_of(
    record(
        {"label": scalar, "bias": number(), "slopes": list_of(either(number(), list_of(number())))}
    ),
    least=1,
)
# How the words began of conditions that tell no rows apart.
EMPTY = ("anything", "rather ")


def is_old(data: Any) -> bool:
    """Whether plain data is a rule base of the old form."""
    return isinstance(data, dict) and "rules" in data and "combination" not in data


def in_new_form(data: dict[str, Any], prefix: str) -> dict[str, Any]:
    """A rule base whose rules had the same inputs in both parts, and mixed their outputs."""
    rules = list_of(lambda rule, where: new_rule(rule, data.get("classes"), where))
    new = {"rules": list(rules(data["rules"], f"{prefix}rules")), "combination": MIXED_OUTPUTS.name}
    return data | new


def new_rule(rule: Any, classes: Any, where: str) -> Any:
    """A rule whose opinions, one for each class, had a slope for each condition."""
    if not isinstance(rule, dict) or not {"conditions", "consequents"} <= rule.keys():
        return rule
    rest = dict(rule)
    opinions = CONSEQUENTS(rest.pop("consequents"), f"{where}.consequents")
    rest["conditions"] = [new_condition(condition) for condition in rule["conditions"]]
    conditions = CONDITIONS(rest["conditions"], f"{where}.conditions")
    labels = [opinion["label"] for opinion in opinions]
    require(labels == list(classes or ()), f"{where}.consequents must be on the classes, in order.")
    for c, opinion in enumerate(opinions):
        path = f"{where}.consequents[{c}].slopes"
        check_lengths(path, opinion["slopes"], conditions, "condition")
    effects = [
        {
            "input": condition.input,
            "kind": condition.kind,
            "slopes": [opinion["slopes"][k] for opinion in opinions],
            "step": None,
            "origin": None,
        }
        for k, condition in enumerate(conditions)
    ]
    effects = [effect for effect in effects if np.any(np.hstack(effect["slopes"]))]
    if rest.get("mix"):
        rest["label"] = labels[int(first_greatest(rest["mix"]))]
    biases = [opinion["bias"] for opinion in opinions]
    return rest | {"effects": effects, "biases": biases, "otherwise": False, "unit": None}


def new_condition(condition: Any) -> Any:
    """A condition whose printed range was where it holds by half; empty words are left out."""
    if not isinstance(condition, dict):
        return condition
    rest = {name: part for name, part in condition.items() if name != "leading"}
    empty = str(rest.get("term")).startswith(EMPTY)
    return rest | {"borders": rest.get("interval", (None, None))} | ({"term": ""} if empty else {})
