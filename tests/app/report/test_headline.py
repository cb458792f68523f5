"""What the page begins with: never the majority's share in large figures."""

import numpy as np
import pytest
from page_words import words_of
from report_models import fitted

from unfis import UNFISRegressor, load
from unfis.app.report import report_html
from unfis.app.report.answers import answers_of
from unfis.app.report.baselines import OWN_FOLDS, compare
from unfis.app.report.headline import headline_of, judged_rows, performance_of
from unfis.app.tables.evaluation import measured_on
from unfis.app.tables.figures import error_sentences, performance_sentences
from unfis.evaluation.errors import errors_of


def headline(model, X, y, **about):
    answers = answers_of(model, X, y, **about)
    judged = judged_rows(answers, compare(answers))
    return headline_of(answers, judged, performance_of(answers, judged.targets, judged.predictions))


def performance(clf, X, y):
    return measured_on(clf, clf.predict_proba(X), np.searchsorted(clf.classes_, y))


def test_a_rare_class_leads_with_balanced_accuracy_and_the_sentences_of_evaluate():
    clf, _, (X, y) = fitted("rare")
    found, expected = headline(clf, X, y), performance(clf, X, y)
    assert expected.is_rare
    assert found.figure.number == f"{100 * expected.balanced_accuracy.value:.1f} %"
    assert found.figure.words == "balanced accuracy on the 600 rows of this table"
    words = words_of(report_html(clf, X, y))
    assert all(sentence in words for sentence in performance_sentences(expected))


def test_no_better_than_one_answer_is_said_plainly():
    clf, _, (X, y) = fitted("rare")
    never = clf.with_decision(threshold=0.999)
    page = report_html(never, X, y)
    assert 'class="headline poor"' in page
    assert headline(never, X, y).verdict[0] == 'No better than always answering "no".'
    assert 'class="headline poor"' not in report_html(clf.with_decision(costs={"yes": 12}), X, y)


def test_costs_lead_with_the_cost_and_a_threshold_does_not():
    clf, _, (X, y) = fitted("rare")
    dear = clf.with_decision(costs={"yes": 12})
    found = headline(dear, X, y)
    assert found.figure.number == f"{performance(dear, X, y).cost.value:.3f}"
    assert found.figure.words == "cost per row on the 600 rows of this table"
    assert "balanced" in headline(clf.with_decision(threshold=0.2), X, y).figure.words
    assert "The answer is yes where its probability is above 7.692 %" in words_of(
        report_html(dear, X, y)
    )


def test_classes_of_like_size_lead_with_accuracy():
    clf, _, (X, y) = fitted("iris")
    found = headline(clf, X, y, held_out=True)
    assert found.figure.words == "right on the 75 held-out rows of this table"
    assert found.figure.number == f"{100 * clf.score(X, y):.1f} %"


def test_a_number_leads_with_its_error_beside_the_mean():
    model, _, (X, y) = fitted("diabetes")
    expected = errors_of(y.to_numpy(), model.predict(X))
    found = headline(model, X, y)
    assert found.figure.words == "root mean squared error on the 221 rows of this table"
    assert float(found.figure.number) == pytest.approx(expected.rmse.value, rel=0.01)
    words = words_of(report_html(model, X, y))
    assert "Rules for progression" in words
    assert all(sentence in words for sentence in error_sentences(expected))


def test_a_number_that_is_not_predicted_is_said_plainly():
    generator = np.random.default_rng(0)
    X, y = generator.normal(size=(60, 2)), generator.normal(size=60)
    model = UNFISRegressor().fit(X[:40], y[:40])
    assert headline(model, X[40:], y[40:]).verdict == ["No better than the mean."]


def test_rows_that_were_learned_from_are_judged_by_the_models_of_folds():
    clf, (X, y), _ = fitted("clinic")
    found = headline(clf, X, y)
    shares = compare(answers_of(clf, X, y)).predictions[OWN_FOLDS]
    right = (clf.classes_[shares.argmax(axis=1)] == y).mean()
    assert found.figure.words == "right in cross-validation on 100 rows of this table"
    assert found.figure.number == f"{100 * right:.1f} %"
    words = words_of(report_html(clf, X, y))
    assert "These are the very rows that the model learned from." in words
    assert "models of the 5 folds of its fit are judged in its place" in words
    assert "without what was changed by hand" not in words
    edited = words_of(report_html(clf.edit(drop=[0]), X, y))
    assert "of this table, without what was changed by hand" in edited


@pytest.mark.parametrize("kept", [True, False])
def test_a_file_has_what_was_measured_before(tmp_path, kept):
    clf, _, (X, y) = fitted("rare")
    found = performance(clf, X, y).to_dict()
    record = found if kept else {"accuracy": found["accuracy"], "rows": found["rows"]}
    clf.save(tmp_path / "model.json", held_out=record)
    loaded = load(tmp_path / "model.json")
    words = words_of(report_html(loaded, X[:400], y[:400]))
    share = f"{100 * found['balanced_accuracy']:.1f} % balanced accuracy on 600 rows that were held"
    assert (share in words) == kept
    # Without classes what was measured before is all there is.
    bare = words_of(report_html(loaded, X[:400]))
    assert (share in bare) == kept
    # Rows that were held out have been measured again.
    assert share not in words_of(report_html(loaded, X, y, held_out=True))
