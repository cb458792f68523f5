"""What people use instead of rules, each behind tables of numbers and categories."""

from typing import Any

import numpy as np
import pandas as pd
from accuracy import encoded
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier

LINEAR, FOREST, BOOSTING = "logistic regression", "random forest", "histogram boosting"
MOST_KINDS = 255  # of a category of boosting: rarer kinds are one


def boosting(X: pd.DataFrame) -> Any:
    """Histogram boosting, which knows what categories are, but not as texts."""
    texts = [name for name in X if not pd.api.types.is_numeric_dtype(X[name])]
    if not texts:
        return HistGradientBoostingClassifier(random_state=0)
    codes = OrdinalEncoder(
        handle_unknown="use_encoded_value", unknown_value=np.nan, max_categories=MOST_KINDS
    )
    columns = make_column_transformer((codes, texts), remainder="passthrough")
    model = HistGradientBoostingClassifier(
        categorical_features=list(range(len(texts))), random_state=0
    )
    return make_pipeline(columns, model)


# Each makes a model of the table that it is to learn from.
RIVALS = {
    LINEAR: lambda X: encoded(LogisticRegression(C=1.0, max_iter=5000)),
    FOREST: lambda X: encoded(RandomForestClassifier(500, random_state=0)),
    BOOSTING: boosting,
    "tree of depth 4": lambda X: encoded(DecisionTreeClassifier(max_depth=4, random_state=0)),
}
