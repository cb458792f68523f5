"""Classification by a handful of short fuzzy rules.

`UNFISClassifier` is the estimator. Behind it, from the bottom up:

- `unfis.arrays`, `unfis.parallel`, `unfis.ties`: kinds of arrays, threads and processes, and
  comparisons that do not hinge on last digits;
- `unfis.serial`: plain data checked field by field, files that are whole or not there, messages;
- `unfis.network`: the model, seven layers with exact derivatives;
- `unfis.learning`: objectives, the linear System of a step, the learners and their loop;
- `unfis.initialisation.start`: starting parameters from data, and the prior;
- `unfis.data.frames`: reading a table, whatever library it comes from;
- `unfis.data.values`: its kinds of columns, categories and missing values, as plain numbers;
- `unfis.data.columns`: the same as the network's numbers, to scale;
- `unfis.data.target`: labels and weights, checked;
- `unfis.model.measures`: calibration, intervals, confusions;
- `unfis.model.fit`: joins network and learning;
- `unfis.selection`: from all inputs in every rule to few, and the choice of how few;
- `unfis.rules`: rules as plain data that predicts, in words, and predictions taken apart;
- `unfis.model.editing`: an expert's changes to rules;
- `unfis.estimators.settings`: the estimator's parameters, checked;
- `unfis.app.tables`: files of tables, and what their columns are;
- `unfis.data.blocks`: tables that come in blocks, and may be larger than memory;
- `unfis.estimators.reading`: the estimator's way with tables and labels;
- `unfis.estimators.variants`: other fitted models of the same fit, shorter ones or edited by hand;
- `unfis.estimators.interpretation`: what a fitted model says of itself;
- `unfis.estimators.callbacks`: scikit-learn's callbacks, where there are any;
- `unfis.model_file`: the model file;
- `unfis.export`: rules as a Python module, an SQL query or an ONNX model;
- `unfis.estimators.classifier`: joins all of these;
- `unfis.datasets`: the paper's data sets by name;
- `unfis.app.report`: a page about a model, for a browser;
- `unfis.reproduction`: its experiments again, beside what people use instead;
- `unfis.app.demo`: the story that `unfis demo` tells;
- `unfis.app.cli`: the command `unfis`;
- `unfis.plots`: pictures of all this, where matplotlib is installed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from unfis.estimators.classifier import UNFISClassifier
    from unfis.learning.damped import LM, TrustRegion
    from unfis.learning.epochs import SGD, GqLM, Momentum
    from unfis.network import Parameters
    from unfis.rules import RuleBase

    load = UNFISClassifier.from_file
    save = UNFISClassifier.save

__version__ = "0.1.0"

# Imported when first asked for: scikit-learn takes a second, which `unfis --help` need not wait.
HOMES = {
    "LM": "unfis.learning.damped",
    "SGD": "unfis.learning.epochs",
    "GqLM": "unfis.learning.epochs",
    "Momentum": "unfis.learning.epochs",
    "Parameters": "unfis.network",
    "RuleBase": "unfis.rules",
    "TrustRegion": "unfis.learning.damped",
    "UNFISClassifier": "unfis.estimators.classifier",
}
METHODS = {"load": "from_file", "save": "save"}


def __getattr__(name: str) -> Any:
    if name in HOMES:
        found = getattr(import_module(HOMES[name]), name)
    elif name in METHODS:
        found = getattr(import_module("unfis.estimators.classifier").UNFISClassifier, METHODS[name])
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
