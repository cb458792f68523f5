"""What the page begins with: how good the model is, by what suits the table, and who says so."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.app.report.answers import TableAnswers
from unfis.app.report.baselines import OWN_RULES, Comparison
from unfis.app.tables.figures import percents, performance_sentences, verdict
from unfis.arrays import Array
from unfis.evaluation.measures import wilson
from unfis.evaluation.performance import Performance, has_rare_class
from unfis.model.fitted import FittedModel
from unfis.model.origin import Origin
from unfis.rules.text.numbers import numbered, percent

# What a leading figure is called where its number stands before it.
FIGURE_NAMES = {
    "accuracy": "right",
    "balanced_accuracy": "balanced accuracy",
    "cost": "cost per row",
}


class Judged(NamedTuple):
    """Rows of known classes with answers to them, of the model or of others in its place."""

    rows: NDArray[np.intp]  # their indices in the table, (rows,)
    codes: NDArray[np.intp]  # of their classes, (rows,)
    probabilities: Array  # (rows, classes)
    answered: NDArray[np.intp]  # codes of the classes answered, (rows,)
    where: str  # which rows they are
    words: str  # the same in a sentence, with who answered
    unseen: bool = True  # whether these are not the very rows that were learned from
    row: str = "row"  # what one of them is called


class Figure(NamedTuple):
    """A number to be seen first, and what it is."""

    number: str
    unit: str
    words: str


class Headline(NamedTuple):
    """How good a model is: the figure that suits the table, sentences, and its verdict."""

    figure: Figure | None  # None where none is known that suits the table
    sentences: list[str]
    verdict: list[str]  # that it is no better than one answer to all rows


def judged_rows(answers: TableAnswers, comparison: Comparison | None) -> Judged | None:
    """The rows to judge by, with answers of models that had not seen them if there are any."""
    if answers.codes is None:
        return None
    if not answers.learned or comparison is None or OWN_RULES not in comparison.probabilities:
        return judged_here(answers, answers.codes)
    rows, probabilities = comparison.rows, comparison.probabilities[OWN_RULES]
    by_hand = ", without what was changed or chosen by hand" if answers.by_hand else ""
    words = (
        f"Since the model learned from these rows, {comparison.folds} models of the same "
        "settings are judged in its place, each on rows that it had not seen."
    )
    if by_hand:
        words += " They lack what was changed or chosen by hand."
    return Judged(
        rows=rows,
        codes=answers.codes[rows],
        probabilities=probabilities,
        answered=answers.base.answers(probabilities),
        where=f"in cross-validation on {numbered(len(rows), 'row')} of this table{by_hand}",
        words=words,
    )


def judged_here(answers: TableAnswers, codes: NDArray[np.intp]) -> Judged:
    """All rows of the table, with the answers of the model itself."""
    row = "held-out row" if answers.held_out else "row"
    words = "The held-out rows." if answers.held_out else "The rows of this table."
    if answers.learned:
        words = "The rows that it learned from: on others it will be right less often."
    return Judged(
        rows=np.arange(len(codes)),
        codes=codes,
        probabilities=answers.probabilities,
        answered=answers.answered,
        where=f"on the {numbered(len(codes), row)} of this table",
        words=words,
        unseen=not answers.learned,
        row=row,
    )


def headline_of(judged: Judged | None, found: Performance | None, known: list[Figure]) -> Headline:
    """What to begin with: what was measured here, else what was known before."""
    if judged is None or found is None or not judged.unseen:
        return Headline(known[0] if known else None, [], [])
    words = f"{FIGURE_NAMES[found.leading_name]} {judged.where}"
    value, told = found.leading.value, performance_sentences(found, judged.row)
    shown = (f"{value:.3f}", "") if found.leading_name == "cost" else (f"{100 * value:.1f}", "%")
    return Headline(Figure(*shown, words), told, verdict(found))


def known_figures(answers: TableAnswers, found: Performance | None) -> list[Figure]:
    """What was measured before and suits the table, the most trustworthy first."""
    model, leading = answers.model, found.leading_name if found else expected_leading(answers)
    # Rows that were held out have just been measured again.
    again = answers.held_out and (model.origin_.held_out or {}).get("rows") == len(answers.values)
    before = None if again else on_held_out_rows(model.origin_, leading)
    learning = while_learning(model.model_) if leading == "accuracy" else None
    return [one for one in (before, learning) if one is not None]


def expected_leading(answers: TableAnswers) -> str:
    """What suits tables like that of the training, where the rows at hand have no classes."""
    if answers.model.costs is not None:
        return "cost"
    held = answers.model.model_.held_out
    rare = held is not None and has_rare_class(np.bincount(held.codes, held.weights).tolist())
    return "balanced_accuracy" if rare else "accuracy"


def on_held_out_rows(origin: Origin, name: str) -> Figure | None:
    """What was measured on rows held out when the model was learned, if its file has it."""
    record = origin.held_out or {}
    share, rows = record.get(name), record.get("rows")
    # What answers cost may have been by other costs.
    if name == "cost" or not isinstance(share, int | float) or not isinstance(rows, int):
        return None
    interval = wilson(share, rows) if rows > 0 else (0.0, 1.0)
    if name != "accuracy":
        low, high = (record.get(f"{name}_{end}") for end in ("low", "high"))
        if not isinstance(low, int | float) or not isinstance(high, int | float):
            return None
        interval = low, high
    where = f"on {numbered(rows, 'row')} that were held out when it was learned"
    return known_figure(name, share, where, interval)


def while_learning(model: FittedModel) -> Figure | None:
    """The cross-validated accuracy of the chosen point of the path, if there is one."""
    path = model.path
    if not path or not any(path["chosen"]):
        return None
    accuracy = path["cv_accuracy"][path["chosen"].index(True)]
    if accuracy is None or not np.isfinite(accuracy):
        return None
    rows = model.rules.rows
    where = f"in cross-validation while it learned from {numbered(rows, 'row')}"
    return known_figure("accuracy", float(accuracy), where, wilson(float(accuracy), rows))


def known_figure(name: str, share: float, where: str, interval: tuple[float, float]) -> Figure:
    """A share that was measured before, with its interval."""
    words = f"{FIGURE_NAMES[name]} {where} (95 % interval {percents(interval)})"
    return Figure(percent(share, 1).removesuffix(" %"), "%", words)
