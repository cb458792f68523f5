"""The exported script: in Node.js as a file, in a page, and what it takes for unknown."""

import json
import shutil
import subprocess

import pytest
from conformance.cases import CASES

from unfis.export import export


@pytest.fixture
def answered(tmp_path):
    """Writes the script of a case to a file, and gives what Node.js makes of an expression."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs Node.js")

    def run(name, expression):
        source = export(CASES[name]().model, "javascript")
        (tmp_path / "model.js").write_text(source, encoding="utf-8")
        code = f'const unfis = require("./model.js"); console.log(JSON.stringify({expression}))'
        call = [node, "-e", code]
        done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)

    return run


def test_what_it_defines(answered):
    names = ["age", "dose", "smoker", "ward", "sex"]
    assert answered("two classes", "[Object.keys(unfis), unfis.classes, unfis.inputs]") == [
        ["classes", "inputs", "predict", "predictProba"], ["ill", "well"], names,
    ]  # fmt: skip
    assert answered("a number", "Object.keys(unfis)") == ["inputs", "predict"]


def test_all_ways_to_know_nothing(answered):
    nothing, *others = answered(
        "two classes",
        "[{}, ...[null, undefined, NaN, '', '?', ' NA ', 'the moon', {}, [], Infinity]"
        ".map((value) => Object.fromEntries(unfis.inputs.map((name) => [name, value])))]"
        ".map(unfis.predictProba)",
    )
    assert others == [nothing] * 10


def test_text_is_read_as_it_spells(answered):
    one, other, nothing = answered(
        "two classes",
        "[{age: 50, smoker: true, sex: 'male'}, {age: ' 50.0', smoker: 'Yes', sex: 'male '}, {}]"
        ".map(unfis.predictProba)",
    )
    assert one == other != nothing


def test_it_may_stand_in_a_page():
    source = export(CASES["hostile names"]().model, "javascript")
    assert "</script>" in CASES["hostile names"]().cells.__repr__()
    assert "</" not in source
    assert "<!" not in source
