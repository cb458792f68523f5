"""How sure a network's parameters are, as plain data of a model file, and back."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from unfis.model.uncertainty import Uncertainty
from unfis.serial.schema import list_of, number, record, require, whole

# Sums of squares of such numbers stay finite.
ENTRY = number(-1e100, 1e100)


def plain_uncertainty(uncertainty: Uncertainty) -> dict[str, Any]:
    """The positions of what was learned, and the rows of the root up to its diagonal."""
    rows = [row[: i + 1] for i, row in enumerate(uncertainty.root.tolist())]
    return {"positions": uncertainty.positions.tolist(), "root": rows}


def uncertainty_of(value: Any, parameters: int) -> Uncertainty | None:
    """From what `plain_uncertainty` gave of a network of so many parameters; None of None."""
    if value is None:
        return None
    where = "uncertainty"
    rows_of_any = list_of(lambda row, where: row)
    fields = record({"positions": list_of(whole(0, parameters - 1), least=1), "root": rows_of_any})
    positions, rows = fields(value, where).values()
    rising = all(one < other for one, other in pairwise(positions))
    require(rising, f"{where}.positions must rise.")
    count = len(positions)
    expected = f"{where}.root must have a row for each of the {count} positions"
    require(len(rows) == count, f"{expected}, got {len(rows)}.")
    directions = len(list_of(ENTRY, least=1, most=count)(rows[-1], f"{where}.root[{count - 1}]"))
    root = np.zeros((count, directions))
    for i, row in enumerate(rows):
        width = min(i + 1, directions)
        root[i, :width] = list_of(ENTRY, least=width, most=width)(row, f"{where}.root[{i}]")
    return Uncertainty(np.array(positions, dtype=np.intp), root)
