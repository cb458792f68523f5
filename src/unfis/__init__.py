"""Classification by a handful of short fuzzy rules.

`UNFISClassifier` is the estimator, and `UNFISNetworkClassifier` the paper's network. Behind them,
from the bottom up:

- `unfis.arrays`, `unfis.parallel`, `unfis.ties`: kinds of arrays, threads and processes, and
  comparisons that do not hinge on last digits;
- `unfis.serial`: plain data checked field by field, files that are whole or not there, messages;
- `unfis.learning`: objectives, the linear system of a step, the learners and their loop;
- `unfis.data`: tables from whatever library or file, as plain values and as the network's numbers;
- `unfis.network`: the paper's network, seven layers with exact derivatives, its starts and its fit;
- `unfis.evaluation`: how good answers to some rows were, in numbers with their intervals;
- `unfis.selection`: from all inputs in every rule to few, and the choice of how few;
- `unfis.rules`: rules as plain data that predicts, in words, and predictions taken apart;
- `unfis.model`: everything that a fit has learned, and what makes another of it;
- `unfis.model_file`, `unfis.export`, `unfis.plots`: views of it: JSON, other languages, pictures;
- `unfis.estimators`: scikit-learn's interface to all of these;
- `unfis.distributed`: the same fit with its rows on the workers of a Dask cluster;
- `unfis.additive`: rules that add up, a model, a search and two estimators of their own;
- `unfis.app`: the command `unfis`, its files of tables, the report and the demo.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from unfis.estimators.classifier import UNFISClassifier
    from unfis.estimators.loading import load, save
    from unfis.estimators.network_classifier import UNFISNetworkClassifier
    from unfis.evaluation.groups import rates_by_group
    from unfis.learning.damped import LM, TrustRegion
    from unfis.learning.epochs import SGD, GqLM, Momentum
    from unfis.network import Parameters
    from unfis.rules import RuleBase

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
    "rates_by_group": "unfis.evaluation.groups",
    "UNFISNetworkClassifier": "unfis.estimators.network_classifier",
    "load": "unfis.estimators.loading",
    "save": "unfis.estimators.loading",
}


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module 'unfis' has no attribute {name!r}")
    found = getattr(import_module(HOMES[name]), name)
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
    "UNFISNetworkClassifier",
    "__version__",
    "load",
    "rates_by_group",
    "save",
]
