"""What is in a model file, checked: shapes, ranges, and that its parts say the same."""

from __future__ import annotations

from typing import Any

import numpy as np

from unfis.learning import LEARNERS
from unfis.model.settings import NETWORK, RULES, TABLE, parameters_of
from unfis.model_file.held_out import ANSWERS, check_answers
from unfis.model_file.settings import OF_MACHINE
from unfis.network.combination import COMBINATIONS
from unfis.network.parameters import Shape
from unfis.network.selection import HALVES
from unfis.rules import RuleBase, Scorecard
from unfis.rules.extract import in_points
from unfis.serial.messages import quoted
from unfis.serial.schema import (
    Check,
    SchemaError,
    either,
    list_of,
    mapping_of,
    number,
    one_of,
    optional,
    record,
    require,
    scalar,
    text,
    truth,
    whole,
)

FORMAT = "unfis model"
VERSION = 1
# Products and squares of numbers up to here stay finite.
MODERATE = number(-1e100, 1e100)
ABOVE_ZERO = number(0.0, above=True)
# Kinds of labels: the kinds of arrays that hold them, the types of each label, the array to make.
LABEL_KINDS: dict[str, tuple[str, Any, Any]] = {
    "truth": ("b", bool, bool),
    "whole": ("iu", int, np.int64),
    "number": ("f", (int, float), np.float64),
    "text": ("U", str, str),
    "any": ("O", object, object),
}


def as_it_is(value: Any, where: str) -> Any:
    """Anything: checked later, when more is known."""
    return value


INPUT = record(
    {
        "name": text,
        "unit": text,
        "kind": one_of("number", "boolean", "category"),
        "categories": list_of(scalar),
        "offsets": list_of(number(), least=1),
        "scales": list_of(ABOVE_ZERO, least=1),
    }
)
# Numbers by class, as pairs: the names of a JSON object are text, and a class need not be.
BY_CLASS = list_of(list_of(scalar, least=2, most=2))
LEARNER = record({"name": one_of(*LEARNERS), "parameters": mapping_of(optional(scalar))})
# Settings that are no text, number or truth value; what all may be, their own table checks.
FORMS: dict[str, Check] = {
    "learner": either(one_of(*LEARNERS), LEARNER, dict),
    "class_weight": optional(either(text, BY_CLASS)),
    "costs": optional(either(record({"missed": BY_CLASS}), list_of(list_of(number(0.0))))),
    "threshold": optional(either(scalar, BY_CLASS)),
    "categorical_features": optional(either(text, list_of(scalar))),
    "monotonic_cst": optional(list_of(whole(-1, 1))),
    "forbidden_inputs": optional(list_of(text)),
    "given_rules": optional(list_of(text)),
    "random_state": optional(whole(0)),
}


def setting_check(name: str) -> Check:
    """A setting of this name in its form, which an estimator may have."""
    form = FORMS.get(name, optional(scalar))

    def check(value: Any, where: str) -> Any:
        found = form(value, where)
        try:
            TABLE[name].check(where, found)
        except ValueError as error:
            raise SchemaError(str(error)) from None
        return found

    return check


# The settings of each estimator.
SETTINGS = {
    estimator: record(
        {n: setting_check(n) for n in parameters_of(estimator) if n not in OF_MACHINE}
    )
    for estimator in (RULES, NETWORK)
}
PATH = {
    "rules": whole(1),
    "parts": whole(0),
    "conditions": whole(0),
    "longest_rule": whole(0),
    "ridge": number(0.0),
    "training_loss": optional(number()),
    "cv_loss": optional(number()),
    "cv_loss_error": optional(number()),
    "cv_accuracy": optional(number(0.0, 1.0)),
    "cv_accuracy_error": optional(number(0.0)),
    "criterion": optional(number()),
    "chosen": truth,
}
LEARNED = record(
    {
        "choices": mapping_of(scalar),
        "path": mapping_of(list_of(optional(scalar))),
        "iterations": whole(0),
        "converged": truth,
        "weight": ABOVE_ZERO,
    }
)
# What `unfis fit` measures has a meaning, and is used again; whatever else a user keeps is theirs.
SHARES = ("accuracy", "low", "high", "baseline", "balanced_accuracy")
HELD_OUT = {
    **dict.fromkeys(SHARES, number(0.0, 1.0)),
    "rows": whole(1),
    "fraction": number(0.0, 1.0, above=True),
    "seed": whole(0, 2**32 - 1),
    "table": text,
}


