"""Peers: classifiers of scikit-learn and of other packages, for tables and labels of any kind."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.cluster import KMeans
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from unfis.arrays import Array
from unfis.reproduction.systems.system import ComparedSystem

# Two of highfis descend by fixed steps over all rows. DG-TSK starts from 300 rows for 300 epochs,
# which takes 80 s on 737 rows: here it has a tenth of the rows and a third of the epochs, and is
# the less accurate for it. Its step stays its own: five times as long, it diverged on breast cancer
# and the classes were swapped with every epoch. For FSRE-AdaTSK 60 steps of 0.5 stand for 1000 of
# 0.05; its loss fell with them on all eight sets tried.
LIGHT_DG = {"pfrb_max_rules": 30, "dg_epochs": 100, "finetune_epochs": 100}
LIGHT_FSRE = {"fs_epochs": 60, "re_epochs": 60, "finetune_epochs": 60, "learning_rate": 0.5}


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


def unscaled() -> Any:
    """Numbers as they are: ex-fuzzy takes few whole numbers for categories, and scales itself."""
    return one_hot_columns("passthrough")


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


class Peer(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A peer that learns from a matrix and codes, behind a table and labels of any kind.

    Attributes
    ----------
    learn : called with matrix and codes 0..C-1, gives a model with predict_proba
    encode : makes the transformer from table to matrix
    """

    def __init__(
        self, learn: Callable[[Array, Any], Any], encode: Callable[[], Any] = standardised
    ) -> None:
        self.learn = learn
        self.encode = encode

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


def learn_ex_fuzzy(seed: int, matrix: Array, codes: Any) -> Any:
    """ex-fuzzy's genetic search for rules, with its own settings."""
    fitting = import_module("ex_fuzzy.evolutionary_fit")
    return fitting.BaseFuzzyRulesClassifier(random_state=seed).fit(matrix, codes)


def learn_highfis(name: str, settings: dict[str, Any], seed: int, matrix: Array, codes: Any) -> Any:
    """One of highfis's classifiers; metrics of every epoch, which none reads, are left out."""
    classifier = getattr(import_module("highfis"), name)
    return classifier(random_state=seed, eval_metrics_every=0, **settings).fit(matrix, codes)


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


def size_of_ex_fuzzy(model: Any) -> dict[str, float]:
    """Rules of all classes, and their antecedents."""
    matrices = [np.asarray(rules) for rules in model.rule_base.get_rulebase_matrix()]
    counts = [int((rules >= 0).sum()) for rules in matrices if len(rules)]
    return {"rules": sum(map(len, matrices)), "conditions": sum(counts)}


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


def highfis(name: str, classifier: str, settings: dict[str, Any]) -> ComparedSystem:
    """One of highfis's classifiers, with the rules and inputs that are left."""
    return peer(
        name,
        ("highfis", "torch"),
        partial(learn_highfis, classifier, settings),
        lambda model: size_of_tsk(len(model.get_rule_table()), len(model.selected_features_)),
    )


PEERS = (
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
    ComparedSystem(
        "EBM (light)",
        light_ebm,
        packages=("interpret",),
        observe=lambda model, X, y: size_of_tsk(len(model.term_names_), 1),
    ),
    peer("ex-fuzzy", ("ex_fuzzy",), learn_ex_fuzzy, size_of_ex_fuzzy, unscaled),
    highfis("HTSK", "HTSKClassifier", {}),
    highfis("DG-TSK (light)", "DGTSKClassifier", LIGHT_DG),
    highfis("FSRE-AdaTSK (light)", "FSREADATSKClassifier", LIGHT_FSRE),
    peer(
        "PyTSK",
        ("pytsk", "torch"),
        learn_pytsk,
        lambda model: size_of_tsk(model.model.n_rule, model.model.in_dim),
    ),
    peer(
        "xanfis (light)",
        ("xanfis", "torch"),
        learn_xanfis,
        lambda model: size_of_tsk(model.num_rules, model.size_input),
    ),
)
