"""The rows_fingerprint of the rows of a fit, wherever they are and in any order."""

from __future__ import annotations

import hashlib

import numpy as np

from unfis.fitting.draw import column_bits
from unfis.fitting.rows import AllRows, RowBlock, added
from unfis.search.rows import Hashes, mixed


def rows_fingerprint(rows: AllRows) -> str:
    """SHA-256 of sums of hashes of rows' values and targets, wherever they are, in any order."""
    (sums,) = rows.joined(hash_sums, added)
    return hashlib.sha256(f"{rows.count} {sums.tolist()}".encode()).hexdigest()


def hash_sums(block: RowBlock) -> tuple[Hashes]:
    """Two sums of hashes of the rows, by the places of their columns, (2,)."""
    sums = np.zeros(2, np.uint64)
    for part in block.slices():
        columns = column_bits(part)[:-1]
        every = mixed(np.arange(2 * len(columns), dtype=np.uint64)).reshape(2, -1)
        for n, salts in enumerate(every):
            hashes = sum(mixed(bits + salt) for bits, salt in zip(columns, salts, strict=True))
            sums[n : n + 1] += mixed(np.asarray(hashes)).sum()  # wraps, as arrays do
    return (sums,)
