"""The learners side by side on the same training parts: objective reached and seconds, as ratios.

python benchmarks/learners.py [--repeats 5] [--output benchmarks/results/learners.csv]

Under each condition every learner trains from the same start on the same samples. `loss` is the
objective that the learners of cross-entropy share, cross-entropy plus prior per sample; LM, which
minimises squared error, is shown beside them where there is no prior. `to GqLM's loss` is the share
of GqLM's seconds after which a learner's objective was as low as GqLM's at its end. Runs are
interleaved: each repeat takes another 70 % of the set and times every learner on it once.
"""

import argparse
import time
import warnings
from itertools import accumulate
from pathlib import Path

import pandas as pd
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from tables import SHIPPED, load

from unfis import LM, SGD, GqLM, Momentum, TrustRegion, UNFISNetworkClassifier

LEARNERS = [TrustRegion(), GqLM(), LM(), SGD(), Momentum()]
CONDITIONS = {
    "default prior": {"n_rules": 3, "selection": "soft", "ridge": 0.15},
    "no prior": {"n_rules": 3, "selection": "soft", "ridge": 0.0},
    "paper: raw inputs, two rules": UNFISNetworkClassifier.paper().get_params(deep=False),
}


def run(name, condition, learner, seed):
    X, y = load(name)
    X, _, y, _ = train_test_split(X, y, test_size=0.3, random_state=seed)
    settings = {**CONDITIONS[condition], "learner": learner, "random_state": seed}
    clf = UNFISNetworkClassifier(**settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # convergence is a column of the result
        began = time.perf_counter()
        clf.fit(X, y)
        seconds = time.perf_counter() - began
    return {
        "condition": condition,
        "set": name,
        "learner": type(learner).__name__,
        "seed": seed,
        "loss": clf.history_["loss"][-1] if clf.ridge else log_loss(y, clf.predict_proba(X)),
        "seconds": seconds,
        "iterations": clf.n_iter_,
        "converged": clf.converged_,
        "history": clf.history_,
    }


def compare(runs):
    """Ratios to GqLM within one repeat of one condition and set."""
    gqlm = next(run for run in runs if run["learner"] == "GqLM")
    for run in runs:
        history = run.pop("history")
        run["loss / GqLM"] = run["loss"] / gqlm["loss"]
        run["seconds / GqLM"] = run["seconds"] / gqlm["seconds"]
        before = run["seconds"] - sum(history["seconds"])  # checks and start
        reached = [
            (before + seconds) / gqlm["seconds"]
            for loss, seconds in zip(history["loss"], accumulate(history["seconds"]), strict=True)
            if loss <= gqlm["loss"] and run["learner"] != "LM"
        ]
        run["to GqLM's loss"] = min(reached, default=float("nan"))
    return runs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    run("iris", "no prior", TrustRegion(), 0)  # imports and caches are not any learner's time
    results = []
    for seed in range(arguments.repeats):
        for condition in CONDITIONS:
            for name in SHIPPED:
                learners = [
                    learner
                    for learner in LEARNERS
                    if not (condition == "default prior" and isinstance(learner, LM))
                ]
                results += compare([run(name, condition, learner, seed) for learner in learners])
    table = pd.DataFrame(results)
    if arguments.output:
        table.round(6).to_csv(arguments.output, index=False)
    groups = table.groupby(["condition", "set", "learner"], sort=False)
    means = groups.mean(numeric_only=True).drop(columns="seed")
    means.insert(2, "+-", groups["seconds"].std())
    print(means.round(4).to_string())


if __name__ == "__main__":
    main()
