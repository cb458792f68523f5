"""What all displays draw with: axes, styles that differ in grey too, legends, names as text."""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np

from unfis.serial.messages import needed, shortened

DARK_GREY = "#444444"
GREY = "#888888"
LIGHT_GREY = "#BBBBBB"
# A legend of more entries gets a further column.
LEGEND_ROWS = 18
# So many characters of a name are shown.
LONGEST_SHOWN = 30


def cycled(*styles: Any) -> Callable[[int], Any]:
    """What gives the style of the class or line of a number, counted from 0."""
    return lambda number: styles[number % len(styles)]


# Okabe and Ito's colours, which the colour-blind can tell apart; pale yellow comes last.
colour = cycled(
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442"
)
# One more marker and one line style less than colours: it takes long until both come round.
marker = cycled("o", "^", "s", "D", "v", "P", "X", "<", ">")
line_style = cycled("-", "--", "-.", ":", (0, (7, 1.5)), (0, (4, 1.5, 1, 1.5, 1, 1.5)), (0, (1, 3)))
hatch = cycled("", "///", "...", "\\\\\\", "xxx", "---", "|||", "+++", "ooo")


def line_look(number: int) -> dict[str, Any]:
    """Colour, line style and marker of a line."""
    return {"color": colour(number), "linestyle": line_style(number), "marker": marker(number)}


def matplotlib_module(name: str) -> Any:
    """A module of matplotlib, imported when it is needed: the package works without."""
    return needed(f"matplotlib.{name}", "unfis.plots needs matplotlib", "plot")


class Display(ABC):
    """What is drawn on one Axes."""

    ax_: Any
    figure_: Any

    @property
    @abstractmethod
    def _size(self) -> tuple[float, float]:
        """Width and height of a new figure in inches."""

    @abstractmethod
    def _draw(self) -> None:
        """Draw on `ax_`."""

    def plot(self, ax: Any = None) -> Self:
        """Draw on the axes given, or on new ones, and return the display."""
        if ax is None:
            pyplot = matplotlib_module("pyplot")
            ax = pyplot.subplots(figsize=self._size, layout="constrained")[1]
        self.ax_, self.figure_ = ax, ax.figure
        self._draw()
        return self


def grid_of_axes(ax: Any, rows: int, columns: int, size: tuple[float, float]) -> Any:
    """Axes in a grid: of a new figure, in the room of the axes given, or given as an array."""
    if ax is None:
        figure = matplotlib_module("pyplot").figure(figsize=size, layout="constrained")
        return figure.subplots(rows, columns, squeeze=False)
    given = np.array(ax, dtype=object)
    if given.size == rows * columns:
        return given.reshape(rows, columns)
    if given.ndim:
        raise ValueError(
            f"ax must be one Axes or an array of {rows} x {columns} of them, got an array of shape "
            f"{given.shape}. Give one for each panel."
        )
    room = ax.get_subplotspec()
    if room is None:
        raise ValueError(
            "ax must be part of a grid of axes to be divided, got one placed by hand. Make it with "
            f"plt.subplots(), or give an array of {rows} x {columns} Axes."
        )
    ax.set_axis_off()
    return room.subgridspec(rows, columns).subplots(squeeze=False)


def whole_number_ticks(ax: Any) -> None:
    """Ticks at whole numbers only, along x."""
    locator = matplotlib_module("ticker").MaxNLocator(integer=True, min_n_ticks=1)
    ax.xaxis.set_major_locator(locator)


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


def shown(name: Any, length: int = LONGEST_SHOWN, width: int = 100) -> str:
    """A name as text for matplotlib: short, in lines of a width, its "$" no mathematics."""
    lines = [""]
    for part in re.split(r"(?<=[\s_-])", short(name, length)):  # where words of a name end
        if lines[-1] and len(lines[-1] + part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return escaped("\n".join(line.strip() for line in lines))


def escaped(text: str) -> str:
    """Text that matplotlib takes as it is, without looking for mathematics in it."""
    return text.replace("$", r"\$")


def short(name: Any, length: int = LONGEST_SHOWN) -> str:
    """A name on one line, not too long, without characters that no font can draw."""
    undrawable = ("Cc", "Cs")  # control characters and halves of characters
    signs = (" " if unicodedata.category(sign) in undrawable else sign for sign in str(name))
    return shortened(" ".join("".join(signs).split()), length)


def short_value(value: Any) -> str:
    """A value of an input in few characters."""
    return f"{value:.4g}" if isinstance(value, float) else short(value, 12)
