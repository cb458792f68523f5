"""What this distribution takes of unfis: a short list, and what is imported is declared."""

import ast
import re
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import unfis_paper

PAPER = Path(__file__).parents[1]
NEEDED = {
    "unfis": {
        *("LM", "SGD", "GqLM", "Momentum", "TrustRegion"),
        *("UNFISClassifier", "UNFISNetworkClassifier", "__version__"),
    },
    "unfis.network": {"Parameters", "forward", "jacobian_rows"},
    "unfis.plots": {"NetworkDisplay", "SelectionEffectDisplay", "colour", "line_style"},
    # Small tools that are no part of the model.
    "unfis.arrays": {"Array", "Mask", "softmax"},
    "unfis.evaluation.calibration": {"calibration_error", "equal_bins"},
    "unfis.serial.files": {"naming", "replacing", "write_whole"},
    "unfis.ties": {
        "ROUNDING",
        "first_greatest",
        "first_least",
        "first_nearest",
        "ranked",
        "rounding",
    },
}


def imports_of(*folders):
    """Modules with the names that are imported of them, at the top of files or later."""
    found = {}
    for path in (path for folder in folders for path in (PAPER / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name: found.get(alias.name, set()) for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.setdefault(node.module, set()).update(alias.name for alias in node.names)
    return found


def test_a_short_list_of_unfis_is_needed():
    found = imports_of("src", "benchmarks")
    assert {name: found[name] for name in found if name.partition(".")[0] == "unfis"} == NEEDED


def test_what_is_needed_is_public():
    for name in ("unfis", "unfis.network", "unfis.plots"):
        assert set(import_module(name).__all__) >= NEEDED[name]


def test_every_package_that_is_imported_is_declared():
    project = tomllib.loads((PAPER / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {re.match(r"[\w-]+", requirement)[0] for requirement in project["dependencies"]}
    used = {name.partition(".")[0] for name in imports_of("src")} - set(sys.stdlib_module_names)
    other = {"sklearn": "scikit-learn"}
    assert {other.get(name, name) for name in used} - {unfis_paper.__name__} <= declared
