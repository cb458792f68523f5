"""Rules that add up: the model, its search, and two estimators.

`UNFISClassifier` and `UNFISRegressor` learn them; `rules` is the model, `objective` what is
minimised, `search` how rules are found, `fitting` a whole fit, `text` the print,
`model_file` what `save` writes and `load` reads.
"""

from unfis.additive.estimators import AdditiveClassifier as UNFISClassifier
from unfis.additive.estimators import AdditiveRegressor as UNFISRegressor
from unfis.additive.estimators import load

__all__ = ["UNFISClassifier", "UNFISRegressor", "load"]
