"""What all displays draw with: axes, colours, words in lines."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from unfis.arrays import Array
from unfis.model import FittedModel
from unfis.plots.canvas import cycled, escaped, short
from unfis.plots.canvas import matplotlib_module as matplotlib_module
from unfis.serial.messages import listed, quoted

FIGURE_WIDTH = 6.4  # inches of a new figure
BAR_GAP = 0.1  # inches between bars
NARROW = 5.0  # inches below which words get less room
CHARACTER = 0.075  # inches across of a wide character of small text
LINE = 0.16  # inches of a line of small text
LONGEST_LABEL = 240  # characters of a label
# Okabe and Ito's blue and orange, which the colour-blind can tell apart, on white and on black.
FOR, AGAINST, PALE = "#2A86C7", "#D55E00", "#888888"
panel_colour = cycled(FOR, AGAINST, "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6BB1")
panel_line_style = cycled("-", "--", "-.", ":", (0, (7, 1.5)))


def sign_colour(points: float) -> str:
    """The colour of points for a class, or against it."""
    return FOR if points > 0 else AGAINST


class PanelDisplay(ABC):
    """What is drawn on one Axes."""

    ax_: Any
    figure_: Any

    @abstractmethod
    def _height(self, width: float) -> float:
        """The height in inches of a new figure of this width."""

    @abstractmethod
    def _draw(self) -> None:
        """Draw on `ax_`."""

    def plot(self, ax: Any = None, *, width: float = FIGURE_WIDTH) -> Self:
        """Draw on the axes given, or on new ones of a width in inches, and return the display."""
        if ax is None:
            pyplot = matplotlib_module("pyplot")
            size = width, self._height(width)
            ax = pyplot.subplots(figsize=size, layout="constrained")[1]
        self.ax_, self.figure_ = ax, ax.figure
        self._draw()
        return self


class BarList(PanelDisplay):
    """Bars from the top, words at the left of each, and more words at the right."""

    @abstractmethod
    def _texts(self) -> list[tuple[str, str]]:
        """The words at the left and at the right of each bar."""

    def _titles(self) -> list[int]:
        """Which of them are titles."""
        return []

    def _lines(self, width: float) -> list[tuple[str, str]]:
        """The words in lines that a figure of this width has room for."""
        room, aside = (int(6 * width), 11) if width < NARROW else (int(6.5 * width), 24)
        return [(wrapped(left, room), wrapped(right, aside)) for left, right in self._texts()]

    def _heights(self, width: float) -> Array:
        """The inches of each bar's place."""
        rows = [LINE * max(map(line_count, pair)) + BAR_GAP for pair in self._lines(width)]
        heights = np.array(rows)
        heights[self._titles()] += BAR_GAP
        return heights

    def _height(self, width: float) -> float:
        return float(self._heights(width).sum()) + 0.7

    def _draw_words(self, figures: Sequence[str]) -> Array:
        """Write the words, leave room for figures at bars, and return the middles of bars."""
        ax, (width, _) = self.ax_, ax_inches(self.ax_)
        heights = self._heights(width)
        middles = np.cumsum(heights) - heights / 2
        lefts, rights = zip(*self._lines(width), strict=True)
        for middle, right in zip(middles.tolist(), rights, strict=True):
            ax.annotate(
                right, (1, middle), (6, 0), xycoords=ax.get_yaxis_transform(),
                textcoords="offset points", va="center", fontsize="small", annotation_clip=False,
            )  # fmt: skip
        ax.set_yticks(middles, lefts, fontsize="small")
        for n in self._titles():
            ax.get_yticklabels()[n].set_fontweight("bold")
        ax.tick_params(axis="y", length=0)
        ax.set_ylim(heights.sum(), 0.0)
        ax.use_sticky_edges = False
        need = 0.1 + CHARACTER * max(map(len, figures))
        sides = ["\n".join(side).split("\n") for side in (lefts, rights)]
        room = width - 0.2 - CHARACTER * sum(max(map(len, side)) for side in sides)
        ax.margins(x=need / max(room - 2 * need, 0.3))
        ax.locator_params(axis="x", nbins=4, steps=[1, 2, 5, 10])
        ax.spines[["top", "right", "left"]].set_visible(False)
        return middles


def fitted_model(estimator: Any) -> FittedModel:
    """The model of a fitted estimator, or the model itself."""
    if isinstance(estimator, FittedModel):
        return estimator
    if not hasattr(estimator, "fit"):
        raise TypeError(
            "estimator must be a fitted UNFISClassifier or UNFISRegressor, or its model_; got "
            f"{quoted(estimator)}."
        )
    check_is_fitted(estimator)
    found = getattr(estimator, "model_", None)
    if not isinstance(found, FittedModel):
        raise TypeError(
            f"estimator must be a UNFISClassifier or UNFISRegressor; got {quoted(estimator)}. "
            "Of a pipeline, give its last step."
        )
    return found


def input_place(model: FittedModel, feature: Any) -> int:
    """The place of an input, given its name or its place."""
    names = model.columns.names or model.names.inputs
    known = [*names, *model.names.inputs]
    is_place = isinstance(feature, int | np.integer) and 0 <= feature < len(names)
    if is_place and feature not in known:
        return int(feature)
    if feature in known:
        return known.index(feature) % len(names)
    raise ValueError(
        f"feature must be one of {listed(names)}, or its place from 0 to {len(names) - 1}; got "
        f"{quoted(feature)}."
    )


