"""Predictions for a table of any size, block by block."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple

from unfis.app.request import RequestError
from unfis.app.tables.cells import texts
from unfis.app.tables.inputs import input_columns, model_values, used_inputs
from unfis.app.tables.output import RowOutput, output_to
from unfis.app.tables.records import RowBlock
from unfis.app.tables.sources import Source
from unfis.app.tables.typed_output import FORMULA_SIGNS
from unfis.arrays import Array
from unfis.data.files import TableError
from unfis.data.values import EXACT
from unfis.model.fitted import FittedModel
from unfis.rules.text.explanation import Explanation, answer, change_words, warnings_of
from unfis.rules.text.words import visible

PREDICTION, PROBABILITY, EXPLANATION = "prediction", "probability", "explanation"
MOST_SHARES = 5  # so many inputs are named in an explanation of one line
# Probabilities, (rows, classes), and why, if asked for.
Answers = tuple[Array, list[Explanation]]


def added_names(
    model: FittedModel, taken: Sequence[str], *, proba: bool, explain: bool
) -> list[str]:
    """The names of the columns that predictions add to a table, none of them taken yet."""
    names = [PREDICTION]
    names += [f"{PROBABILITY} {label}" for label in model.classes.tolist()] if proba else []
    names += [EXPLANATION] if explain else []
    return [free_name(name, taken) for name in names]


def added_cells(
    model: FittedModel, answers: Answers, *, proba: bool, explain: bool
) -> list[list[Any]]:
    """The cells of each of these columns."""
    (probabilities, explanations), classes = answers, model.classes.tolist()
    found: list[list[Any]] = [[classes[code] for code in probabilities.argmax(axis=1)]]
    found += probabilities.T.round(6).tolist() if proba else []
    found += [list(map(in_one_line, explanations))] if explain else []
    return found


def free_name(name: str, taken: Sequence[str]) -> str:
    """A name that is not taken, numbered where it must be."""
    names = chain([name], (f"{name} {number}" for number in count(2)))
    return next(free for free in names if free not in taken)


def columns_to_read(model: FittedModel, source: Source, *, explain: bool) -> list[str]:
    """The columns that answers need: those the rules look at; to explain, all the model knows."""
    known, _ = input_columns(model.rules, source.names, source.name)
    return known if explain else used_inputs(model.rules)


def answered(
    model: FittedModel, source: Source, columns: list[str] | None, *, explain: bool
) -> Iterator[tuple[RowBlock, Answers]]:
    """A model's answers to a table, block by block, of which some columns are read, or all."""
    for block in source.blocks(columns):
        values = model_values(model, block, source.notation)
        explanations = list(model.explain(values)) if explain else []
        yield block, (model.probabilities(values), explanations)


def predict_table(
    model: FittedModel,
    source: Source,
    path: Path | None,
    *,
    proba: bool = False,
    explain: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> int:
    """Write a table again with predictions beside its columns; how many rows it has.

    It goes to standard output without a path; `progress` hears how much is done of how much.
    """
    needed = columns_to_read(model, source, explain=explain)
    added = added_names(model, source.names, proba=proba, explain=explain)
    rows = 0
    with output_to(path, source, added) as output:
        columns = needed if isinstance(output, RowOutput) else None
        for block, answers in answered(model, source, columns, explain=explain):
            output.write(block, added_cells(model, answers, proba=proba, explain=explain))
            rows += len(block.frame)
            progress(source.done, source.size)
    return rows


def json_lines(model: FittedModel, source: Source, *, explain: bool) -> Iterator[str]:
    """Each row's prediction as one line of JSON."""
    classes, rows = model.classes.tolist(), count(1)
    columns = columns_to_read(model, source, explain=explain)
    for _, (probabilities, explanations) in answered(model, source, columns, explain=explain):
        for position, shares in enumerate(probabilities):
            found: dict[str, Any] = {"row": next(rows), "prediction": classes[shares.argmax()]}
            found["probabilities"] = dict(zip(map(str, classes), shares.tolist(), strict=True))
            if explain:
                found["explanation"] = explanations[position].to_dict()
            yield json.dumps(found, ensure_ascii=False)


def in_one_line(explanation: Explanation) -> str:
    """Why a row got its answer, in one line."""
    known = [part for part in explanation.inputs if part.value is not None][:MOST_SHARES]
    inputs = ", ".join(f"{part.label} {explanation.added(part.share)}" for part in known)
    parts = [f"{answer(explanation)}: {inputs}" if inputs else answer(explanation)]
    parts += [change_words(explanation), *(w.rstrip(".") for w in warnings_of(explanation))]
    line = "; ".join(parts)
    # It begins with the name of a class, and a spreadsheet program computes what looks like this.
    return f"'{line}" if line.startswith(FORMULA_SIGNS) else line


def like_formulas(classes: Iterable[Any]) -> list[str]:
    """The names of classes that a spreadsheet program would compute if it read them from text."""
    risky = [str(label) for label in classes if str(label).startswith(FORMULA_SIGNS)]
    return [name for name in risky if name[1:] and EXACT.number(name) is None]


class Explained(NamedTuple):
    """One row and why it got its answer."""

    row: int  # counted from 1
    location: str
    label: str | None  # its class in the table, if it is there
    explanation: Explanation

    @property
    def words(self) -> str:
        """All of it in words."""
        known = f", which is {visible(self.label)} in the table" if self.label else ""
        return f"Row {self.row} ({self.location}){known}:\n\n{self.explanation}"


def explain_numbered(model: FittedModel, source: Source, rows: Sequence[int]) -> list[Explained]:
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
            found[row] = Explained(row, one.location(0), label, why)
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
