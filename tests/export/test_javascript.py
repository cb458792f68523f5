"""The exported script: in Node.js as a file, and what it takes for unknown."""

import json
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest

from unfis.export import export
from unfis.export.javascript import functions, model_data

NODE = shutil.which("node")


@pytest.fixture
def answered(tools, tmp_path):
    """Writes the clinic's script to a file, and gives what Node.js makes of an expression."""
    if NODE is None:
        pytest.skip("needs Node.js")
    base, _ = tools.fitted("clinic", "soft")
    (tmp_path / "model.js").write_text(export(base, "javascript"), encoding="utf-8")

    def run(expression):
        code = f'const unfis = require("./model.js"); console.log(JSON.stringify({expression}))'
        done = subprocess.run(
            [NODE, "-e", code], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)

    return run


def test_it_is_required_from_a_file(tools, answered):
    base, X = tools.fitted("clinic", "soft")
    row = json.dumps(tools.plain_rows(X.iloc[:1])[0])
    found = answered(f"[unfis.predict({row}), unfis.predictProba({row}), unfis.classes]")
    expected = base.predict_proba(X.iloc[:1])[0]
    assert found[2] == list(base.classes)
    assert list(found[1].values()) == pytest.approx(expected, rel=0, abs=1e-12)
    assert found[0] == base.classes[int(np.argmax(expected))]


@pytest.mark.parametrize("kind", ["soft", "averaged", "single rule without IF"])
def test_what_pages_compute_is_what_the_rules_do(tools, kind):
    """How far rules hold, and whether a row is like those of training."""
    if NODE is None:
        pytest.skip("needs Node.js")
    base, X = tools.fitted("wine", kind)
    table = pd.concat([X, X + 0.45 * (X.max() - X.min()), 2.2 * X, -X], ignore_index=True)
    rows, data = tools.plain_rows(table), model_data(base)
    code = functions() + (
        'const [data, rows] = JSON.parse(require("fs").readFileSync(0, "utf-8"));'
        "const model = createModel(data.base, data.constants, data.numbers);"
        "const found = rows.map((values) => model.evaluate(model.row(values)));"
        "console.log(JSON.stringify(found.map((one) => [one.logFiring, one.coverage])));"
    )
    call = [NODE, "-e", "{" + code + "}"]
    given = json.dumps([data, rows])
    done = subprocess.run(call, input=given, capture_output=True, text=True, check=True)
    firing, coverage = zip(*json.loads(done.stdout), strict=True)
    found = base.arrays.evaluate(base.read(table))
    np.testing.assert_allclose(firing, found.log_firing, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(coverage, base.covered(found), rtol=0, atol=1e-12)
    assert 0 < np.count_nonzero(coverage) < len(coverage)


def test_all_ways_to_know_nothing(answered):
    nothing = answered("unfis.predictProba({})")
    names = ["age (years)", "ward", "smoker", "pressure (mmHg)", "sex"]
    assert set(answered("unfis.inputs")) <= set(names)
    unknown = "[null, undefined, NaN, '', '?', ' NA ', 'the moon', {}, []]"
    rows = f"{unknown}.map((value) => Object.fromEntries({names}.map((name) => [name, value])))"
    assert answered(f"{rows}.map(unfis.predictProba)") == [nothing] * 9


def test_text_is_read_as_it_spells(answered):
    one, other, nothing = answered(
        "[{'age (years)': 40, smoker: true}, {'age (years)': ' 40.0', smoker: 'Yes'}, {}]"
        ".map(unfis.predictProba)"
    )
    assert one == other != nothing


def test_the_rules_are_at_its_head(tools):
    base, _ = tools.fitted("clinic", "soft")
    lines = export(base, "javascript").splitlines()
    for number, line in enumerate(base.to_text().splitlines()):
        assert lines[number] == f"// {line}".rstrip()


def test_it_may_stand_in_a_page(tools):
    base, _ = tools.fitted("clinic", "soft")
    script = export(tools.renamed(base, classes=("</script>", "<!--")), "javascript")
    assert "</" not in script
    assert "<!" not in script
