"""The same fit on a Dask cluster: blocks of the table stay on its workers, and sums come back.

`DaskUNFISClassifier` and `DaskUNFISRegressor` are the estimators, `blocks` is what workers read,
`reading` joins what they say into one table, `estimator` fits and predicts.
"""

from unfis.serial.messages import needed

needed("distributed", "unfis.additive.distributed needs dask", "dask")

from unfis.additive.distributed.estimator import (  # noqa: E402 - not without dask
    DaskUNFISClassifier,
    DaskUNFISRegressor,
)
from unfis.distributed.cluster import ClusterError, cluster_client  # noqa: E402

__all__ = ["ClusterError", "DaskUNFISClassifier", "DaskUNFISRegressor", "cluster_client"]
