"""What is called while a fit goes on: the progress line, and scikit-learn's callbacks.

The only place that knows scikit-learn's versions. Before 1.9, which brought callbacks, the mixin is
empty and the decorator does nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TextIO

from sklearn.base import BaseEstimator

from unfis.learning.loop import IterationRecord

__all__ = ["CallbackSupportMixin", "FitTasks", "ProgressLine", "with_callbacks"]

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Nothing to support."""

    def with_callbacks(method: Any) -> Any:
        """The method itself."""
        return method


class FitTasks:
    """Reports a fit and its iterations to the callbacks of an estimator.

    Parameters
    ----------
    estimator : the estimator that the callbacks were set on
    iterations : the most iterations there can be
    X, y, weights : the training data as the user gave it
    """

    def __init__(
        self, estimator: BaseEstimator, iterations: int, X: Any, y: Any, weights: Any
    ) -> None:
        self.fit = {"estimator": estimator, "X": X, "y": y}
        if weights is not None:
            self.fit["metadata"] = {"sample_weight": weights}
        self.context = None
        if hasattr(estimator, "_init_callback_context"):
            init = estimator._init_callback_context  # noqa: SLF001 - scikit-learn's hook for this
            self.context = init(max_subtasks=iterations)
            self.context.call_on_fit_task_begin(**self.fit)

    def iteration(self, fitted: Callable[[], dict[str, Any]]) -> bool:
        """Report an iteration, and what makes a copy of the estimator predict; True to stop."""
        if self.context is None:
            return False
        task = self.context.subcontext(task_name="iteration")
        task.call_on_fit_task_begin(**self.fit)
        return bool(task.call_on_fit_task_end(reconstruction_attributes=fitted, **self.fit))

    def end(self, fitted: Callable[[], dict[str, Any]]) -> None:
        """Report the end of the fit."""
        if self.context is not None:
            self.context.call_on_fit_task_end(reconstruction_attributes=fitted, **self.fit)


class ProgressLine:
    """Shows iteration, loss and seconds; redrawn on a terminal, ever more rarely in a log file."""

    def __init__(self, name: str, limit: int, stream: TextIO | None = None) -> None:
        self.name = name
        self.limit = limit
        self.stream = sys.stderr if stream is None else stream
        self._shown = ""
        self._seconds = 0.0

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *error: object) -> None:
        if error[0] is not None:
            self.close("interrupted")

    def update(self, number: int, record: IterationRecord) -> None:
        """Show an iteration."""
        self._seconds += record.seconds
        line = (
            f"{self.name} iteration {number} of at most {self.limit}: "
            f"loss {record.loss:.6g}, {self._seconds:.2f} s"
        )
        if self.stream.isatty():
            self.stream.write("\r" + line.ljust(len(self._shown)))
            self.stream.flush()
        elif number == round_number(number):
            self.stream.write(line + "\n")
        self._shown = line

    def close(self, outcome: str) -> None:
        """End with one line that says how the training ended."""
        if self.stream.isatty() and self._shown:
            self.stream.write("\r" + " " * len(self._shown) + "\r")
        self.stream.write(f"{self._shown}; {outcome}\n" if self._shown else f"{outcome}\n")
        self.stream.flush()


def round_number(number: int) -> int:
    """The largest of 1, 2, 5, 10, 20, 50, ... that does not exceed a number."""
    size = int(10 ** (len(str(number)) - 1))
    return max(step * size for step in (1, 2, 5) if step * size <= number)
