"""The examples of docs/export.md, run one after the other."""

import re
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "export.md"


def test_the_examples_work(tmp_path, monkeypatch):
    pytest.importorskip("onnxruntime")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    names = {}
    try:
        for block in blocks:
            exec(block, names)
    finally:
        sys.modules.pop("model", None)
    assert names["predict"]({"petal length (cm)": 1.4, "petal width (cm)": 0.2}) == "setosa"
    assert (names["label"] == names["clf"].predict(names["iris"].data)).all()
    assert (
        (tmp_path / "model.sql").read_text(encoding="utf-8").startswith("-- A scorecard for setosa")
    )
