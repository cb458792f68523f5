"""The same fit on a Dask cluster: blocks of the table stay on its workers, and sums come back.

`DaskUNFISClassifier` is the estimator. `sources` takes dask arrays, data frames and delayed blocks
apart, `blocks` is what workers hold and do, `reading` learns the columns from what all of them say,
`problem` and `rows` are the `Problem` and the `TrainingRows` whose sums are taken there, `cluster`
has tasks run, in order and without leaving any behind.
"""

from unfis.serial.messages import needed

needed("distributed", "unfis.distributed needs dask", "dask")

from unfis.distributed.cluster import ClusterError, cluster_client  # noqa: E402 - not without dask
from unfis.distributed.estimator import DaskUNFISClassifier  # noqa: E402

__all__ = ["ClusterError", "DaskUNFISClassifier", "cluster_client"]
