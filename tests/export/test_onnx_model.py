"""The ONNX model: its inputs, its outputs, what it says of itself, and how it is fed."""

import json

import numpy as np
import pandas as pd
import pytest
from conformance.cases import CASES, model_of

from unfis.export import export, onnx_inputs
from unfis.rules import Rule, RuleModel, Trapezoid

onnx = pytest.importorskip("onnx")
runtime = pytest.importorskip("onnxruntime")


def session_of(model):
    return runtime.InferenceSession(export(model, "onnx"), providers=["CPUExecutionProvider"])


def test_an_input_for_each_column():
    session = session_of(CASES["two classes"]().model)
    assert {item.name: item.type for item in session.get_inputs()} == {
        "age": "tensor(double)",
        "dose": "tensor(double)",
        "smoker": "tensor(double)",
        "ward": "tensor(string)",
        "sex": "tensor(string)",
    }
    assert [item.shape for item in session.get_inputs()] == [["rows", 1]] * 5
    found = {item.name: (item.type, item.shape) for item in session.get_outputs()}
    assert found == {
        "predicted": ("tensor(string)", ["rows"]),
        "probabilities": ("tensor(double)", ["rows", 2]),
    }
    number = session_of(CASES["a number"]().model).get_outputs()
    assert [(one.name, one.type, one.shape) for one in number] == [
        ("predicted", "tensor(double)", ["rows"])
    ]


@pytest.mark.parametrize("rows", [0, 1, 7])
@pytest.mark.parametrize("name", ["three classes", "no rules, a number", "no rules, three classes"])
def test_any_number_of_rows(rows, name):
    case = CASES[name]()
    given = {key: value[:rows] for key, value in onnx_inputs(case.model, text_of(case)).items()}
    found = session_of(case.model).run(None, given)
    assert [len(one) for one in found] == [rows] * len(found)


def text_of(case):
    return pd.DataFrame(case.cells, dtype=str)


@pytest.mark.parametrize(
    ("classes", "kind"),
    [
        ((0, 1), "tensor(int64)"),
        ((False, True), "tensor(bool)"),
        ((0.5, 1.5), "tensor(double)"),
        (("0", "1"), "tensor(string)"),
    ],
)
def test_labels_keep_their_kind(classes, kind):
    rules = RuleModel((Rule((Trapezoid(0, 1.0, 1.0),), 0, 4.0),), (-2.0,), 1.0, "logistic")
    session = session_of(model_of(("x",), ("number",), rules, classes))
    assert session.get_outputs()[0].type == kind
    assert session.run(["predicted"], {"x": np.array([[0.0], [1.0]])})[0].tolist() == list(classes)


def test_it_says_what_it_is():
    case = CASES["own words for missing"]()
    meta = session_of(case.model).get_modelmeta()
    assert meta.producer_name == "unfis"
    assert meta.custom_metadata_map["rules"] == case.model.text
    assert json.loads(meta.custom_metadata_map["notation"])["missing"][0] == ""
    notes = json.loads(meta.custom_metadata_map["columns"])
    assert notes[3] == {"input": "ward", "column": "ward", "kind": "category", "used": True}


def test_names_that_no_input_can_have():
    rules = RuleModel((Rule((Trapezoid(1, 1.0, 3.0),), 0, 4.0),), (0.0,))
    for name in ("", "predicted", "probabilities"):
        model = model_of((name, "x"), ("number", "number"), rules)
        session = session_of(model)
        notes = json.loads(session.get_modelmeta().custom_metadata_map["columns"])
        assert [(one["input"], one["column"], one["used"]) for one in notes] == [
            ("column_0", name, False),
            ("column_1", "x", True),
        ]
        given = onnx_inputs(model, pd.DataFrame([[0.0, 2.0]], columns=[name, "x"]))
        assert session.run(None, given)[0].tolist() == [2.0]


def test_names_of_its_own_parts():
    """A column may be called as what is inside is."""
    rules = RuleModel((Rule((Trapezoid(0, 1.0, 3.0),), 0, 4.0),), (0.0,))
    inside = onnx.load_model_from_string(export(model_of(("x",), ("number",), rules), "onnx"))
    for name in (inside.graph.node[0].output[0], inside.graph.initializer[0].name):
        session = session_of(model_of((name,), ("number",), rules))
        assert session.run(None, {name: np.array([[2.0]])})[0].tolist() == [2.0]


def test_it_is_a_handful_of_operations():
    """Sums and ranges; exponentials in the last step alone."""
    model = onnx.load_model_from_string(export(CASES["a number"]().model, "onnx"))
    kinds = {node.op_type for node in model.graph.node}
    assert not kinds & {"Exp", "Softmax", "Log", "Pow"}
    assert len(model.graph.node) < 60


def test_values_of_every_kind_and_what_is_unknown():
    frame = pd.DataFrame(
        {
            "age": [" 40 ", "?"],
            "dose": ["2.5", ""],
            "smoker": ["Yes", "NA"],
            "ward": ["west ", "the moon"],
            "sex": ["male", None],
        }
    )
    with pytest.warns(UserWarning, match="the moon"):
        given = onnx_inputs(CASES["two classes"]().model, frame)
    assert given["ward"].tolist() == [["west"], [""]]
    assert given["sex"].tolist() == [["male"], [""]]
    np.testing.assert_array_equal(given["age"], [[40.0], [np.nan]])
    np.testing.assert_array_equal(given["smoker"], [[1.0], [np.nan]])


def test_what_stands_for_unknown_is_no_category():
    model = model_of(("word",), (("", "a"),), RuleModel((), (0.0,)))
    given = onnx_inputs(model, pd.DataFrame({"word": [None, "a", ""]}, dtype=object))
    assert given["word"].tolist() == [["?"], ["a"], [""]]
