"""scikit-learn's own checks, all of them, for every selection, start, consequent and learner."""

import pytest
from sklearn.utils.estimator_checks import check_estimator

from unfis import LM, SGD, GqLM, Momentum, UNFISClassifier

SMALL = [
    UNFISClassifier(),
    UNFISClassifier(selection="soft"),
    UNFISClassifier(selection="none"),
    UNFISClassifier(consequents="constant"),
    UNFISClassifier(initialisation="knn"),
    UNFISClassifier(warm_start=True),
    UNFISClassifier(learner=GqLM(max_iter=20)),
    UNFISClassifier(learner=LM()),
    UNFISClassifier(learner=SGD(max_iter=30)),
    UNFISClassifier(learner=Momentum(max_iter=20)),
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore:Can't check dok sparse matrix:UserWarning")
@pytest.mark.filterwarnings("ignore:There are too few different rows:UserWarning")
@pytest.mark.parametrize("estimator", SMALL, ids=str)
def test_scikit_learn_checks(estimator):
    results = check_estimator(estimator, on_skip=None, on_fail="raise")
    skipped = {r["check_name"] for r in results if r["status"] == "skipped"}
    # Needs SCIPY_ARRAY_API=1 set before scipy is imported.
    assert skipped <= {"check_array_api_input"}
    assert len(results) > 50
