"""What a user must know of a fit of few rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.serial.messages import MOST_LISTED, shortened

# Of a class with fewer rows a warning tells what that means.
FEWEST_ROWS = 10


def few_rows_words(classes: NDArray[Any], counts: Array) -> str:
    """What it means that classes have very few rows, "" where all have enough."""
    few = np.flatnonzero((counts > 0) & (counts < FEWEST_ROWS)).tolist()
    if not few:
        return ""
    named = [
        f'"{shortened(str(classes.tolist()[c]))}" ({int(counts[c])})' for c in few[:MOST_LISTED]
    ]
    more = [f"{len(few) - MOST_LISTED:,} more"] if len(few) > MOST_LISTED else []
    return (
        f"Fewer than {FEWEST_ROWS} rows are of {' and of '.join([*named, *more])}: what rules say "
        "of so few may be chance, it cannot be measured well, and sets of classes hardly ever "
        "leave such a class out. Get more rows of it, or leave it out."
    )
