"""The page as text: what is on it, what is left out, and where its numbers come from."""

import json
import os
import re
import sys

import numpy as np
import pandas as pd
import pytest
from page_words import words_of
from report_models import HOSTILE, clinic, fitted

from unfis import UNFISClassifier, load
from unfis.app.report import report_html, write_report
from unfis.app.report.answers import answers_of
from unfis.app.report.rows import explained_rows, shown_rows
from unfis.app.report.table import inputs_table
from unfis.app.tables.grouping import plain_errors, plain_rates
from unfis.export.javascript import as_json
from unfis.text import Wording
from unfis.text.numbers import points_words


@pytest.mark.parametrize("name", ["clinic", "iris", "twelve", "diabetes"])
def test_the_rules_are_on_the_page_line_by_line(name):
    model, _, (X, y) = fitted(name)
    page = report_html(model, X, y)
    words, rules = words_of(page), model.model_.rules
    wording = Wording(rules, model.model_.names)
    for rule, one in zip(rules.rules, model.model_.evidence, strict=True):
        assert wording.rule(rule) in words
        assert f'points">{points_words(rule.points).replace("-", "−")}</td>' in page
        assert f'data-head="found">{one.walks} of {one.of}</td>' in page
    assert page.count('data-head="found"') == len(rules.rules)
    assert ("From points to probability" in words) == (name != "diabetes")
    for note in ("rows: how many meet the IF", "found: how many of the 5 folds"):
        assert note in words


def test_rows_that_may_have_been_learned_from():
    """Sameness can be proved, never difference: all rows but one are other rows."""
    clf, (X, y), _ = fitted("clinic")
    words = words_of(report_html(clf, X[1:], y[1:]))
    assert "right on the 99 rows of this table" in words
    assert "Whether the model learned from some of these rows is not known." in words
    assert "very rows that the model learned from" not in words


def test_held_out_rows_are_called_so():
    clf, (X, y), (X_test, y_test) = fitted("clinic")
    words = words_of(report_html(clf, X_test, y_test, held_out=True))
    assert f"{100 * clf.score(X_test, y_test):.1f} % right on the 100 held-out rows" in words
    assert "100, held out of the fit" in words
    assert "is not known" not in words
    # What was learned from cannot have been held out.
    learned = words_of(report_html(clf, X, y, held_out=True))
    assert "These are the very rows that the model learned from." in learned
    assert "held-out" not in learned


def row_numbers(page):
    return [int(number) for number in re.findall(r'class="row-number">row (\d+)<', page)]


def test_rows_are_counted_from_1_or_as_they_are_given():
    clf, _, (X, y) = fitted("clinic")
    page = report_html(clf, X, y)
    unsure = np.argsort(clf.predict_proba(X).max(axis=1).round(9), kind="stable")[:10]
    assert row_numbers(page)[-10:] == (unsure + 1).tolist()
    numbers = [1000 + 3 * row for row in range(len(X))]
    given = report_html(clf, X, y, rows=numbers)
    assert row_numbers(given)[-10:] == [numbers[row] for row in unsure]
    assert f">row {numbers[unsure[0]]}</option>" in given
    with pytest.raises(ValueError, match="rows must be a number for each of the 100 rows; got 3"):
        report_html(clf, X, y, rows=[1, 2, 3])


def test_with_costs_the_least_sure_rows_are_those_near_the_threshold():
    clf, _, (X, y) = fitted("rare")
    dear = clf.with_decision(costs={"yes": 12})
    distance = np.abs(dear.predict_proba(X)[:, 1] - 1 / 13)
    shown = np.array(row_numbers(report_html(dear, X, y))[-10:]) - 1
    assert distance[shown].max() <= np.sort(distance)[9] + 1e-9


@pytest.mark.parametrize("name", ["clinic", "iris", "diabetes"])
def test_a_row_is_taken_apart_as_in_its_explanation(name):
    model, _, (X, y) = fitted(name)
    answers = answers_of(model, X, y)
    wrong = shown_rows(answers).wrong
    if name == "diabetes":
        assert wrong.tolist() == np.argsort(-np.abs(y - model.predict(X)).to_numpy())[:10].tolist()
    rows, words = explained_rows(answers, wrong), words_of(report_html(model, X, y))
    for row, explained in zip(rows, model.explain(X.iloc[wrong]), strict=True):
        assert row["title"] in words
        for note in explained.notes if name != "diabetes" else explained.notes[:1]:
            assert note in words
        totals = {part.text: part for one in explained.sums for part in one.rules}
        for one in row["sums"]:
            for line in one["lines"]:
                start, length = line["bar"]
                assert -1e-9 <= start <= start + length <= 1 + 1e-9
                added = float(line["adds"].replace("−", "-").replace(",", ""))
                assert added == pytest.approx(totals[line["text"]].contribution, rel=0.05, abs=0.5)


