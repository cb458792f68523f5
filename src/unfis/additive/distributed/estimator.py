"""DaskUNFISClassifier and DaskUNFISRegressor: the estimators, their rows on Dask's workers."""

from __future__ import annotations

from inspect import Parameter, signature
from typing import Any, Self, cast

import numpy as np
from sklearn.base import clone

from unfis.additive.distributed.reading import read_distributed
from unfis.additive.estimators import AdditiveClassifier, AdditiveRegressor
from unfis.additive.estimators.base import AdditiveRules
from unfis.additive.estimators.reading import CheckTargets, Reading, TrainingTable
from unfis.distributed.cluster import Cluster, usable_client
from unfis.distributed.lazily import lazy_arrays
from unfis.distributed.sources import is_lazy, labelled_blocks
from unfis.estimators.tables import describe_columns


class OnWorkers(AdditiveRules):
    """An estimator that learns from rows on the workers of a Dask cluster.

    Each worker holds its blocks of the table, and answers with small sums; here are only those, and
    the rows that are searched. The model is that of the same table in memory, up to the last digits
    of sums. What is lost with a worker is read again from its source.
    """

    client: Any
    local: type[AdditiveRules]  # the estimator of tables in memory

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the rules.

        Parameters
        ----------
        X : dask array or dask data frame of shape (n_samples, n_features), or list
            A list has delayed blocks (X, y) or (X, y, weights), all arrays or all data frames.
        y : dask array or series of shape (n_samples,), or str, default=None
            The targets, in the blocks of X; of a data frame maybe the name of their column. None
            with a list.
        sample_weight : dask array or series of shape (n_samples,), or str, default=None
            As y.

        Returns
        -------
        self : the fitted estimator
        """
        with Cluster(usable_client(self.client)) as self._cluster:
            try:
                return cast(Self, super().fit(X, y, sample_weight))
            finally:
                del self._cluster

    def _read(
        self, X: Any, y: Any, sample_weight: Any, check_targets: CheckTargets, *, labels: bool,
        classes: Any = None,
    ) -> TrainingTable:  # fmt: skip
        blocks = labelled_blocks(X, y, sample_weight)
        categorical = self.categorical_features
        estimator = self.local(categorical_features=categorical)
        reading = Reading(estimator, categorical, check_targets, labels, classes)
        return read_distributed(self._cluster, blocks, reading)

    def _settings(self) -> dict[str, Any]:
        settings = super()._settings()
        del settings["client"]
        return settings

    def _lazily(self, method: str, X: Any, like: Any) -> Any:
        """What a method of the local estimator says of a lazy table, block by block."""
        return lazy_arrays(self.to_local(), method, X, like)

    def to_local(self) -> AdditiveRules:
        """The estimator of tables in memory with the same model and parameters."""
        parameters = {name: clone(one, safe=False) for name, one in self._settings().items()}
        found = self.local(**parameters)
        found.model_ = self.model_
        if hasattr(self, "classes_"):
            found.classes_ = self.classes_
        describe_columns(found, found.model_.columns)
        return found

    def __sklearn_clone__(self) -> Self:
        # A client is no value of which there could be two.
        copies = {name: clone(value, safe=False) for name, value in self._settings().items()}
        return type(self)(**copies, client=self.client)

    def __copy__(self) -> Self:
        found = type(self).__new__(type(self))
        found.__dict__.update(vars(self))
        return found

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "client": None}  # which is another process's own


class DaskUNFISClassifier(OnWorkers, AdditiveClassifier):
    """UNFISClassifier that learns from rows on the workers of a Dask cluster.

    Parameters
    ----------
    max_rules, ... : as of UNFISClassifier
    client : distributed.Client or None, default=None
        The client whose workers learn; None for the one that was made last.

    Attributes
    ----------
    classes_, model_, rules_, ... : as of UNFISClassifier

    Examples
    --------
    >>> from distributed import Client
    >>> import dask.dataframe as dd
    >>> from unfis.additive.distributed import DaskUNFISClassifier
    >>> client = Client("tcp://192.0.2.1:8786")  # doctest: +SKIP
    >>> table = dd.read_parquet("part-*.parquet")  # doctest: +SKIP
    >>> model = DaskUNFISClassifier(client=client).fit(table, "outcome")  # doctest: +SKIP
    """

    local = AdditiveClassifier

    def __init__(self, *, client: Any = None, **parameters: Any) -> None:
        super().__init__(**parameters)
        self.client = client

    def predict(self, X: Any) -> Any:
        """The class of each row: of a lazy table a dask array, block by block.

        Of a list of delayed blocks a list of delayed arrays; of a table in memory an array.
        """
        return self._lazily("predict", X, self.classes_[:0]) if is_lazy(X) else super().predict(X)

    def predict_proba(self, X: Any) -> Any:
        """The probability of each class, (n_samples, n_classes); lazy as those of `predict`."""
        if not is_lazy(X):
            return super().predict_proba(X)
        return self._lazily("predict_proba", X, np.empty((0, len(self.classes_))))


class DaskUNFISRegressor(OnWorkers, AdditiveRegressor):
    """UNFISRegressor that learns from rows on the workers of a Dask cluster.

    Parameters
    ----------
    loss, max_rules, ... : as of UNFISRegressor
    client : distributed.Client or None, default=None
        The client whose workers learn; None for the one that was made last.

    Attributes
    ----------
    model_, rules_, ... : as of UNFISRegressor
    """

    local = AdditiveRegressor

    def __init__(self, *, client: Any = None, **parameters: Any) -> None:
        super().__init__(**parameters)
        self.client = client

    def predict(self, X: Any) -> Any:
        """The number that is expected of each row; lazy as of the classifier."""
        return self._lazily("predict", X, np.empty(0)) if is_lazy(X) else super().predict(X)


def set_signature(kind: type[OnWorkers]) -> None:
    """Give a constructor the signature by which scikit-learn knows its parameters."""
    inherited = signature(kind.local.__init__)
    own = Parameter("client", Parameter.KEYWORD_ONLY, default=None)
    parameters = [*inherited.parameters.values(), own]
    kind.__init__.__signature__ = inherited.replace(parameters=parameters)  # type: ignore[attr-defined]


set_signature(DaskUNFISClassifier)
set_signature(DaskUNFISRegressor)
