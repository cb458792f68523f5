"""Which samples of very many are looked at: neither their order nor a seed decides.

Same samples are one. Of a rare class all are looked at, up to a number; the others of it then weigh
the more.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.data.samples import Samples
from unfis.ties import ROUNDING

MOST_SAMPLES = 20_000
# Different samples of each class that are drawn, if it has so many.
FEWEST_OF_CLASS = 20
# A class is rare that has less than this share of the samples that each of all had of as many.
RARE_SHARE = 0.2
# All samples of a rare class are looked at, up to so many by all classes together.
RARE_ROWS = 2000


def deduplicated(samples: Samples) -> Samples:
    """Samples alike in inputs and target as one, of their joint weight, sorted by their values."""
    X, targets, weights = samples.part(slice(None))
    rows = np.hstack([X, targets])
    order = np.lexsort(rows.T[::-1])  # by the first column, then the second, ...; NaN last
    rows = rows[order]
    same = (rows[1:] == rows[:-1]) | (np.isnan(rows[1:]) & np.isnan(rows[:-1]))
    starts = np.flatnonzero(np.concatenate([[True], ~same.all(axis=1)]))
    first = order[starts]
    return Samples(X[first], targets[first], np.add.reduceat(weights[order], starts))


def every_kth(samples: Samples, most: int) -> Samples:
    """Every k-th sample of each class, so that there are about `most` at most."""
    codes, classes = samples.targets.argmax(axis=1), samples.targets.shape[1]
    counts = np.bincount(codes, minlength=classes)
    rare = is_rare(counts) & (len(codes) > most)
    strides = np.ones(classes, dtype=np.intp)
    strides[rare] = -(-counts[rare] // max(most // classes, 1))
    left = most - int((counts[rare] / strides[rare]).sum())
    strides[~rare] = -(-counts[~rare].sum() // left)
    taken = np.zeros(len(codes), dtype=bool)
    for code, stride in enumerate(strides):
        taken[np.flatnonzero(codes == code)[::stride]] = True
    some = samples.part(np.flatnonzero(taken))
    return weighed_back(some, samples.weights @ samples.targets) if rare.any() else some


def drawn(samples: Samples, most: int = MOST_SAMPLES) -> Samples:
    """All samples, or about `most` different ones of very many: those with the smallest hash.

    A row that is drawn is drawn with all its targets.
    """
    if len(samples.X) <= most:
        return samples.part(slice(None))  # as arrays, whatever they were
    codes, classes = samples.targets.argmax(axis=1), samples.targets.shape[1]
    counts = np.bincount(codes, minlength=classes)
    rare = is_rare(counts)
    hashes = value_hashes(samples.X, most, of_columns=False)
    chosen = hashes <= smallest_different(hashes, most)
    for code, count in enumerate(np.bincount(codes[chosen], minlength=classes)):
        fewest = RARE_ROWS // classes if rare[code] else FEWEST_OF_CLASS
        if count < fewest and counts[code]:
            members = np.flatnonzero(codes == code)
            limit = smallest_different(hashes[members], fewest)
            chosen[members[hashes[members] <= limit]] = True
    some = samples.part(np.flatnonzero(chosen))
    kinds = value_hashes(some.X, most, of_columns=True) + codes[chosen].astype(np.uint64)
    _, first, same = np.unique(kinds, return_index=True, return_inverse=True)
    weights = np.bincount(same, some.weights).astype(float)
    order = np.argsort(first)
    found = some.part(first[order])._replace(weights=weights[order])
    totals = np.bincount(codes, samples.weights, classes).astype(float)
    return weighed_back(found, totals) if rare.any() else found


def is_rare(counts: NDArray[np.intp]) -> Mask:
    """Which classes of so many samples are rare, (classes,)."""
    there = counts > 0
    return np.asarray(there & (counts < RARE_SHARE * counts.sum() / there.sum()))


def weighed_back(some: Samples, totals: Array) -> Samples:
    """Some samples, of which every class weighs as large a part as by all samples' totals.

    What was taken by the largest share keeps its weights: a rare sample then counts as it does
    among all.
    """
    taken = some.weights @ some.targets
    factors = np.divide(totals, taken, out=np.ones_like(totals), where=taken > 0)
    factors /= factors[taken > 0].min()
    return some._replace(weights=some.weights * (some.targets @ factors))


def smallest_different(hashes: NDArray[np.uint64], most: int) -> np.uint64:
    """The greatest of the `most` smallest different hashes, or of all."""
    if len(hashes) > most:
        smallest = np.unique(np.partition(hashes, most - 1)[:most])
        if len(smallest) == most:
            return np.uint64(smallest[-1])
    return np.uint64(np.unique(hashes)[:most][-1])  # many are the same


def value_hashes(X: Array, at_once: int, *, of_columns: bool) -> NDArray[np.uint64]:
    """A number for each sample that depends on its values alone, (samples,).

    And on whose values they are, if it is `of_columns`; otherwise their order does not matter.
    """
    found = np.empty(len(X), dtype=np.uint64)
    parts = [slice(start, start + at_once) for start in range(0, len(X), at_once)]
    largest = np.fmax.reduce([np.fmax.reduce(np.abs(X[part])) for part in parts])
    offsets = np.arange(X.shape[1], dtype=np.uint64) << np.uint64(32)
    for part in parts:
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
