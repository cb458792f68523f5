"""DaskUNFISClassifier: UNFISClassifier whose rows lie on the workers of a Dask cluster."""

from __future__ import annotations

import hashlib
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, Self

import numpy as np
from sklearn.base import clone

from unfis.arrays import Array
from unfis.distributed.cluster import Cluster, usable_client
from unfis.distributed.lazily import lazy_arrays, lazy_objects
from unfis.distributed.reading import read_distributed
from unfis.distributed.rows import DaskRead
from unfis.distributed.sources import is_lazy, labelled_blocks
from unfis.estimators.classifier import UNFISClassifier
from unfis.estimators.model_classifier import ReadRows
from unfis.estimators.progress import watch_of
from unfis.estimators.tables import Read, describe_columns
from unfis.learning.checkpoint import Checkpoint
from unfis.learning.loop import Learner
from unfis.model.begin import Fit
from unfis.model.checking import check_settings
from unfis.model.fitted import FittedModel
from unfis.model.settings import Settings

# Its parameters beside those of UNFISClassifier.
OWN_PARAMETERS = ("client", "checkpoint")
# Parameters that change nothing of what is learned, or only how soon it ends.
OF_THE_RUN = ("verbose", "n_jobs", "time_limit", "costs", "threshold")


class DaskUNFISClassifier(UNFISClassifier):
    """UNFISClassifier that learns from rows on the workers of a Dask cluster.

    Each worker holds its blocks of the table, and answers with small sums; here are only those, and
    up to about 20,000 rows by which rules are chosen. The model is that of the same table in
    memory, up to the last digits of sums. What is lost with a worker is read again from its source.

    Parameters
    ----------
    n_rules, ... : as of UNFISClassifier
    client : distributed.Client or None, default=None
        The client whose workers learn; None for the one that was made last.
    checkpoint : str, path or None, default=None
        A file that keeps the parameters after each iteration, and is gone when the fit is done. A
        fit that finds it goes on from there, with the same rows and parameters; the rules are
        chosen again before.

    Attributes
    ----------
    classes_, rules_, ... : as of UNFISClassifier

    Examples
    --------
    >>> from distributed import Client
    >>> import dask.dataframe as dd
    >>> from unfis.distributed import DaskUNFISClassifier
    >>> client = Client("tcp://192.0.2.1:8786")  # doctest: +SKIP
    >>> table = dd.read_parquet("part-*.parquet")  # doctest: +SKIP
    >>> model = DaskUNFISClassifier(client=client).fit(table, "outcome")  # doctest: +SKIP
    >>> model.to_local().save("model.json")  # doctest: +SKIP
    """

    def __init__(
        self,
        n_rules: int | str = "auto",
        *,
        client: Any = None,
        checkpoint: Any = None,
        **parameters: Any,
    ) -> None:
        super().__init__(n_rules, **parameters)
        self.client = client
        self.checkpoint = checkpoint

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the rules.

        Parameters
        ----------
        X : dask array or dask data frame of shape (n_samples, n_features), or list
            A list has delayed blocks (X, y) or (X, y, weights), all arrays or all data frames.
        y : dask array or series of shape (n_samples,), or str, default=None
            The classes, in the blocks of X; of a data frame maybe the name of their column. None
            with a list.
        sample_weight : dask array or series of shape (n_samples,), or str, default=None
            As y.

        Returns
        -------
        self : DaskUNFISClassifier
        """
        settings = self._settings
        check_settings(settings)
        blocks, client = labelled_blocks(X, y, sample_weight), usable_client(self.client)
        watch = watch_of(None)
        watch.begin("reading", (0.0, 1.0))
        with Cluster(client) as cluster:
            read = read_distributed(cluster, blocks, settings, None, watch.report)
            self._fit(X, y, sample_weight, None, read)
        describe_columns(self, read.columns)
        if self.checkpoint is not None:
            Path(self.checkpoint).unlink(missing_ok=True)  # it is done
        return self

    def predict(self, X: Any) -> Any:
        """The class to answer for each row: of a lazy table a dask array, block by block.

        Of a list of delayed blocks a list of delayed arrays; of a table in memory an array.
        """
        if not is_lazy(X):
            return super().predict(X)
        return lazy_arrays(self.to_local(), "predict", X, self.classes_[:0])

    def predict_proba(self, X: Any) -> Any:
        """The probability of each class, (n_samples, n_classes); lazy as those of `predict`."""
        if not is_lazy(X):
            return super().predict_proba(X)
        return lazy_arrays(self.to_local(), "predict_proba", X, np.empty((0, len(self.classes_))))

    def explain(self, X: Any) -> Any:
        """Take predictions apart; of a lazy table a list, delayed Explanations of each block."""
        return lazy_objects(self.to_local(), "explain", X) if is_lazy(X) else super().explain(X)

    def to_local(self) -> UNFISClassifier:
        """An ordinary UNFISClassifier with the same model and parameters."""
        parameters = clone(self).get_params(deep=False)
        local = UNFISClassifier(
            **{name: one for name, one in parameters.items() if name not in OWN_PARAMETERS}
        )
        local.model_ = self._fitted
        describe_columns(local, local.model_.columns)
        return local

    def __sklearn_clone__(self) -> Self:
        # A client is no value of which there could be two.
        parameters = self.get_params(deep=False)
        return type(self)(
            **{
                name: value if name == "client" else clone(value, safe=False)
                for name, value in parameters.items()
            }
        )

    def __copy__(self) -> Self:
        copied = type(self).__new__(type(self))
        copied.__dict__.update(vars(self))
        return copied

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "client": None}  # which is another process's own

    def _job(self, settings: Settings, learner: Learner, read: Read | ReadRows) -> Fit:
        job = super()._job(settings, learner, read)
        if self.checkpoint is None or not isinstance(read, DaskRead):
            return job
        return job._replace(checkpoint=Checkpoint(self.checkpoint, words_for(settings, read)))

    def _values(self, X: Any, model: FittedModel) -> Array:
        refuse_lazy(X)
        return super()._values(X, model)

    def _read(self, X: Any, y: Any, sample_weight: Any = None) -> Read:
        refuse_lazy(X)
        return super()._read(X, y, sample_weight)


def refuse_lazy(X: Any) -> None:
    """Raise ValueError for a table whose rows lie elsewhere."""
    if is_lazy(X):
        raise ValueError(
            f"X must be a table in memory, got {type(X).__name__}: only fit, predict, "
            "predict_proba and explain take Dask's. Give X.compute(), or some blocks of it."
        )


def words_for(settings: Settings, read: DaskRead) -> str:
    """What tells a fit from others: its settings, the columns, and sums over the rows."""
    lasting = {name: one for name, one in settings.plain().items() if name not in OF_THE_RUN}
    columns = [(item.name, item.kind, item.categories) for item in read.columns.inputs]
    ends, rows, _ = read.totals
    told = repr((lasting, columns, read.columns.classes.tolist(), ends.tolist(), rows.tolist()))
    return hashlib.sha256(told.encode()).hexdigest()


def with_own_parameters() -> Any:
    """The signature of the constructor, by which scikit-learn knows the parameters."""
    own = signature(DaskUNFISClassifier.__init__).parameters
    inherited = signature(UNFISClassifier.__init__).parameters
    named = [one for one in own.values() if one.name in OWN_PARAMETERS]
    found = [*inherited.values(), *named]
    assert all(one.kind is not Parameter.VAR_KEYWORD for one in found)
    return signature(UNFISClassifier.__init__).replace(parameters=found)


DaskUNFISClassifier.__init__.__signature__ = with_own_parameters()  # type: ignore[attr-defined]
