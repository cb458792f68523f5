"""Rows that are the same are one row, and held out together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.data.samples import Samples
from unfis.learning.objective import Objective
from unfis.ties import ROUNDING, ranked

# Five folds, or three of enough rows: then two thirds of them teach nearly as much as four fifths.
CV_FOLDS, CV_FEW_FOLDS, CV_ENOUGH_ROWS = 5, 3, 500
# With fewer different rows than this there is nothing to hold out.
CV_FEWEST_ROWS = 10
# Of more rows than this some are taken before they are sorted.
MOST_SORTED = 20_000
# Different rows of each stratum that are taken, if it has so many.
FEWEST_OF_STRATUM = 20
# A stratum is rare that has less than this share of the rows that each of all had of as many.
RARE_SHARE = 0.2
# All rows of a rare stratum are looked at, up to so many by all strata together.
RARE_ROWS = 2000

Folds = NDArray[np.intp] | None  # the fold that holds each sample out, -1 where none does


def deduplicated(samples: Samples) -> Samples:
    """Samples alike in inputs and target as one, of their joint weight, sorted by their values.

    So neither the order of rows nor whether a row is repeated or weighted makes a difference to
    what is chosen.
    """
    X, targets, weights = samples.part(slice(None))
    rows = np.hstack([X, targets])
    order = np.lexsort(rows.T[::-1])  # by the first column, then the second, ...; NaN last
    starts = np.flatnonzero(differs_from_previous(rows[order]))
    first = order[starts]
    return Samples(X[first], targets[first], np.add.reduceat(weights[order], starts))


class SampleTotals(NamedTuple):
    """What is known of all samples, wherever they are; those of disjoint ones can be joined."""

    counts: NDArray[np.intp]  # of the samples of each stratum, (strata,)
    weights: Array  # of each stratum, (strata,)
    largest: Array  # size of a number in each column, NaN for none, (columns,)

    @classmethod
    def of(cls, samples: Samples, objective: Objective) -> SampleTotals:
        """Those of some samples, of which there is at least one."""
        strata = objective.strata(samples.targets)
        codes, size = strata.argmax(axis=1), strata.shape[1]
        weights = np.bincount(codes, samples.weights, size).astype(float)
        return cls(np.bincount(codes, minlength=size), weights, largest_sizes(samples.X))

    def joined(self, other: SampleTotals) -> SampleTotals:
        """Those of both."""
        largest = np.fmax(self.largest, other.largest)
        return SampleTotals(self.counts + other.counts, self.weights + other.weights, largest)

    @property
    def fewest(self) -> NDArray[np.intp]:
        """How many different samples of each stratum are drawn, if it has so many."""
        rare = is_rare(self.counts)
        return np.where(rare, RARE_ROWS // len(self.counts), FEWEST_OF_STRATUM)


def subsample(samples: Samples, objective: Objective, most: int = MOST_SORTED) -> Samples:
    """All samples, or about `most` different ones of very many: those with the smallest hash.

    So neither the order of rows or inputs nor a seed decides. Same rows are one, of their joint
    weight, and a row that is drawn is drawn with all its targets.
    """
    if len(samples.X) <= most:
        return samples.part(slice(None))  # as arrays, whatever they were
    return drawn(samples, SampleTotals.of(samples, objective), objective, most)


def may_be_drawn(
    samples: Samples, totals: SampleTotals, objective: Objective, most: int = MOST_SORTED
) -> Samples:
    """The samples of a part that may be drawn from all: those drawn from all, and few others.

    What may be drawn from two parts is what may be drawn from that of both.
    """
    if len(samples.X) <= most:
        return samples.part(slice(None))
    hashes = value_hashes(samples.X, totals.largest, of_columns=False)
    codes = objective.strata(samples.targets).argmax(axis=1)
    possible = hashes <= smallest_different(hashes, most)
    for code, fewest in enumerate(totals.fewest.tolist()):
        if (members := of_stratum(codes, code)).size:
            limit = smallest_different(hashes[members], fewest)
            possible[members[hashes[members] <= limit]] = True
    return samples.part(np.flatnonzero(possible))


def drawn(
    samples: Samples, totals: SampleTotals, objective: Objective, most: int = MOST_SORTED
) -> Samples:
    """What is drawn from all samples, given those that may be."""
    if totals.counts.sum() <= most:
        return samples
    hashes = value_hashes(samples.X, totals.largest, of_columns=False)
    codes, fewest = objective.strata(samples.targets).argmax(axis=1), totals.fewest
    chosen = hashes <= smallest_different(hashes, most)
    for code, count in enumerate(np.bincount(codes[chosen], minlength=len(fewest))):
        if count < fewest[code] and (members := of_stratum(codes, code)).size:
            limit = smallest_different(hashes[members], int(fewest[code]))
            chosen[members[hashes[members] <= limit]] = True
    some = samples.part(np.flatnonzero(chosen))
    kinds = value_hashes(some.X, largest_sizes(some.X), of_columns=True)
    kinds += codes[chosen].astype(np.uint64)
    _, first, same = np.unique(kinds, return_index=True, return_inverse=True)
    weights = np.bincount(same, some.weights).astype(float)
    order = np.argsort(first)
    found = some.part(first[order])._replace(weights=weights[order])
    return weighed_back(found, totals.weights, objective) if is_rare(totals.counts).any() else found


def largest_sizes(X: Array) -> Array:
    """The largest size of a number in each column, NaN for none, (columns,)."""
    parts = [X[start : start + MOST_SORTED] for start in range(0, len(X), MOST_SORTED)]
    return np.asarray(np.fmax.reduce([np.fmax.reduce(np.abs(part)) for part in parts]))


def is_rare(counts: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which strata of so many rows are rare, (strata,)."""
    there = counts > 0
    return np.asarray(there & (counts < RARE_SHARE * counts.sum() / there.sum()))


