"""The systems that are compared, by name, in their order in results.

Settings are the packages' own, or those of their first example, except where a fit would take many
seconds: hundreds of fits have to end within the hour. Comments say what is lighter, and how. What
is not installed is left out of the runs.
"""

from unfis_paper.reproduction.systems.compared import COMPARED_SYSTEMS
from unfis_paper.reproduction.systems.own import DEFAULTS, PAPER_NETWORKS, TUNED_NETWORKS
from unfis_paper.reproduction.systems.peers import PEERS

__all__ = ["COMPARED_SYSTEMS", "OURS", "PEERS", "SYSTEMS"]

OURS = (*PAPER_NETWORKS, *DEFAULTS, *TUNED_NETWORKS)
SYSTEMS = {system.name: system for system in (*OURS, *PEERS, *COMPARED_SYSTEMS)}
