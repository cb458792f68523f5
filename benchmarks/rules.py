"""Short rules at equal accuracy: the default beside its own soft model and what people use instead.

python benchmarks/rules.py [--splits 30] [--only iris,wine] [--output benchmarks/results/rules.csv]

Random 70/30 splits, seeds 0 to 29, default settings. Of every system: accuracy, how many rules,
leaves or terms, how many conditions each has on average, and seconds to fit. Then what a fit costs
in soft fits and where the time goes. Systems that are not installed (group `bench`) are left out,
and named.
"""

import argparse
import importlib.util
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from accuracy import encoded
from joblib import Parallel, delayed
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier
from tables import available, load

from unfis import UNFISClassifier, UNFISNetworkClassifier
from unfis_paper.reproduction.systems.peers import leaf_depths, light_ebm


def unfis_size(model):
    selected = model.model_.selected
    return selected.shape[0], selected.sum(axis=1).mean()


def all_inputs(model):
    return model.parameters_.shape.rules, len(model.inputs_)


def tree_size(model):
    return leaves_and_depth([model[-1].tree_])


def forest_size(model):
    trees = [tree.tree_ for tree in np.ravel(model[-1].estimators_)]
    return leaves_and_depth(trees)


def leaves_and_depth(trees):
    """Leaves of all trees, and how many splits lead to one on average."""
    depths = np.concatenate([leaf_depths(tree) for tree in trees])
    return len(depths), depths.mean()


def linear_size(model):
    return model[-1].coef_.shape[1], 1


def ebm_size(model):
    return len(model.term_names_), 1


class FuzzyRules:
    """ex-fuzzy's rule learner behind a table of numbers, with its own settings."""

    def fit(self, X, y):
        from ex_fuzzy.evolutionary_fit import BaseFuzzyRulesClassifier

        self.encoder_ = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
        self.texts_ = [name for name in X if not pd.api.types.is_numeric_dtype(X[name])]
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.model_ = BaseFuzzyRulesClassifier()
        self.model_.fit(self._numbers(X, learn=True), codes)
        return self

    def _numbers(self, X, learn=False):
        X = X.copy()
        if self.texts_:
            encode = self.encoder_.fit_transform if learn else self.encoder_.transform
            X[self.texts_] = encode(X[self.texts_])
        return X.to_numpy(dtype=float)

    def score(self, X, y):
        codes = np.asarray(self.model_.predict(self._numbers(X)), dtype=int)
        return float(np.mean(self.classes_[codes] == np.asarray(y)))


def fuzzy_size(model):
    matrices = [np.asarray(rules) for rules in model.model_.rule_base.get_rulebase_matrix()]
    lengths = np.concatenate([(rules >= 0).sum(axis=1) for rules in matrices if len(rules)])
    return len(lengths), lengths.mean()


# name: how to make it, how to size it, the package it needs
SYSTEMS = {
    "decisive (default)": (lambda: UNFISClassifier(), unfis_size, "unfis"),
    "soft": (UNFISNetworkClassifier, all_inputs, "unfis"),
    "soft (3 rules)": (
        lambda: UNFISNetworkClassifier(3, ridge=0.15),
        all_inputs,
        "unfis",
    ),
    "tree of depth 4": (
        lambda: encoded(DecisionTreeClassifier(max_depth=4, random_state=0)),
        tree_size,
        "sklearn",
    ),
    "logistic regression": (
        lambda: encoded(LogisticRegression(max_iter=5000)),
        linear_size,
        "sklearn",
    ),
    "random forest": (
        lambda: encoded(RandomForestClassifier(random_state=0)),
        forest_size,
        "sklearn",
    ),
    "gradient boosting": (
        lambda: encoded(GradientBoostingClassifier(random_state=0)),
        forest_size,
        "sklearn",
    ),
    "EBM (light)": (lambda: light_ebm(0), ebm_size, "interpret"),
    "ex-fuzzy": (FuzzyRules, fuzzy_size, "ex_fuzzy"),
}
PARTS = ["ridge", "path", "cross-validation", "rest"]


def installed():
    return [name for name, (*_, package) in SYSTEMS.items() if importlib.util.find_spec(package)]


def run(name, seed, systems):
    """Fit every system on one split, one after the other in this process."""
    X, y = load(name)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=seed)
    rows = []
    for system in systems:
        make, size, _ = SYSTEMS[system]
        model = make()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            began = time.perf_counter()
            model.fit(X_train, y_train)
            seconds = time.perf_counter() - began
            accuracy = 100 * model.score(X_test, y_test)
        rules, conditions = size(model)
        row = {"set": name, "seed": seed, "system": system, "accuracy": accuracy}
        row |= {"rules": rules, "conditions": conditions, "seconds": seconds}
        if system.startswith("decisive"):
            spent = model.choices_["seconds"]
            row |= {part: spent.get(part, seconds - sum(spent.values())) for part in PARTS}
        rows.append(row)
    return rows


def ebm_default_seconds(name, seed):
    from interpret.glassbox import ExplainableBoostingClassifier

    X, y = load(name)
    X, _, y, _ = train_test_split(X, y, test_size=0.3, random_state=seed)
    began = time.perf_counter()
    ExplainableBoostingClassifier(n_jobs=1, random_state=0).fit(X, y)
    return time.perf_counter() - began


def report(results):
    for value in ("accuracy", "rules", "conditions", "seconds"):
        wide = results.pivot_table(value, "system", "set", sort=False)
        print(f"\nmean {value}")
        print(wide.assign(mean=wide.mean(axis=1)).round(2).to_string())
    wide = results.pivot_table("accuracy", ["set", "seed"], "system", sort=False)
    for soft in [name for name in wide if name.startswith("soft")]:
        difference = (wide["decisive (default)"] - wide[soft]).groupby("set", sort=False)
        table = pd.DataFrame({"difference": difference.mean(), "+-": difference.sem()})
        print(f"\naccuracy of decisive minus {soft}, mean {difference.mean().mean():.2f}")
        print(table.round(2).T.to_string())
    seconds = results.pivot_table("seconds", ["set", "seed"], "system", sort=False)
    cost = pd.DataFrame()
    for soft in [name for name in wide if name.startswith("soft")]:
        ratios = (seconds["decisive (default)"] / seconds[soft]).groupby("set", sort=False)
        cost[f"seconds / {soft}"] = ratios.median()
    parts = results.dropna(subset=PARTS).groupby("set", sort=False)
    cost["worst seconds"] = parts["seconds"].max()
    for part in PARTS:
        cost[f"share of {part}"] = parts[part].sum() / parts["seconds"].sum()
    print("\ncost of the default fit (ratios: medians over the splits)")
    print(cost.round(2).T.to_string())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=30)
    parser.add_argument("--only", default=",".join(available()))
    parser.add_argument("--systems", default=",".join(installed()))
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    names = arguments.only.split(",")
    systems = arguments.systems.split(",")
    print("left out, as not installed:", sorted(set(SYSTEMS) - set(installed())) or "none")
    jobs = (delayed(run)(n, s, systems) for s in range(arguments.splits) for n in names)
    results = pd.DataFrame([row for rows in Parallel(n_jobs=2)(jobs) for row in rows])
    if arguments.output:
        results.round(6).to_csv(arguments.output, index=False)
    report(results)
    if "EBM (light)" in systems:
        spent = [ebm_default_seconds(names[0], seed) for seed in range(2)]
        print(
            f"\nEBM's own settings on {names[0]}, two splits: {spent[0]:.1f} and {spent[1]:.1f} s"
        )


if __name__ == "__main__":
    main()
