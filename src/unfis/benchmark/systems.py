"""The systems that are compared, by name: ours, the paper's, and what people use instead."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class System:
    """A way to learn a classifier.

    Attributes
    ----------
    name : what it is called in results
    build : makes an estimator from a seed; it has scikit-learn's fit, predict and predict_proba
    package : what must be installed, "" if nothing
    coded : whether it is given categories as codes, one raw number per input
    size : how much there is to read in a fitted estimator, as far as that is known: "rules",
        "conditions" (of all rules), "active" (sum of the selections of a rule, on average)
    """

    name: str
    build: Callable[[int], Any]
    package: str = ""
    coded: bool = False
    size: Callable[[Any], dict[str, float]] = lambda model: {}

    @property
    def missing(self) -> str:
        """What is to be installed first, "" if nothing."""
        absent = self.package and importlib.util.find_spec(self.package) is None
        return self.package if absent else ""
