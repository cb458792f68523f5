"""DOCSTRING"""

from __future__ import annotations

import csv
import io
import math
import re
import sys
from typing import Any, TextIO

# The classes, in the order of everything below.
CLASSES: list[Any] = []

# A number is known by its reference and its scale, anything else by its categories in order, and by
# the places of those that a number or a truth value is.
INPUTS: dict[str, dict[str, Any]] = {}

# A condition on a number is a fuzzy set around reference + shift, which may hold wholly as far as
# its reach below and above that (None without end); a condition on a category has a degree for
# each. `biases` are what a rule says of each class, `slopes` what inputs add to that: for each
# class, per unit above the reference, or for each category.
RULES: list[dict[str, Any]] = []

# Whether what rules say is mixed before it becomes probabilities, or their probabilities are
# averaged; and which rule, counted from 0, speaks where no other does.
COMBINATION = "mixed outputs"
OTHERWISE: int | None = None

# What each answer costs, a list for each true class; none if all errors cost the same.
COSTS: list[list[float]] = []

EPSILON = 0.0
LEAST_REST = 0.0
LARGEST_INPUT = 0.0

# How text is read: its decimal mark, and the words, in lower case, that say that nothing is known,
# that something is so, and that it is not. Blanks around a cell are left out.
DECIMAL = "."
MISSING: list[str] = []
MISSING_NUMBERS: list[float] = []
TRUE: list[str] = []
FALSE: list[str] = []
BLANKS = ""
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


def predict(row: dict[str, Any]) -> Any:
    """The class to answer for a row, values by the names of the inputs: the most probable one.

    Where errors cost differently it is the one that is expected to cost least.
    """
    found = logits(row)
    if not COSTS:
        return CLASSES[found.index(max(found))]
    shares = softmax(found)
    expected = [
        sum(share * costs[k] for share, costs in zip(shares, COSTS, strict=True))
        for k in range(len(CLASSES))
    ]
    return CLASSES[expected.index(min(expected))]


def predict_proba(row: dict[str, Any]) -> dict[Any, float]:
    """The probability of each class. An input that is absent, None, NaN or missing is unknown."""
    return dict(zip(CLASSES, softmax(logits(row)), strict=True))


def logits(row: dict[str, Any]) -> list[float]:
    """What all rules say of each class, each counted by how far all its conditions hold."""
    values = {name: read(name, row.get(name)) for name in INPUTS}
    strengths = softmax(with_otherwise([log_firing(rule, values) for rule in RULES]))
    outputs = [rule_outputs(rule, values) for rule in RULES]
    if COMBINATION == "mixed outputs":
        return [
            sum(strength * of[c] for strength, of in zip(strengths, outputs, strict=True))
            for c in range(len(CLASSES))
        ]
    logs = [log_softmax(of) for of in outputs]
    return [log_average(strengths, [of[c] for of in logs]) for c in range(len(CLASSES))]


def log_average(strengths: list[float], logs: list[float]) -> float:
    """The logarithm of the average of the rules' probabilities, given by their logarithms."""
    highest = max(logs)
    parts = [s * math.exp(log - highest) for s, log in zip(strengths, logs, strict=True)]
    return math.log(max(sum(parts), sys.float_info.min)) + highest


def with_otherwise(firing: list[float]) -> list[float]:
    """The logarithms of how far rules hold; the one that speaks otherwise as far as others fail."""
    if OTHERWISE is None:
        return firing
    others = [log for i, log in enumerate(firing) if i != OTHERWISE]
    rest = sum(math.log(max(-math.expm1(log), LEAST_REST)) for log in others)
    return [*firing[:OTHERWISE], rest, *firing[OTHERWISE + 1 :]]


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
    deviation: float = (value - centre - within_core(condition, value - centre, column)) / width
    log_membership = -0.5 * (deviation * deviation)
    selection: float = condition["selection"]
    if selection == 1:
        return log_membership
    membership = math.exp(log_membership)
    selected = (membership + EPSILON) / ((1 - selection) * membership + selection + EPSILON)
    return math.log(selected)


def within_core(condition: dict[str, Any], deviation: float, column: dict[str, Any]) -> float:
    """How much of a deviation lies where the condition holds wholly."""
    if "reach" not in condition:
        return 0.0
    below, above = (math.inf if end is None else end for end in condition["reach"])
    return float(min(max(deviation, -below / column["scale"]), above / column["scale"]))


def rule_outputs(rule: dict[str, Any], values: dict[str, Any]) -> list[float]:
    """What one rule says of each class; an unknown input adds nothing."""
    outputs = list(rule["biases"])
    for name, slopes in rule["slopes"].items():
        if values[name] is not None:
            for c, slope in enumerate(slopes):
                outputs[c] += added(slope, values[name], INPUTS[name])
    return outputs


