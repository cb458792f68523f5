"""PairDisplay: what the rules on two inputs together add up to, as a map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from unfis.model import FittedModel
from unfis.model.curves import PairMap, Scale, maps_of, pair_map
from unfis.plots.drawing import (
    AGAINST,
    FIGURE_WIDTH,
    FOR,
    PanelDisplay,
    ax_inches,
    fitted_model,
    input_place,
    matplotlib_module,
    output_place,
    points_label,
    wrapped,
)
from unfis.serial.messages import listed, quoted
from unfis.text.numbers import points_words, rounded

MOST_WRITTEN = 6  # cells in a row or column with their points in figures


@dataclass(eq=False, repr=False)
class PairDisplay(PanelDisplay):
    """The sum of the points of rules on two inputs, as a colour for each of their values.

    Parameters
    ----------
    pair : PairMap
    names : pair of str
        The inputs.
    label : str, default="points"
        What the points are for.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    mesh_ : matplotlib QuadMesh
    """

    pair: PairMap
    names: tuple[str, str]
    label: str = "points"

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, features: Any = None, class_of_interest: Any = None,
        singles: bool = False, ax: Any = None, width: float = FIGURE_WIDTH,
    ) -> Self:  # fmt: skip
        """Draw two inputs of a fitted model.

        Parameters
        ----------
        estimator : UNFISClassifier, UNFISRegressor or FittedModel
        features : pair of str or int, default=None
            The inputs; None for the two whose rules vary most.
        class_of_interest : label, default=None
            Of several classes, the one whose points are drawn; None for that whose points for this
            pair vary most.
        singles : bool, default=False
            Whether the rules on one of the inputs alone are added.
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        width : float, default=6.4
            Inches of a new figure.
        """
        model = fitted_model(estimator)
        inputs, output = chosen_pair(model, features, class_of_interest, singles=singles)
        found = pair_map(model, inputs, output, singles=singles)
        first, second = (model.names.input(j) for j in inputs)
        return cls(found, (first, second), points_label(model, output)).plot(ax, width=width)

    def _height(self, width: float) -> float:
        rows = self.pair.scales[1]
        return max(0.7 * width, 1.4 + 0.25 * len(rows.labels))

    def _draw(self) -> None:
        ax, pair = self.ax_, self.pair
        most = float(np.abs(pair.points).max()) or 1.0
        colours = matplotlib_module("colors").LinearSegmentedColormap
        shades = colours.from_list("points", [AGAINST, "#F2F2F2", FOR])
        self.mesh_ = ax.pcolormesh(
            *pair.borders, pair.points, cmap=shades, vmin=-most, vmax=most, rasterized=True
        )
        if max(pair.points.shape) <= MOST_WRITTEN:
            self._write()
        narrow = int(9 * ax_inches(ax)[0])
        set_values(ax.xaxis, pair.scales[0], 10)
        set_values(ax.yaxis, pair.scales[1], 16)
        ax.set_xlabel(wrapped(self.names[0], narrow, 80))
        ax.set_ylabel(wrapped(self.names[1], 34, 80))
        bar = self.figure_.colorbar(self.mesh_, ax=ax)
        bar.set_label(wrapped(self.label, 40), fontsize="small")
        bar.ax.tick_params(labelsize="small")

    def _write(self) -> None:
        """The points in each cell."""
        across, upwards = ((ends[:-1] + ends[1:]) / 2 for ends in self.pair.borders)
        for y, row in zip(upwards, self.pair.points, strict=True):
            for x, number in zip(across, row.tolist(), strict=True):
                text = points_words(rounded(number, 2)).replace("-", "−")
                self.ax_.text(x, y, text, ha="center", va="center", color="#222222", size="small")


def set_values(axis: Any, scale: Scale, width: int) -> None:
    """Ticks at few values, with their labels."""
    axis.set_tick_params(labelsize="small")
    if not scale.is_range:
        axis.set_ticks(range(len(scale.labels)), [wrapped(one, width, 40) for one in scale.labels])


def chosen_pair(
    model: FittedModel, features: Any, label: Any, *, singles: bool
) -> tuple[tuple[int, int], int]:
    """Two inputs and an output: those that are given, or whose rules vary most."""
    known = maps_of(model)
    output = None if label is None else output_place(model, label)
    if features is None:
        found = [one for one in known if output in (None, one.output)]
        if not found:
            raise ValueError("The model must have rules on two inputs together; this one has none.")
        return found[0].inputs, found[0].output
    if isinstance(features, str) or np.ndim(features) != 1 or len(features) != 2:
        raise ValueError(f"features must be two inputs, such as a list; got {quoted(features)}.")
    first, second = (input_place(model, feature) for feature in features)
    if first == second:
        raise ValueError(f"features must be two different inputs; got {quoted(features)}.")
    own = [one for one in known if set(one.inputs) == {first, second}]
    own = [one for one in own if output in (None, one.output)]
    if not own and not singles:
        pairs = [" and ".join(model.names.inputs[j] for j in one.inputs) for one in known]
        raise ValueError(
            f"features must be two inputs that a rule looks at together: "
            f"{listed(dict.fromkeys(pairs)) or 'no rule does so'}; got {quoted(features)}."
        )
    return (first, second), own[0].output if own else output or 0
