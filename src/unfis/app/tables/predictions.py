"""Predictions for a table of any size, block by block."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, count
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from unfis.app.requests import RequestError, RowDetails
from unfis.app.tables.cells import texts
from unfis.app.tables.inputs import input_columns, model_values, used_inputs
from unfis.app.tables.output import output_to
from unfis.app.tables.records import RecordBlock
from unfis.app.tables.sources import Source
from unfis.app.tables.typed_output import FORMULA_SIGNS
from unfis.arrays import Array
from unfis.data.files import TableError
from unfis.data.values import EXACT
from unfis.explain import Explanation, Explanations
from unfis.explain.goal import ANOTHER
from unfis.model import FittedModel
from unfis.text.explanation import is_of_classes
from unfis.text.names import visible

PREDICTION, PROBABILITY, EXPLANATION = "prediction", "probability", "explanation"
COVERAGE, SET, WHY = "coverage", "set", "why"
LOW, HIGH = "prediction from", "prediction to"
DONT_KNOW = "don't know"
NO_CLASS = "none"  # the set of a row that is like no class


class Answers(NamedTuple):
    """What a model says of some rows, each list as long as they are if it is wanted, else empty."""

    answers: list[Any]  # the class or the number of each row
    predictions: Array  # probabilities, (rows, classes), or numbers, (rows,)
    coverage: Array  # (rows,)
    sets: list[tuple[Any, ...]]  # classes that each row may be of, or both ends of an interval
    caveats: list[str]  # why not to rely on the answer, "" if nothing is against it
    explanations: list[Explanation]


class UnlikeRows:
    """Rows with a value that training had not, counted as they come."""

    def __init__(self) -> None:
        self.seen = self.count = 0
        self.first: int | None = None  # counted from 1

    def add(self, coverage: Array) -> None:
        """Look at the next rows."""
        unlike = np.flatnonzero(coverage < 1)
        if len(unlike) and self.first is None:
            self.first = self.seen + int(unlike[0]) + 1
        self.seen += len(coverage)
        self.count += len(unlike)

    @property
    def words(self) -> str:
        """How many there were, and what to do; "" if there were none."""
        if not self.count:
            return ""
        words = f"Row {self.first} has a value unlike training's: do not rely on its answer."
        if self.count > 1:
            words = (
                f"{self.count:,} rows have values unlike training's, the first is row "
                f"{self.first}: do not rely on their answers."
            )
        return f'{words} With `abstain` they become "{DONT_KNOW}"; `why` names the values.'


def check_details(model: FittedModel, wanted: RowDetails) -> None:
    """Raise what is wrong with details of rows that a model cannot give."""
    if wanted.proba and not is_of_classes(model.rules):
        raise RequestError(
            "`proba` is for classes, and this model predicts a number; leave it out."
        )
    if wanted.sets or (is_of_classes(model.rules) and (wanted.why or wanted.abstain)):
        model.held_out  # noqa: B018 - ValueError where it is not known


def added_names(model: FittedModel, taken: Sequence[str], wanted: RowDetails) -> list[str]:
    """The names of the columns that predictions add to a table, none of them taken yet."""
    labels = model.columns.classes.tolist()
    names = [PREDICTION]
    names += [f"{PROBABILITY} {label}" for label in labels] if wanted.proba else []
    names += [COVERAGE] if wanted.coverage else []
    names += ([SET] if labels else [LOW, HIGH]) if wanted.sets else []
    names += [WHY] if wanted.why or wanted.abstain else []
    names += [EXPLANATION] if wanted.explain else []
    return [free_name(name, taken) for name in names]


def added_cells(model: FittedModel, found: Answers, wanted: RowDetails) -> list[list[Any]]:
    """The cells of each of these columns."""
    cells: list[list[Any]] = [predicted(found, wanted, DONT_KNOW)]
    if wanted.abstain:  # a column of one type
        cells = [list(map(str, cells[0]))]
    cells += found.predictions.T.tolist() if wanted.proba else []
    cells += [found.coverage.tolist()] if wanted.coverage else []
    if wanted.sets and is_of_classes(model.rules):
        words = {one: " or ".join(map(visible, one)) or NO_CLASS for one in set(found.sets)}
        cells.append([not_a_formula(words[labels]) for labels in found.sets])
    elif wanted.sets:
        cells += [[ends[end] for ends in found.sets] for end in (0, 1)]
    cells += [found.caveats] if wanted.why or wanted.abstain else []
    cells += [list(map(in_one_line, found.explanations))] if wanted.explain else []
    return cells


def predicted(found: Answers, wanted: RowDetails, unknown: str | None) -> list[Any]:
    """The answer for each row, `unknown` in place of one in doubt if that is wanted."""
    if not wanted.abstain:
        return found.answers
    pairs = zip(found.answers, found.caveats, strict=True)
    return [unknown if caveat else answer for answer, caveat in pairs]


def free_name(name: str, taken: Sequence[str]) -> str:
    """A name that is not taken, numbered where it must be."""
    names = chain([name], (f"{name} {number}" for number in count(2)))
    return next(free for free in names if free not in taken)


def answered(
    model: FittedModel, source: Source, columns: list[str] | None, wanted: RowDetails
) -> Iterator[tuple[RecordBlock, Answers]]:
    """A model's answers to a table, block by block, of which some columns are read, or all."""
    for block in source.blocks(columns):
        yield block, answered_block(model, model_values(model, block, source.notation), wanted)


