"""ENFS-Uni0, the evolving sister of UNInull-FNN, which the paper's tables do not have."""

from __future__ import annotations

from unfis_paper.compared import ENFSUni0Classifier
from unfis_paper.reproduction.systems.forms import in_all_forms

ENFS_UNI0 = in_all_forms("ENFS-Uni0", lambda seed: ENFSUni0Classifier(random_state=seed))
