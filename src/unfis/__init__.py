"""Classification by a handful of short fuzzy rules.

`UNFISClassifier` is the estimator. Behind it, from the bottom up:

- `unfis.arrays`: names for kinds of arrays;
- `unfis.schema`, `unfis.files`, `unfis.threads`, `unfis.warning`: plain data checked field by
  field, files that are whole or not there, blocks of samples shared out among threads, warnings;
- `unfis.network`: the model, seven layers with exact derivatives;
- `unfis.learning`: objectives, the linear System of a step, the learners and their loop;
- `unfis.initialisation`: starting parameters from data, and the prior;
- `unfis.columns`: reading a table, whatever library it comes from;
- `unfis.values`: its kinds of columns, categories and missing values, as plain numbers;
- `unfis.preprocessing`: the same as the network's numbers, to scale;
- `unfis.validation`: labels and weights, checked;
- `unfis.measures`: calibration, intervals, confusions;
- `unfis.training`: joins network and learning;
- `unfis.selection`: from all inputs in every rule to few, and the choice of how few;
- `unfis.rules`: rules as plain data that predicts, in words, and predictions taken apart;
- `unfis.editing`: an expert's changes to rules;
- `unfis.settings`: the estimator's parameters, checked;
- `unfis.tables`: files of tables, and what their columns are;
- `unfis.blocks`: tables that come in blocks, and may be larger than memory;
- `unfis.reading`: the estimator's way with tables and labels;
- `unfis.variants`: other fitted models of the same fit, shorter ones or edited by hand;
- `unfis.interpretation`: what a fitted model says of itself;
- `unfis.callbacks`: scikit-learn's callbacks, where there are any;
- `unfis.persistence`: the model file;
- `unfis.export`: rules as a Python module, an SQL query or an ONNX model;
- `unfis.estimator`: joins all of these;
- `unfis.datasets`: the paper's data sets by name;
- `unfis.report`: a page about a model, for a browser;
- `unfis.benchmark`: its experiments again, beside what people use instead;
- `unfis.demonstration`: the story that `unfis demo` tells;
- `unfis.cli`: the command `unfis`;
- `unfis.plots`: pictures of all this, where matplotlib is installed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from unfis.estimator import UNFISClassifier
    from unfis.learning import LM, SGD, GqLM, Momentum, TrustRegion
    from unfis.network import Parameters
    from unfis.rules import RuleBase

    load = UNFISClassifier.from_file
    save = UNFISClassifier.save

__version__ = "0.1.0"

# Imported when first asked for: scikit-learn takes a second, which `unfis --help` need not wait.
HOMES = {
    "LM": "unfis.learning",
    "SGD": "unfis.learning",
    "GqLM": "unfis.learning",
    "Momentum": "unfis.learning",
    "Parameters": "unfis.network",
    "RuleBase": "unfis.rules",
    "TrustRegion": "unfis.learning",
    "UNFISClassifier": "unfis.estimator",
}
METHODS = {"load": "from_file", "save": "save"}


def __getattr__(name: str) -> Any:
    if name in HOMES:
        found = getattr(import_module(HOMES[name]), name)
    elif name in METHODS:
        found = getattr(import_module("unfis.estimator").UNFISClassifier, METHODS[name])
    else:
        raise AttributeError(f"module 'unfis' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "LM",
    "SGD",
    "GqLM",
    "Momentum",
    "Parameters",
    "RuleBase",
    "TrustRegion",
    "UNFISClassifier",
    "__version__",
    "load",
    "save",
]
