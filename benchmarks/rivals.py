"""What people use instead of rules, each behind tables of numbers and categories.

`RIVALS` tell classes in tables without gaps. `CLASSIFIERS` and `REGRESSORS` take gaps too.
"""

from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

LINEAR, FOREST, BOOSTING = "logistic regression", "random forest", "histogram boosting"
MOST_KINDS = 255  # of a category of boosting: rarer kinds are one
EBM, MEAN, RIDGE = "EBM", "mean", "ridge regression"


def encoded(model: Any) -> Any:
    """A model of scikit-learn's behind standardised numbers and one-hot categories."""
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), texts_of),
        remainder=StandardScaler(),
        sparse_threshold=0,
    )
    return make_pipeline(columns, model)


def boosting(X: pd.DataFrame, kind: Any = HistGradientBoostingClassifier) -> Any:
    """Histogram boosting, which knows what categories are, but not as texts."""
    texts = texts_of(X)
    if not texts:
        return kind(random_state=0)
    codes = OrdinalEncoder(
        handle_unknown="use_encoded_value", unknown_value=np.nan, max_categories=MOST_KINDS
    )
    columns = make_column_transformer((codes, texts), remainder="passthrough")
    model = kind(categorical_features=list(range(len(texts))), random_state=0)
    return make_pipeline(columns, model)


def texts_of(X: pd.DataFrame) -> list[str]:
    """The columns that are not numbers."""
    return [name for name in X if not pd.api.types.is_numeric_dtype(X[name])]


def filled(X: pd.DataFrame, model: Any) -> Any:
    """A model behind one-hot categories, and numbers with medians in gaps and marks of them."""
    texts = texts_of(X)
    fill = make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler())
    kinds = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return make_pipeline(make_column_transformer((kinds, texts), remainder=fill), model)


def ebm_classifier(X: pd.DataFrame, **settings: Any) -> Any:
    """An explainable boosting machine as it is by default, on one core."""
    from interpret.glassbox import ExplainableBoostingClassifier

    return ExplainableBoostingClassifier(random_state=0, n_jobs=1, **settings)


def ebm_regressor(X: pd.DataFrame, **settings: Any) -> Any:
    """The same for a number."""
    from interpret.glassbox import ExplainableBoostingRegressor

    return ExplainableBoostingRegressor(random_state=0, n_jobs=1, **settings)


# Each makes a model of the table that it is to learn from.
RIVALS = {
    LINEAR: lambda X: encoded(LogisticRegression(C=1.0, max_iter=5000)),
    FOREST: lambda X: encoded(RandomForestClassifier(500, random_state=0)),
    BOOSTING: boosting,
    "tree of depth 4": lambda X: encoded(DecisionTreeClassifier(max_depth=4, random_state=0)),
}
CLASSIFIERS = {
    EBM: ebm_classifier,
    FOREST: lambda X: filled(X, RandomForestClassifier(500, random_state=0)),
    LINEAR: lambda X: filled(X, LogisticRegression(max_iter=5000)),
    BOOSTING: boosting,
}
REGRESSORS = {
    EBM: ebm_regressor,
    FOREST: lambda X: filled(X, RandomForestRegressor(500, random_state=0)),
    RIDGE: lambda X: filled(X, RidgeCV(np.logspace(-2, 4, 13))),
    BOOSTING: lambda X: boosting(X, HistGradientBoostingRegressor),
    MEAN: lambda X: DummyRegressor(),
}
