"""Checks of plain data, as the types of a dataclass ask for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from unfis.serial.schema import SchemaError, check_of, one_of


@dataclass(frozen=True)
class Leaf:
    size: float | tuple[float, ...]
    colour: Annotated[str, one_of("red", "green")]


@dataclass(frozen=True)
class Tree:
    name: str
    rings: int
    leaves: tuple[Leaf, ...]
    spot: tuple[float, float] | None
    label: Any
    notes: tuple[str, ...] = ()


DATA = {
    "name": "oak",
    "rings": 3,
    "leaves": [{"size": 1.5, "colour": "red"}, {"size": [1, 2], "colour": "green"}],
    "spot": None,
    "label": True,
    "notes": [],
}


def test_what_suits_becomes_the_dataclass():
    leaves = Leaf(1.5, "red"), Leaf((1, 2), "green")
    assert check_of(Tree)(DATA, "") == Tree("oak", 3, leaves, None, True)
    found = check_of(Tree)({**DATA, "spot": [1, 2.5], "notes": ["old"]}, "")
    assert found == Tree("oak", 3, leaves, (1, 2.5), True, ("old",))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": 1}, r"tree\.name must be text, got 1\."),
        ({"rings": -1}, r"tree\.rings must be a whole number from 0"),
        ({"leaves": [{"size": "x", "colour": "red"}]}, r"tree\.leaves\[0\]\.size must be a finite"),
        (
            {"leaves": [{"size": ["x"], "colour": "red"}]},
            r"\.size\[0\] must be a finite",
        ),
        ({"leaves": [{"size": 1, "colour": "blue"}]}, r"colour must be one of 'red', 'green'"),
        ({"leaves": [{"size": 1}]}, r"tree\.leaves\[0\] lacks 'colour'"),
        ({"spot": [1.0]}, r"tree\.spot must be a list of 2, got a list of 1"),
        ({"label": None}, r"tree\.label must be text, a number, true or false"),
        ({"height": 1}, r"tree has 'height', which is not known"),
    ],
)
def test_what_is_wrong_is_named(change, message):
    with pytest.raises(SchemaError, match=message):
        check_of(Tree)({**DATA, **change}, "tree")
