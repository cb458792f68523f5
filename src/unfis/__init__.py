"""Prediction from tables by a short list of fuzzy rules that add up.

`UNFISClassifier` and `UNFISRegressor` are the estimators, `UNFISNetworkClassifier` is the paper's
network. Behind them, from the bottom up:

- `unfis.arrays`, `unfis.parallel`, `unfis.ties`: kinds of arrays, threads and processes, and
  comparisons that do not hinge on last digits;
- `unfis.serial`: plain data checked field by field, files that are whole or not there, messages;
- `unfis.data`: tables from whatever library or file, as plain values;
- `unfis.rules`: the model, conditions and rules as plain data that predicts with numpy alone;
- `unfis.objective`: what is minimised, one file for each task;
- `unfis.search`: from rows to rules: bins, moves, the walk, and the choice of a length;
- `unfis.fitting`: a whole fit, with its rows wherever they are;
- `unfis.evaluation`: how good answers to some rows were, in numbers with their intervals;
- `unfis.text`: rules and predictions in words;
- `unfis.model`: everything that a fit has learned, and what makes another of it;
- `unfis.explain`: predictions taken apart;
- `unfis.model_file`, `unfis.export`, `unfis.plots`: views of it: JSON, other languages, pictures;
- `unfis.learning`, `unfis.network`: the paper's network, seven layers with exact derivatives, and
  its learners;
- `unfis.estimators`: scikit-learn's interface to all of these;
- `unfis.distributed`: the same fit with its rows on the workers of a Dask cluster;
- `unfis.app`: the command `unfis`, its files of tables, the report and the demo.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from unfis.estimators.classifier import UNFISClassifier
    from unfis.estimators.loading import load
    from unfis.estimators.network_classifier import UNFISNetworkClassifier
    from unfis.estimators.regressor import UNFISRegressor
    from unfis.evaluation.groups import rates_by_group
    from unfis.learning.damped import LM, TrustRegion
    from unfis.learning.epochs import SGD, GqLM, Momentum
    from unfis.network import Parameters

__version__ = "0.1.0"

# Imported when first asked for: scikit-learn takes a second, which `unfis --help` need not wait.
HOMES = {
    "LM": "unfis.learning.damped",
    "SGD": "unfis.learning.epochs",
    "GqLM": "unfis.learning.epochs",
    "Momentum": "unfis.learning.epochs",
    "Parameters": "unfis.network",
    "TrustRegion": "unfis.learning.damped",
    "UNFISClassifier": "unfis.estimators.classifier",
    "UNFISNetworkClassifier": "unfis.estimators.network_classifier",
    "UNFISRegressor": "unfis.estimators.regressor",
    "load": "unfis.estimators.loading",
    "rates_by_group": "unfis.evaluation.groups",
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
    "TrustRegion",
    "UNFISClassifier",
    "UNFISNetworkClassifier",
    "UNFISRegressor",
    "__version__",
    "load",
    "rates_by_group",
]
