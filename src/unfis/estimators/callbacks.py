"""scikit-learn's callbacks, which are called while a fit goes on.

The only place that knows scikit-learn's versions. Before 1.9, which brought callbacks, the mixin is
empty and the decorator does nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sklearn.base import BaseEstimator

__all__ = ["CallbackSupportMixin", "FitTasks", "with_callbacks"]

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