def test_without_targets_what_needs_them_is_left_out():
    clf, _, (X, _) = fitted("clinic")
    page = report_html(clf, X)
    words = words_of(page)
    for part in ("Logistic regression", "Wrong", "Calibration", "What is taken for what"):
        assert part not in words
    assert "Least sure" in words
    assert 'id="quality"' not in page


def test_a_model_from_a_file_has_the_same_page_where_rows_are_not_needed(tmp_path):
    clf, learned, (X, y) = fitted("clinic")
    clf.save(tmp_path / "model.json", target="state")
    loaded = load(tmp_path / "model.json")
    words = words_of(report_html(loaded, X, y, training=learned))
    assert "Rules for state" in words
    assert "training rows are" not in words
    assert "How many rules" in words
    assert "unfis 0" in words


def test_a_model_without_rules():
    X = pd.DataFrame({"a": np.arange(40.0), "b": 1.0})
    y = np.random.default_rng(1).permutation(np.arange(40) % 2)
    clf = UNFISClassifier().fit(X, y).at(0)
    words = words_of(report_html(clf, X, y))
    assert "No rule is better than the commonest class." in words
    assert "the answer is the same for every row" in words


def test_only_inputs_of_rules_get_a_control():
    generator = np.random.default_rng(0)
    X = pd.DataFrame(generator.normal(size=(200, 30))).rename(columns="input {}".format)
    clf = UNFISClassifier(max_rules=2, max_conditions=1).fit(X, X["input 3"] > 0)
    page = report_html(clf, X)
    used = {j for rule in clf.model_.rules.rules for j in rule.inputs}
    assert page.count("data-input=") == len(used) <= 2
    assert len(page) < 300_000


def test_arrays_other_columns_and_other_orders():
    clf, (X, y), _ = fitted("iris")
    reordered = X[X.columns[::-1]].assign(other="text")
    assert report_html(clf, reordered) == report_html(clf, X)
    bare = UNFISClassifier(max_rules=3).fit(X.to_numpy(), y)
    assert "x2" in words_of(report_html(bare, X.to_numpy().tolist(), y))


def test_same_page_every_time():
    clf, _, (X, y) = fitted("clinic")
    assert report_html(clf, X, y) == report_html(clf, X, y)


def test_classes_that_the_model_does_not_know_are_refused():
    clf, _, (X, _) = fitted("clinic")
    with pytest.raises(ValueError, match="y holds the class 'dead'"):
        report_html(clf, X, ["dead"] * len(X))


def test_names_are_text_wherever_they_stand():
    clf, (X, y), _ = fitted("hostile")
    page = report_html(clf, X, y, title="<b>title</b>", target="</title>")
    assert page.count("<script") == 2
    assert page.count("</script>") == 2
    assert "<img" not in page
    assert "onerror=" not in re.sub(r'"[^"]*"|>[^<]*<', "", page)
    assert "\u2028" not in page
    assert "style=" not in page
    block = re.search(r'<script type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)[1]
    names = [one["name"] for one in json.loads(block)["model"]["inputs"]]
    assert names
    assert set(names) <= set(HOSTILE)


def test_json_cannot_end_its_element():
    text = as_json({"</script>": "\u2028&<!--", "half": "\ud800"})
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == {"</script>": "\u2028&<!--", "half": "\ud800"}


def test_written_whole_or_not_at_all(tmp_path):
    clf, _, (X, _) = fitted("clinic")
    path = tmp_path / "report.html"
    path.write_text("old")
    with pytest.raises(ValueError, match="one label for each row"):
        write_report(path, clf, X.iloc[:5], ["ill"])
    assert path.read_text() == "old"
    write_report(path, clf, X.iloc[:5], title="New")
    assert "<title>New</title>" in path.read_text(encoding="utf-8")
    assert os.listdir(tmp_path) == ["report.html"]


def test_without_jinja_it_says_what_to_install(monkeypatch):
    clf, _, (X, _) = fitted("clinic")
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ImportError, match=r"pip install 'unfis\[report\]'"):
        report_html(clf, X)


