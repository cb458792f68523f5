"""Ways of choosing which condition goes next, compared at the same lengths on the same splits.

python benchmarks/elimination.py [--splits 10] [--output benchmarks/results/elimination.csv]

Two rules, the ridge chosen as always. Accuracy on the held-out 30 % when so many conditions are
left per rule. Nothing is chosen between the lengths, so this compares the paths alone.
"""

import argparse
from dataclasses import fields
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from sklearn.model_selection import train_test_split
from tables import available, load

from unfis import UNFISClassifier
from unfis.arrays import softmax
from unfis.estimators.tables import read_labelled
from unfis.initialisation.start import kmeans_start
from unfis.learning.objective import CrossEntropy
from unfis.model.settings import Settings
from unfis.network import forward, network_logits
from unfis.network.removal import removal_changes
from unfis.selection import Elimination
from unfis.selection.choice import RIDGES, best_ridge
from unfis.selection.elimination import Trained, path_sizes
from unfis.selection.folds import deduplicated

LENGTHS = (1, 2, 3, 4, 5)
RULES = 2


def settings(task):
    """What a path is made from, for another way to make it."""
    return {field.name: getattr(task, field.name) for field in fields(task)}


def known(task, stage):
    """A network of the path that is trained already."""
    network, problem = task.problem(stage)
    return Trained(stage, network, problem, network.start)


class Surgeon(Elimination):
    """The library's: the rise of the objective once all other parameters have responded."""


class Immediate(Elimination):
    """The rise of the loss at once, before anything responds."""

    def costs(self, trained):
        stage, samples, loss = trained.stage, self.samples, CrossEntropy().losses
        activations = forward(stage.parameters, samples.X)
        pairs = np.argwhere(stage.selected)
        changes = removal_changes(stage.parameters, activations, pairs, self.inputs)
        losses = [loss(activations.logits + change, samples.targets) for change in changes]
        return np.array(losses) @ samples.weights


class Magnitude(Elimination):
    """The size of the condition's slopes, as one would read them off the fitted rule."""

    def costs(self, trained):
        stage = trained.stage
        slopes = stage.parameters.consequents[:, :, 1:]
        pairs = np.argwhere(stage.selected)
        return np.array([np.square(slopes[i, :, self.inputs[j]]).sum() for i, j in pairs])


class Projection(Elimination):
    """The surgeon's order, but shorter rules learn what the network of all inputs says of the
    samples instead of their labels (a tenth of the ridge, since that is smooth already).
    """

    def path(self, first, sizes):
        said = softmax(network_logits(first.stage.parameters, self.samples.X))
        samples = self.samples._replace(targets=said)
        task = Surgeon(**{**settings(self), "samples": samples, "ridge": 0.1 * self.ridge})
        return task.path(known(task, first.stage), sizes)


class Shrunk(Elimination):
    """The surgeon's order under ten times the ridge, near which marginal effects decide."""

    def costs(self, trained):
        task = Surgeon(**{**settings(self), "ridge": 10 * self.ridge})
        return task.costs(task.train(trained.stage))


METHODS = [Surgeon, Immediate, Magnitude, Projection, Shrunk]


def run(name, seed):
    X, y = load(name)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=seed)
    reader = UNFISClassifier()
    columns, read = read_labelled(reader, X_train, y_train, None, Settings(**reader.get_params()))
    samples = deduplicated(columns.samples(read, CrossEntropy().encode))
    matrix = columns.matrix(columns.values(X_test))
    inputs = [column.columns for column in columns.inputs]
    begin = Elimination(samples, kmeans_start, inputs, len(inputs), True, CrossEntropy())
    first = best_ridge(begin, RULES, RIDGES, len(RIDGES) // 2)
    rows = []
    for method in METHODS:
        task = method(**{**settings(first.elimination), "keeps_idle": True})
        sizes = path_sizes(first.stage.conditions, RULES)
        for stage in task.path(known(task, first.stage), sizes):
            if stage.length in LENGTHS:
                said = columns.classes[network_logits(stage.parameters, matrix).argmax(axis=1)]
                row = {"set": name, "seed": seed, "method": method.__name__}
                rows.append(
                    {**row, "length": stage.length, "accuracy": 100 * np.mean(said == y_test)}
                )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    jobs = (delayed(run)(name, seed) for seed in range(arguments.splits) for name in available())
    results = pd.DataFrame([row for rows in Parallel(n_jobs=2)(jobs) for row in rows])
    if arguments.output:
        results.round(6).to_csv(arguments.output, index=False)
    complete = results[results["set"].isin(results[results.length == 5]["set"])]
    for title, table in (("all sets", results), ("sets of five inputs and more", complete)):
        print(f"\nmean accuracy, {title}")
        means = table.groupby(["method", "length", "set"], sort=False)["accuracy"].mean()
        print(means.groupby(["method", "length"], sort=False).mean().unstack().round(2).to_string())


if __name__ == "__main__":
    main()