def added(slope: Any, value: Any, column: dict[str, Any]) -> float:
    """What an input adds to the output for one class."""
    if column["kind"] == "number":
        return float(slope * column["scale"] * value)
    return float(slope[value])


def softmax(scores: list[float]) -> list[float]:
    """exp(z) / sum exp(z)."""
    highest = max(scores)
    exponentials = [math.exp(score - highest) for score in scores]
    total = sum(exponentials)
    return [exponential / total for exponential in exponentials]


def log_softmax(scores: list[float]) -> list[float]:
    """z - log sum exp(z)."""
    highest = max(scores)
    total = math.log(sum(math.exp(score - highest) for score in scores))
    return [score - highest - total for score in scores]


def read(name: str, value: Any) -> Any:
    """A number in scales from its reference, the place of a category, None if it is unknown."""
    column = INPUTS[name]
    if is_unknown(value):
        return None
    if column["kind"] == "category":
        return place_of(value, column["categories"], column.get("numbers", {}))
    if isinstance(value, str) and is_missing(value):
        return None
    if column["kind"] == "boolean":
        return truth_of(name, value)
    number = number_of(value)
    if number in MISSING_NUMBERS:
        return None
    if number is None or not math.isfinite(number):
        raise ValueError(f"{name} must be a finite number, got {str(value)[:60]!r}.")
    scaled = (number - column["reference"]) / column["scale"]
    return min(max(scaled, -LARGEST_INPUT), LARGEST_INPUT)


def is_unknown(value: Any) -> bool:
    """Whether a value is None or NaN; comparisons of other kinds of unknown have no truth value."""
    try:
        return value is None or bool(value != value)
    except TypeError:
        return True


def is_missing(cell: str) -> bool:
    """Whether a cell says that nothing is known."""
    return cell.strip(BLANKS).lower() in MISSING


def spelled_number(cell: str) -> float | None:
    """The number that a cell spells, None if it spells none."""
    word = cell.strip(BLANKS)
    if DECIMAL == ",":
        word = word.replace(".", "_").replace(",", ".")
    return float(word) if NUMBER.fullmatch(word) else None


def spelled_truth(cell: str) -> int | None:
    """1 or 0 for a cell that says true or false, None if it says neither."""
    word = cell.strip(BLANKS).lower()
    return 1 if word in TRUE else 0 if word in FALSE else None


def number_of(value: Any) -> float | None:
    """A value as a number, which text may spell; None if it is none."""
    try:
        return spelled_number(value) if isinstance(value, str) else float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def truth_of(name: str, value: Any) -> int | None:
    """1 for true, 0 for false, None for a number that means missing."""
    found = spelled_truth(value) if isinstance(value, str) else value
    if found not in (0, 1):
        if number_of(value) in MISSING_NUMBERS:
            return None
        raise ValueError(f"{name} must be true or false, got {str(value)[:60]!r}.")
    return int(found)


def as_text(value: Any) -> str:
    """A value as text without blanks around it; whole numbers alike, floats or not."""
    if isinstance(value, str):
        return value.strip(BLANKS)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def place_of(value: Any, categories: list[Any], numbers: dict[float, int]) -> int | None:
    """The place of a category, None if it is missing or none of them.

    A value is the category that it equals, or that it equals without the blanks around it. Text may
    spell a number or a truth value, these may be spelled by text; what is none of these is taken
    for the text that it prints.
    """
    if value in categories:
        return categories.index(value)
    word, is_text = as_text(value), isinstance(categories[0], str)
    if is_text:
        spelled, wanted = categories, word
    else:
        spelled, wanted = [as_text(category).lower() for category in categories], word.lower()
    if wanted in spelled:
        return spelled.index(wanted)
    if is_missing(word) or (is_text and isinstance(value, str)):
        return None
    number = number_of(value)
    if number is None and isinstance(value, str):
        number = spelled_truth(value)
    return None if number is None else numbers.get(number)


def first_line(file: TextIO) -> str:
    """The line of names of a file; a name in quotes may hold line ends."""
    line = file.readline()
    while line.count('"') % 2 and (more := file.readline()):
        line += more
    return line


def names_in(line: str, separator: str) -> list[str]:
    """The names of the columns in the first line of a file."""
    rows = csv.reader(io.StringIO(line, newline=""), delimiter=separator)
    return [name.strip(BLANKS) for name in next(rows, [])]


def main(path: str) -> None:
    """Print the prediction and the probabilities of each row of a CSV file."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        line = first_line(file)
        fitting = [mark for mark in ",;\t|" if {*INPUTS} <= {*names_in(line, mark)}]
        separator = fitting[0] if fitting else ","
        names = names_in(line, separator)
        rows = csv.DictReader(file, names, delimiter=separator)
        absent = [name for name in INPUTS if name not in names]
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
