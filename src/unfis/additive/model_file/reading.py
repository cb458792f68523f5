"""A FittedModel from a document of plain data, of which nothing is believed."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from unfis.additive.fitting.evidence import Evidence
from unfis.additive.model import FittedModel
from unfis.additive.model_file.learned import (
    CALIBRATION,
    ESTIMATE,
    RANGE,
    calibration_of,
    estimate_of,
    ranges_of,
)
from unfis.additive.model_file.rules import EVIDENCE, POINTS, Words, read_evidence, rule_of
from unfis.additive.model_file.settings import anything, column_name, read_setting
from unfis.additive.model_file.text import FILE_LIMITS
from unfis.additive.rules import Rule, RuleModel
from unfis.additive.search.constraints import Constraints
from unfis.additive.text import Names
from unfis.data.columns import Input, TableColumns, column_spans
from unfis.data.costs import cost_table
from unfis.data.notation import DECIMAL_NAMES, Notation
from unfis.data.origin import Origin
from unfis.serial.messages import quoted
from unfis.serial.schema import (
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

FORMAT, VERSION = "unfis rules", 1
TASKS = "regression", "classification"
# By the number of classes, at most 3.
LINKS_OF_TASKS = {0: ("identity", "exp"), 2: ("logistic",), 3: ("softmax",)}
# Kinds of labels: the kinds of arrays that hold them, the types of each label, the array to make.
LABEL_KINDS: dict[str, tuple[str, Any, Any]] = {
    "truth": ("b", bool, bool),
    "whole": ("iu", int, np.int64),
    "number": ("f", (int, float), np.float64),
    "text": ("U", str, str),
    "any": ("O", object, object),
}
Shown = tuple[Evidence, ...]


def folds_of(value: Any, where: str) -> tuple[tuple[int, ...], ...]:
    """The places of the models of each fold."""
    few = isinstance(value, list) and len(value) <= FILE_LIMITS.folds
    require(few, f"{where} must be a list of at most {FILE_LIMITS.folds} lists.")
    found: tuple[tuple[int, ...], ...] = list_of(list_of(whole(0)))(value, where)
    return found


INPUT = {
    "name": text,
    "kind": one_of("number", "boolean", "category"),
    "categories": list_of(scalar),
    "whole": truth,
    **RANGE,
    "pair": optional(list_of(number(), least=2, most=2)),
    "offset": number(),
    "scale": number(0.0, above=True),
}
RULE = {"if": mapping_of(anything), "then": optional(scalar), "evidence": optional(EVIDENCE)}
MODEL = {
    "start": list_of(POINTS, least=1),
    "unit": number(0.0, 1e100, above=True),
    # The place of each rule, its points and in how many folds it is found, if that is known.
    "rules": list_of(list_of(anything, least=2, most=3)),
}
NOTATION = {"decimal": one_of(*DECIMAL_NAMES)}
NOTATION |= dict.fromkeys(("missing", "true", "false"), list_of(text))
ORIGIN = {
    "rows": whole(1),
    "fingerprint": text,
    "versions": mapping_of(text),
    "held_out": optional(mapping_of(optional(scalar))),
}
DOCUMENT = {
    "format": one_of(FORMAT),
    "version": one_of(VERSION),
    "unfis": text,
    "task": one_of(*TASKS),
    "link": text,
    "target": record({"name": text, "column": optional(text)}),
    "classes": record({"kind": one_of(*LABEL_KINDS), "labels": list_of(scalar)}),
    "start": MODEL["start"],
    "unit": MODEL["unit"],
    "rules": list_of(record({**RULE, "points": POINTS, "found": optional(whole(0))})),
    "given": list_of(whole(0)),
    "fixed": list_of(whole(0)),
    "inputs": list_of(record(INPUT), least=1),
    "notation": record(NOTATION, Notation),
    "columns": optional(list_of(column_name)),
    "costs": list_of(list_of(number())),
    "constraints": record({"signs": mapping_of(one_of(-1, 1)), "groups": list_of(list_of(text))}),
    "settings": mapping_of(read_setting),
    "ridge": number(0.0),
    "length": whole(0),
    "origin": record(ORIGIN),
    "calibration": optional(record(CALIBRATION)),
    "estimate": optional(record(ESTIMATE)),
    "more rules": list_of(record(RULE)),
    "models": list_of(record(MODEL)),
    "path": list_of(whole(0)),
    "folds": folds_of,
    "checksum": text,
}


def model_of(document: Mapping[str, Any]) -> FittedModel:
    """The model of a document."""
    form, version = document.get("format"), document.get("version")
    require(form == FORMAT, f"format must be {FORMAT!r}; got {quoted(form)}.")
    another = f"version is {quoted(version)}, and this unfis reads {VERSION}"
    require(version == VERSION, f"{another}: install the one that wrote the file.")
    found = record(DOCUMENT)(document, "")
    labels = labels_of(found)
    columns = TableColumns(found["columns"], inputs_of(found), labels, found["notation"])
    words = Words(columns.inputs, labels.tolist()[found["link"] == "logistic" :])
    require(len(words.places) == len(columns.inputs), "inputs must have a name each.")
    models = Models(found, words)
    path = [models.at(n, "path") for n in found["path"]]
    signs, groups = (found["constraints"][name] for name in ("signs", "groups"))
    named = (words.place(name, "constraints") for name in signs)
    sets = tuple(frozenset(words.place(n, "constraints") for n in one) for one in groups)
    model = FittedModel(
        columns=columns,
        names=called_names(found, columns),
        rules=models.rules,
        length=found["length"],
        evidence=models.evidence,
        path=tuple(rules for rules, _ in path),
        folds=tuple(tuple(models.at(n, "folds")[0] for n in fold) for fold in found["folds"]),
        searched=None,
        losses=None,
        ridge=found["ridge"],
        settings=found["settings"],
        constraints=Constraints(dict(zip(named, signs.values(), strict=True)), sets),
        origin=Origin(**found["origin"], target=found["target"]["column"]),
        given=frozenset(found["given"]),
        fixed=frozenset(found["fixed"]),
        costs=cost_table(found["costs"], labels.tolist()) if found["costs"] else (),
        calibration=calibration_of(found["calibration"], max(len(labels), 1)),
        estimate=estimate_of(found["estimate"], models.rules),
        ranges=ranges_of(found["inputs"]),
        path_evidence=tuple(evidence for _, evidence in path),
    )
    check_model(model)
    return model


def labels_of(found: Mapping[str, Any]) -> Any:
    """The classes, which suit the task; none of a number."""
    labels = found["classes"]["labels"]
    count = min(len(labels), 3)
    suits = count in LINKS_OF_TASKS and found["task"] == TASKS[count > 0]
    require(suits, f"classes must suit the task, {found['task']}; got {len(labels)}.")
    links = LINKS_OF_TASKS[count]
    suits = found["link"] in links
    require(suits, f"link must be {' or '.join(map(repr, links))} of {len(labels)} classes.")
    return labels_of_kind(found["classes"])


def labels_of_kind(classes: Mapping[str, Any]) -> Any:
    """Labels of a kind, in order."""
    labels, kind = classes["labels"], classes["kind"]
    for c, label in enumerate(labels):
        where = f"classes.labels[{c}]"
        fits = isinstance(label, LABEL_KINDS[kind][1])
        fits = fits and (kind in ("truth", "any") or not isinstance(label, bool))
        require(fits, f"{where} must be of kind {kind!r}; got {quoted(label)}.")
        if kind == "whole":
            whole(-(2**63), 2**63 - 1)(label, where)
    types = {isinstance(label, str) for label in labels}
    rises = len(types) < 2 and all(one < other for one, other in pairwise(labels))
    require(rises, "classes.labels must be in order, each once.")
    return np.array(labels, dtype=LABEL_KINDS[kind][2])


def inputs_of(found: Mapping[str, Any]) -> tuple[Input, ...]:
    """The inputs, which are those of the columns."""
    names, inputs = found["columns"], []
    same = names is None or [*map(str, names)] == [one["name"] for one in found["inputs"]]
    require(same, "columns must be the names of the inputs, in their order.")
    spans = column_spans([one["categories"] for one in found["inputs"]])
    for j, (one, span) in enumerate(zip(found["inputs"], spans, strict=True)):
        kind, kinds = one["kind"], one["categories"]
        fits = {"number": kinds == (), "boolean": kinds == (False, True)}.get(kind, True)
        fits = fits and len(set(kinds)) == len(kinds)
        require(fits, f"inputs[{j}].categories must be those of a {kind}, each once.")
        width = span.stop - span.start
        scaling = (np.full(width, float(one[name])) for name in ("offset", "scale"))
        inputs.append(Input(one["name"], kind, kinds, span, *scaling))
    return tuple(inputs)


def called_names(found: Mapping[str, Any], columns: TableColumns) -> Names:
    """What the print calls the inputs, categories and outputs."""
    names, categories, whole, pairs = (
        tuple(one[part] for one in found["inputs"])
        for part in ("name", "categories", "whole", "pair")
    )
    target, classes = found["target"]["name"], tuple(map(str, columns.classes.tolist()))
    outputs = classes or (target,)
    return Names(names, categories, outputs, whole, pairs, target if classes else "")


def check_model(model: FittedModel) -> None:
    """Raise SchemaError unless the parts of a model belong together."""
    counts = {len(fold) for fold in model.folds} | ({len(model.path)} if model.path else set())
    require(len(counts) < 2, "path and each of folds must have as many models.")
    for count in counts:
        require(model.length < count, f"length must be below {count}; got {model.length}.")
    same = not model.path or model.rules == model.path[model.length]
    require(same, "rules, start and unit must be as in models, of path at length.")
    one_of("whole", "exact")(model.settings.get("points"), "settings.points")


class Models:
    """The models of a document, which share rules."""

    def __init__(self, found: Mapping[str, Any], words: Words) -> None:
        self.link, self.folds = found["link"], len(found["folds"])
        self.outputs = max(len(words.outputs), 1)
        places = [f"rules[{n}]" for n in range(len(found["rules"]))]
        places += [f"more rules[{n}]" for n in range(len(found["more rules"]))]
        self.data = found["rules"] + found["more rules"]
        self.parts = [rule_of(*one, words) for one in zip(self.data, places, strict=True)]
        own = [
            (n, one["points"], one["found"])[: 2 if one["found"] is None else 3]
            for n, one in enumerate(found["rules"])
        ]
        self.rules, self.evidence = self._model({**found, "rules": own}, "the model")
        models = enumerate(found["models"])
        self.models = [self._model(one, f"models[{n}]") for n, one in models]
        for name in ("given", "fixed"):
            require(max(found[name], default=-1) < len(own), f"{name} must be places of rules.")

    def at(self, place: int, where: str) -> tuple[RuleModel, Shown]:
        """The model at a place, and what rows show of its rules."""
        require(place < len(self.models), f"{where} must name models by their places.")
        return self.models[place]

    def _model(self, found: Mapping[str, Any], where: str) -> tuple[RuleModel, Shown]:
        rules, shown = [], []
        for n, (place, points, *folds) in enumerate(found["rules"]):
            at = f"{where}.rules[{n}]"
            conditions, output = self.parts[whole(0, len(self.parts) - 1)(place, at)]
            rules.append(Rule(conditions, output, float(POINTS(points, f"{at} points"))))
            if folds:
                evidence = self.data[place]["evidence"]
                require(evidence is not None, f"{at} must be of a rule with evidence.")
                count = whole(0, self.folds)(folds[0], f"{at} found")
                shown.append(read_evidence(evidence, count, self.folds))
        require(len(shown) in (0, len(rules)), f"{where} must have found of all rules, or none.")
        same = len(found["start"]) == self.outputs
        require(same, f"{where}.start must be a list of {self.outputs}.")
        start, unit = tuple(map(float, found["start"])), float(found["unit"])
        if self.link == "exp":
            largest = unit * sum(map(abs, [*start, *(rule.points for rule in rules)]))
            require(largest <= FILE_LIMITS.log, f"{where} must have points with finite answers.")
        return RuleModel(tuple(rules), start, unit, self.link), tuple(shown)
