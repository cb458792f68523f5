"""The peers: what people use instead, each by its package, at its own settings or light ones."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.cluster import KMeans
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from unfis.arrays import Array
from unfis_paper.reproduction.systems.adapter import (
    ComparedSystem,
    one_hot_columns,
    peer,
    size_of_tsk,
    standardised,
)


def encoded(model: Any) -> Any:
    """A model of scikit-learn's behind standardised numbers and one-hot categories."""
    return make_pipeline(standardised(), model)


def support_vectors(seed: int) -> Any:
    """An SVM with probabilities; SVC's own are deprecated."""
    return encoded(CalibratedClassifierCV(SVC(random_state=seed), ensemble=False))


def size_of_trees(trees: Iterable[Any]) -> dict[str, float]:
    """Leaves of all trees, and the splits that lead to them."""
    depths = np.concatenate([leaf_depths(tree.tree_) for tree in trees])
    return {"rules": len(depths), "conditions": int(depths.sum())}


def leaf_depths(tree: Any) -> Any:
    """How many splits lead to each leaf."""
    return tree.compute_node_depths()[tree.children_left < 0] - 1  # the root's depth is 1


SCIKIT_LEARN = (
    ComparedSystem("logistic regression", lambda seed: encoded(LogisticRegression(max_iter=5000))),
    ComparedSystem(
        "tree",
        lambda seed: encoded(DecisionTreeClassifier(max_depth=4, random_state=seed)),
        observe=lambda model, X, y: size_of_trees([model[-1]]),
    ),
    ComparedSystem(
        "random forest",
        lambda seed: encoded(RandomForestClassifier(200, random_state=seed)),
        observe=lambda model, X, y: size_of_trees(model[-1].estimators_),
    ),
    ComparedSystem(
        "histogram boosting",
        lambda seed: encoded(HistGradientBoostingClassifier(random_state=seed)),
    ),
    ComparedSystem("SVM", support_vectors),
)


def light_ebm(seed: int) -> Any:
    """InterpretML's boosting machine on the table itself, which it bins as it likes."""
    glassbox = import_module("interpret.glassbox")
    # Its own settings, 14 bags, interactions and up to 50000 rounds at a rate of 0.015, took 14 to
    # 30 seconds on the smallest sets.
    return glassbox.ExplainableBoostingClassifier(
        outer_bags=4,
        interactions=0,
        learning_rate=0.05,
        max_rounds=5000,
        n_jobs=1,
        random_state=seed,
    )


EBM = ComparedSystem(
    "EBM (light)",
    light_ebm,
    packages=("interpret",),
    observe=lambda model, X, y: size_of_tsk(len(model.term_names_), 1),
)


def unscaled() -> Any:
    """Numbers as they are: ex-fuzzy takes few whole numbers for categories, and scales itself."""
    return one_hot_columns("passthrough")


def learn_ex_fuzzy(seed: int, matrix: Array, codes: Any) -> Any:
    """ex-fuzzy's genetic search for rules, with its own settings."""
    fitting = import_module("ex_fuzzy.evolutionary_fit")
    return fitting.BaseFuzzyRulesClassifier(random_state=seed).fit(matrix, codes)


def size_of_ex_fuzzy(model: Any) -> dict[str, float]:
    """Rules of all classes, and their antecedents."""
    matrices = [np.asarray(rules) for rules in model.rule_base.get_rulebase_matrix()]
    counts = [int((rules >= 0).sum()) for rules in matrices if len(rules)]
    return {"rules": sum(map(len, matrices)), "conditions": sum(counts)}


EX_FUZZY = peer("ex-fuzzy", ("ex_fuzzy",), learn_ex_fuzzy, size_of_ex_fuzzy, unscaled)


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


def learn_pytsk(seed: int, matrix: Array, codes: Any) -> Any:
    """The example of PyTSK's documentation: HTSK with 10 rules, 300 epochs of AdamW."""
    torch, pytsk = import_module("torch"), import_module("pytsk.gradient_descent")
    torch.manual_seed(seed)
    rules, inputs, classes = 10, matrix.shape[1], len(np.unique(codes))
    # Its antecedent_init_center does the same, but cannot be seeded.
    centres = KMeans(rules, n_init=20, random_state=seed).fit(matrix).cluster_centers_.T
    antecedent = pytsk.AntecedentGMF(inputs, rules, high_dim=True, init_center=centres)
    network = pytsk.TSK(inputs, classes, rules, antecedent, precons=torch.nn.BatchNorm1d(inputs))
    optimiser = torch.optim.AdamW(network.parameters(), lr=0.01, weight_decay=1e-8)
    # The example holds out a fifth of the rows to stop early. Of sets as small as these that is too
    # few to tell when: over four splits of iris that gave 83 % accuracy, learning from all rows 98.
    loss = torch.nn.CrossEntropyLoss()
    return pytsk.Wrapper(network, optimiser, loss, epochs=300).fit(matrix, codes)


PYTSK = peer(
    "PyTSK",
    ("pytsk", "torch"),
    learn_pytsk,
    lambda model: size_of_tsk(model.model.n_rule, model.model.in_dim),
)


def learn_xanfis(seed: int, matrix: Array, codes: Any) -> Any:
    """The example of xanfis's documentation: an ANFIS of Gaussians, trained by Adam."""
    # The example's 20 rules and batches of 16 take several times as long as the default 10 rules
    # and batches of 64. The package's classic ANFIS, with least squares on every batch, was at
    # chance on heart and autism, with batches of 16 and of 512.
    classifier = import_module("xanfis").GdAnfisClassifier(
        num_rules=10,
        vanishing_strategy="blend",
        epochs=50,
        batch_size=64,
        optim_params={"lr": 0.01},
        seed=seed,
        verbose=False,
    )
    return classifier.fit(matrix, codes)


XANFIS = peer(
    "xanfis (light)",
    ("xanfis", "torch"),
    learn_xanfis,
    lambda model: size_of_tsk(model.num_rules, model.size_input),
)

PEERS = (*SCIKIT_LEARN, EBM, EX_FUZZY, *HIGHFIS, PYTSK, XANFIS)
