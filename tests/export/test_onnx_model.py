"""The ONNX model: its inputs, outputs and what it says of itself."""

import json

import numpy as np
import pytest

from unfis.export import export

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")


def test_an_input_for_each_column(tools):
    base, _ = tools.fitted("clinic")
    session = tools.session_of(base)
    kinds = {item.name: item.type for item in session.get_inputs()}
    assert kinds == {
        "age (years)": "tensor(double)",
        "ward": "tensor(string)",
        "smoker": "tensor(double)",
        "pressure (mmHg)": "tensor(double)",
        "sex": "tensor(string)",
    }
    assert [item.shape for item in session.get_inputs()] == [["rows", 1]] * 5
    found = {item.name: (item.type, item.shape) for item in session.get_outputs()}
    assert found == {
        "label": ("tensor(string)", ["rows"]),
        "probabilities": ("tensor(double)", ["rows", 2]),
    }


@pytest.mark.parametrize("rows", [0, 1, 7])
def test_any_number_of_rows(tools, rows):
    base, X = tools.fitted("clinic", "soft")
    session = tools.session_of(base)
    given = tools.feed(session, tools.plain_rows(X)[:rows])
    label, probabilities = session.run(None, given)
    assert label.shape == (rows,)
    assert probabilities.shape == (rows, 2)


@pytest.mark.parametrize(
    ("classes", "kind"),
    [
        ((0, 1), "tensor(int64)"),
        ((False, True), "tensor(bool)"),
        ((0.5, 1.5), "tensor(double)"),
        (("0", "1"), "tensor(string)"),
    ],
)
def test_labels_keep_their_kind(tools, classes, kind):
    base, X = tools.fitted("clinic")
    other = tools.renamed(base, classes=classes)
    session = tools.session_of(other)
    assert session.get_outputs()[0].type == kind
    label, _ = session.run(None, tools.feed(session, tools.plain_rows(X)))
    assert label.tolist() == [classes[c] for c in base.predict_proba(X).argmax(axis=1)]


def test_it_says_what_it_is(tools):
    base, _ = tools.fitted("clinic", "soft")
    meta = tools.session_of(base).get_modelmeta()
    assert meta.producer_name == "unfis"
    assert meta.description == meta.custom_metadata_map["rules"] == str(base)
    notes = json.loads(meta.custom_metadata_map["columns"])
    assert notes[1] == {"input": "ward", "column": "ward", "kind": "category", "used": True}


def test_names_that_no_input_can_have(tools):
    base, X = tools.fitted("clinic")
    names = ["", "label", "column_1", "probabilities", "a\0b"]
    other = tools.renamed(base, dict(zip(X.columns, names, strict=True)))
    model = onnx.load_model_from_string(export(other, "onnx"))
    found = [item.name for item in model.graph.input]
    assert found == ["column_0", "column_1_", "column_1", "column_3", "column_4"]
    notes = {note.key: note.value for note in model.metadata_props}
    assert [note["column"] for note in json.loads(notes["columns"])] == names


def test_names_of_its_own_parts(tools):
    """A column may be called as a node or a constant is."""
    base, X = tools.fitted("clinic", "soft")
    model = onnx.load_model_from_string(export(base, "onnx"))
    inside = [node.output[0] for node in model.graph.node[:5]]
    columns = dict(zip(X.columns, inside, strict=True))
    rows = [
        {columns[name]: value for name, value in row.items()} for row in tools.plain_rows(X)[:9]
    ]
    expected = base.predict_proba(X)[:9]
    tools.held_to(tools.renamed(base, columns), rows, "onnx", expected)


def test_a_table_as_in_the_documentation(tools):
    base, X = tools.fitted("iris")
    session = tools.session_of(base)
    label, probabilities = session.run(
        ["label", "probabilities"], {name: X[[name]].to_numpy() for name in X}
    )
    np.testing.assert_allclose(probabilities, base.predict_proba(X), rtol=0, atol=1e-9)
    assert set(label) == set(base.classes)