def test_inputs_are_told_with_what_they_are_worth():
    clf, (X, y), _ = fitted("clinic")
    found = inputs_table(answers_of(clf, X, y))
    worth = clf.feature_importances_
    order = np.argsort(-worth, kind="stable")
    assert [one["name"] for one in found] == X.columns[order].tolist()
    assert found[0]["size"] == 1
    rows = {one["name"]: one for one in found}
    assert re.fullmatch(r"\d+ to \d+, median [\d.]+", rows["age (years)"]["values"])
    assert rows["age (years)"]["missing"] != "–"


def test_errors_and_hits_have_colours_of_their_own():
    clf, _, (X, y) = fitted("iris")
    page = report_html(clf, X, y)
    table = re.search(r'<table class="confusion">.*?</table>', page, flags=re.DOTALL)[0]
    rows = re.findall(r"<tr><th.*?</tr>", table, flags=re.DOTALL)
    kinds = [re.findall(r'class="shade-\d (right|wrong)"', row) for row in rows]
    kinds = [found for found in kinds if found]
    assert [found.index("right") for found in kinds] == [0, 1, 2]
    hues = re.findall(r"\.confusion \.(right|wrong) \{ --hue: var\((--\w+)\)", page)
    assert len(set(dict(hues).values())) == 2


def test_confusion_is_of_what_is_answered_at_these_costs():
    clf, _, (X, y) = fitted("rare")
    dear = clf.with_decision(costs={"yes": 12})
    found = int(((dear.predict(X) == "yes") & (y == "yes")).sum())
    assert found > ((clf.predict(X) == "yes") & (y == "yes")).sum()
    table = re.search(r'<table class="confusion">.*?</table>', report_html(dear, X, y), re.DOTALL)
    assert re.search(rf'right">{found}</td>', table[0])


def test_costs_of_several_classes_are_on_the_page():
    clf, _, (X, y) = fitted("iris")
    words = words_of(report_html(clf.with_decision(costs={"setosa": 5}), X, y))
    assert "The answer is the class that is expected to cost least." in words


def numbers_in(page):
    """All numbers that stand anywhere in a page."""
    return set(re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", page))


def test_without_rows_no_cell_of_the_table_is_in_the_page():
    clf, _, (X, y) = fitted("rare")
    model = clf.model_
    conditions = [one for rule in model.rules.rules for one in rule.conditions]
    borders = {end for one in conditions for edge in getattr(one, "edges", ()) for end in edge}
    held = borders | set(model.ranges.low) | set(model.ranges.high)
    cells = {str(cell) for name in ("income", "debt") for cell in X[name] if cell not in held}
    cells = {cell for cell in cells if re.search(r"\.\d{3}", cell)}  # shorter ones are anywhere
    groups = {"branch": X["branch"]}
    shown = report_html(clf, X, y, groups=groups)
    hidden = report_html(clf, X, y, groups=groups, show_rows=False)
    assert len(numbers_in(shown) & cells) > 20
    assert numbers_in(hidden) & cells == set()
    assert re.findall(r">row \d+<", hidden) == []
    words = words_of(hidden)
    assert "It holds no row of the table" in words
    assert "rows of the table with their values" in words_of(shown)
    for part in ("Rows worth a look", "Values in this table", "grey: how the rows"):
        assert part not in words
    # What is measured stays.
    for part in ("Balanced accuracy", "Beside plain models", "By branch", "ROC"):
        assert part in words


def test_groups_are_shown_with_what_differs():
    clf, _, (X, y) = fitted("rare")
    dear = clf.with_decision(costs={"yes": 12})
    found = plain_rates(y, dear.predict(X), X["branch"].to_numpy())
    words = words_of(report_html(dear, X, y, groups={"branch": X["branch"]}))
    assert all(sentence in words for sentence in found["words"])
    assert f"north {(X['branch'] == 'north').sum()} " in words
    with pytest.raises(ValueError, match="a value for each of the 600 rows; got 3 of 'branch'"):
        report_html(clf, X, y, groups={"branch": [1, 2, 3]})
    with pytest.raises(ValueError, match="groups needs y"):
        report_html(clf, X, groups={"branch": X["branch"]})


def test_groups_of_a_number_have_their_errors():
    model, _, (X, y) = fitted("diabetes")
    found = plain_errors(y.to_numpy(), model.predict(X), X["sex"].to_numpy())
    words = words_of(report_html(model, X, y, groups={"sex": X["sex"]}))
    assert all(sentence in words for sentence in found["words"])
    assert "Mean absolute error" in words


def test_categories_that_training_did_not_know_are_unknown():
    clf, _, _ = fitted("clinic")
    X, y = clinic()
    X = X.assign(ward="south")
    with pytest.warns(UserWarning, match="ward"):
        words = words_of(report_html(clf, X, y))
    assert "never known" in words
