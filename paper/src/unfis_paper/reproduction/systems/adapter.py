"""What a compared system is, and what peers share: tables and labels as matrices and codes."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from unfis.arrays import Array


@dataclass(frozen=True)
class ComparedSystem:
    """A way to learn a classifier."""

    name: str  # in results
    build: Callable[[int], Any]  # from a seed, an estimator as scikit-learn's
    packages: tuple[str, ...] = ()  # what must be installed, its own first
    coded: bool = False  # whether it is given categories as codes, raw numbers as the paper's are
    # What else is measured of a fitted estimator and the rows that it learned from, as far as that
    # is known, by names of `results.MEASURES`.
    observe: Callable[[Any, Any, Any], dict[str, float]] = lambda model, X, y: {}

    # Whether each test row is learned from, with its class, after it was answered.
    stream: bool = False

    @property
    def missing(self) -> str:
        """What is to be installed first, "" if nothing."""
        absent = (name for name in self.packages if importlib.util.find_spec(name) is None)
        return next(absent, "")


def one_hot_columns(numbers: Any) -> Any:
    """Categories to one column each, numbers as their transformer has them."""
    return make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")),
        (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_exclude="number")),
        sparse_threshold=0,
    )


def standardised() -> Any:
    """Numbers to mean 0 and deviation 1, categories to one column each."""
    return one_hot_columns(StandardScaler())


class Peer(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A peer that learns from a matrix and codes, behind a table and labels of any kind.

    `learn` makes a model with predict_proba of matrix and codes 0..C-1, `encode` the transformer
    from table to matrix.
    """

    def __init__(
        self, learn: Callable[[Array, Any], Any], encode: Callable[[], Any] = standardised
    ) -> None:
        self.learn, self.encode = learn, encode

    def fit(self, frame: Any, labels: Any) -> Peer:
        """Encode table and labels, and let the peer learn."""
        self.encoder_ = self.encode()
        self.classes_, codes = np.unique(labels, return_inverse=True)
        matrix = np.asarray(self.encoder_.fit_transform(frame), dtype=float)
        with silence():
            self.model_ = self.learn(matrix, codes)
        return self

    def predict_proba(self, frame: Any) -> Array:
        """Probabilities of classes_; peers compute in single precision, so they are rescaled."""
        matrix = np.asarray(self.encoder_.transform(frame), dtype=float)
        with silence():
            shares = np.asarray(self.model_.predict_proba(matrix), dtype=float)
        if shares.shape[1] == 1:  # xanfis gives the second of two classes only
            shares = np.hstack([1 - shares, shares])
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def predict(self, frame: Any) -> Any:
        """The likeliest class."""
        return self.classes_[self.predict_proba(frame).argmax(axis=1)]


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Peers print their progress and warn of their own settings: nothing a reader can act on."""
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        yield


def size_of_tsk(rules: int, inputs: int) -> dict[str, float]:
    """Every rule has a condition on every input."""
    return {"rules": rules, "conditions": rules * inputs}


def peer(
    name: str,
    packages: tuple[str, ...],
    learn: Callable[..., Any],
    size: Callable[[Any], dict[str, float]],
    encode: Callable[[], Any] = standardised,
) -> ComparedSystem:
    """A peer as a system; `learn` is called with seed, matrix and codes, `size` with its model."""
    return ComparedSystem(
        name,
        lambda seed: Peer(partial(learn, seed), encode),
        packages,
        observe=lambda model, X, y: size(model.model_),
    )
