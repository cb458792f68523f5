"""Where a model comes from: its rows, by a fingerprint, and the versions it was learned with."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from unfis.additive.fitting.draw import column_bits
from unfis.additive.fitting.rows import AllRows, RowBlock, added
from unfis.additive.search.rows import Hashes, mixed

# The modules of the packages that a model is learned with.
PACKAGES = {"unfis": "unfis", "numpy": "numpy", "scipy": "scipy", "scikit-learn": "sklearn"}


@dataclass(frozen=True)
class Origin:
    """What is known of the table that a model was learned from."""

    rows: int  # how many were learned from
    fingerprint: str  # SHA-256 of hashes of their values and targets
    versions: Mapping[str, str] = field(default_factory=dict)  # of the packages
    target: str | None = None  # the column of the answers, as the user named it
    held_out: Mapping[str, Any] | None = None  # what the user measured on rows not learned from

    @classmethod
    def of(cls, rows: AllRows) -> Origin:
        """The origin of a model that was learned here and now."""
        # By the modules: a package need not be installed to be imported.
        versions = {name: import_module(module).__version__ for name, module in PACKAGES.items()}
        versions["python"] = platform.python_version()
        return cls(rows.count, fingerprint(rows), versions)


def fingerprint(rows: AllRows) -> str:
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
