"""A FittedModel as a document of plain data."""

from __future__ import annotations

from dataclasses import asdict
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.fitting.evidence import Evidence
from unfis.model import FittedModel
from unfis.model_file.learned import NO_RANGE, plain_arrays, plain_range
from unfis.model_file.reading import FORMAT, LABEL_KINDS, TASKS, VERSION
from unfis.model_file.rules import Words, plain_evidence, plain_number, plain_rule
from unfis.model_file.settings import Label, plain_data, plain_label
from unfis.model_file.text import ModelFileError
from unfis.rules import Rule, RuleModel
from unfis.serial.messages import quoted


def document_of(model: FittedModel) -> dict[str, Any]:
    """All of a model but the training rows."""
    columns, names, limits = model.columns, model.names, model.constraints
    shared, called = SharedRules(model), [item.name for item in columns.inputs]
    origin = plain_data("held_out", asdict(model.origin))
    is_class = len(columns.classes) > 0
    target = names.target if is_class else names.outputs[0]
    return {
        "format": FORMAT,
        "version": VERSION,
        "unfis": import_module("unfis").__version__,
        "task": TASKS[is_class],
        "link": model.rules.link,
        "target": {"name": target, "column": origin.pop("target")},
        "classes": plain_classes(columns.classes),
        "start": [*map(plain_number, model.rules.start)],
        "unit": plain_number(model.rules.unit),
        "rules": shared.own,
        "given": sorted(model.given),
        "fixed": sorted(model.fixed),
        "inputs": plain_inputs(model),
        "notation": asdict(columns.notation),
        "columns": None if columns.names is None else [*map(plain_column, columns.names)],
        "costs": plain_data("costs", model.costs),
        "constraints": {
            "signs": {called[j]: sign for j, sign in limits.signs.items()},
            "groups": [[called[j] for j in sorted(group)] for group in limits.groups],
        },
        "settings": {n: plain_data(f"settings.{n}", one) for n, one in model.settings.items()},
        "ridge": plain_number(model.ridge),
        "length": model.length,
        "origin": origin,
        "calibration": plain_arrays(model.calibration),
        "estimate": plain_arrays(model.estimate),
        "more rules": shared.more,
        "models": shared.models,
        "path": shared.path,
        "folds": shared.folds,
    }


class SharedRules:
    """Rules that are written once, however many of the path's and the folds' models have them."""

    def __init__(self, model: FittedModel) -> None:
        classes = model.columns.classes.tolist()
        self.words = Words(model.columns.inputs, classes[model.rules.link == "logistic" :])
        if len(self.words.places) < len(model.columns.inputs):
            raise ModelFileError("two columns have the same name. Rename one and fit anew.")
        self.rules: list[dict[str, Any]] = []
        self.models: list[dict[str, Any]] = []
        self._places: dict[str, int] = {}  # of rules and of models, by what is written of them
        own, evidence = model.rules.rules, model.evidence or (None,) * len(model.rules.rules)
        for rule, one in zip(own, evidence, strict=True):
            self._write(self._plain(rule, one))
        self.own = [
            {**data, "points": plain_number(rule.points), "found": one and one.walks}
            for data, rule, one in zip(self.rules, own, evidence, strict=True)
        ]
        path = enumerate(model.path)
        self.path = [self._model(one, model.evidence_at(length)) for length, one in path]
        self.folds = [[self._model(one) for one in fold] for fold in model.folds]
        self.more = self.rules[len(own) :]

    def _model(self, model: RuleModel, evidence: tuple[Evidence, ...] = ()) -> int:
        """The place of a model, written where it is new."""
        rules = []
        for n, rule in enumerate(model.rules):
            data = self._plain(rule, evidence[n] if evidence else None)
            if repr(data) not in self._places:
                self._write(data)
            found = [evidence[n].walks] if evidence else []
            rules.append([self._places[repr(data)], plain_number(rule.points), *found])
        start = [*map(plain_number, model.start)]
        data = {"start": start, "unit": plain_number(model.unit), "rules": rules}
        place = self._places.setdefault(repr(data), len(self.models))
        if place == len(self.models):
            self.models.append(data)
        return place

    def _write(self, data: dict[str, Any]) -> None:
        """One more rule; models of which nothing is shown may share it."""
        for key in (data, {**data, "evidence": None}):
            self._places.setdefault(repr(key), len(self.rules))
        self.rules.append(data)

    def _plain(self, rule: Rule, evidence: Evidence | None) -> dict[str, Any]:
        shown = plain_evidence(evidence) if evidence else None
        return {**plain_rule(rule, self.words), "evidence": shown}


def plain_inputs(model: FittedModel) -> list[dict[str, Any]]:
    """What each input is called, how it is read, and what is known of its numbers."""
    return [
        {
            "name": item.name,
            "kind": item.kind,
            "categories": [*map(plain_label, item.categories)],
            "whole": model.names.is_whole(j),
            **(plain_range(model.ranges, j) if model.ranges else NO_RANGE),
            "pair": plain_data("pair", model.names.pair(j)),
            "offset": plain_number(float(item.offsets[0])),
            "scale": plain_number(float(item.scales[0])),
        }
        for j, item in enumerate(model.columns.inputs)
    ]


def plain_classes(classes: NDArray[Any]) -> dict[str, Any]:
    """The labels of the classes, and of what kind they are; none of a number."""
    labels = classes.tolist()
    kinds = [kind for kind, (held_by, *_) in LABEL_KINDS.items() if classes.dtype.kind in held_by]
    if not kinds or not all(isinstance(label, Label) for label in labels):
        raise ModelFileError(
            f"the classes must be text, numbers or truth values; got {quoted(labels[0])}. Make "
            "them text and fit anew."
        )
    return {"kind": kinds[0], "labels": labels}


def plain_column(name: Any) -> Any:
    """A column's name as a file has it."""
    if isinstance(name, tuple):
        return [*map(plain_column, name)]
    name = name.item() if isinstance(name, np.generic) else name
    if not isinstance(name, Label):
        raise ModelFileError(
            f"the columns must be named by text, numbers or tuples of these; got {quoted(name)}. "
            "Rename them and fit anew."
        )
    return name
