"""The systems that are compared, by name: a file per package, and here their order in results.

Settings are the packages' own, or those of their first example, except where a fit would take many
seconds: hundreds of fits have to end within the hour. Comments say what is lighter, and how. What
is not installed is left out of the runs.
"""

from unfis_paper.reproduction.systems.almmo0 import ALMMO0
from unfis_paper.reproduction.systems.ebm import EBM
from unfis_paper.reproduction.systems.efnhn import EFNHN
from unfis_paper.reproduction.systems.efnn import EFNN
from unfis_paper.reproduction.systems.efnn_null_uni import EFNN_NULL_UNI
from unfis_paper.reproduction.systems.enfs_uni0 import ENFS_UNI0
from unfis_paper.reproduction.systems.ex_fuzzy import EX_FUZZY
from unfis_paper.reproduction.systems.highfis import HIGHFIS
from unfis_paper.reproduction.systems.own import DEFAULTS, PAPER_NETWORKS, TUNED_NETWORKS
from unfis_paper.reproduction.systems.pytsk import PYTSK
from unfis_paper.reproduction.systems.scikit_learn import SCIKIT_LEARN
from unfis_paper.reproduction.systems.uninull_fnn import UNINULL_FNN
from unfis_paper.reproduction.systems.xanfis import XANFIS

__all__ = ["COMPARED_SYSTEMS", "OURS", "PEERS", "SYSTEMS"]

OURS = (*PAPER_NETWORKS, *DEFAULTS, *TUNED_NETWORKS)
PEERS = (*SCIKIT_LEARN, EBM, EX_FUZZY, *HIGHFIS, PYTSK, XANFIS)
# Those of the paper's tables, re-implemented, and a sister of one of them.
COMPARED_SYSTEMS = (*EFNN_NULL_UNI, *UNINULL_FNN, *ENFS_UNI0, *ALMMO0, *EFNHN, *EFNN)
SYSTEMS = {system.name: system for system in (*OURS, *PEERS, *COMPARED_SYSTEMS)}
