"""Where a model comes from: its data, by a fingerprint, and the versions it was learned with."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from unfis.data.samples import TrainingSample

# The modules of the packages that a model is learned with.
PACKAGES = {"unfis": "unfis", "numpy": "numpy", "scipy": "scipy", "scikit-learn": "sklearn"}


@dataclass(frozen=True)
class Origin:
    """What a model file holds beside the model."""

    rows: int  # how many rows were learned from
    fingerprint: str  # SHA-256 of their values and classes
    target: str | None = None  # name of the column of classes, None if it had none
    # What was measured on rows that were not learned from, as the user gave it.
    held_out: Mapping[str, Any] | None = None
    versions: Mapping[str, str] = field(default_factory=dict)  # of the packages it was learned with

    @classmethod
    def of(cls, sample: TrainingSample) -> Origin:
        """The origin of a model that was learned here and now."""
        # By the modules: a package need not be installed to be imported.
        versions = {name: import_module(module).__version__ for name, module in PACKAGES.items()}
        versions["python"] = platform.python_version()
        return cls(sample.total, fingerprint(sample), versions=versions)


def fingerprint(sample: TrainingSample) -> str:
    """SHA-256 of the training rows that a model keeps: their values, classes and number."""
    # Adding 0 makes -0 and 0 the same, and so are all kinds of NaN.
    values = np.where(np.isnan(sample.values), np.nan, sample.values + 0.0)
    digest = hashlib.sha256(f"{sample.total} {values.shape}".encode())
    digest.update(np.ascontiguousarray(values, dtype="<f8").tobytes())
    digest.update(sample.codes.astype("<i8").tobytes())
    return digest.hexdigest()
