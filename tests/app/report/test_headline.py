"""What the page begins with: never the majority's share in large figures."""

import numpy as np
import pytest
from page_words import words_of
from rare_tables import rare_model

import unfis
from unfis.app.report import report_html
from unfis.app.report.answers import answers_of
from unfis.app.report.baselines import compare
from unfis.app.report.headline import headline_of, judged_rows, known_figures
from unfis.app.tables.evaluation import measured_on
from unfis.app.tables.figures import performance_sentences, verdict


def headline(clf, X, y, **about):
    answers = answers_of(clf, X, y, **about)
    judged = judged_rows(answers, compare(answers))
    found = measured_on(answers.model, judged.probabilities, judged.codes)
    return headline_of(judged, found, known_figures(answers, found))


def told_of(clf, X, y):
    return measured_on(clf, clf.predict_proba(X), np.searchsorted(clf.classes_, y))


def test_a_rare_class_leads_with_balanced_accuracy_and_the_sentences_of_evaluate():
    clf, X, y = rare_model()
    found, told = headline(clf, X, y), told_of(clf, X, y)
    assert told.is_rare
    assert found.figure.number == f"{100 * told.balanced_accuracy.value:.1f}"
    assert found.figure.words == "balanced accuracy on the 600 rows of this table"
    sentences = [*performance_sentences(told), *verdict(told)]
    assert [*found.sentences, *found.verdict] == sentences
    words = words_of(report_html(clf, X, y))
    assert all(sentence in words for sentence in sentences)
    # A share of right answers that suits no such table is not told without what is beside it.
    assert "right in cross-validation" not in words


def test_no_better_than_one_answer_is_said_plainly():
    clf, X, y = rare_model()
    never = clf.deciding(threshold={"yes": 0.999})
    page = report_html(never, X, y)
    assert 'class="headline poor"' in page
    assert 'always answering "no"' in words_of(page)
    assert headline(never, X, y).verdict[0] == 'No better than always answering "no".'
    assert 'class="headline poor"' not in report_html(clf.deciding(costs={"yes": 12}), X, y)


def test_costs_lead_with_the_cost():
    clf, X, y = rare_model()
    dear = clf.deciding(costs={"yes": 12})
    found, told = headline(dear, X, y), told_of(dear, X, y)
    assert found.figure.number == f"{told.cost.value:.3f}"
    assert found.figure.unit == ""
    assert found.figure.words == "cost per row on the 600 rows of this table"


def test_classes_of_like_size_lead_with_accuracy(model):
    clf, X, y = model("iris", "soft")
    found = headline(clf, X[::-1], np.asarray(y)[::-1])
    assert found.figure.words == "right on the 150 rows of this table"
    assert found.figure.number == f"{100 * clf.score(X, y):.1f}"


def test_rows_that_were_learned_from_are_judged_by_models_of_folds(model):
    clf, X, y = model("clinic", "soft")
    found = headline(clf, X, y)
    assert found.figure.words == "right in cross-validation on 120 rows of this table"
    assert any("of 120 rows" in sentence for sentence in found.sentences)


@pytest.mark.parametrize("kept", [True, False])
def test_a_file_tells_what_suits_the_table(tmp_path, kept):
    clf, X, y = rare_model()
    told = told_of(clf, X, y).to_dict()
    record = told if kept else {"accuracy": told["accuracy"], "rows": told["rows"]}
    unfis.save(clf, tmp_path / "model.json", held_out=record)
    words = words_of(report_html(unfis.load(tmp_path / "model.json"), X[:400], y[:400]))
    share = f"{100 * told['balanced_accuracy']:.1f} % balanced accuracy on 600 rows that were held"
    assert (share in words) == kept
    assert "right on 600 rows that were held out" not in words
    # Without classes the page knows of the rare one by what was held out in training.
    bare = words_of(report_html(unfis.load(tmp_path / "model.json"), X[:400]))
    assert (share in bare) == kept
    assert "right in cross-validation" not in bare
    assert "right on 600 rows" not in bare
