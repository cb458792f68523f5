"""The text of rules with every number is the model: a reader of it gets the same probabilities."""

import numpy as np
import pytest
from rule_tables import AVERAGED_KINDS, averaged_in_points, names_of_sets, settings
from text_reader import TextReader

from unfis.rules.text.words import class_name, labels_of


def rows_of(base, X, count):
    """Some rows as dicts from label to value, as a person would read them off the table."""
    labels = labels_of(base.variables)
    for place in np.linspace(0, len(X) - 1, count).round().astype(int):
        row = {}
        for variable, value in zip(base.variables, X.iloc[place].tolist(), strict=True):
            unknown = value is None or value != value
            if variable.categories and not unknown:
                value = str(value).lower() if variable.kind == "boolean" else value
            row[labels[variable.name]] = None if unknown else value
        yield place, row


@pytest.mark.parametrize("name", ["iris", "clinic"])
def test_a_reader_of_points_gets_the_probabilities(model, name):
    clf, X, _ = model(name, "soft")
    read_as_the_model(averaged_in_points(clf, 3, True), X)


@pytest.mark.parametrize("kind", [*settings(), *AVERAGED_KINDS])
@pytest.mark.parametrize("name", names_of_sets())
def test_a_reader_with_a_calculator_gets_the_probabilities(model, name, kind):
    clf, X, _ = model(name, kind)
    read_as_the_model(clf, X)


def read_as_the_model(clf, X):
    """Hold what a reader of the text computes against the model's probabilities."""
    base = clf.rules_
    reader = TextReader(base.to_text(detail="full"), labels_of(base.variables).values())
    expected = clf.predict_proba(X)
    for place, row in rows_of(base, X.astype(object).where(X.notna(), None), 40):
        found = reader.probabilities(row)
        got = [found[class_name(label)] for label in clf.classes_]
        np.testing.assert_allclose(got, expected[place], rtol=0, atol=1e-6)
