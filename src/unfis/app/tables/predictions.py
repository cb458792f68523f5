"""Predictions for a table of any size, block by block."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.app.requests import RequestError, RowDetails
from unfis.app.tables.cells import texts
from unfis.app.tables.inputs import input_columns, model_values, used_inputs
from unfis.app.tables.output import output_to
from unfis.app.tables.records import RowBlock
from unfis.app.tables.sources import Source
from unfis.app.tables.typed_output import FORMULA_SIGNS
from unfis.arrays import Array
from unfis.data.files import TableError
from unfis.data.values import EXACT
from unfis.model.conformal import ConformalSets
from unfis.model.fitted import FittedModel
from unfis.rules.text.explanation import Explanation, answer, change_words, warnings_of
from unfis.rules.text.sureness import sureness_words
from unfis.rules.text.words import visible

PREDICTION, PROBABILITY, EXPLANATION = "prediction", "probability", "explanation"
COVERAGE, SET, WHY = "coverage", "set", "why"
DONT_KNOW = "don't know"
NO_CLASS = "none"  # the set of a row that is like no class
MOST_SHARES = 5  # so many inputs are named in an explanation of one line


class Answers(NamedTuple):
    """What a model says of some rows, each list as long as they are if it is wanted, else empty."""

    codes: NDArray[np.intp]  # positions of the classes to answer, (rows,)
    probabilities: Array  # (rows, classes)
    coverage: Array  # (rows,)
    sets: list[tuple[Any, ...]]  # classes that each row may be of
    doubts: list[str]  # why not to rely on the answer, "" if nothing is against it
    explanations: list[Explanation]


class UnlikeRows:
    """Rows that are unlike anything learned from, counted as they come."""

    def __init__(self) -> None:
        self.seen = self.count = 0
        self.first: int | None = None  # counted from 1

    def add(self, coverage: Array) -> None:
        """Look at the next rows."""
        unlike = np.flatnonzero(coverage == 0)
        if len(unlike) and self.first is None:
            self.first = self.seen + int(unlike[0]) + 1
        self.seen += len(coverage)
        self.count += len(unlike)

    @property
    def words(self) -> str:
        """How many there were, and what to do; "" if there were none."""
        if not self.count:
            return ""
        told = f"Row {self.first} is unlike anything learned from: its answer is a guess."
        if self.count > 1:
            told = (
                f"{self.count:,} rows are unlike anything learned from, the first is row "
                f"{self.first}: their answers are guesses."
            )
        return f'{told} With `abstain` they become "{DONT_KNOW}"; `coverage` tells every row\'s.'


def conformal_of(model: FittedModel, wanted: RowDetails) -> ConformalSets | None:
    """What tells sets and doubts, if any are wanted."""
    doubtful = wanted.sets or wanted.why or wanted.abstain
    return model.conformal(wanted.confidence) if doubtful else None


def added_names(model: FittedModel, taken: Sequence[str], wanted: RowDetails) -> list[str]:
    """The names of the columns that predictions add to a table, none of them taken yet."""
    names = [PREDICTION]
    names += [f"{PROBABILITY} {label}" for label in model.classes.tolist()] if wanted.proba else []
    names += [COVERAGE] if wanted.coverage else []
    names += [SET] if wanted.sets else []
    names += [WHY] if wanted.why or wanted.abstain else []
    names += [EXPLANATION] if wanted.explain else []
    return [free_name(name, taken) for name in names]


def added_cells(model: FittedModel, answers: Answers, wanted: RowDetails) -> list[list[Any]]:
    """The cells of each of these columns."""
    found: list[list[Any]] = [predicted(model, answers, wanted, DONT_KNOW)]
    if wanted.abstain:  # a column of one type
        found = [list(map(str, found[0]))]
    found += answers.probabilities.T.round(6).tolist() if wanted.proba else []
    found += [answers.coverage.round(6).tolist()] if wanted.coverage else []
    if wanted.sets:
        told = {one: " or ".join(map(visible, one)) or NO_CLASS for one in set(answers.sets)}
        found.append([not_a_formula(told[labels]) for labels in answers.sets])
    found += [answers.doubts] if wanted.why or wanted.abstain else []
    found += [list(map(in_one_line, answers.explanations))] if wanted.explain else []
    return found


def predicted(
    model: FittedModel, answers: Answers, wanted: RowDetails, unknown: str | None
) -> list[Any]:
    """The class to answer for each row, `unknown` in place of one in doubt if that is wanted."""
    classes = model.classes.tolist()
    found = [classes[code] for code in answers.codes]
    if not wanted.abstain:
        return found
    pairs = zip(found, answers.doubts, strict=True)
    return [unknown if doubt else label for label, doubt in pairs]


def free_name(name: str, taken: Sequence[str]) -> str:
    """A name that is not taken, numbered where it must be."""
    names = chain([name], (f"{name} {number}" for number in count(2)))
    return next(free for free in names if free not in taken)


def answered(
    model: FittedModel, source: Source, columns: list[str] | None, wanted: RowDetails
) -> Iterator[tuple[RowBlock, Answers]]:
    """A model's answers to a table, block by block, of which some columns are read, or all."""
    conformal = conformal_of(model, wanted)
    for block in source.blocks(columns):
        values = model_values(model, block, source.notation)
        probabilities, coverage = model.probabilities(values), model.coverage(values)
        codes = model.answers(probabilities)
        yield (
            block,
            Answers(
                codes,
                probabilities,
                coverage,
                conformal.labels(probabilities) if conformal else [],
                conformal.doubts(probabilities, codes, coverage) if conformal else [],
                list(model.explain(values)) if wanted.explain else [],
            ),
        )


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
    names, rows = list(map(str, model.classes.tolist())), count(1)
    known, _ = input_columns(model.rules, source.names, source.name)
    columns = known if wanted.explain else used_inputs(model.rules)
    for _, answers in answered(model, source, columns, wanted):
        labels = predicted(model, answers, wanted, None)
        for position, shares in enumerate(answers.probabilities):
            found: dict[str, Any] = {"row": next(rows), "prediction": labels[position]}
            found["probabilities"] = dict(zip(names, shares.tolist(), strict=True))
            if wanted.coverage:
                found[COVERAGE] = float(answers.coverage[position])
            if wanted.sets:
                found[SET] = answers.sets[position]
            if wanted.why or wanted.abstain:
                found[WHY] = answers.doubts[position]
            if wanted.explain:
                found[EXPLANATION] = answers.explanations[position].to_dict()
            yield json.dumps(found, ensure_ascii=False)
        unlike.add(answers.coverage)


def in_one_line(explanation: Explanation) -> str:
    """Why a row got its answer, in one line."""
    known = [part for part in explanation.inputs if part.value is not None][:MOST_SHARES]
    inputs = ", ".join(f"{part.label} {explanation.added(part.share)}" for part in known)
    parts = [f"{answer(explanation)}: {inputs}" if inputs else answer(explanation)]
    parts += [
        *sureness_words(explanation.prediction, explanation.interval),
        change_words(explanation),
    ]
    parts += [words.rstrip(".") for words in warnings_of(explanation)]
    return not_a_formula("; ".join(parts))


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
            raise RequestError(f"`rows` must be {bounds} {source.name}, got {row}.")
    return [found[row] for row in rows]
