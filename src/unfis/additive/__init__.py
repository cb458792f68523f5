"""Rules that add up: the model, its search, and two estimators.

`UNFISClassifier` and `UNFISRegressor` learn them; `rules` is the model, `objective` what is
minimised, `search` how rules are found, `fitting` a whole fit, `text` the print.
"""

from unfis.additive.estimators import AdditiveClassifier as UNFISClassifier
from unfis.additive.estimators import AdditiveRegressor as UNFISRegressor

__all__ = ["UNFISClassifier", "UNFISRegressor"]
