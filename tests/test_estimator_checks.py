"""scikit-learn's own checks, all of them, for every selection, start, consequent and learner."""

from contextlib import nullcontext

import numpy as np
import pandas as pd
import pytest
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator

from unfis import LM, SGD, GqLM, Momentum, UNFISClassifier, UNFISNetworkClassifier, UNFISRegressor

SMALL = [
    UNFISClassifier(),
    UNFISRegressor(),
    UNFISNetworkClassifier(),
    UNFISNetworkClassifier(selection="none"),
    UNFISNetworkClassifier(consequents="constant"),
    UNFISNetworkClassifier(early_stopping=True),
    UNFISNetworkClassifier(initialisation="knn"),
    UNFISNetworkClassifier(warm_start=True),
    UNFISNetworkClassifier(learner=GqLM(max_iter=20)),
    UNFISNetworkClassifier(learner=LM()),
    UNFISNetworkClassifier(learner=SGD(max_iter=30)),
    UNFISNetworkClassifier(learner=Momentum(max_iter=20)),
]


@pytest.mark.parametrize(
    ("categorical_features", "categorical", "string"),
    [("from_dtype", True, False), (None, False, False), ([0], True, True)],
)
def test_tags_say_what_can_be_learned_from(categorical_features, categorical, string):
    """Text of an array is a category where it is named, text of a data frame by its dtype."""
    estimator = UNFISNetworkClassifier(1, ridge=0.3)
    estimator.set_params(categorical_features=categorical_features)
    tags = get_tags(estimator).input_tags
    assert (tags.categorical, tags.string, tags.allow_nan) == (categorical, string, True)
    text = np.array([["a"], ["b"]] * 10)
    for table, allowed in {"frame": categorical, "array": string}.items():
        given = pd.DataFrame(text) if table == "frame" else text
        with nullcontext() if allowed else pytest.raises(ValueError, match="categorical_features"):
            estimator.fit(given, [0, 1] * 10)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore:Can't check dok sparse matrix:UserWarning")
@pytest.mark.filterwarnings("ignore:There are too few different rows:UserWarning")
@pytest.mark.filterwarnings("ignore:Fewer than 10 rows are of:UserWarning")
@pytest.mark.parametrize("estimator", SMALL, ids=str)
def test_scikit_learn_checks(estimator):
    results = check_estimator(estimator, on_skip=None, on_fail="raise")
    skipped = {r["check_name"] for r in results if r["status"] == "skipped"}
    # Needs SCIPY_ARRAY_API=1 set before scipy is imported.
    assert skipped <= {"check_array_api_input"}
    assert len(results) > 50
