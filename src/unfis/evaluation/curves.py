"""Curves of how probabilities tell one class from the rest, and where on them the answers are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from sklearn.metrics import roc_curve

from unfis.arrays import Array, Mask
from unfis.evaluation.measures import Rate
from unfis.evaluation.ranking import RANKED_DIGITS
from unfis.ties import rounded_likelihoods


class Curve(NamedTuple):
    """Points of a curve from left to right, that of the answers, and the line of chance."""

    x: Array  # (points,)
    y: Array  # (points,)
    point: tuple[Rate, Rate]  # of the answers; a rate of no rows where it has no place
    chance: tuple[float, float]  # how high the line without looking at any input begins and ends


def curves_of(positive: Mask, scores: Array, answered: Mask) -> dict[str, Curve]:
    """ROC, precision by recall, and gain: rows found by rows looked at; at every threshold.

    positive says which rows are of the class, scores how probable it was, answered where it was the
    answer; (rows,) each, with some rows that are positive and some that are not.
    """
    scores = rounded_likelihoods(scores, RANKED_DIGITS)
    alarms, found, _ = roc_curve(positive, scores, drop_intermediate=False)
    share = float(positive.mean())
    looked_at = share * found + (1 - share) * alarms
    right = share * found[1:] / looked_at[1:]  # of those looked at
    hits, called = int((positive & answered).sum()), int(answered.sum())
    count, rows = len(positive), int(positive.sum())
    recall = Rate(hits, rows)
    return {
        "roc": Curve(alarms, found, (Rate(called - hits, count - rows), recall), (0.0, 1.0)),
        "precision-recall": Curve(
            found, np.append(right[0], right), (recall, Rate(hits, called)), (share, share)
        ),
        "gain": Curve(looked_at, found, (Rate(called, count), recall), (0.0, 1.0)),
    }
