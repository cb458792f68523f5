"""The rows that are searched: all, or of very many those of least hash, the same wherever they are.

Neither the order of rows or columns counts, nor how the table is cut into blocks, nor chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.additive.fitting.rows import AllRows, RowBlock, added, joined_rows
from unfis.additive.objective import Objective
from unfis.additive.rules.model import BLOCK_ROWS
from unfis.additive.search.rows import Hashes, mixed
from unfis.arrays import Array

STRATA = 10  # ranges of a number that are drawn from alike
EVERY = np.uint64(2**64 - 1)


class Drawn(NamedTuple):
    """The rows that are searched."""

    rows: RowBlock
    strata: NDArray[np.intp]  # (rows,)
    weights: Array  # which stand for all of the stratum, (rows,)
    total: float  # the weight of all rows


class Strata(NamedTuple):
    """The classes, or ranges of a number of much the same weight."""

    number: int
    borders: Array | None  # of the ranges, rising; None of classes

    @classmethod
    def of(cls, rows: AllRows, objective: Objective) -> Strata:
        """Those of all rows."""
        if objective.link == "softmax":
            return cls(objective.outputs, None)
        if objective.link == "logistic":
            return cls(2, None)
        return cls(STRATA, range_borders(rows))

    def places(self, block: RowBlock) -> NDArray[np.intp]:
        """The stratum of each row, (rows,)."""
        if self.borders is None:
            return block.targets.astype(np.intp)
        return np.searchsorted(self.borders, block.targets, side="right")


class Salts(NamedTuple):
    """What makes rows' hashes: a column is known by its values, not by its place."""

    strata: Strata
    columns: Hashes  # (inputs + 2,)

    def hashes(self, block: RowBlock) -> Hashes:
        """The hash of each row by its values, target and weight, (rows,)."""
        parts = [self._hashes(part) for part in block.slices()]
        return np.concatenate(parts) if parts else np.zeros(0, np.uint64)

    def _hashes(self, block: RowBlock) -> Hashes:
        found = np.zeros(len(block.targets), np.uint64)
        for bits, salt in zip(column_bits(block), self.columns, strict=True):
            found += mixed(bits + salt)
        return found


class Copies(NamedTuple):
    """Rows that are the same as one, in the order of their hashes."""

    hashes: Hashes  # (kinds,)
    strata: NDArray[np.intp]  # (kinds,)
    counts: NDArray[np.intp]  # how many rows each is, (kinds,)

    @classmethod
    def of(cls, hashes: Hashes, strata: NDArray[np.intp], counts: NDArray[np.intp]) -> Copies:
        """The same kinds with the same hash once."""
        unique, first, place = np.unique(hashes, return_index=True, return_inverse=True)
        sums = np.bincount(place, counts, len(unique)).astype(np.intp)
        return cls(unique, strata[first], sums)


def drawn_rows(rows: AllRows, objective: Objective, most: int) -> Drawn:
    """All rows, or at most about so many; of each stratum those of least hash.

    Rare strata are kept whole: each gets as many rows as there are, up to a share of them all.
    """
    strata = Strata.of(rows, objective)
    counts, sums, columns = rows.joined(partial(block_totals, strata=strata), added)
    if rows.count <= most:
        found = rows.joined(all_rows, joined_rows)
        return Drawn(found, strata.places(found), found.weights, float(sums.sum()))
    salts, quotas = Salts(strata, columns), shared_out(counts, most)
    chosen = chosen_copies(rows, salts, counts, quotas)
    take = partial(first_rows, salts=salts, chosen=chosen)
    found = rows.joined(take, partial(joined_first_rows, take=take))
    places = strata.places(found)
    drawn = np.bincount(places, found.weights, strata.number)
    # As many rows as there are: noise is judged by them.
    share = len(places) / rows.count * (sums / np.maximum(drawn, 1e-300))[places]
    return Drawn(found, places, found.weights * share, float(sums.sum()))


def chosen_copies(
    rows: AllRows, salts: Salts, counts: NDArray[np.intp], quotas: NDArray[np.intp]
) -> Copies:
    """Which rows are drawn, and how many of each kind."""
    # Which have a hash so small is known of each block, and far more than enough have.
    ends = (quotas + 10 * np.sqrt(quotas) + 50) / np.maximum(counts, 1)
    least = np.array([int(end * 2**64) if end < 1 else int(EVERY) for end in ends], np.uint64)
    (copies,) = rows.joined(partial(block_copies, salts=salts), added)
    for below in (least, np.full(len(least), EVERY)):
        look = partial(possible_copies, salts=salts, below=below, copies=int(copies))
        owners, keys, kinds = keys_below(rows.joined(look, joined_copies), below)
        strata = kinds.strata[owners]
        found = np.bincount(strata, minlength=len(quotas))
        if (found >= quotas).all():
            break
    order = np.lexsort((keys, strata))
    place = np.arange(len(order)) - np.repeat(np.cumsum(found) - found, found)
    owners = owners[order[place < quotas[strata[order]]]]
    drawn = np.bincount(owners, minlength=len(kinds.hashes))
    kept = np.flatnonzero(drawn)
    return Copies(kinds.hashes[kept], kinds.strata[kept], drawn[kept])


