"""What a compared system is."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ComparedSystem:
    """A way to learn a classifier.

    Attributes
    ----------
    name : what it is called in results
    build : makes an estimator from a seed; it has scikit-learn's fit, predict and predict_proba
    packages : what must be installed, its own package first
    coded : whether it is given categories as codes, one raw number per input, as the paper's are
    observe : what else is measured of a fitted estimator and the rows that it learned from, as far
        as that is known, by names of `results.MEASURES`
    """

    name: str
    build: Callable[[int], Any]
    packages: tuple[str, ...] = ()
    coded: bool = False
    observe: Callable[[Any, Any, Any], dict[str, float]] = lambda model, X, y: {}

    @property
    def missing(self) -> str:
        """What is to be installed first, "" if nothing."""
        absent = (name for name in self.packages if importlib.util.find_spec(name) is None)
        return next(absent, "")
