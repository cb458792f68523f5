"""No choice hinges on last digits: kernels that add up in other orders find the same rules."""

import json
import os
import subprocess
import sys
from functools import cache

import kernels
import pytest

FITS = """
import json, sys
import numpy as np
from unfis.fitting import fit_rules
from unfis.fitting.fit import SearchRequest
from unfis.fitting.rows import LocalRows
from unfis.objective import CrossEntropyOfClasses, CrossEntropyOfTwo, HalfSquaredError

generator = np.random.default_rng(0)
values = generator.normal(size=(300, 5))
values[:, 1] = np.round(2 * values[:, 1])
values[:, 4] = generator.integers(0, 5, 300)
both = (values[:, 0] > 0) == (values[:, 2] > 0.5)
signal = 2.0 * both + values[:, 1] - (values[:, 4] > 2) + generator.logistic(size=300)
found = []
for objective, targets in (
    (CrossEntropyOfTwo(), (signal > 1) * 1.0),
    (CrossEntropyOfClasses(3), np.digitize(signal, [0, 2]) * 1.0),
    (HalfSquaredError(), signal),
):
    rows = LocalRows(values, targets, np.ones(300))
    fit = fit_rules(rows, (0, 0, 0, 0, 5), objective, SearchRequest(max_rules=8))
    found.append([fit.length] + [
        [rule.output, type(one).__name__]
        + [round(part, 9) if isinstance(part, float) else part for part in vars(one).values()]
        for model in fit.path for rule in model.rules for one in rule.conditions
    ])
json.dump(found, sys.stdout)
"""


@cache
def rules_as_on(kernel):
    """The length chosen and the rules of every length, of three tables."""
    variables = kernels.environment(kernel) if kernel else dict(os.environ)
    command = [sys.executable, "-W", "error", "-c", FITS]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("kernel", ["Haswell", "Prescott"])
def test_the_same_rules(kernel):
    usual = kernels.kernels_of(dict(os.environ))
    used = kernels.kernels_of(kernels.environment(kernel))
    if not used or used == usual:
        pytest.skip(f"No other kernel than {usual or 'its own'} runs here.")
    found = rules_as_on(kernel)
    assert sum(map(len, found)) > 50
    assert found == rules_as_on(None)
