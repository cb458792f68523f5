"""Single rows of a table, their predictions taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from unfis.app.tables.cells import texts
from unfis.app.tables.errors import RequestError
from unfis.app.tables.inputs import input_columns, model_frame
from unfis.app.tables.sources import Source
from unfis.data.files import TableError
from unfis.model.fitted import FittedModel
from unfis.rules.explain.explanation import Explanation
from unfis.rules.text.words import visible


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
        here = [row for row in rows if seen < row <= seen + len(block.frame)]
        if here:
            places = [row - seen - 1 for row in here]
            X = model_frame(model.rules, block, source.notation).iloc[places]
            labels = [texts(block.frame[name].iloc[places]) for name in beside]
            for one, row in enumerate(here):
                label = labels[0][one] if labels else None
                why = model.explain(model.values(X.iloc[[one]]))[0]
                found[row] = Explained(row, block.place(places[one]), label, why)
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
