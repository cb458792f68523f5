"""Classification by a handful of short fuzzy rules.

`UNFISClassifier` is the estimator. Behind it, from the bottom up:

- `unfis.arrays`: names for kinds of arrays;
- `unfis.network`: the model, seven layers with exact derivatives;
- `unfis.learning`: objectives, the linear System of a step, the learners and their loop;
- `unfis.initialisation`: starting parameters from data, and the prior;
- `unfis.columns`: reading a table, whatever library it comes from;
- `unfis.values`: its kinds of columns, categories and missing values, as plain numbers;
- `unfis.preprocessing`: the same as the network's numbers, to scale;
- `unfis.validation`: labels and weights, checked;
- `unfis.training`: joins network and learning;
- `unfis.selection`: from all inputs in every rule to few, and the choice of how few;
- `unfis.rules`: rules as plain data that predicts, in words, and predictions taken apart;
- `unfis.editing`: an expert's changes to rules;
- `unfis.settings`: the estimator's parameters, checked;
- `unfis.reading`: the estimator's way with tables and labels;
- `unfis.variants`: other fitted models of the same fit, shorter ones or edited by hand;
- `unfis.interpretation`: what a fitted model says of itself;
- `unfis.callbacks`: scikit-learn's callbacks, where there are any;
- `unfis.estimator`: joins all of these;
- `unfis.datasets`: the paper's data sets by name;
- `unfis.benchmark`: its experiments again, beside what people use instead;
- `unfis.cli`: the command `unfis`;
- `unfis.plots`: pictures of all this, where matplotlib is installed.
"""

from unfis.estimator import UNFISClassifier
from unfis.learning import LM, SGD, GqLM, Momentum, TrustRegion
from unfis.network import Parameters
from unfis.rules import RuleBase

__version__ = "0.1.0"

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
]
