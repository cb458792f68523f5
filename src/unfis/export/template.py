"""DOCSTRING"""

from __future__ import annotations

import csv
import math
import sys
from typing import Any

from unfis.data.notation import BLANKS, CategoryReader, Notation, number_of

# A rule adds its points to the sum of its output, as far as all its conditions hold. A condition on
# a number rises from 0 to 1 between two numbers and falls between two others; one on a category
# holds for some kinds; what is unknown meets it as far as `unknown` says. Sums begin at `start`,
# one point is worth a `unit`. Costs are lists, one for each true class, of what each answer costs.
MODEL: dict[str, Any] = {"notation": {}, "inputs": []}

NOTATION = Notation(**MODEL["notation"])  # how cells are read
INPUTS = {column["name"]: column for column in MODEL["inputs"]}
READERS = {name: CategoryReader(one["categories"], NOTATION) for name, one in INPUTS.items()}


def predict(row: dict[str, Any]) -> Any:
    """The most probable class of a row, or the number; values are by the names of the inputs.

    Where errors cost differently it is the class that is expected to cost least.
    """
    found = sums(row)
    if not MODEL["classes"]:
        return math.exp(found[0]) if MODEL["link"] == "exp" else found[0]
    shares = softmax(found)
    expected = [-share for share in shares]
    if MODEL["costs"]:
        answers = zip(*MODEL["costs"], strict=True)
        expected = [sum(map(float.__mul__, shares, costs)) for costs in answers]
    return MODEL["classes"][expected.index(min(expected))]


def predict_proba(row: dict[str, Any]) -> dict[Any, float]:
    """The probability of each class; none where a number is predicted."""
    return dict(zip(MODEL["classes"], softmax(sums(row)), strict=False))


def sums(row: dict[str, Any]) -> list[float]:
    """Where each sum starts and the points of its rules, in units."""
    values = {name: read(name, row.get(name)) for name in INPUTS}
    totals = list(MODEL["start"])
    for rule in MODEL["rules"]:
        degrees = [degree(one, values[one["input"]]) for one in rule["conditions"]]
        totals[rule["output"]] += rule["points"] * math.prod(degrees)
    return [MODEL["unit"] * total for total in totals]


def degree(condition: dict[str, Any], value: Any) -> float:
    """How far a condition holds."""
    if value is None:
        return float(condition["unknown"])
    if "kinds" in condition:
        return float(value in condition["kinds"])
    rising = risen(value, *condition["rises"]) if "rises" in condition else 1.0
    return rising - (risen(value, *condition["falls"]) if "falls" in condition else 0.0)


def risen(value: float, low: float, high: float) -> float:
    """From 0 at `low` to 1 at `high`; a step that includes its value where they are the same."""
    if value >= high:
        return 1.0
    return 0.0 if value <= low else (value - low) / (high - low)


def softmax(scores: list[float]) -> list[float]:
    """exp(z) / sum exp(z)."""
    highest = max(scores)
    exponentials = [math.exp(score - highest) for score in scores]
    total = sum(exponentials)
    return [one / total for one in exponentials]


def read(name: str, cell: Any) -> Any:
    """A number, 0 or 1 for a truth value, a category; None if it is unknown."""
    if is_unknown(cell):
        return None
    kind, categories = INPUTS[name]["kind"], INPUTS[name]["categories"]
    if kind == "category":
        try:
            place = READERS[name].position(cell)
        except KeyError:
            place = None
        return None if place is None else categories[place]
    if isinstance(cell, str):
        number = NOTATION.truth(cell) if kind == "boolean" else NOTATION.number(cell)
    else:
        number = number_of(cell)
    if number is not None and kind == "boolean" and number in (0, 1):
        return number
    if number is not None and (number != number or number in NOTATION.missing_numbers):
        return None
    if number is None or kind == "boolean" or not math.isfinite(number):
        wanted = "true or false" if kind == "boolean" else "a finite number"
        raise ValueError(f"{name} must be {wanted}, got {str(cell)[:60]!r}.")
    return number


def is_unknown(cell: Any) -> bool:
    """Whether a cell is None or NaN; comparisons of other kinds of unknown have no truth value."""
    try:
        return cell is None or bool(cell != cell)
    except TypeError:
        return True


def main(path: str) -> None:
    """Print the prediction and the probabilities of each row of a CSV file."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        for separator in ",;\t|":
            file.seek(0)
            rows = csv.DictReader(file, delimiter=separator)
            rows.fieldnames = [name.strip(BLANKS) for name in rows.fieldnames or ()]
            if {*INPUTS} <= {*rows.fieldnames}:
                break
        else:
            sys.exit(f"{path} must have the columns {list(INPUTS)}, separated by , ; | or tabs.")
        out = csv.writer(sys.stdout)
        out.writerow(["predicted", *(f"probability_{label}" for label in MODEL["classes"])])
        for row in rows:
            out.writerow([predict(row), *predict_proba(row).values()])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"Usage: python {sys.argv[0]} TABLE.csv")
    main(sys.argv[1])
