"""Which training rows a row is most like, as the rules see them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.rules.evaluation import Evaluation, RuleArrays

# Decimals of a row's coordinates.
DIGITS = 9


def points_of(arrays: RuleArrays, found: Evaluation, values: Array) -> Array:
    """Rows as points: how strong each rule is, and where each of its conditions finds them.

    Coordinates are sqrt(phi_i) and sqrt(phi_i) t_ij, with t = +-sqrt(-2 log mu+) the distance from
    a set's centre in widths: where a rule finds a row matters by how strong the rule is there.
    To so many digits as every machine has alike, or rows that are as near would be other ones on
    each. Shape (rows, rules * (1 + used)).
    """
    roots = np.exp(0.5 * found.log_strengths)[:, :, None]
    distances = np.sqrt(np.maximum(-2 * found.log_degrees, 0.0))
    distances *= np.where(arrays.is_below(values), -roots, roots)
    points = np.concatenate([roots, distances], axis=2).reshape(len(roots), -1)
    return np.round(points, DIGITS, out=points)


def nearest_points(
    known: Array, points: Array, count: int, n_jobs: int | None = None
) -> tuple[NDArray[np.intp], Array]:
    """The indices of the nearest known points, and their distances, (rows, count) each.

    Looked for in as many threads as joblib takes `n_jobs` for.
    """
    from joblib import effective_n_jobs  # imported late: rules are read without
    from scipy.spatial import cKDTree

    numbers, workers = np.arange(1, min(count, len(known)) + 1), effective_n_jobs(n_jobs)
    distances, indices = cKDTree(known).query(points, k=numbers, workers=workers)
    return np.asarray(indices), np.asarray(distances)