def output_place(model: FittedModel, label: Any) -> int:
    """The place of the sum of a class, given its label; of one sum, that sum."""
    classes = model.columns.classes.tolist()
    if label is None or not classes:
        if label is not None:
            raise ValueError(
                f"class_of_interest must be None where the target is a number; got {quoted(label)}."
            )
        return 0
    if label not in classes:
        raise ValueError(
            f"class_of_interest must be one of {listed(classes)}; got {quoted(label)}."
        )
    if len(model.rules.start) == 1 and label != classes[-1]:
        raise ValueError(
            f"class_of_interest must be {quoted(classes[-1])}: of two classes, points are for the "
            f"second, and count against {quoted(label)}."
        )
    return 0 if len(model.rules.start) == 1 else classes.index(label)


def output_title(model: FittedModel, output: int) -> str:
    """What a sum is of: a class, or the target."""
    return model.names.titled_output(-1 if len(model.rules.start) == 1 else output)


def points_label(model: FittedModel, output: int | None) -> str:
    """What an axis of points says; without an output, of several classes."""
    if output is None:
        return "points"
    title = output_title(model, output)
    return f"added to {title}" if model.rules.link == "identity" else f"points for {title}"


def wrapped(text: str, width: int, longest: int = LONGEST_LABEL) -> str:
    """Text for matplotlib in lines of a width, about as long as each other."""
    text = short(text, longest).replace(" %", "\xa0%")
    lines = _lines(text, width)
    while width > 1 and len(shorter := _lines(text, width - 1)) == len(lines):
        lines, width = shorter, width - 1
    return escaped("\n".join(lines))


def _lines(text: str, width: int) -> list[str]:
    """Text in lines; names are broken after "_", or where they are too long."""
    lines = [""]
    pieces = re.split(r"(?<=[ _])|(?<=-)(?=[^\W\d])", text)
    for piece in (part[n : n + width] for part in pieces for n in range(0, len(part), width)):
        if lines[-1] and len(lines[-1] + piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return [line.strip(" ") for line in lines]


def line_count(text: str) -> int:
    """How many lines a text has."""
    return text.count("\n") + 1


def ax_inches(ax: Any) -> tuple[float, float]:
    """The width and height of the room of axes, before there are labels around them."""
    figure = ax.figure.get_size_inches()
    room = ax.get_subplotspec()
    box = room.get_position(ax.figure) if room is not None else ax.get_position()
    pars = ax.figure.subplotpars
    width = box.width / max(pars.right - pars.left, 0.1)
    height = box.height / max(pars.top - pars.bottom, 0.1)
    return float(figure[0] * width), float(figure[1] * height)


def ink() -> Any:
    """The colour of text, which is light on a dark ground."""
    return matplotlib_module("pyplot").rcParams["text.color"]


def apart(places: Array, least: float, low: float, high: float) -> Array:
    """Places moved so that none is nearer to the next than `least`, between low and high."""
    order = np.argsort(places, kind="stable")
    step = min(least, (high - low) / max(len(places) - 1, 1))
    steps = step * np.arange(len(places))
    found = np.maximum.accumulate(places[order] - steps) + steps
    limits = high - steps[::-1]
    moved = np.empty(len(places))
    moved[order] = np.maximum(np.minimum(found, limits), low + steps)
    return moved


def panels(
    ax: Any, heights: Sequence[float], columns: int, width: float, draw: Callable[[int, Any], None]
) -> tuple[Any, Any]:
    """Draw panels in a grid, each row as high as its highest; their axes and their figure."""
    count = len(heights)
    rows = -(-count // columns)
    tall = [max(heights[n * columns : (n + 1) * columns]) for n in range(rows)]
    if ax is not None and (np.ndim(ax) or count == 1):
        axes = np.array(ax, dtype=object).ravel()
        if len(axes) < count:
            raise ValueError(f"ax must have {count} Axes, one for each panel; got {len(axes)}.")
    else:
        axes = new_panels(ax, rows, columns, width, tall)
    for n, one in enumerate(axes):
        if n < count:
            draw(n, one)
        else:
            one.set_axis_off()
    return axes[:count], axes[0].figure


def new_panels(ax: Any, rows: int, columns: int, width: float, heights: Sequence[float]) -> Any:
    """Axes in rows of these heights: of a new figure, or in the room of the axes given."""
    if ax is None:
        size = width, sum(heights)
        figure = matplotlib_module("pyplot").figure(figsize=size, layout="constrained")
        grid = figure.add_gridspec(rows, columns, height_ratios=heights)
    else:
        room = ax.get_subplotspec()
        if room is None:
            raise ValueError(
                "ax must be part of a grid to hold several panels; got one placed by hand. Make it "
                "with plt.subplots(), or give an array of Axes."
            )
        ax.set_axis_off()
        grid = room.subgridspec(rows, columns, height_ratios=heights)
    return grid.subplots(squeeze=False).ravel()