def weighed_back(some: Samples, totals: Array, objective: Objective) -> Samples:
    """Some samples, of which every stratum weighs as large a part as by all samples' totals.

    What was taken by the largest share keeps its weights: a rare row then tells as much as it does
    among all, by which priors and criteria count.
    """
    strata = objective.strata(some.targets)
    taken = some.weights @ strata
    factors = np.divide(totals, taken, out=np.ones_like(totals), where=taken > 0)
    factors /= factors[taken > 0].min()
    return some._replace(weights=some.weights * (strata @ factors))


def smallest_different(hashes: NDArray[np.uint64], most: int) -> np.uint64:
    """The greatest of the `most` smallest different hashes, or of all."""
    if len(hashes) > most:
        smallest = np.unique(np.partition(hashes, most - 1)[:most])
        if len(smallest) == most:
            return np.uint64(smallest[-1])
    return np.uint64(np.unique(hashes)[:most][-1])  # many are the same


def value_hashes(X: Array, largest: Array, *, of_columns: bool) -> NDArray[np.uint64]:
    """A number for each row that depends on its values alone, shape (rows,).

    And on whose values they are, if it is `of_columns`; otherwise their order does not matter.
    `largest` is the largest size of a value in each column, (columns,).
    """
    found = np.empty(len(X), dtype=np.uint64)
    offsets = np.arange(X.shape[1], dtype=np.uint64) << np.uint64(32)
    for start in range(0, len(X), MOST_SORTED):
        part = slice(start, start + MOST_SORTED)
        bits = single_bits(X[part], largest) + (offsets if of_columns else np.uint64(0))
        bits = (bits + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        bits = (bits ^ (bits >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        found[part] = (bits ^ (bits >> np.uint64(31))).sum(axis=1, dtype=np.uint64)
    return found * np.uint64(0x94D049BB133111EB)


def single_bits(rows: Array, largest: Array) -> NDArray[np.uint64]:
    """Values in single precision as their bits: the last digits of a standardised value depend on
    the machine, and so does all of one that is 0 but for rounding (beside 1, or the largest of its
    column). 0 and -0 are the same, and so are values too large for it.
    """
    known = np.where(np.abs(rows) <= ROUNDING * np.minimum(largest, 1.0), 0.0, rows)
    most = np.finfo(np.float32).max
    single = np.clip(known, -most, most).astype(np.float32) + np.float32(0.0)
    return np.ascontiguousarray(single).view(np.uint32).astype(np.uint64)


def every_kth(samples: Samples, objective: Objective, most: int) -> tuple[Samples, Samples]:
    """Every k-th sample of each stratum, so that there are about `most` at most, and the others.

    Of rare strata all samples, if they are not too many; the others weigh the more.
    """
    strata = objective.strata(samples.targets)
    codes = strata.argmax(axis=1)
    counts = np.bincount(codes, minlength=strata.shape[1])
    rare = is_rare(counts) & (len(codes) > most)
    strides = np.ones(len(counts), dtype=np.intp)
    strides[rare] = -(-counts[rare] // max(most // len(counts), 1))
    left = most - int((counts[rare] / strides[rare]).sum())
    strides[~rare] = -(-counts[~rare].sum() // left)
    taken = np.zeros(len(codes), dtype=bool)
    for code, stride in enumerate(strides):
        taken[of_stratum(codes, code)[::stride]] = True
    some, others = samples.part(np.flatnonzero(taken)), samples.part(np.flatnonzero(~taken))
    totals = samples.weights @ strata
    return weighed_back(some, totals, objective) if rare.any() else some, others


def fold_numbers(samples: Samples, objective: Objective) -> Folds:
    """The fold that holds each of the deduplicated samples out, -1 where none does.

    Rows with the same inputs share a fold. Each stratum is dealt out in the order of its rows'
    distance from the origin, so that neither a seed nor the order of rows, inputs or classes
    decides; rows that are as far, as those of few truth values often are, in the order of their
    values. None where there are too few rows.
    """
    new = differs_from_previous(samples.X)
    groups = np.cumsum(new) - 1
    codes = objective.strata(samples.targets).argmax(axis=1)[new]
    distances = np.nansum(np.square(samples.X[new]), axis=1)
    members = [of_stratum(codes, code) for code in np.unique(codes)]
    members = [rows for rows in members if len(rows) > 1]
    if len(codes) < CV_FEWEST_ROWS or len(members) < 2:
        return None
    count = CV_FOLDS if len(codes) < CV_ENOUGH_ROWS else CV_FEW_FOLDS
    folds = np.full(len(codes), -1)
    for rows in members:
        folds[rows[ranked(distances[rows])]] = np.arange(len(rows)) % count
    return np.asarray(folds[groups])


def of_stratum(codes: NDArray[np.intp], code: int) -> NDArray[np.intp]:
    """Where a stratum is."""
    return np.flatnonzero(codes == code)


def differs_from_previous(rows: Array) -> NDArray[np.bool_]:
    """Whether each row differs from the one before it; NaN equals NaN."""
    same = (rows[1:] == rows[:-1]) | (np.isnan(rows[1:]) & np.isnan(rows[:-1]))
    return np.concatenate([[True], ~same.all(axis=1)])
