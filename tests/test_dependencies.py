"""What is imported is declared, and what predicts imports little."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

import unfis

ROOT = Path(__file__).parents[1]
# Packages whose modules have other names.
PACKAGES = {"sklearn": "scikit-learn"}


def imported(path):
    """The packages that a file imports, at its top or later."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module]
        else:
            continue
        for name in names:
            module = name.partition(".")[0]
            yield PACKAGES.get(module, module)


def test_every_package_that_is_imported_is_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    wanted = [*project["dependencies"], *(one for extra in extras for one in extra)]
    declared = {re.match(r"[\w-]+", requirement)[0] for requirement in wanted}
    used = {name for path in Path(unfis.__file__).parent.rglob("*.py") for name in imported(path)}
    assert used - set(sys.stdlib_module_names) <= declared


PREDICTING = ("learning.objective", "network", "model.fitted", "rules", "model_file", "export")


@pytest.mark.parametrize("module", [f"unfis.{name}" for name in PREDICTING])
def test_what_predicts_imports_numpy_alone(module):
    """In a process of its own: numpy's parts and the standard library are all that is there."""
    code = f"import sys, {module}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    packages = {"numpy", "scipy", "sklearn", "pandas", "joblib", "threadpoolctl"}
    assert packages & set(found.stdout.split()) == {"numpy"}


AWKWARD = 'petal length,petal width,note\n1.4,0.2,"a\nb"\n\n4.7,NA,"c"\n'


@pytest.mark.parametrize(
    "command",
    [
        ["rules", "model.json"],
        ["predict", "model.json", "table.csv", "--proba", "--explain"],
        ["predict", "model.json", "table.csv", "--json"],
        ["predict", "model.json", "table.csv", "-o", "out.tsv"],
        ["explain", "model.json", "table.csv", "--row", "2"],
        *(["export", "model.json", "--to", kind] for kind in ("sql", "python", "javascript")),
    ],
)
def test_commands_on_text_start_without_heavy_packages(small_model, command):
    """In a process of its own, which names whatever it imports."""
    call = [sys.executable, "-X", "importtime", "-m", "unfis", *command]
    done = subprocess.run(call, cwd=small_model, capture_output=True, text=True, check=True)
    modules = [line.rpartition("|")[2].strip() for line in done.stderr.splitlines()]
    heavy = {"numpy", "scipy", "sklearn", "pandas", "polars", "joblib", "matplotlib", "rich"}
    assert heavy & {module.partition(".")[0] for module in modules} == {"numpy"}


@pytest.fixture(scope="module")
def small_model(tmp_path_factory):
    """A folder with a model of iris, and a table with all that is awkward in text."""
    folder = tmp_path_factory.mktemp("small")
    X, y = load_iris(return_X_y=True, as_frame=True)
    X = X[["petal length (cm)", "petal width (cm)"]].set_axis(
        ["petal length", "petal width"], axis=1
    )
    X = X.assign(note=np.where(y == 1, "a", "c"))
    model = unfis.UNFISClassifier(max_rules=3)
    model.fit(X, y).save(folder / "model.json")
    folder.joinpath("table.csv").write_text(AWKWARD, encoding="utf-8")
    return folder
