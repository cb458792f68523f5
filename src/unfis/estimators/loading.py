"""Models that were saved, each as the estimator that it was."""

from __future__ import annotations

import os

from unfis.estimators.classifier import UNFISClassifier
from unfis.estimators.model_classifier import ModelClassifier
from unfis.estimators.network_classifier import UNFISNetworkClassifier
from unfis.model_file import read_model
from unfis.model_file.text import unless_readable


def load(path: str | os.PathLike[str]) -> ModelClassifier:
    """The estimator of a file that `save` wrote.

    It predicts and gives its rules as the one that was saved, but has no training rows to compare
    with. No code of the file is run and no field of it believed: `ModelFileError` names the one
    that is wrong.
    """
    model = read_model(path)
    kinds = {kind.__name__: kind for kind in (UNFISClassifier, UNFISNetworkClassifier)}
    with unless_readable(f"{os.fspath(path)} cannot be read"):
        return kinds[model.settings.estimator].of_model(model)
