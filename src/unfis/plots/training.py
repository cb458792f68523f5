"""TrainingDisplay: the loss as the learner went on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from unfis.arrays import Array
from unfis.plots.canvas import Display, legend_beside, line_look, shown, whole_number_ticks

# Losses that span more than this factor are drawn on a logarithmic scale.
LOGARITHMIC = 100.0
# A curve has about so many markers.
MARKED = 12


class TrainedEstimator(Protocol):
    """A fitted estimator, as far as its training is drawn."""

    @property
    def history_(self) -> dict[str, list[float]]: ...

    @property
    def converged_(self) -> bool: ...


class TrainingDisplay(Display):
    """Learning curves: the loss after each iteration.

    Parameters
    ----------
    losses : dict of sequences of float
        The losses of each training, by its name.
    converged : dict of bool
        Whether each of them converged.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    lines_ : list of matplotlib Line2D
        One for each training, in their order; none where all had one iteration, which is told.
    """

    def __init__(
        self, losses: Mapping[str, Sequence[float]], converged: Mapping[str, bool]
    ) -> None:
        if not losses or set(losses) != set(converged):
            raise ValueError(
                "losses and converged must have the same names, at least one, got "
                f"{list(losses)} and {list(converged)}."
            )
        self.losses: dict[str, Array] = {
            name: np.asarray(values, dtype=float) for name, values in losses.items()
        }
        if empty := [name for name, values in self.losses.items() if not len(values)]:
            raise ValueError(
                f"history_ of {empty[0]!r} must have at least one iteration, got none: a model "
                "that was read from a file has no training of its own. Train it by partial_fit."
            )
        self.converged = dict(converged)

    @classmethod
    def from_estimator(
        cls, estimator: TrainedEstimator, *, name: str = "", ax: Any = None
    ) -> TrainingDisplay:
        """Draw the last training of a fitted model.

        Parameters
        ----------
        estimator : UNFISNetworkClassifier
        name : str, default=""
            Of the training; that of the learner if empty.
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        """
        learner = getattr(estimator, "learner", "training")  # by name or as an object
        learner = learner if isinstance(learner, str) else type(learner).__name__
        return cls.from_estimators({name or learner: estimator}, ax=ax)

    @classmethod
    def from_estimators(
        cls, estimators: Mapping[str, TrainedEstimator], *, ax: Any = None
    ) -> TrainingDisplay:
        """Draw the trainings of several models in one picture.

        Each loss is its learner's own: squares, which LM minimises, are no cross-entropies.

        Parameters
        ----------
        estimators : dict of UNFISNetworkClassifier
            By the names to show, as in {"GqLM": first, "LM": second}.
        ax : matplotlib Axes, default=None
            Where to draw; a new figure if None.
        """
        losses = {name: model.history_["loss"] for name, model in estimators.items()}
        converged = {name: bool(model.converged_) for name, model in estimators.items()}
        return cls(losses, converged).plot(ax)

    @property
    def _size(self) -> tuple[float, float]:
        return (7.2 if len(self.losses) > 1 else 5.2), 3.6

    def _draw(self) -> None:
        self.lines_ = []
        if all(len(losses) == 1 for losses in self.losses.values()):
            self._tell()
            return
        for number, losses in enumerate(self.losses.values()):
            iterations = np.arange(1, len(losses) + 1)
            look = {"markevery": max(1, len(losses) // MARKED), "markersize": 5}
            self.lines_ += self.ax_.plot(iterations, losses, **look, **line_look(number))
        self._set_scales()
        several = len(self.losses) > 1
        whose = "each learner's objective" if several else "objective"
        self.ax_.set(xlabel="iteration", ylabel=f"loss ({whose} per row)")
        labels = [self._label(name) for name in self.losses]
        if several:
            legend_beside(self.ax_, self.lines_, labels)
        else:
            self.ax_.set_title(labels[0], fontsize="medium")

    def _tell(self) -> None:
        """Of single iterations the losses in words: a picture of dots would say nothing."""
        told = [f"{self._label(name)}, loss {loss[0]:.4g}" for name, loss in self.losses.items()]
        self.ax_.set_axis_off()
        centred = {"ha": "center", "va": "center", "transform": self.ax_.transAxes}
        self.ax_.text(0.5, 0.5, "\n".join(told), **centred)

    def _set_scales(self) -> None:
        """Whole iterations from the first on; losses by powers of ten where they span many."""
        longest = max(len(losses) for losses in self.losses.values())
        margin = max(0.5, 0.02 * longest)
        self.ax_.set_xlim(1 - margin, longest + margin)
        whole_number_ticks(self.ax_)
        every = np.concatenate(list(self.losses.values()))
        known = every[np.isfinite(every)]
        if len(known) and known.min() > 0 and known.max() > LOGARITHMIC * known.min():
            self.ax_.set_yscale("log")

    def _label(self, name: str) -> str:
        """What to say of a training."""
        count = len(self.losses[name])
        ended = "converged" if self.converged[name] else "not converged"
        return f"{shown(name)}: {count} iteration{'s' if count > 1 else ''}, {ended}"
