"""A fit: rows of values -> search -> RuleModel with its path and the models of its folds."""

from unfis.additive.fitting.fit import FittedRules, fit_rules

__all__ = ["FittedRules", "fit_rules"]
