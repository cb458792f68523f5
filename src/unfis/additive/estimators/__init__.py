"""scikit-learn's interface to rules that add up: a classifier and a regressor."""

from unfis.additive.estimators.classifier import AdditiveClassifier
from unfis.additive.estimators.loading import load
from unfis.additive.estimators.regressor import AdditiveRegressor

__all__ = ["AdditiveClassifier", "AdditiveRegressor", "load"]
