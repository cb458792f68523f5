"""Fit rules on a table that scikit-learn ships, print them, and take one prediction apart."""

from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split

from unfis import UNFISClassifier


def main() -> None:
    """Fit, score, show the rules, and explain the held-out row that is hardest to predict."""
    iris = load_iris()  # arrays: the library needs no pandas
    X, y = iris.data, iris.target_names[iris.target]
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=0)
    clf = UNFISClassifier().fit(X_train, y_train)

    print(f"iris: {len(X_train)} rows to learn from, {len(X_test)} held out")
    print(f"accuracy on the held-out rows: {clf.score(X_test, y_test):.1%}\n")
    print(", ".join(f"x{j} is {name}" for j, name in enumerate(iris.feature_names)), end="\n\n")
    print(clf.rules_)

    hardest = clf.predict_proba(X_test).max(axis=1).argmin()
    print(f"\n\nThe held-out row that is hardest to predict, which is {y_test[hardest]}:\n")
    print(clf.explain(X_test[[hardest]])[0])


if __name__ == "__main__":
    main()
