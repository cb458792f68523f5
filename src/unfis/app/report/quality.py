"""How good the model is: how often it is right, beside plain baselines, and whether it knows it."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import confusion_matrix, precision_recall_fscore_support

from unfis.app.report.answers import TableAnswers
from unfis.app.report.baselines import OWN_RULES, Comparison
from unfis.app.report.pictures import CHART, Frame, share_ticks
from unfis.arrays import Array
from unfis.model.fitted import FittedModel
from unfis.model.measures import BINS, reliability, wilson
from unfis.model.origin import Origin
from unfis.rules.text.numbers import numbered, percent
from unfis.serial.messages import shortened

# The picture of an interval, and the shades of a matrix's cells.
INTERVAL_WIDTH = 200.0
SHADES = 8
# A class's name above a column is cut to so many characters.
LONGEST_HEAD = 14


class Measured(NamedTuple):
    """A share of right answers, on how many rows, and what rows these were."""

    accuracy: float
    rows: int
    where: str

    @property
    def interval(self) -> tuple[float, float]:
        """Its 95 % interval."""
        return wilson(self.accuracy, self.rows)

    @property
    def words(self) -> str:
        """The interval in words."""
        low, high = self.interval
        return f"{exact_share(low)[:-2]} to {exact_share(high)}"


def exact_share(share: float) -> str:
    """A share in per cent with one decimal, a dash where it is not known."""
    return "–" if math.isnan(share) else percent(share, 1)


def measurements(answers: TableAnswers, comparison: Comparison | None) -> list[Measured]:
    """What is known of the accuracy, the most trustworthy first."""
    here, before = on_these_rows(answers), on_held_out_rows(answers.model.origin_)
    # Of rows that were held out the file may have what has just been measured again.
    if answers.held_out and here and before and here.rows == before.rows:
        before = None if math.isclose(here.accuracy, before.accuracy) else before
    learning = while_learning(answers.model.model_)
    found = here, before, learning, in_comparison(comparison, by_hand=answers.by_hand)
    return [one for one in found if one is not None]


def on_these_rows(answers: TableAnswers) -> Measured | None:
    """The accuracy on the rows given, if they are not the very ones of the training."""
    if answers.codes is None or answers.learned:
        return None
    rows = len(answers.codes)
    which = numbered(rows, "held-out row" if answers.held_out else "row")
    return Measured(float(answers.hits.mean()), rows, f"right on the {which} of this table")


def on_held_out_rows(origin: Origin) -> Measured | None:
    """What was measured on rows held out when the model was learned, if its file has it."""
    record = origin.held_out or {}
    accuracy, rows = record.get("accuracy"), record.get("rows")
    if not isinstance(accuracy, int | float) or not isinstance(rows, int) or rows <= 0:
        return None
    where = f"right on {numbered(rows, 'row')} that were held out when it was learned"
    return Measured(float(accuracy), rows, where)


def while_learning(model: FittedModel) -> Measured | None:
    """The cross-validated accuracy of the chosen point of the path, if there is one."""
    path = model.path
    if not path or not any(path["chosen"]):
        return None
    accuracy = path["cv_accuracy"][path["chosen"].index(True)]
    if accuracy is None or not np.isfinite(accuracy):
        return None
    rows = model.rules.rows
    where = f"right in cross-validation while it learned from {numbered(rows, 'row')}"
    return Measured(float(accuracy), rows, where)


def in_comparison(comparison: Comparison | None, *, by_hand: bool) -> Measured | None:
    """The cross-validated accuracy of the model's settings on the rows given."""
    if comparison is None or OWN_RULES not in comparison.hits:
        return None
    hits = comparison.hits[OWN_RULES]
    where = f"right in cross-validation on {numbered(len(hits), 'row')} of this table"
    where += ", without what was changed or chosen by hand" if by_hand else ""
    return Measured(float(hits.mean()), len(hits), where)


