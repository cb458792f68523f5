"""What the compared classifiers share: checks, answers, and learning row by row.

What is learned is a `System`, which knows arrays and codes of classes alone. One that begins with a
batch keeps the first rows of a stream until they are enough and is, until then, the batch model of
what it has: so what is known after some rows depends on these rows and not on how they came.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from numbers import Integral
from types import SimpleNamespace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from unfis.arrays import Array, softmax

# Scores of 1 and 0 are probabilities of 98 and 2 per cent: the publications give none.
SHARPNESS = 4.0


class System(ABC):
    """A model of rows and codes of classes; learning changes it in place.

    With a setting `warm_up` it begins with a batch of so many rows, else with the first.
    """

    def __init__(self, inputs: int, classes: int, settings: Any = None) -> None:
        self.inputs, self.classes, self.settings = inputs, classes, settings
        self._waiting: list[tuple[Array, int]] = []
        self._draw_anew()
        self.has_begun = not hasattr(settings, "warm_up")

    def _draw_anew(self) -> None:
        """Begin the draws again."""
        self.generator = np.random.RandomState(getattr(self.settings, "seed", 0))

    def learn(self, X: Array, codes: NDArray[np.intp]) -> None:
        """Learn from all rows at once, before any other."""
        self.begin(X, codes)
        self.has_begun = True

    def update(self, x: Array, code: int) -> None:
        """Learn from one more row."""
        if self.has_begun:
            self.follow(x, code)
            return
        self._waiting.append((x, code))
        if len(self._waiting) >= self.settings.warm_up:
            self.settle()
            self.has_begun, self._waiting = True, []

    def settle(self) -> None:
        """Called when no more rows come for now."""
        if self._waiting:
            rows, codes = zip(*self._waiting, strict=True)
            self._draw_anew()
            self.begin(np.array(rows), np.array(codes))

    def begin(self, X: Array, codes: NDArray[np.intp]) -> None:
        """Learn from a batch; the same batch gives the same."""
        for x, code in zip(X, codes, strict=True):
            self.follow(x, int(code))

    def follow(self, x: Array, code: int) -> None:
        """Learn from one more row after the batch."""
        raise NotImplementedError

    @abstractmethod
    def scores(self, X: Array) -> Array:
        """How far each row speaks for each class, shape (rows, classes)."""

    def indicators(self, codes: Any) -> Array:
        """1 at the class of each row, shape (rows, classes)."""
        return np.asarray(np.eye(self.classes)[codes])


class ComparedClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier around a `System`.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
    n_features_in_ : int
    system_ : System
        What was learned.
    """

    # Few inputs may be told badly: neurons are drawn, one has weight 0, of two an angle is left.
    _has_poor_score: ClassVar[bool] = True
    _kind: ClassVar[Callable[..., System]]
    # Parameters that are whole numbers above 0, and those above 0 and at most 1.
    _counts: ClassVar[tuple[str, ...]] = ()
    _shares: ClassVar[tuple[str, ...]] = ()
    classes_: NDArray[Any]
    system_: System

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = self._has_poor_score
        return tags

    def _system(self, inputs: int, classes: int) -> System:
        """What learns, with the parameters checked."""
        settings = self._settings(inputs)
        for name in self._counts:
            value = getattr(settings, name)
            if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
                raise ValueError(f"{name} must be a whole number of at least 1, got {value!r}.")
        for name in self._shares:
            value = getattr(settings, name)
            if not is_number(value) or not 0 < value <= 1:
                raise ValueError(f"{name} must be a number above 0 and at most 1, got {value!r}.")
        return self._kind(inputs, classes, settings)

    def _settings(self, inputs: int) -> Any:
        """The parameters, and a seed of `random_state`."""
        state = check_random_state(getattr(self, "random_state", 0))
        return SimpleNamespace(**self.get_params(), seed=int(state.randint(2**31 - 1)))

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from a table of numbers.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)

        Returns
        -------
        self : the classifier
        """
        self.__dict__.pop("system_", None)  # if this fails, there is none
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        classes, codes = np.unique(y, return_inverse=True)
        system = self._system(X.shape[1], len(classes))
        system.learn(X, codes)
        self.classes_, self.system_ = classes, system
        self._see(X, begins=True)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "system_")

    def _see(self, X: Array, *, begins: bool) -> None:
        """Remember how many rows there were, and the range of each input."""
        low, high = X.min(axis=0), X.max(axis=0)
        if begins:
            self.n_rows_, self.lowest_, self.highest_ = 0, low, high
        self.n_rows_ += len(X)
        self.lowest_ = np.minimum(self.lowest_, low)
        self.highest_ = np.maximum(self.highest_, high)

    def _scores(self, X: Any) -> Array:
        """Scores of checked rows."""
        check_is_fitted(self)
        return self.system_.scores(validate_data(self, X, dtype=np.float64, reset=False))

    def decision_function(self, X: Any) -> Array:
        """Scores, shape (n_samples, n_classes); of two classes s_1 - s_0, (n_samples,)."""
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with the highest score."""
        scores = self._scores(X)
        return np.asarray(self.classes_[scores.argmax(axis=1)])

    def predict_proba(self, X: Any) -> Array:
        """Soft-max of the scores, times `SHARPNESS`."""
        return softmax(SHARPNESS * self._scores(X))

    @property
    def _names(self) -> list[str]:
        unnamed = [f"x{j}" for j in range(self.n_features_in_)]
        return [str(name) for name in getattr(self, "feature_names_in_", unnamed)]


class EvolvingClassifier(ComparedClassifier):
    """A classifier around a `System` that learns row by row."""

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn from more rows, one after the other.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like of shape (n_classes,), default=None
            All classes; needed in the first call.

        Returns
        -------
        self : the classifier
        """
        begins = not hasattr(self, "system_")
        X, y = validate_data(self, X, y, dtype=np.float64, reset=begins)
        check_classification_targets(y)
        known = self._known_classes(classes, begins=begins)
        strange = sorted(set(y.tolist()) - set(known.tolist()), key=str)
        if strange:
            raise ValueError(
                f"y must hold the classes {known.tolist()}, got {strange[0]!r}. No "
                "class can be added later: begin with partial_fit on a new classifier, and name "
                "all classes in its first call."
            )
        system = self._system(X.shape[1], len(known)) if begins else self.system_
        for x, code in zip(X, np.searchsorted(known, y), strict=True):
            system.update(x, int(code))
        system.settle()
        self.classes_, self.system_ = known, system
        self._see(X, begins=begins)
        return self

    def _known_classes(self, classes: Any, *, begins: bool) -> NDArray[Any]:
        """The classes of the stream; a sentence where they are missing or others than before."""
        if begins and classes is None:
            raise ValueError("classes must name all classes in the first call of partial_fit.")
        if begins:
            return np.unique(np.asarray(classes))
        known: NDArray[Any] = self.classes_
        if classes is not None and not np.array_equal(np.unique(classes), known):
            raise ValueError(
                f"classes must be as in the first call, {known.tolist()}, got {list(classes)!r}."
            )
        return known


def is_number(value: Any) -> bool:
    """Whether a value is a finite number, and no truth value."""
    is_truth = isinstance(value, bool | np.bool_)
    return isinstance(value, int | float | np.number) and not is_truth and bool(np.isfinite(value))