def answered_block(model: FittedModel, values: Array, wanted: RowDetails) -> Answers:
    """A model's answers to some rows of values, (rows, inputs)."""
    found, confidence = model.predictions(values), wanted.confidence
    answers: list[Any] = found.tolist()
    sets: list[tuple[Any, ...]] = []
    if is_of_classes(model.rules):
        classes = model.columns.classes
        answers = classes[model.answers(found)].tolist()
        if wanted.sets:
            inside = model.probability_sets(values, confidence)
            sets = [tuple(classes[row].tolist()) for row in inside]
    elif wanted.sets:
        sets = [tuple(ends) for ends in model.number_intervals(values, confidence).tolist()]
    doubtful = wanted.why or wanted.abstain
    return Answers(
        answers,
        found,
        model.coverage(values),
        sets,
        model.caveats(values, confidence) if doubtful else [],
        list(explanations_of(model, values)) if wanted.explain else [],
    )


def explanations_of(model: FittedModel, values: Array) -> Explanations:
    """The explanations of rows; only classes have a change that leads to another answer."""
    return Explanations(model, values, ANOTHER if is_of_classes(model.rules) else None)


def predict_table(
    model: FittedModel,
    source: Source,
    path: Path | None,
    wanted: RowDetails,
    unlike: UnlikeRows,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Write a table again with predictions beside its columns.

    It goes to standard output without a path; `unlike` counts its rows, and `progress` hears how
    much is done of how much.
    """
    with output_to(path, source, added_names(model, source.names, wanted)) as output:
        for block, answers in answered(model, source, None, wanted):
            output.write(block, added_cells(model, answers, wanted))
            unlike.add(answers.coverage)
            progress(source.done, source.size)


def json_lines(
    model: FittedModel, source: Source, wanted: RowDetails, unlike: UnlikeRows
) -> Iterator[str]:
    """Each row's prediction as one line of JSON; `unlike` counts the rows."""
    names, rows = list(map(str, model.columns.classes.tolist())), count(1)
    known, _ = input_columns(model, source.names, source.name)
    columns = known if wanted.explain else used_inputs(model)
    for _, block in answered(model, source, columns, wanted):
        answers = predicted(block, wanted, None)
        for position, shares in enumerate(block.predictions.tolist()):
            found: dict[str, Any] = {"row": next(rows), PREDICTION: answers[position]}
            if names:
                found["probabilities"] = dict(zip(names, shares, strict=True))
            if wanted.coverage:
                found[COVERAGE] = float(block.coverage[position])
            if wanted.sets and names:
                found[SET] = block.sets[position]
            elif wanted.sets:
                ends = block.sets[position]
                found["interval"] = [end if isfinite(end) else None for end in ends]
            if wanted.why or wanted.abstain:
                found[WHY] = block.caveats[position]
            if wanted.explain:
                found[EXPLANATION] = block.explanations[position].to_dict()
            yield json.dumps(found, ensure_ascii=False)
        unlike.add(block.coverage)


def in_one_line(explanation: Explanation) -> str:
    """Why a row got its answer, in one line."""
    return not_a_formula(": ".join([explanation.prediction.words, " ".join(explanation.notes)]))


def not_a_formula(line: str) -> str:
    """Text that begins with the name of a class, which no spreadsheet program computes."""
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
    columns, _ = input_columns(model, source.names, source.name)
    target = model.origin.target
    beside = [target] if target in source.names and target not in columns else []
    found: dict[int, Explained] = {}
    seen = 0
    for block in source.blocks([*columns, *beside]):
        for row in (row for row in rows if seen < row <= seen + len(block.frame)):
            one = block.row(row - seen - 1)
            label = texts(one.frame[target])[0] if beside else None
            why = explanations_of(model, model_values(model, one, source.notation))[0]
            found[row] = Explained(row, one.location(0), label, why)
        seen += len(block.frame)
        if all(row in found for row in rows):
            break
    for row in rows:
        if row not in found:
            if not seen:
                raise TableError(f"{source.name} has no rows; there is nothing to explain.")
            bounds = f"from 1 to {seen:,}, the rows of" if seen > 1 else "1, the only row of"
            raise RequestError(f"`rows` must be {bounds} {source.name}, got {row}.")
    return [found[row] for row in rows]
