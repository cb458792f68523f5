"""What a user must know of a fit of few rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from unfis.arrays import Array
from unfis.estimators.progress import too_little_time
from unfis.learning.watch import Watch
from unfis.model.fitted import FittedModel
from unfis.rules.text.words import visible
from unfis.serial.messages import MOST_LISTED, warn_user

# Of a class with fewer rows a warning tells what that means.
FEWEST_ROWS = 10
TOO_FEW_ROWS = (
    "There are too few different rows to cross-validate (fewer than 10, or not two classes of at "
    "least two): conditions and rules were chosen by an information criterion instead, which is "
    "less reliable. Give more rows, or choose n_rules and max_conditions yourself."
)


def few_rows_words(classes: NDArray[Any], counts: Array) -> str:
    """What it means that classes have very few rows, "" where all have enough."""
    few = np.flatnonzero((counts > 0) & (counts < FEWEST_ROWS)).tolist()
    if not few:
        return ""
    named = [f'"{visible(classes.tolist()[c])}" ({int(counts[c])})' for c in few[:MOST_LISTED]]
    more = [f"{len(few) - MOST_LISTED:,} more"] if len(few) > MOST_LISTED else []
    return (
        f"Fewer than {FEWEST_ROWS} rows are of {' and of '.join([*named, *more])}: what rules say "
        "of so few may be chance, it cannot be measured well, and sets of classes hardly ever "
        "leave such a class out. Get more rows of it, or leave it out."
    )


def warn_of_choice(model: FittedModel, watch: Watch, stays: str = "", *, chosen: bool) -> None:
    """Warn of what was left out for lack of time, or else of rows, and whether that stays."""
    if watch.left_out:
        warn_user(too_little_time(watch) + stays * chosen, ConvergenceWarning)
    elif chosen and model.chosen_without_folds:
        warn_user(TOO_FEW_ROWS + stays)