def held_out_fields(value: Any, where: str) -> dict[str, Any]:
    """Numbers and text by name, those of `unfis fit` in their ranges."""
    found: dict[str, Any] = mapping_of(optional(scalar))(value, where)
    return {
        name: HELD_OUT.get(name, as_it_is)(item, f"{where}.{name}") for name, item in found.items()
    }


DOCUMENT = record(
    {
        "format": one_of(FORMAT),
        "version": one_of(VERSION),
        "estimator": one_of(*SETTINGS),
        "target": optional(text),
        "columns": optional(list_of(scalar, least=1)),
        "classes": record({"kind": one_of(*LABEL_KINDS), "labels": list_of(scalar, least=1)}),
        "inputs": list_of(INPUT, least=1),
        "rules": as_it_is,
        "network": as_it_is,
        "start": as_it_is,
        "fixed": as_it_is,
        "given": list_of(text),
        "scorecard": as_it_is,
        "uncertainty": as_it_is,
        "settings": as_it_is,
        "learned": LEARNED,
        "data": record({"rows": whole(1), "sha256": text}),
        "held_out": optional(held_out_fields),
        "held_out_answers": optional(list_of(ANSWERS)),
        "versions": mapping_of(text),
        "checksum": text,
    }
)


def checked(document: dict[str, Any]) -> dict[str, Any]:
    """The fields of a document, each of them in its right form; the rules as a RuleBase."""
    form, version = document.get("format"), document.get("version")
    require(form == FORMAT, f"format must be {FORMAT!r}, got {quoted(form)}.")
    another = f"version is {quoted(version)}, and this unfis reads {VERSION}"
    require(version == VERSION, f"{another}: install the one that wrote the file.")
    found: dict[str, Any] = DOCUMENT(document, "")
    found["settings"] = SETTINGS[found["estimator"]](found["settings"], "settings")
    found["rules"] = RuleBase.from_dict(found["rules"], "rules")
    check_inputs(found)
    check_class_labels(found)
    widths = [len(item["offsets"]) for item in found["inputs"]]
    shape = Shape(len(found["rules"]), sum(widths), len(found["classes"]["labels"]))
    # The prior holds sets in units of their widths at the start.
    for name, width in {"network": MODERATE, "start": number(1e-100, 1e100)}.items():
        found[name] = network_check(shape, width)(found[name], name)
    fixed = optional(array_of((shape.rules, shape.features), truth))
    found["fixed"] = fixed(found["fixed"], "fixed")
    count = len(found["given"])
    require(count in (0, shape.rules), f"given must be [] or of each rule, got {count} texts.")
    scorecard = optional(scorecard_check(shape.rules, len(widths)))
    found["scorecard"] = scorecard(found["scorecard"], "scorecard")
    check_points(found["rules"], found["scorecard"])
    check_path(found["learned"])
    check_answers(found["held_out_answers"], shape.classes)
    return found


def array_of(shape: tuple[int, ...], entry: Check) -> Check:
    """Nested lists of this shape."""
    for count in reversed(shape):
        entry = list_of(entry, least=count, most=count)
    return entry


