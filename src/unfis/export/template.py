"""DOCSTRING"""

from __future__ import annotations

import csv
import math
import sys
from typing import Any

# The classes, in the order of everything below.
CLASSES: list[Any] = []

# A number is told by its reference and its scale, anything else by its categories in order.
INPUTS: dict[str, dict[str, Any]] = {}

# A condition on a number is a fuzzy set around reference + shift, a condition on a category has a
# degree for each. `opinions` are what a rule says of each class, `slopes` what an input adds to
# that: for each class, per unit above the reference, or for each category.
RULES: list[dict[str, Any]] = []

EPSILON = 0.0
LARGEST_INPUT = 0.0


def predict(row: dict[str, Any]) -> Any:
    """The most probable class of a row: values by the names of the inputs."""
    said = logits(row)
    return CLASSES[said.index(max(said))]


def predict_proba(row: dict[str, Any]) -> dict[Any, float]:
    """The probability of each class. An input that is absent, None, NaN or "" is unknown."""
    return dict(zip(CLASSES, softmax(logits(row)), strict=True))


def logits(row: dict[str, Any]) -> list[float]:
    """What all rules say of each class, each counted by how far all its conditions hold."""
    values = {name: read(name, row.get(name)) for name in INPUTS}
    strengths = softmax([log_firing(rule, values) for rule in RULES])
    said = [opinions(rule, values) for rule in RULES]
    return [
        sum(strength * of[c] for strength, of in zip(strengths, said, strict=True))
        for c in range(len(CLASSES))
    ]


def log_firing(rule: dict[str, Any], values: dict[str, Any]) -> float:
    """The logarithm of how far all conditions of a rule hold; an unknown input fulfils them."""
    total = 0.0
    for name, condition in rule["conditions"].items():
        if values[name] is not None:
            total += log_degree(condition, values[name], INPUTS[name])
    return total


def log_degree(condition: dict[str, Any], value: Any, column: dict[str, Any]) -> float:
    """The logarithm of how far one condition holds."""
    if "degrees" in condition:
        return math.log(condition["degrees"][value])
    centre, width = condition["shift"] / column["scale"], condition["width"] / column["scale"]
    deviation: float = (value - centre) / width
    log_membership = -0.5 * (deviation * deviation)
    selection: float = condition["selection"]
    if selection == 1:
        return log_membership
    membership = math.exp(log_membership)
    selected = (membership + EPSILON) / ((1 - selection) * membership + selection + EPSILON)
    return math.log(selected)


def opinions(rule: dict[str, Any], values: dict[str, Any]) -> list[float]:
    """What one rule says of each class; an unknown input adds nothing."""
    said = list(rule["opinions"])
    for name, condition in rule["conditions"].items():
        if values[name] is not None:
            for c, slope in enumerate(condition["slopes"]):
                said[c] += added(slope, values[name], INPUTS[name])
    return said


def added(slope: Any, value: Any, column: dict[str, Any]) -> float:
    """What an input adds to the opinion on one class."""
    if column["kind"] == "number":
        return float(slope * column["scale"] * value)
    return float(slope[value])


def softmax(scores: list[float]) -> list[float]:
    """exp(z) / sum exp(z)."""
    highest = max(scores)
    exponentials = [math.exp(score - highest) for score in scores]
    total = sum(exponentials)
    return [exponential / total for exponential in exponentials]


def read(name: str, value: Any) -> Any:
    """A number in scales from its reference, the place of a category, None if it is unknown."""
    column = INPUTS[name]
    if column["kind"] == "category":
        return None if is_unknown(value) else place_of(value, column["categories"])
    if is_unknown(value) or value == "":
        return None
    if column["kind"] == "boolean":
        place = place_of(value, column["categories"])
        if place is None:
            raise ValueError(f"{name} must be true or false, got {value!r}.")
        return place
    scaled = (as_number(name, value) - column["reference"]) / column["scale"]
    return None if math.isnan(scaled) else min(max(scaled, -LARGEST_INPUT), LARGEST_INPUT)


def is_unknown(value: Any) -> bool:
    """Whether a value is None or NaN; comparisons of other kinds of unknown have no truth value."""
    try:
        return value is None or bool(value != value)
    except TypeError:
        return True


def as_number(name: str, value: Any) -> float:
    """A value as a number, which text may spell; NaN if it spells that."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.inf
    if math.isinf(number):
        raise ValueError(f"{name} must be a finite number, got {value!r}.")
    return number


def place_of(value: Any, categories: list[Any]) -> int | None:
    """The place of a category, None if it is none of them.

    Text may spell a truth value or a number, as in a file; what is none of these is taken for the
    text that it prints.
    """
    if value in categories:
        return categories.index(value)
    if not isinstance(value, str):
        return None if isinstance(value, bool | int | float) else place_of(str(value), categories)
    if isinstance(categories[0], str):
        return None
    try:
        number = float({"true": "1", "false": "0"}.get(value.lower(), value))
    except ValueError:
        return None
    return categories.index(number) if number in categories else None


def main(path: str) -> None:
    """Print the prediction and the probabilities of each row of a CSV file."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = csv.DictReader(file)
        absent = [name for name in INPUTS if name not in (rows.fieldnames or ())]
        if absent:
            sys.exit(f"{path} must have the columns {list(INPUTS)}, got none named {absent[0]!r}.")
        out = csv.writer(sys.stdout)
        out.writerow(["predicted", *(f"probability_{label}" for label in CLASSES)])
        for row in rows:
            out.writerow([predict(row), *predict_proba(row).values()])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"Usage: python {sys.argv[0]} TABLE.csv")
    main(sys.argv[1])
