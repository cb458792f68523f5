"""Do other samples of the same rows give the same inputs? Those of the rules, and those of trees.

python benchmarks/stability.py [--samples 20] [--only iris,wine] [--quick] [--output file.csv]

Bootstrap samples of the training rows (70 %, seed 0) of each set. On each: a default fit, a tree of
depth 4, and a tree pruned to no more leaves than the fit has conditions. The inputs of every pair
of samples are compared by Jaccard's index, all of them by Nogueira's measure, which takes away what
as many inputs drawn by chance would agree. Where there is nothing to compare the answer is none.
"""

import argparse
import warnings
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from measuring import output_path, write_rows
from reading import inputs_of
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier
from tables import available, load

from unfis import UNFISClassifier

OURS = "unfis"
TREES = ["tree of depth 4", "tree of as many leaves"]


def sampled(X, y, number):
    """A bootstrap sample of a table, always the same one of a number."""
    rows = np.random.default_rng(number).integers(len(X), size=len(X))
    return X.iloc[rows], y.iloc[rows]


def inputs_of_rules(X, y):
    """The inputs of a default fit, and how many conditions it has."""
    rules = UNFISClassifier().fit(X, y).model_.rules
    return {OURS: inputs_of(rules)}, rules.conditions


def inputs_of_trees(X, y, leaves):
    """The inputs of a tree of depth 4, and of one pruned to so many leaves, two at least."""
    codes = X.apply(lambda column: column if column.dtype.kind in "ifb" else column.factorize()[0])
    deep = DecisionTreeClassifier(max_depth=4, random_state=0).fit(codes, y)
    trees = [deep, pruned(codes, y, max(2, leaves))]
    splits = [tree.tree_.feature[tree.tree_.feature >= 0] for tree in trees]
    return {name: np.unique(found) for name, found in zip(TREES, splits, strict=True)}


def pruned(X, y, leaves):
    """The largest tree on the path of cost-complexity pruning that has no more leaves.

    Where pruning leaves no tree but the root, which has no input, the one before it.
    """
    tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    for alpha in tree.cost_complexity_pruning_path(X, y).ccp_alphas[:-1]:
        if tree.get_n_leaves() <= leaves:
            break
        tree = DecisionTreeClassifier(random_state=0, ccp_alpha=max(0.0, alpha)).fit(X, y)
    return tree


def run(name, number):
    """The inputs of every model on one sample, as positions."""
    X, y = load(name)
    X, _, y, _ = train_test_split(X, y, test_size=0.3, random_state=0)
    X, y = sampled(X, y, number)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found, conditions = inputs_of_rules(X, y)
        found |= inputs_of_trees(X, y, conditions)
    row = {"set": name, "inputs": X.shape[1], "sample": number, "conditions": conditions}
    return [row | {"of": of, "chosen": " ".join(map(str, chosen))} for of, chosen in found.items()]


def membership(part):
    """Which inputs were chosen on which sample, shape (samples, inputs)."""
    table = np.zeros((len(part), int(part["inputs"].iloc[0])), dtype=bool)
    for row, chosen in zip(table, part["chosen"], strict=True):
        row[[int(position) for position in chosen.split()]] = True
    return table


def jaccard(table):
    """Mean over pairs of samples of shared inputs by all of both; None if none has any.

    Two samples without any input are no pair: that nothing was chosen twice is no agreement.
    """
    pairs = [(a & b, a | b) for a, b in combinations(table, 2)]
    indices = [shared.sum() / either.sum() for shared, either in pairs if either.any()]
    return float(np.mean(indices)) if indices else None


def nogueira(table):
    """1 - mean_f s_f^2 / (k/d (1 - k/d)), k of d inputs on average; None if all are in or out."""
    shares = table.mean(axis=0)
    variances = len(table) / (len(table) - 1) * shares * (1 - shares)
    by_chance = shares.mean() * (1 - shares.mean())
    return float(1 - variances.mean() / by_chance) if by_chance > 0 else None


def measures(results):
    """Stability and number of the inputs, by what they are of and by set."""
    rows = []
    for (of, name), part in results.groupby(["of", "set"], sort=False):
        table = membership(part)
        row = {"of": of, "set": name, "Jaccard": jaccard(table), "Nogueira": nogueira(table)}
        row["inputs"] = table.sum(axis=1).mean()
        rows.append(row | {"samples with any, %": 100 * table.any(axis=1).mean()})
    return pd.DataFrame(rows)


def summary(results):
    """A table for each measure; means are over the sets that have a value."""
    found, texts = measures(results), []
    for measure in ("Jaccard", "Nogueira", "inputs", "samples with any, %"):
        wide = found.pivot(index="of", columns="set", values=measure).astype(float)
        wide = wide.loc[[OURS, *TREES], list(dict.fromkeys(found["set"]))]
        wide["mean"] = wide.mean(axis=1)
        told = wide.map(lambda value: "none" if pd.isna(value) else f"{value:.2f}")
        texts.append(f"{measure}\n{told.rename_axis(index=None, columns=None).to_string()}")
    return "\n\n".join([*texts, "\n".join(paired(found))])


def paired(found):
    """Ours less a tree's, over the sets where both have a value."""
    for measure in ("Jaccard", "Nogueira"):
        wide = found.pivot(index="set", columns="of", values=measure).astype(float)
        for tree in TREES:
            more = (wide[OURS] - wide[tree]).dropna()
            if len(more):
                yield (
                    f"{measure}: {OURS} less {tree}: {more.mean():+.2f} on average, "
                    f"more on {(more > 0).sum()} of {len(more)} sets"
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--only", default=",".join(available()))
    parser.add_argument("--quick", action="store_true", help="three samples of iris")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    names = ["iris"] if arguments.quick else arguments.only.split(",")
    samples = 3 if arguments.quick else arguments.samples
    jobs = (delayed(run)(name, number) for name in names for number in range(samples))
    rows = [row for found in Parallel(n_jobs=2)(jobs) for row in found]
    path = output_path(arguments.output, "stability.csv", quick=arguments.quick)
    write_rows(path, rows)
    print(summary(pd.DataFrame(rows)))
    print(f"\nrecorded in {path}")


if __name__ == "__main__":
    main()