def quality(answers: TableAnswers, comparison: Comparison | None) -> dict[str, Any]:
    """What is measured, on rows that the models in question had not learned from if possible."""
    if answers.codes is None:
        return {"baselines": None, "confusion": None}
    codes, probabilities = answers.codes, answers.probabilities
    evaluated = "The held-out rows." if answers.held_out else "The rows of this table."
    if answers.learned and comparison is not None and comparison.probabilities is not None:
        codes, probabilities = codes[comparison.rows], comparison.probabilities
        evaluated = (
            f"Since the model learned from these rows, {comparison.folds} models of the same "
            "settings are judged in its place, each on rows that it had not seen."
        )
        if answers.by_hand:
            evaluated += " They lack what was changed or chosen by hand."
    elif answers.learned:
        evaluated = "The rows that it learned from: on others it will be right less often."
    return {
        "baselines": baseline_table(comparison),
        "confusion": confusion_table(answers.class_names, codes, probabilities),
        "calibration": calibration_chart(codes, probabilities),
        "evaluated": evaluated,
    }


def baseline_table(comparison: Comparison | None) -> dict[str, Any] | None:
    """The accuracies of all models on the same folds, with their intervals as pictures."""
    if comparison is None:
        return None
    measured = {
        name: Measured(float(hits.mean()), len(hits), "") for name, hits in comparison.hits.items()
    }
    ticks = share_ticks(min(m.interval[0] for m in measured.values()), 1.0)
    return {
        "comparison": comparison,
        "scale": Frame(ticks[0], ticks[-1], 4, INTERVAL_WIDTH - 4),
        "own": OWN_RULES,
        "measured": measured,
    }


def confusion_table(
    names: list[str], codes: NDArray[np.intp], probabilities: Array
) -> dict[str, Any]:
    """The classes that rows have against those they were taken for."""
    labels, predicted = range(len(names)), probabilities.argmax(axis=1)
    counts = confusion_matrix(codes, predicted, labels=labels)
    trusted, found, *_ = precision_recall_fscore_support(
        codes, predicted, labels=labels, zero_division=np.nan
    )
    shares = counts / np.maximum(1, counts.sum(axis=1, keepdims=True))
    shades = np.where(counts, np.maximum(1, np.rint(SHADES * shares)), 0).astype(int)
    return {
        "heads": [(name, shortened(name, LONGEST_HEAD)) for name in names],
        "rows": list(zip(names, counts.tolist(), shades.tolist(), found, trusted, strict=True)),
    }


def calibration_chart(codes: NDArray[np.intp], probabilities: Array) -> dict[str, Any]:
    """How sure the answers were against how often they were right, as a chart."""
    hits = probabilities.argmax(axis=1) == codes
    found = reliability(hits, probabilities.max(axis=1))
    across = Frame(0, 1, CHART["left"], CHART["right"])
    up = Frame(0, 1, CHART["bottom"], CHART["top"])
    most = found.counts.max()
    bins = [
        {
            "range": f"{100 * b // BINS} to {100 * (b + 1) // BINS} %",
            "count": int(found.counts[b]),
            "sure": exact_share(found.confidence[b]),
            "right": exact_share(found.accuracy[b]),
            "x": across.at(found.confidence[b]),
            "y": up.at(found.accuracy[b]),
            "radius": round(float(3 + 7 * np.sqrt(found.counts[b] / most)), 1),
        }
        for b in np.flatnonzero(found.counts).tolist()
    ]
    quarters = [n / 4 for n in range(5)]
    return {
        "error": exact_share(found.error).removesuffix(" %"),
        "bins": bins,
        "across": [(across.at(q), f"{100 * q:.0f} %") for q in quarters],
        "up": [(up.at(q), f"{100 * q:.0f} %") for q in quarters],
        "mean_sure": exact_share(float(probabilities.max(axis=1).mean())),
        "mean_right": exact_share(float(hits.mean())),
    }
