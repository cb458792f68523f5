"""Models that were saved, each as the estimator that it was."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from unfis.estimators.classifier import UNFISClassifier
from unfis.model_file import read_model
from unfis.model_file.text import unless_readable


def load(path: str | os.PathLike[str]) -> Any:
    """The estimator of a file that `save` wrote.

    It predicts and gives its rules as the one that was saved, but has no training rows to compare
    with. No code of the file is run and no field of it believed: `ModelFileError` names the one
    that is wrong.
    """
    if Path(path).is_file():
        with open(path, "rb") as file:
            if b'"format": "unfis network"' in file.read(100):
                from unfis.additive import load as load_network  # imported late: it imports this

                return load_network(path)
    model = read_model(path)
    with unless_readable(f"{os.fspath(path)} cannot be read"):
        return UNFISClassifier.of_model(model)


def save(model: Any, path: str | os.PathLike[str], **origin: Any) -> None:
    """Write a fitted estimator to a file; `target` and `held_out` are kept in it."""
    model.save(path, **origin)
