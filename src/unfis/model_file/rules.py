"""Rules as plain data, written as in the print, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from math import inf, nan
from typing import Any

from unfis.data.columns import Input
from unfis.fitting.evidence import Evidence
from unfis.model_file.settings import Label, plain_label
from unfis.rules import Condition, Kinds, Rule, Trapezoid, Unknown
from unfis.serial.messages import quoted
from unfis.serial.schema import SchemaError, list_of, number, optional, record, require, wrong

# Differences of borders, and sums of points, stay finite.
BORDER, POINTS = number(-1e300, 1e300), number(-1e200, 1e200)
SHARE = number(0.0, 1 + 1e-9)  # a mean of ones may be rounded up
# The edges of a range: the names of their borders in a file, and of both borders.
RISES = {("from",): ("from", "from"), ("above", "fully from"): ("above", "fully from")}
FALLS = {("below",): ("below", "below"), ("fully to", "below"): ("fully to", "below")}
CONDITION_PARTS = {"from", "above", "fully from", "below", "fully to", "known", "unknown", "is"}
FIGURES = ("rows", "mean", "other rows", "other mean")
EVIDENCE = record(dict(zip(FIGURES, (POINTS, optional(POINTS)) * 2, strict=True)))


class Words:
    """How a file names the inputs, their categories and the classes that have points."""

    def __init__(self, inputs: Sequence[Input], outputs: Sequence[Any]) -> None:
        self.inputs, self.outputs = inputs, outputs
        self.places = {item.name: j for j, item in enumerate(inputs)}
        self.output_places = label_places(outputs)

    @cached_property
    def codes(self) -> list[dict[str, int]]:
        """The code of each category, by input."""
        return [label_places(item.categories) for item in self.inputs]

    def place(self, name: str, where: str) -> int:
        """Where an input is; SchemaError if it is nowhere."""
        if name not in self.places:
            raise SchemaError(f"{where} names {quoted(name)}, which is none of the inputs.")
        return self.places[name]


def label_places(labels: Sequence[Any]) -> dict[str, int]:
    """Where each label is; 1, 1.0 and True are three."""
    return {json.dumps(plain_label(label)): place for place, label in enumerate(labels)}


def place_of(label: Any, places: Mapping[str, int], where: str, what: str) -> int:
    """Where a label is; SchemaError if it is nowhere."""
    found = places.get(json.dumps(label)) if isinstance(label, Label) else None
    if found is None:
        raise wrong(where, f"one of the {what}", label)
    return found


def plain_number(value: float) -> float | None:
    """A number as a person writes it, 11 for 11.0; None for NaN."""
    if value != value:
        return None
    return int(value) if repr(value).endswith(".0") and repr(value) != "-0.0" else value


def plain_rule(rule: Rule, words: Words) -> dict[str, Any]:
    """The IF and the THEN of a rule."""
    parts: dict[str, Any] = {}
    for one in rule.conditions:
        item = words.inputs[one.input]
        parts.setdefault(item.name, []).append(plain_condition(one, item))
    parts = {name: own if len(own) > 1 else own[0] for name, own in parts.items()}
    return {"if": parts, "then": plain_label(words.outputs[rule.output]) if words.outputs else None}


def plain_condition(condition: Condition, item: Input) -> dict[str, Any]:
    """Where a condition holds, and what a missing value counts unless that is nothing."""
    if isinstance(condition, Unknown):
        return {"known": 0, "unknown": 1}
    found: dict[str, Any] = {}
    if isinstance(condition, Kinds):
        found["is"] = [plain_label(item.categories[code]) for code in condition.kinds]
    else:
        a, b, c, d = condition.a, condition.b, condition.c, condition.d
        if a > -inf:
            found |= {"from": b} if a == b else {"above": a, "fully from": b}
        if d < inf:
            found |= {"below": d} if c == d else {"fully to": c, "below": d}
        found = {name: plain_number(border) for name, border in found.items()} or {"known": 1}
    return found | ({"unknown": plain_number(condition.unknown)} if condition.unknown else {})


def rule_of(data: Mapping[str, Any], where: str, words: Words) -> tuple[tuple[Condition, ...], int]:
    """The conditions and the output of a rule from what `plain_rule` gave."""
    conditions = []
    for name, entry in data["if"].items():
        place, j = f"{where}.if[{quoted(name)}]", words.place(name, f"{where}.if")
        for one in entry if isinstance(entry, list) else [entry]:
            conditions.append(condition_of(one, place, j, words))
    require(bool(conditions), f"{where}.if must have a condition.")
    if words.outputs:
        there = place_of(data["then"], words.output_places, f"{where}.then", "classes with points")
        return tuple(conditions), there
    require(data["then"] is None, f"{where}.then must be null: there are no classes.")
    return tuple(conditions), 0


def condition_of(data: Any, where: str, j: int, words: Words) -> Condition:
    """A condition on one input from what `plain_condition` gave."""
    if not isinstance(data, dict) or not data.keys() <= CONDITION_PARTS:
        raise SchemaError(
            f"{where} must be a dict with some of {sorted(CONDITION_PARTS)}; got {quoted(data)}."
        )
    unknown = float(SHARE(data.get("unknown", 0), f"{where}.unknown"))
    kind, alone = words.inputs[j].kind, len(data.keys() - {"unknown"}) == 1
    if "known" in data:
        known = data["known"] == 1
        fits = alone and (known or (data["known"] == 0 and unknown == 1))
        require(fits, f"{where} must be known: 1, or known: 0 and unknown: 1.")
        return Trapezoid(j, unknown=unknown) if known else Unknown(j)
    if "is" in data:
        require(alone and kind != "number", f"{where} must have 'is' alone, and of no number.")
        found = list_of(lambda one, at: place_of(one, words.codes[j], at, "categories"))
        codes = found(data["is"], f"{where}.is")
        rising = all(one < other for one, other in pairwise(codes))
        require(rising, f"{where}.is must name categories once, in the order of the input.")
        return Kinds(j, codes, unknown)
    require(kind != "category", f"{where} must have 'is': it is about a category.")
    return Trapezoid(j, *borders_of(data, where), unknown)


def borders_of(data: Mapping[str, Any], where: str) -> tuple[float, float, float, float]:
    """The four borders of a range, which must rise."""
    low = tuple(name for name in ("from", "above", "fully from") if name in data)
    high = tuple(name for name in ("fully to", "below") if name in data)
    if not low + high or (low and low not in RISES) or (high and high not in FALLS):
        raise SchemaError(
            f"{where} must have 'from', or 'above' and 'fully from', and 'below', or 'fully to' "
            f"and 'below'; got {quoted([*data])}."
        )
    found = {name: float(BORDER(data[name], f"{where}[{name!r}]")) for name in low + high}
    a, b = (found[name] for name in RISES[low]) if low else (-inf, -inf)
    c, d = (found[name] for name in FALLS[high]) if high else (inf, inf)
    require(a <= b <= c <= d, f"{where} must have rising borders.")
    return a, b, c, d


def plain_evidence(one: Evidence) -> dict[str, Any]:
    """What rows show of a rule; null for a mean of no rows."""
    numbers = (one.rows, one.mean, one.other_rows, one.other_mean)
    return dict(zip(FIGURES, map(plain_number, numbers), strict=True))


def read_evidence(found: Mapping[str, Any], walks: int, of: int) -> Evidence:
    """The evidence from what `plain_evidence` gave."""
    rows, mean, *others = (nan if found[n] is None else float(found[n]) for n in FIGURES)
    return Evidence(rows, mean, walks, of, *others)
