"""What a user says of errors on the command line: --cost, --threshold and --class-weight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unfis.app.request import RequestError
from unfis.model.operating_point import given_costs
from unfis.serial.messages import listed, quoted


def operating_point(
    costs: Sequence[str] | None, threshold: str | None, classes: Sequence[Any]
) -> dict[str, Any]:
    """The estimator's `costs` and `threshold`, of what --cost and --threshold were given as."""
    found = {
        "costs": costs_given(costs, classes) if costs else None,
        "threshold": threshold_given(threshold, classes),
    }
    try:
        given_costs(**found, classes=classes)
    except ValueError as error:
        raise RequestError(str(error)) from None
    return found


def costs_given(texts: Sequence[str], classes: Sequence[Any]) -> Any:
    """What it costs to miss classes, or a table if single errors are named: "yes:no=10"."""
    cells = {pair_named(name, classes): cost for name, cost in numbers_given("--cost", texts)}
    if all(answer is None for _, answer in cells):
        return {classes[true]: cost for (true, _), cost in cells.items()}
    table = 1.0 - np.eye(len(classes))
    # What is said of one error holds whatever was said of its class.
    for (true, answer), cost in sorted(cells.items(), key=lambda cell: cell[0][1] is not None):
        others = [k for k in range(len(classes)) if k != true] if answer is None else [answer]
        table[true, others] = cost
    return table.tolist()


def pair_named(name: str, classes: Sequence[Any]) -> tuple[int, int | None]:
    """The true class and the answer that a name such as yes:no has, or a class alone.

    A class may have a colon in its own name.
    """
    names = [str(label) for label in classes]
    if name in names:
        return names.index(name), None
    parts = name.split(":")
    for cut in range(1, len(parts)):
        true, answer = ":".join(parts[:cut]), ":".join(parts[cut:])
        if true in names and answer in names and true != answer:
            return names.index(true), names.index(answer)
    raise RequestError(
        f"--cost names {quoted(name)}, which is neither a class of [{listed(names)}] nor two of "
        "them, the true one and the answer, with a colon between them."
    )


def threshold_given(text: str | None, classes: Sequence[Any]) -> Any:
    """The class with its threshold, or "auto"."""
    if text is None or text == "auto":
        return text
    found = by_class("--threshold", [text], classes)
    if wrong := [share for share in found.values() if not 0 < share < 1]:
        raise RequestError(
            "--threshold must be a probability above 0 and below 1, such as "
            f"{classes[-1]}=0.2, got {wrong[0]:g}."
        )
    return found


def class_weight_given(texts: Sequence[str] | None, classes: Sequence[Any]) -> Any:
    """The estimator's `class_weight`, of what --class-weight was given as."""
    if not texts or list(texts) == ["balanced"]:
        return texts[0] if texts else None
    weights = by_class("--class-weight", texts, classes)
    if wrong := [weight for weight in weights.values() if not 0 < weight < np.inf]:
        raise RequestError(f"--class-weight must be a finite number above 0, got {wrong[0]:g}.")
    return weights


def by_class(option: str, texts: Sequence[str], classes: Sequence[Any]) -> dict[Any, float]:
    """Numbers by class, given as yes=5."""
    names, found = [str(label) for label in classes], {}
    for name, number in numbers_given(option, texts):
        if name not in names:
            raise RequestError(
                f"{option} names {quoted(name)}, which is not among [{listed(names)}]."
            )
        found[classes[names.index(name)]] = number
    return found


def numbers_given(option: str, texts: Sequence[str]) -> list[tuple[str, float]]:
    """Names and numbers that were given as name=number."""
    found = []
    for text in texts:
        name, _, number = text.rpartition("=")
        try:
            found.append((name.strip(), float(number)))
        except ValueError:
            name = ""
        if not name:
            raise RequestError(
                f"{option} must be a class and a number, such as yes=0.2, got {quoted(text)}."
            )
    return found
