"""Predictions for a table of any size, block by block."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.app.tables.block import Block
from unfis.app.tables.inputs import input_columns, model_values, used_inputs
from unfis.app.tables.output import Output, RowOutput, output_to
from unfis.app.tables.sources import Source
from unfis.app.tables.typed_output import FORMULA_SIGNS
from unfis.arrays import Array, softmax
from unfis.model.fitted import FittedModel
from unfis.rules.explanation import Explanation
from unfis.rules.numbers import signed
from unfis.rules.render_explanation import answer, change_words, warnings_of

PREDICTION, PROBABILITY, EXPLANATION = "prediction", "probability", "explanation"
# So many inputs are named in an explanation of one line.
MOST_SHARES = 5


class Predicted(NamedTuple):
    """What a model says of some rows."""

    codes: NDArray[np.intp]  # places of the classes, (rows,)
    probabilities: Array  # (rows, classes)
    explanations: list[Explanation] | None


class Columns(NamedTuple):
    """The columns that predictions add to a table."""

    names: list[str]
    classes: tuple[Any, ...]
    proba: bool
    explain: bool

    @classmethod
    def beside(
        cls, taken: Sequence[str], model: FittedModel, *, proba: bool, explain: bool
    ) -> Columns:
        """Columns whose names a table does not have yet."""
        classes = tuple(model.classes.tolist())
        names = [PREDICTION]
        names += [f"{PROBABILITY} {label}" for label in classes] if proba else []
        names += [EXPLANATION] if explain else []
        return cls([free_name(name, taken) for name in names], classes, proba, explain)

    def values(self, answers: Predicted) -> list[list[Any]]:
        """The cells of each column."""
        labels = np.empty(len(self.classes), dtype=object)
        labels[:] = self.classes
        found: list[list[Any]] = [labels[answers.codes].tolist()]
        found += answers.probabilities.T.round(6).tolist() if self.proba else []
        if self.explain:
            assert answers.explanations is not None
            found.append([in_one_line(explanation) for explanation in answers.explanations])
        return found


def free_name(name: str, taken: Sequence[str]) -> str:
    """A name that is not taken, numbered where it must be."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} {number}"
    return free


def columns_to_read(model: FittedModel, source: Source, *, explain: bool) -> list[str]:
    """The columns that answers need: those the rules look at; to explain, all the model knows."""
    known, _ = input_columns(model.rules, source.names, source.name)
    return known if explain else used_inputs(model.rules)


def answered(
    model: FittedModel, source: Source, columns: list[str] | None, *, explain: bool
) -> Iterator[tuple[Block, Predicted]]:
    """A model's answers to a table, block by block, of which some columns are read, or all."""
    for block in source.blocks(columns):
        values = model_values(model, block, source.notation)
        probabilities = softmax(model.logits(values))
        explanations = list(model.explain(values)) if explain else None
        yield block, Predicted(probabilities.argmax(axis=1), probabilities, explanations)


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

    Parameters
    ----------
    model : the fitted model
    source : the table
    path : where to; standard output if None
    proba, explain : whether to add probabilities of the classes and why
    progress : called with how much is done of how much
    """
    needed = columns_to_read(model, source, explain=explain)
    added = Columns.beside(source.names, model, proba=proba, explain=explain)
    rows = 0
    with output_to(path, source, added.names) as output:
        columns = needed if isinstance(output, RowOutput) else None
        for block, answers in answered(model, source, columns, explain=explain):
            write(output, block, added.values(answers))
            rows += len(block.frame)
            progress(source.done, source.size)
    return rows


def write(output: Output, block: Block, values: list[list[Any]]) -> None:
    """Write some rows with what was added to them."""
    if isinstance(output, RowOutput):
        output.write(block.rows(), values)
    else:
        output.write(block.frame, values)


def json_lines(model: FittedModel, source: Source, *, explain: bool) -> Iterator[str]:
    """Each row's prediction as one line of JSON."""
    classes = model.classes.tolist()
    row = 0
    columns = columns_to_read(model, source, explain=explain)
    for _, answers in answered(model, source, columns, explain=explain):
        for place, code in enumerate(answers.codes):
            row += 1
            shares = answers.probabilities[place].tolist()
            found: dict[str, Any] = {"row": row, "prediction": classes[code]}
            found["probabilities"] = {str(c): p for c, p in zip(classes, shares, strict=True)}
            if answers.explanations is not None:
                found["explanation"] = answers.explanations[place].to_dict()
            yield json.dumps(found, ensure_ascii=False)


def in_one_line(explanation: Explanation) -> str:
    """Why a row got its answer, in one line."""
    known = [part for part in explanation.inputs if part.value is not None][:MOST_SHARES]
    inputs = ", ".join(f"{part.label} {signed(part.share)}" for part in known)
    parts = [f"{answer(explanation)}: {inputs}" if inputs else answer(explanation)]
    parts += [change_words(explanation), *(w.rstrip(".") for w in warnings_of(explanation))]
    line = "; ".join(parts)
    # It begins with the name of a class, and a spreadsheet program computes what looks like this.
    return f"'{line}" if line.startswith(FORMULA_SIGNS) else line


def like_formulas(classes: Iterable[Any]) -> list[str]:
    """The names of classes that a spreadsheet program would compute if it read them from text."""
    names = [str(label) for label in classes]
    return [
        name
        for name in names
        if name[1:] and name.startswith(FORMULA_SIGNS) and not is_number(name)
    ]


def is_number(text: str) -> bool:
    """Whether text says a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True
