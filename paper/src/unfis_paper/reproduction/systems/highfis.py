"""highfis: three networks for many inputs, in torch."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

from unfis.arrays import Array
from unfis_paper.reproduction.systems.adapter import ComparedSystem, peer, size_of_tsk

# Two of highfis descend by fixed steps over all rows. DG-TSK starts from 300 rows for 300 epochs,
# which takes 80 s on 737 rows: here it has a tenth of the rows and a third of the epochs, and is
# the less accurate for it. Its step stays its own: five times as long, it diverged on breast cancer
# and the classes were swapped with every epoch. For FSRE-AdaTSK 60 steps of 0.5 stand for 1000 of
# 0.05; its loss fell with them on all eight sets tried.
LIGHT_DG = {"pfrb_max_rules": 30, "dg_epochs": 100, "finetune_epochs": 100}
LIGHT_FSRE = {"fs_epochs": 60, "re_epochs": 60, "finetune_epochs": 60, "learning_rate": 0.5}


def learn_highfis(name: str, settings: dict[str, Any], seed: int, matrix: Array, codes: Any) -> Any:
    """One of highfis's classifiers; metrics of every epoch, which none reads, are left out."""
    classifier = getattr(import_module("highfis"), name)
    return classifier(random_state=seed, eval_metrics_every=0, **settings).fit(matrix, codes)


def highfis(name: str, classifier: str, settings: dict[str, Any]) -> ComparedSystem:
    """One of highfis's classifiers, with the rules and inputs that are left."""
    return peer(
        name,
        ("highfis", "torch"),
        partial(learn_highfis, classifier, settings),
        lambda model: size_of_tsk(len(model.get_rule_table()), len(model.selected_features_)),
    )


HIGHFIS = (
    highfis("HTSK", "HTSKClassifier", {}),
    highfis("DG-TSK (light)", "DGTSKClassifier", LIGHT_DG),
    highfis("FSRE-AdaTSK (light)", "FSREADATSKClassifier", LIGHT_FSRE),
)
