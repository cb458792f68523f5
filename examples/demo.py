"""Fit the rules on data that scikit-learn ships, and print the outcome and what was learned."""

import numpy as np
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split

from unfis import UNFISClassifier
from unfis.network import forward


def main() -> None:
    """Fit, score, and show each rule's fuzzy sets in the units of the table."""
    iris = load_iris()
    X, y = iris.data, iris.target_names[iris.target]
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=0)
    clf = UNFISClassifier().fit(X_train, y_train)

    print(f"iris: {len(X_train)} rows to learn from, {len(X_test)} held out")
    print(f"accuracy on the held-out rows: {clf.score(X_test, y_test):.1%}")
    choices = clf.choices_
    print(
        f"chosen by {choices['by']}: {choices['n_rules']} rules with {choices['conditions']} "
        f"conditions of {clf.selected_.size}"
    )
    show_rules(clf, X_train, iris.feature_names)


def show_rules(clf: UNFISClassifier, X: np.ndarray, names: list[str]) -> None:
    """Print where each rule is at home in the inputs it looks at, and what it says there."""
    network = clf.parameters_
    offsets = np.concatenate([column.offsets for column in clf.inputs_])
    scales = np.concatenate([column.scales for column in clf.inputs_])
    centres = network.centres * scales + offsets
    widths = np.abs(network.widths) * scales
    at_home = forward(network, network.centres)
    leads = forward(network, (X - offsets) / scales).strengths.argmax(axis=1)
    for i, probabilities in enumerate(at_home.probabilities):
        share = np.mean(leads == i)
        print(f"\nRule {i + 1}, which leads on {share:.0%} of the rows")
        for j in np.flatnonzero(clf.selected_[i]):
            print(f"    {names[j]:18s} about {centres[i, j]:4.1f}, width {widths[i, j]:3.1f}")
        said = ", ".join(
            f"{name} {p:.0%}" for name, p in zip(clf.classes_, probabilities, strict=True)
        )
        print(f"    at its centre the model says: {said}")


if __name__ == "__main__":
    main()
