"""The strongest rule by itself: what a person answers who reads the rules one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.rules.data import Rule
from unfis.rules.evaluation import Evaluation
from unfis.ties import first_greatest


def alone_answers(
    classes: Sequence[Any], rules: Sequence[Rule], found: Evaluation
) -> NDArray[np.intp]:
    """The class of each row by its strongest rule, as that is printed, (rows,).

    A rule that names a class answers it, one that counts inputs the class with the most points.
    """
    own = first_greatest(found.opinions)  # (rows, rules)
    for i, rule in enumerate(rules):
        if not rule.effects:
            own[:, i] = classes.index(rule.label)
    strongest = first_greatest(found.log_strengths)[:, None]
    return np.asarray(np.take_along_axis(own, strongest, 1)[:, 0])
