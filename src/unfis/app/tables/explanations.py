"""Single rows of a table, their predictions taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from unfis.app.request import RequestError
from unfis.app.tables.cells import texts
from unfis.app.tables.inputs import input_columns, model_values
from unfis.app.tables.sources import Source
from unfis.data.files import TableError
from unfis.model.fitted import FittedModel
from unfis.rules.explanation import Explanation
from unfis.rules.words import visible


class Explained(NamedTuple):
    """One row and why it got its answer."""

    row: int  # counted from 1
    place: str
    label: str | None  # its class in the table, if it is there
    explanation: Explanation

    @property
    def words(self) -> str:
        """All of it in words."""
        known = f", which is {visible(self.label)} in the table" if self.label else ""
        return f"Row {self.row} ({self.place}){known}:\n\n{self.explanation}"


def explain_places(model: FittedModel, source: Source, rows: Sequence[int]) -> list[Explained]:
    """Explanations of some rows of a table, counted from 1, in the order asked for."""
    columns, _ = input_columns(model.rules, source.names, source.name)
    target = model.origin.target
    beside = [target] if target in source.names and target not in columns else []
    found: dict[int, Explained] = {}
    seen = 0
    for block in source.blocks([*columns, *beside]):
        for row in (row for row in rows if seen < row <= seen + len(block.frame)):
            one = block.row(row - seen - 1)
            label = texts(one.frame[target])[0] if beside else None
            why = model.explain(model_values(model, one, source.notation))[0]
            found[row] = Explained(row, one.place(0), label, why)
        seen += len(block.frame)
        if all(row in found for row in rows):
            break
    for row in rows:
        if row not in found:
            if not seen:
                raise TableError(f"{source.name} has no rows; there is nothing to explain.")
            bounds = f"from 1 to {seen:,}, the rows of" if seen > 1 else "1, the only row of"
            raise RequestError(f"--row must be {bounds} {source.name}, got {row}.")
    return [found[row] for row in rows]