def network_check(shape: Shape, width: Check) -> Check:
    """The arrays of a network of this shape, with widths that pass a check."""
    entries: dict[str, Check] = dict.fromkeys(shape.blocks, MODERATE)
    entries |= {"widths": width, "logits": decided_or_number}
    arrays = {name: array_of(shape.blocks[name], entries[name]) for name in entries}
    cores = array_of((2, shape.rules, shape.features), optional(number(0.0)))
    arrays["reaches"] = lambda value, where: () if value == [] else cores(value, where)
    fields = record({**arrays, "combination": one_of(*COMBINATIONS)})

    def check(value: Any, where: str) -> Any:
        found = fields(value, where)
        logits = {entry for row in found["logits"] for entry in row}
        suits = not logits & {"if", "then"} or logits <= HALVES.keys()
        message = "must be words alone where inputs are in one part of a rule."
        require(suits, f"{where}.logits {message}")
        return found

    return check


def decided_or_number(value: Any, where: str) -> Any:
    """A selection logit: a number, or the word for what was decided."""
    return one_of(*HALVES)(value, where) if isinstance(value, str) else MODERATE(value, where)


def scorecard_check(rules: int, inputs: int) -> Check:
    """How rules count in whole points."""
    numbers = {"units": array_of((rules,), ABOVE_ZERO), "steps": array_of((inputs,), ABOVE_ZERO)}
    return record({**numbers, "origins": array_of((inputs,), number())}, Scorecard)


def check_points(rules: RuleBase, scorecard: Scorecard | None) -> None:
    """Raise SchemaError where the rules do not count in points as the scorecard says."""
    for i, rule in enumerate(rules):
        if scorecard is None:
            same = rule.unit is None
        else:
            same = in_points(rule, i, rules.variables, scorecard) == rule
        require(same, f"rules.rules[{i}] must count in points as scorecard says.")


def check_inputs(found: dict[str, Any]) -> None:
    """Raise SchemaError where the inputs are not those of the rules."""
    inputs, variables = found["inputs"], found["rules"].variables
    expected = f"inputs must be the {len(variables)} variables of the rules"
    require(len(inputs) == len(variables), f"{expected}, got {len(inputs)}.")
    for j, (item, variable) in enumerate(zip(inputs, variables, strict=True)):
        for name in ("name", "unit", "kind", "categories"):
            other = getattr(variable, name)
            expected = f"inputs[{j}].{name} must be as in rules.variables, {quoted(other)}"
            require(item[name] == other, f"{expected}, got {quoted(item[name])}.")
        count = len(item["categories"]) if len(item["categories"]) > 2 else 1
        for name in ("offsets", "scales"):
            array_of((count,), number())(item[name], f"inputs[{j}].{name}")
    columns, names = found["columns"], [item["name"] for item in inputs]
    same = columns is None or [str(column) for column in columns] == names
    require(same, "columns must be the names of the inputs, in their order.")


def check_class_labels(found: dict[str, Any]) -> None:
    """Raise SchemaError where the labels are not of their kind, or not those of the rules."""
    labels, kind = found["classes"]["labels"], found["classes"]["kind"]
    types = LABEL_KINDS[kind][1]
    for c, label in enumerate(labels):
        where = f"classes.labels[{c}]"
        fits = isinstance(label, types) and not (kind == "whole" and isinstance(label, bool))
        require(fits, f"{where} must be of kind {kind!r}, got {quoted(label)}.")
        if kind == "whole":
            whole(-(2**63), 2**63 - 1)(label, where)
    same = labels == found["rules"].classes
    require(same, "classes.labels must be the classes of the rules, in their order.")


def check_path(learned: dict[str, Any]) -> None:
    """Raise SchemaError where the path is not a table with one point chosen, or empty."""
    path = learned["path"]
    number(0.0)(learned["choices"].get("ridge"), "learned.choices['ridge']")
    whole(1)(learned["choices"].get("n_rules"), "learned.choices['n_rules']")
    if not path:
        return
    count = len(path["chosen"]) if "chosen" in path else 0
    checks = {name: list_of(check, least=count, most=count) for name, check in PATH.items()}
    record(checks)(path, "learned.path")
    require(sum(path["chosen"]) == 1, "learned.path.chosen must be true for one point.")
