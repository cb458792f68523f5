"""DecisionRegionsDisplay: which class is predicted where, over two inputs."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unfis.arrays import Array, Mask
from unfis.plots.canvas import (
    LIGHT_GREY,
    Display,
    colour,
    dot_handle,
    escaped,
    hatch,
    legend_beside,
    marker,
    matplotlib_module,
    short,
    short_value,
    shown,
)
from unfis.plots.grid import GridTable, near_rows, predicted_codes
from unfis.plots.rows import DrawnRows, rows_read

# How strong the colour of a region is where its class is certain, so that dots stand out.
STRONGEST = 0.6
# A white margin, as a share of the range, lets the outermost dots be seen whole: regions beyond the
# data would be guesses.
MARGIN = 0.03
# What the title says of the other inputs has at most so many lines of so many characters.
TITLE_LINES, TITLE_WIDTH = 3, 62


@dataclass(eq=False, repr=False)
class DecisionRegionsDisplay(Display):
    """Predicted classes over two inputs: a colour and hatching each, paler where less sure.

    Grey is what is farther from all rows than a tenth of the ranges: there is no data.

    Parameters
    ----------
    across, upwards : ndarrays of shape (n_across,) and (n_upwards,)
        Values of the two inputs.
    probabilities : ndarray of shape (n_upwards, n_across, n_classes)
    classes : list of str of length n_classes
    input_names : pair of str
    held : dict, default=None
        The values at which other inputs are held, by name.
    rows : DrawnRows, default=None
        Rows to draw: their values in the two inputs, and the indices of their classes.
    answers : ndarray of int of shape (n_upwards, n_across), default=None
        The positions of the predicted classes; the most probable ones if None.
    covered : ndarray of bool of shape (n_upwards, n_across), default=None
        Where there is data; everywhere if None.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    image_ : matplotlib AxesImage
    """

    across: Array
    upwards: Array
    probabilities: Array
    classes: Sequence[Any]
    input_names: Sequence[str]
    held: Mapping[str, Any] | None = None
    rows: DrawnRows | None = None
    answers: NDArray[np.intp] | None = None
    covered: Mask | None = None

    _size = (6.8, 4.4)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any = None,
        inputs: Sequence[str] | None = None,
        *,
        at: Mapping[str, Any] | None = None,
        grid_resolution: int = 200,
        ax: Any = None,
    ) -> DecisionRegionsDisplay:
        """Draw what a fitted classifier predicts.

        Parameters
        ----------
        estimator : any fitted classifier with predict_proba
        X : array-like or data frame of shape (n_samples, n_features)
            Rows to draw as dots, at most 2,000 of them. They have the ranges and typical values.
        y : array-like of shape (n_samples,), default=None
            Their classes.
        inputs : pair of str, default=None
            Two inputs that are numbers; those that move the probabilities most if None.
        at : dict, default=None
            Values at which to hold other inputs, by name; typical values if not given.
        grid_resolution : int, default=200
            How many values of each input to predict at.
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        """
        if grid_resolution < 2:
            raise ValueError(f"grid_resolution must be at least 2, got {grid_resolution!r}.")
        if not hasattr(estimator, "predict_proba"):
            raise TypeError(f"estimator must have predict_proba, got {type(estimator).__name__}.")
        grid, at, classes = GridTable.of(X), at or {}, np.asarray(estimator.classes_).tolist()
        pair = grid.most_important(estimator) if inputs is None else grid.pair(inputs)
        held = grid.held_rows(pair, at)
        rows = rows_read(lambda _: grid.values[:, pair], classes, X, y)
        across, upwards = (np.linspace(*ends_of(grid.values[:, j]), grid_resolution) for j in pair)
        points = np.stack(np.meshgrid(across, upwards), axis=-1).reshape(-1, 2)
        table = grid.made(held, at, dict(zip(pair, points.T, strict=True)))
        shape = len(upwards), len(across)
        spans = np.array([across[-1] - across[0], upwards[-1] - upwards[0]])
        return cls(
            across,
            upwards,
            np.asarray(estimator.predict_proba(table)).reshape(*shape, -1),
            classes,
            [grid.names[j] for j in pair],
            {grid.names[j]: grid.value(j, row, at) for j, row in held.items()},
            rows,
            predicted_codes(estimator, table).reshape(shape),
            near_rows(points, grid.values[:, pair], spans).reshape(shape),
        ).plot(ax)

    @property
    def _scores(self) -> Array:
        """What speaks for each class, the highest for the predicted one, (y, x, classes)."""
        probable = self.probabilities.argmax(axis=2)
        if self.answers is None or (self.answers == probable).all():
            return self.probabilities
        return np.eye(len(self.classes))[self.answers]

    def _draw(self) -> None:
        ends = self.across[0], self.across[-1], self.upwards[0], self.upwards[-1]
        self.image_ = self.ax_.imshow(
            self._colours(), extent=ends, origin="lower", aspect="auto", interpolation="bilinear"
        )
        self._hatch_regions()
        self._draw_borders()
        self._draw_rows()
        self.ax_.set_xlim(with_margin(self.across))
        self.ax_.set_ylim(with_margin(self.upwards))
        self.ax_.set_xlabel(shown(self.input_names[0]))
        self.ax_.set_ylabel(shown(self.input_names[1]))
        self.ax_.set_title(self._title(), fontsize="small")
        self._add_legend()

    def _colours(self) -> Array:
        """The regions' colours, white where no class is likelier than another, (y, x, 3).

        Grey where there is no data.
        """
        to_rgb = matplotlib_module("colors").to_rgb
        palette = np.array([to_rgb(colour(code)) for code in range(len(self.classes))])
        least = 1 / len(self.classes)
        sure = (self.probabilities.max(axis=2) - least) / max(1 - least, 1e-9)
        strength = STRONGEST * sure[:, :, None]
        found = np.asarray(1 - strength * (1 - palette[self._scores.argmax(axis=2)]))
        if self.covered is not None:
            found[~self.covered] = to_rgb(LIGHT_GREY)
        return found

    def _hatch_regions(self) -> None:
        """Each region's hatching in white, by which regions differ in grey."""
        winners = self._scores.argmax(axis=2)
        if self.covered is not None:
            winners = np.ma.array(winners, mask=~self.covered)
        levels = np.arange(-0.5, len(self.classes))
        hatches = [hatch(code) for code in range(len(self.classes))]
        filled = self.ax_.contourf(
            self.across, self.upwards, winners, levels=levels, colors="none", hatches=hatches
        )
        filled.set(edgecolor=(1, 1, 1, 0.5), linewidth=0)

    def _draw_borders(self) -> None:
        """Lines where the predicted class changes."""
        scores = self._scores
        for code in range(len(self.classes) - 1):  # the last one's borders are the others' too
            others = np.delete(scores, code, axis=2).max(axis=2)
            lead = scores[:, :, code] - others
            if lead.min() < 0 < lead.max():
                style = {"colors": "black", "linewidths": 1.0}
                self.ax_.contour(self.across, self.upwards, lead, levels=[0.0], **style)

    def _draw_rows(self) -> None:
        """Rows as dots, in the colours and markers of their classes."""
        if self.rows is None:
            return
        values, codes = self.rows
        for code in range(len(self.classes) if codes is not None else 1):
            points = values if codes is None else values[codes == code]
            ink = "black" if codes is None else colour(code)
            style = {"marker": marker(code), "edgecolors": "white", "linewidths": 0.6, "s": 26}
            self.ax_.scatter(*points[np.isfinite(points).all(axis=1)].T, c=ink, zorder=3, **style)

    def _title(self) -> str:
        """At which values the other inputs are held."""
        if not self.held:
            return ""
        values = [f"{short(name)} = {short_value(value)}" for name, value in self.held.items()]
        # Lines break between inputs only.
        values = [value.replace(" ", "\N{NO-BREAK SPACE}") for value in values]
        count = len(values)
        while len(lines := wrapped_values(values, count)) > TITLE_LINES:
            count -= 1
        return escaped("\n".join(lines))

    def _add_legend(self) -> None:
        """The classes, by region and dot."""
        patch = matplotlib_module("patches").Patch
        dotted = self.rows is not None and self.rows.codes is not None
        handles: list[Any] = []
        for code in range(len(self.classes)):
            look = {"hatch": hatch(code), "edgecolor": "white", "alpha": STRONGEST, "linewidth": 0}
            region = patch(facecolor=colour(code), **look)
            handles.append((region, dot_handle(code)) if dotted else region)
        labels = [shown(label) for label in self.classes]
        if self.covered is not None and not self.covered.all():
            handles.append(patch(facecolor=LIGHT_GREY, linewidth=0))
            labels.append("not covered")
        legend_beside(self.ax_, handles, labels, "predicted class\n(paler: less sure)")


def ends_of(values: Array) -> tuple[float, float]:
    """The lowest and the highest value, apart."""
    known = values[np.isfinite(values)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def wrapped_values(values: Sequence[str], count: int) -> list[str]:
    """The first few of some values, in lines of a title."""
    more = [f"and {len(values) - count} more"] if count < len(values) else []
    return textwrap.wrap("at " + ", ".join([*values[:count], *more]), TITLE_WIDTH)


def with_margin(values: Array) -> tuple[float, float]:
    """The ends of ascending values, with a margin."""
    margin = MARGIN * (values[-1] - values[0])
    return values[0] - margin, values[-1] + margin
