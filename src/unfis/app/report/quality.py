"""How good the model is: beside plain models, by class, by sureness, and by group."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.app.report.answers import TableAnswers
from unfis.app.report.baselines import OWN_MODEL, OWN_RULES, Comparison
from unfis.app.report.curves import frames, ticks_of
from unfis.app.report.headline import FIGURE_NAMES, Judged
from unfis.app.report.pictures import Frame, share_ticks
from unfis.app.tables.evaluation import measured_on
from unfis.app.tables.figures import percents
from unfis.app.tables.grouping import group_row, plain_rates
from unfis.evaluation.calibration import BINS, calibration_error, equal_bins
from unfis.evaluation.measures import Estimate
from unfis.rules.text.numbers import percent
from unfis.rules.text.words import visible
from unfis.serial.messages import shortened

# The picture of an interval, and the shades of a matrix's cells.
INTERVAL_WIDTH = 200.0
SHADES = 8
# A class's name above a column is cut to so many characters.
LONGEST_HEAD = 14


def exact_share(share: float) -> str:
    """A share in per cent with one decimal, a dash where it is not known."""
    return "–" if math.isnan(share) else percent(share, 1)


def baseline_table(
    answers: TableAnswers, comparison: Comparison | None, leading: str
) -> dict[str, Any] | None:
    """All models by the figure that suits the table, with intervals as pictures, and ROC AUC."""
    if comparison is None or answers.codes is None:
        return None
    codes = answers.codes[comparison.rows]
    found = {
        name: measured_on(answers.model, probabilities, codes)
        for name, probabilities in comparison.probabilities.items()
    }
    measured = {name: getattr(one, leading) for name, one in found.items()}
    areas = {n: f"{one.roc_auc.value:.3f}" if one.roc_auc else "–" for n, one in found.items()}
    if leading == "cost":
        most = max(one.high for one in measured.values())
        scale, ends = Frame(0, most or 1.0, 4, INTERVAL_WIDTH - 4), ("0", f"{most:.3f}")
    else:
        ticks = share_ticks(min(one.low for one in measured.values()), 1.0)
        scale = Frame(ticks[0], ticks[-1], 4, INTERVAL_WIDTH - 4)
        ends = exact_share(ticks[0]), exact_share(ticks[-1])
    return {
        "comparison": comparison,
        "figure": FIGURE_NAMES[leading].capitalize(),
        "scale": scale,
        "ends": ends,
        "own": (OWN_MODEL, OWN_RULES),
        "own_rules": OWN_RULES in found,
        "measured": [
            (name, estimate, *estimate_words(leading, estimate), areas[name])
            for name, estimate in measured.items()
        ],
    }


def estimate_words(name: str, found: Estimate) -> tuple[str, str]:
    """A figure, and its interval: shares in per cent, costs as they are."""
    if name == "cost":
        return f"{found.value:.3f}", f"{found.low:.3f} to {found.high:.3f}"
    return exact_share(found.value), percents(found[1:3])


def confusion_table(names: list[str], counts: NDArray[np.intp]) -> dict[str, Any]:
    """The classes that rows have against those they were taken for, (classes, classes)."""
    with np.errstate(invalid="ignore"):
        found, trusted = (counts.diagonal() / counts.sum(axis=axis) for axis in (1, 0))
    shares = counts / np.maximum(1, counts.sum(axis=1, keepdims=True))
    shades = np.where(counts, np.maximum(1, np.rint(SHADES * shares)), 0).astype(int)
    return {
        "heads": [(name, shortened(name, LONGEST_HEAD)) for name in names],
        "rows": list(zip(names, counts.tolist(), shades.tolist(), found, trusted, strict=True)),
    }


def sureness_chart(judged: Judged) -> dict[str, Any]:
    """How sure the answers were against how often they were right, as a chart."""
    hits = judged.answered == judged.codes
    sure = judged.probabilities[np.arange(len(hits)), judged.answered]
    found = equal_bins(hits, sure)
    across, up = frames(1.0)
    most = max(one.rate.rows for one in found)
    bins = [
        {
            "range": f"{100 * number // BINS} to {100 * (number + 1) // BINS} %",
            "count": rate.rows,
            "sure": exact_share(probability),
            "right": exact_share(rate.value),
            "x": across.at(probability),
            "y": up.at(rate.value),
            "radius": round(3 + 7 * math.sqrt(rate.rows / most), 1),
        }
        for number, probability, rate in found
    ]
    return {
        **ticks_of(1.0),
        "error": exact_share(calibration_error(found)).removesuffix(" %"),
        "bins": bins,
        "mean_sure": exact_share(float(sure.mean())),
        "mean_right": exact_share(float(hits.mean())),
    }


def group_tables(answers: TableAnswers, judged: Judged) -> list[dict[str, Any]]:
    """For each attribute its groups with their rates, by class, and what differs in words."""
    labels, found = answers.model.classes_, []
    for name, values in answers.groups.items():
        true, answered = labels[judged.codes], labels[judged.answered]
        rates = plain_rates(true, answered, values[judged.rows])
        tables = [
            (visible(one["class"]), [group_row(group) for group in one["groups"]])
            for one in rates["classes"]
        ]
        found.append({"name": visible(name), "tables": tables, "sentences": rates["words"]})
    return found
