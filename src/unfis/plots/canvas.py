"""What all displays draw with: matplotlib, axes, styles that differ in grey too, legends."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

# Okabe and Ito's colours, which the colour-blind can tell apart; pale yellow comes last.
COLOURS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#000000",
    "#F0E442",
)
# One more marker and one line style less than colours: it takes long until both come round.
MARKERS = ("o", "^", "s", "D", "v", "P", "X", "<", ">")
LINE_STYLES: tuple[Any, ...] = (
    "-",
    "--",
    "-.",
    ":",
    (0, (7, 1.5)),
    (0, (4, 1.5, 1, 1.5, 1, 1.5)),
    (0, (1, 3)),
)
HATCHES = ("", "///", "...", "\\\\\\", "xxx", "---", "|||", "+++", "ooo")
DARK_GREY = "#444444"
GREY = "#888888"
LIGHT_GREY = "#BBBBBB"
# A legend of more entries gets a further column.
LEGEND_ROWS = 18


def matplotlib_module(name: str) -> Any:
    """A module of matplotlib, imported when it is needed: the package works without."""
    try:
        return importlib.import_module(f"matplotlib.{name}")
    except ImportError as error:
        raise ImportError("unfis.plots needs matplotlib: pip install 'unfis[plot]'.") from error


def axes_or_new(ax: Any, size: tuple[float, float]) -> Any:
    """The axes given, or those of a new figure of a size in inches."""
    if ax is not None:
        return ax
    return matplotlib_module("pyplot").subplots(figsize=size, layout="constrained")[1]


def grid_of_axes(ax: Any, rows: int, columns: int, size: tuple[float, float]) -> Any:
    """Axes in a grid: of a new figure, in the place of the axes given, or given as an array."""
    if ax is None:
        pyplot = matplotlib_module("pyplot")
        figure = pyplot.figure(figsize=size, layout="constrained")
        return figure.subplots(rows, columns, squeeze=False)
    given = np.array(ax, dtype=object)
    if given.size == rows * columns:
        return given.reshape(rows, columns)
    if given.ndim:
        raise ValueError(
            f"ax must be one Axes or an array of {rows} x {columns} of them, got an array of shape "
            f"{given.shape}. Give one for each rule and input."
        )
    place = ax.get_subplotspec()
    if place is None:
        raise ValueError(
            "ax must be part of a grid of axes to be divided, got one placed by hand. Make it with "
            f"plt.subplots(), or give an array of {rows} x {columns} Axes."
        )
    ax.set_axis_off()
    return place.subgridspec(rows, columns).subplots(squeeze=False)


def colour(number: int) -> str:
    """Colour of the class or line of that number, counted from 0."""
    return COLOURS[number % len(COLOURS)]


def marker(number: int) -> str:
    """Its marker."""
    return MARKERS[number % len(MARKERS)]


def line_style(number: int) -> Any:
    """Its line style."""
    return LINE_STYLES[number % len(LINE_STYLES)]


def hatch(number: int) -> str:
    """Its hatching."""
    return HATCHES[number % len(HATCHES)]


def legend_beside(ax: Any, handles: Sequence[Any], labels: Sequence[str], title: str = "") -> None:
    """A legend to the right of axes, where it covers no data; none if it would be empty."""
    if not handles:
        return
    # A label that begins with "_" would be left out.
    visible = [f" {label}" if label.startswith("_") else label for label in labels]
    ax.legend(
        handles,
        visible,
        title=title or None,
        loc="upper left",
        bbox_to_anchor=(1.02, 1.0),
        borderaxespad=0.0,
        frameon=False,
        fontsize="small",
        title_fontsize="small",
        alignment="left",
        ncols=1 + (len(labels) - 1) // LEGEND_ROWS,
    )


def dot_handle(number: int, **style: Any) -> Any:
    """A class's dot, for a legend."""
    line = matplotlib_module("lines").Line2D
    look = {"markerfacecolor": colour(number), "markeredgecolor": "white", "markersize": 6, **style}
    return line([], [], linestyle="none", marker=marker(number), **look)
