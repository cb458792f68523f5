"""How well probabilities rank rows: ROC AUC and average precision, with their intervals."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.metrics import average_precision_score

from unfis.arrays import Array, Mask
from unfis.evaluation.measures import Estimate, mean_of_shares, wilson
from unfis.ties import rounded_likelihoods

# Probabilities that differ by less are tied: scorecards give many rows the same.
RANKED_DIGITS = 10


def roc_auc(codes: NDArray[np.intp], probabilities: Array) -> Estimate | None:
    """The area under the ROC curve; of several classes the mean of each against the rest.

    codes are the rows' classes, (rows,), probabilities are (rows, classes). Only classes that some
    rows have, and not all, can be ranked; None if there are none. The variance is DeLong's, the
    interval that of a share of as many rows as have this variance (Wilson's).
    """
    ranked = ranked_classes(codes, probabilities.shape[1])
    if not len(ranked):
        return None
    areas, parts = zip(*(area(codes == c, probabilities[:, c]) for c in ranked), strict=True)
    value = float(np.mean(areas))
    variance = float(np.square(np.mean(parts, axis=0)).sum())
    fewest = min(np.bincount(codes)[c] for c in ranked)
    fewest = min(fewest, len(codes) - fewest)
    # The variance of a few rows may be 0 by chance; it is never above that of the fewest.
    enough = fewest > 1 and variance > 1e-12
    rows = max(value * (1 - value) / variance, fewest) if enough else fewest
    return Estimate(value, *wilson(value, rows), 0.5)


def area(positive: Mask, scores: Array) -> tuple[float, Array]:
    """P(score of a positive row > that of a negative one), ties half, and each row's part in it.

    The parts, (rows,), are what each row adds to the distance from the true area: their squares
    add up to DeLong's variance.
    """
    scores = rounded_likelihoods(scores, RANKED_DIGITS)
    ahead = np.empty(len(scores))  # share of rows of the other kind on the right side of each
    count, other = int(positive.sum()), int((~positive).sum())
    everywhere = rankdata(scores)
    ahead[positive] = (everywhere[positive] - rankdata(scores[positive])) / other
    ahead[~positive] = 1 - (everywhere[~positive] - rankdata(scores[~positive])) / count
    value = float(ahead[positive].mean())
    pairs = np.where(positive, count * max(count - 1, 1), other * max(other - 1, 1))
    return value, (ahead - value) / np.sqrt(pairs)


def average_precision(codes: NDArray[np.intp], probabilities: Array) -> Estimate | None:
    """The area under the precision-recall curve; of two classes that of the rarer.

    Of several the mean of each against the rest; None where no class can be ranked. The interval is
    that of a share of the class's rows, as Boyd, Eng and Page (2013) found it, by Wilson's formula.
    """
    count = probabilities.shape[1]
    ranked = ranked_classes(codes, count)
    if not len(ranked):
        return None
    classes = [positive_class(codes)] if count == 2 else ranked
    scores = rounded_likelihoods(probabilities, RANKED_DIGITS)
    rows = np.array([(codes == c).sum() for c in classes], dtype=float)
    shares = np.array([average_precision_score(codes == c, scores[:, c]) for c in classes])
    return mean_of_shares(shares, rows, float(rows.mean() / len(codes)))


def ranked_classes(codes: NDArray[np.intp], count: int) -> NDArray[np.intp]:
    """The classes that can be ranked against the rest: those of some rows but not of all.

    Of two classes one is enough, since the other is ranked as well.
    """
    rows = np.bincount(codes, minlength=count)
    found = np.flatnonzero((rows > 0) & (rows < len(codes)))
    return found[-1:] if count == 2 else found


def positive_class(codes: NDArray[np.intp]) -> int:
    """Of two classes the one that is looked for: the rarer, and of two alike the second."""
    return int((codes == 1).sum() <= (codes == 0).sum())
