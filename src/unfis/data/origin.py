"""Where a model comes from: its rows, by a fingerprint, and the versions it was learned with."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

import numpy as np

from unfis.arrays import Array

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
    def of(cls, rows: int, fingerprint: str) -> Origin:
        """The origin of a model that was learned here and now."""
        # By the modules: a package need not be installed to be imported.
        versions = {name: import_module(module).__version__ for name, module in PACKAGES.items()}
        versions["python"] = platform.python_version()
        return cls(rows, fingerprint, versions)

    def after(self, before: Origin) -> Origin:
        """The origin of a model that went on with these rows."""
        both = hashlib.sha256((before.fingerprint + self.fingerprint).encode()).hexdigest()
        return replace(self, rows=before.rows + self.rows, fingerprint=both)


def fingerprint(values: Array, targets: Array) -> str:
    """SHA-256 of rows of values, (rows, inputs), and their targets, (rows,)."""
    digest = hashlib.sha256(f"{values.shape}".encode())
    for column in [*values.T, targets]:
        # Adding 0 makes -0 and 0 the same, and so are all kinds of NaN.
        plain = np.where(np.isnan(column), np.nan, column + 0.0)
        digest.update(np.ascontiguousarray(plain, dtype="<f8").tobytes())
    return digest.hexdigest()