def keys_below(kinds: Copies, below: Hashes) -> tuple[NDArray[np.intp], Hashes, Copies]:
    """The kinds and the hashes of their copies that are small enough, a number for each copy.

    Rows that are the same are apart too: else the first ones would be all of one kind.
    """
    ends = np.cumsum(kinds.counts)
    owners, keys = [], []
    for first in range(0, int(ends[-1]), BLOCK_ROWS):
        copies = np.arange(first, min(first + BLOCK_ROWS, int(ends[-1])))
        owner = np.searchsorted(ends, copies, side="right")
        number = (copies - ends[owner] + kinds.counts[owner]).astype(np.uint64)
        key = mixed(kinds.hashes[owner] + number)
        kept = key <= below[kinds.strata[owner]]
        owners.append(owner[kept])
        keys.append(key[kept])
    return np.concatenate(owners), np.concatenate(keys), kinds


def block_totals(block: RowBlock, strata: Strata) -> tuple[Any, ...]:
    """Rows and weights of each stratum, and the sums of each column's bits."""
    places = strata.places(block)
    counts = np.bincount(places, minlength=strata.number)
    weights = np.bincount(places, block.weights, strata.number)
    bits = [[bits.sum() for bits in column_bits(part)] for part in block.slices()]
    return counts, weights, np.array(bits, np.uint64).sum(axis=0)


def all_rows(block: RowBlock) -> RowBlock:
    """The rows, as doubles."""
    return block.part(slice(None))


def block_copies(block: RowBlock, salts: Salts) -> tuple[int]:
    """How many rows are the same at most: of several blocks no more than of each, added."""
    rising = np.sort(salts.hashes(block))
    ends = np.append(np.flatnonzero(rising[1:] != rising[:-1]), len(rising) - 1)
    return (int(np.diff(ends, prepend=-1).max()),)


def possible_copies(
    block: RowBlock, salts: Salts, below: Hashes, copies: int, most: int = 256
) -> Copies:
    """The rows of which one copy, of so many at most, has a hash that is small enough.

    Where there may be very many copies, all.
    """
    hashes, strata = salts.hashes(block), salts.strata.places(block)
    if copies <= most:
        ends, possible = below[strata], np.zeros(len(hashes), bool)
        for number in range(copies):
            possible |= mixed(hashes + np.uint64(number)) <= ends
        hashes, strata = hashes[possible], strata[possible]
    return Copies.of(hashes, strata, np.ones(len(hashes), np.intp))


def joined_copies(parts: Sequence[Copies]) -> Copies:
    """The kinds of several blocks."""
    hashes, strata, counts = zip(*parts, strict=True)
    return Copies.of(np.concatenate(hashes), np.concatenate(strata), np.concatenate(counts))


def first_rows(block: RowBlock, salts: Salts, chosen: Copies) -> RowBlock:
    """The rows of chosen kinds, the first ones of each, in their order."""
    hashes = salts.hashes(block)
    place = np.minimum(np.searchsorted(chosen.hashes, hashes), len(chosen.hashes) - 1)
    rows = np.flatnonzero(chosen.hashes[place] == hashes)
    rows = rows[np.argsort(place[rows], kind="stable")]
    counts = np.bincount(place[rows], minlength=len(chosen.hashes))
    number = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    return block.part(np.sort(rows[number < chosen.counts[place[rows]]]))


def joined_first_rows(parts: Sequence[RowBlock], take: Any) -> RowBlock:
    """The first ones of each kind of several blocks."""
    found: RowBlock = take(joined_rows(parts))
    return found


def column_bits(block: RowBlock) -> list[Hashes]:
    """The bits of the values of each input, of the targets and of the weights, (rows,) each."""
    found = []
    for column in (*block.values.T, block.targets, block.given):
        column = column + 0.0  # 0 for -0
        column[np.isnan(column)] = np.nan  # there are several
        found.append(column.view(np.uint64))
    return found


def range_borders(rows: AllRows, bits: int = 8) -> Array:
    """Where each range of a number but the first begins, (STRATA - 1,): digit by digit, exactly."""
    shares = np.arange(1, STRATA) / STRATA * (1 - 1e-12)  # last digits of sums do not count
    begun, below = np.zeros(len(shares), np.uint64), np.zeros(len(shares))
    for left in range(64 - bits, -1, -bits):
        (sums,) = rows.joined(partial(digit_weights, begun=begun, left=left, bits=bits), added)
        if left == 64 - bits:
            total = sums[0].sum()
        rising = below[:, None] + np.cumsum(sums, axis=1)
        digits = np.argmax(rising >= (shares * total)[:, None], axis=1)
        digits[rising[:, -1] < shares * total] = 2**bits - 1
        every = np.arange(len(digits))
        below = rising[every, digits] - sums[every, digits]
        begun = (begun << np.uint64(bits)) | digits.astype(np.uint64)
    return np.where(begun >> np.uint64(63), begun ^ np.uint64(1 << 63), ~begun).view(np.float64)


def digit_weights(block: RowBlock, begun: Hashes, left: int, bits: int) -> tuple[Array]:
    """The weights of the rows with each next digit, of those that begin so, (borders, digits)."""
    own = (block.targets.astype(np.float64) + 0.0).view(np.uint64)
    # Numbers are in the order of these.
    rising = np.where(own >> np.uint64(63), ~own, own | np.uint64(1 << 63)) >> np.uint64(left)
    digits, before = rising & np.uint64(2**bits - 1), rising >> np.uint64(bits)
    weights = block.weights
    sums = []
    for one in begun:
        mine = before == one
        sums.append(np.bincount(digits[mine].astype(np.intp), weights[mine], 2**bits))
    return (np.array(sums),)


def shared_out(counts: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """So many rows of strata of such sizes: rare ones whole, the others alike in proportion."""
    quotas = np.minimum(counts, max(1, most // (2 * len(counts))))
    left = counts - quotas
    share = min(1.0, max(0, most - int(quotas.sum())) / max(1, int(left.sum())))
    return np.asarray(quotas + np.floor(left * share), dtype=np.intp)
