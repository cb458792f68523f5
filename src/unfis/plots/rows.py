"""Rows of a table as they are drawn: along the axis of an input, each class in a lane."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array
from unfis.plots.canvas import DARK_GREY, GREY, colour, marker, shown
from unfis.serial.messages import listed, quoted

# So many rows are drawn, chosen at random but always the same: more would hide each other.
MOST_DRAWN = 2000
# The rows lie in lanes beneath the sets, one for each class, which together are so high.
LANES = 0.45
# So many categories are named along an axis, and so many steps are between numbers, at most.
MOST_TICKS, MOST_NUMBERS = 12, 5
# So many panels are drawn at most, and names break into lines of so many characters.
MOST_PANELS, LABEL_WIDTH = 12, 20


class DrawnRows(NamedTuple):
    """Rows of a table as they are drawn."""

    values: Array  # categories by their index, NaN where missing, (rows, inputs)
    codes: NDArray[np.intp] | None  # index of each row's class, (rows,)


class InputAxis(NamedTuple):
    """An input as an axis, common to its panels."""

    name: str
    categories: tuple[Any, ...]  # () for a number
    limits: tuple[float, float]
    values: Array | None  # of the rows, categories by their index, NaN where missing


def rows_read(
    read: Callable[[Any], Array], classes: Sequence[Any], X: Any, y: Any
) -> DrawnRows | None:
    """The rows of a table with their classes, at most MOST_DRAWN of them; None without a table."""
    if X is None:
        if y is not None:
            raise ValueError("y was given without X. Give both, or X alone, or neither.")
        return None
    values = read(X)
    codes = None if y is None else class_codes(classes, y, len(values))
    if len(values) > MOST_DRAWN:
        drawn = np.random.RandomState(0).choice(len(values), MOST_DRAWN, replace=False)
        values, codes = values[drawn], None if codes is None else codes[drawn]
    return DrawnRows(values, codes)


def class_codes(classes: Sequence[Any], y: Any, rows: int) -> NDArray[np.intp]:
    """The index of each label among the classes, shape (rows,)."""
    labels = np.asarray(y).ravel().tolist()
    if len(labels) != rows:
        raise ValueError(
            f"y must have a label for each of the {rows} rows of X, got {len(labels)}."
        )
    # By their text too: rules as data know labels other than numbers and text so.
    known = {str(label): code for code, label in enumerate(classes)}
    known |= {label: code for code, label in enumerate(classes)}
    codes = [known.get(label, known.get(str(label))) for label in labels]
    if None in codes:
        raise ValueError(
            f"y must hold classes of the model, {listed(classes)}, got "
            f"{quoted(labels[codes.index(None)])}."
        )
    return np.array(codes, dtype=np.intp)


def name_categories(ax: Any, categories: tuple[Any, ...]) -> None:
    """Ticks for categories, slanted where they would run into each other."""
    step = -(-len(categories) // MOST_TICKS)
    names = [shown(category, 14) for category in categories[::step]]
    crowded = sum(map(len, names)) > 20
    slanted = {"rotation": 35, "ha": "right", "rotation_mode": "anchor"} if crowded else {}
    ax.set_xticks(range(0, len(categories), step), names, **slanted)


def draw_rows(ax: Any, axis: InputAxis, codes: NDArray[np.intp] | None, classes: int) -> None:
    """Rows as dots beneath the set, each class in a lane of its own."""
    if axis.values is None:
        ax.set_ylim(-0.03, 1.08)
        return
    lanes = classes if codes is not None else 1
    height = LANES / lanes
    ax.set_ylim(-0.06 - LANES, 1.08)
    ax.axhline(0.0, color=DARK_GREY, linewidth=0.6)
    generator = np.random.RandomState(0)  # the same rows always lie the same
    for lane in range(lanes):
        values = axis.values if codes is None else axis.values[codes == lane]
        known = values[np.isfinite(values)]
        across = generator.uniform(-0.35, 0.35, len(known))
        along = generator.uniform(-0.3, 0.3, len(known)) if axis.categories else 0.0
        ink = GREY if codes is None else colour(lane)
        style = {"marker": marker(lane), "markersize": 3, "markeredgewidth": 0, "alpha": 0.6}
        heights = -0.05 - height * (lane + 0.5 + across)
        ax.plot(known + along, heights, color=ink, linestyle="none", **style)
