"""Estimators from model files."""

from __future__ import annotations

import os
from typing import Any

from unfis.estimators.classifier import UNFISClassifier
from unfis.estimators.network_classifier import UNFISNetworkClassifier
from unfis.estimators.regressor import UNFISRegressor
from unfis.estimators.tables import describe_columns
from unfis.model_file import ModelFileError, read_any_model
from unfis.model_file.file import sentence
from unfis.network.fitted import FittedNetwork


def load(path: str | os.PathLike[str]) -> Any:
    """The fitted estimator that `save` wrote to a file, without training rows."""
    model = read_any_model(path)
    if isinstance(model, FittedNetwork):
        with sentence(path, "cannot be read"):
            return UNFISNetworkClassifier.of_model(model)
    is_class = len(model.columns.classes) > 0
    estimator: Any = UNFISClassifier() if is_class else UNFISRegressor()
    if set(model.settings) != set(estimator.get_params()):
        raise ModelFileError(
            f"{os.fspath(path)} cannot be read: settings must be the parameters of "
            f"{type(estimator).__name__}."
        )
    estimator.set_params(**model.settings)
    estimator.model_ = model
    describe_columns(estimator, model.columns)
    if is_class:
        estimator.classes_ = model.columns.classes
    return estimator
