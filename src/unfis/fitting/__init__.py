"""A fit: rows of values -> search -> RuleModel with its path and the models of its folds."""

from unfis.fitting.fit import FittedRules, SearchedRows, fit_rules

__all__ = ["FittedRules", "SearchedRows", "fit_rules"]
