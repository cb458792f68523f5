"""Tables as inputs of ONNX: read as the library reads them."""

import numpy as np
import pandas as pd
import pytest
from networks import RuleNetwork

from unfis.export import onnx_inputs


def test_values_of_every_kind_and_what_is_unknown(tools):
    base, X = tools.fitted("clinic", "soft")
    frame = pd.DataFrame(
        {
            "age (years)": [" 40 ", "?"],
            "ward": ["west ", "the moon"],
            "smoker": ["Yes", "NA"],
            "pressure (mmHg)": ["120.5", ""],
            "sex": ["male", None],
        }
    )
    with pytest.warns(UserWarning, match="the moon"):
        given = onnx_inputs(base, frame)
    assert list(given) == list(X.columns)
    assert given["ward"].tolist() == [["west"], [""]]
    assert given["sex"].tolist() == [["male"], [""]]
    np.testing.assert_array_equal(given["age (years)"], [[40.0], [np.nan]])
    np.testing.assert_array_equal(given["smoker"], [[1.0], [np.nan]])


def test_what_stands_for_unknown_is_no_category():
    least = np.iinfo(np.int64).min
    table = pd.DataFrame({"word": ["", "a"] * 30, "code": [least, 1] * 30, "x": np.arange(60.0)})
    clf = RuleNetwork(2, selection="soft", ridge=0.15, categorical_features=["word", "code"]).fit(
        table, np.arange(60) > 30
    )
    given = onnx_inputs(clf.rules_, pd.DataFrame({"word": [None], "code": [None], "x": [1.0]}))
    assert given["word"].tolist() == [["?"]]
    assert given["code"].tolist() == [[least + 1]]
