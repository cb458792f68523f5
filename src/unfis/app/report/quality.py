"""How good the model is: beside plain baselines, class by class, and whether it knows it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import confusion_matrix

from unfis.app.report.accuracy import Measured, exact_share
from unfis.app.report.baselines import OWN_RULES, Comparison
from unfis.app.report.pictures import CHART, Frame, share_ticks
from unfis.arrays import Array
from unfis.model.measures import BINS, reliability
from unfis.rules.text.words import class_name
from unfis.serial.messages import shortened

# The picture of an interval, and the shades of a matrix's cells.
INTERVAL_WIDTH = 200.0
SHADES = 8
# A class's name above a column is cut to so many characters.
LONGEST_HEAD = 14


def baseline_table(comparison: Comparison | None, rows: int) -> dict[str, Any] | None:
    """The accuracies of all models on the same folds, with their intervals as pictures."""
    if comparison is None:
        return None
    measured = {
        name: Measured(float(hits.mean()), len(hits), "") for name, hits in comparison.hits.items()
    }
    ticks = share_ticks(min(m.interval[0] for m in measured.values()), 1.0)
    frame = Frame(ticks[0], ticks[-1], 4, INTERVAL_WIDTH - 4)
    return {
        "rows": len(comparison.rows),
        "all_rows": rows,
        "folds": comparison.folds,
        "low": exact_share(ticks[0]),
        "high": exact_share(ticks[-1]),
        "models": [
            {
                "name": name,
                "ours": name == OWN_RULES,
                "accuracy": exact_share(found.accuracy),
                "interval": found.words,
                "at": frame.at(found.accuracy),
                "from": frame.at(found.interval[0]),
                "to": frame.at(found.interval[1]),
            }
            for name, found in measured.items()
        ],
    }


def confusion_table(
    classes: tuple[Any, ...], codes: NDArray[np.intp], probabilities: Array
) -> dict[str, Any]:
    """The classes that rows have against those they were taken for."""
    counts = confusion_matrix(codes, probabilities.argmax(axis=1), labels=range(len(classes)))
    names = [class_name(label) for label in classes]
    totals, predicted = counts.sum(axis=1), counts.sum(axis=0)
    rows = []
    for c, name in enumerate(names):
        cells = [
            {"count": int(n), "shade": shade(n / totals[c] if totals[c] else 0.0), "right": c == d}
            for d, n in enumerate(counts[c])
        ]
        right = int(counts[c, c])
        found = exact_share(right / totals[c]) if totals[c] else "–"
        trusted = exact_share(right / predicted[c]) if predicted[c] else "–"
        rows.append({"name": name, "cells": cells, "found": found, "trusted": trusted})
    return {
        "heads": [(name, shortened(name, LONGEST_HEAD)) for name in names],
        "rows": rows,
        "count": int(counts.sum()),
    }


def shade(share: float) -> int:
    """How dark a cell is, from 0 for none of a class's rows."""
    return 0 if share == 0 else max(1, round(SHADES * share))


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
