"""The page as text: what is on it, what is left out, and where its numbers come from."""

import copy
import json
import os
import re
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from networks import RuleNetwork, load
from page_words import words_of
from rare_tables import rare_model, rare_table
from rule_tables import sparse_in_points
from unfis.app.report.cards import loss_words
from unfis.app.report.pictures import path_chart
from unfis.rules.text.sentences import rules_in_words

import unfis
from unfis import TrustRegion, UNFISClassifier
from unfis.app.report import baselines, report_html, write_report
from unfis.app.report.answers import answers_of
from unfis.app.report.table import inputs_table
from unfis.app.tables.grouping import plain_rates
from unfis.export.javascript import as_json


def halves(X, y):
    return X.iloc[::2], np.asarray(y)[::2], X.iloc[1::2], np.asarray(y)[1::2]


def test_measured_on_rows_that_were_not_learned_from(model):
    _, X, y = model("clinic")
    X_train, y_train, X_test, y_test = halves(X, y)
    clf = UNFISClassifier(2, ridge=0.3).fit(X_train, y_train)
    words = words_of(report_html(clf, X_test, y_test, target="state"))
    assert "Rules for state" in words
    assert f"{100 * clf.score(X_test, y_test):.1f} % right on the 60 rows of this table" in words
    assert "very rows that the model learned from" not in words
    for part in ("Logistic regression", "Wrong", "Least sure", "expected calibration error"):
        assert part in words
    told = [one for rule in rules_in_words(clf.rules_) for one in rule.conditions]
    assert told
    assert all(f"{one.name} is {one.term}" in words for one in told)
    assert "How the rules read" in words
    assert all(sentence in words for sentence in clf.reading(X_test, y_test).sentences())


def test_other_rows_may_have_been_learned_from(model):
    """Sameness can be proved, never difference: the same rows in another order are other rows."""
    clf, X, y = model("clinic", "soft")
    words = words_of(report_html(clf, X[::-1], np.asarray(y)[::-1]))
    assert "right on the 120 rows of this table" in words
    assert "Whether the model learned from some of these rows is not known." in words
    assert "did not learn" not in words
    assert "very rows that the model learned from" not in words


def test_held_out_rows_are_called_so_and_measured_once(model, tmp_path):
    _, X, y = model("clinic")
    X_train, y_train, X_test, y_test = halves(X, y)
    clf = RuleNetwork(2, selection="soft", ridge=0.3).fit(X_train, y_train)
    score = float(clf.score(X_test, y_test))
    path = tmp_path / "model.json"
    unfis.save(clf, path, held_out={"accuracy": score, "rows": 60})
    words = words_of(report_html(load(path), X_test, y_test, held_out=True))
    assert words.count(f"{100 * score:.1f} % right on the 60 held-out rows of this table") == 1
    assert "held out when it was learned" not in words
    assert "60, held out of the fit" in words
    assert "not known" not in words.split("Data Rules")[0]
    # Other rows have another measurement, and what the file tells is one more.
    fewer = words_of(report_html(load(path), X_test[:40], y_test[:40], held_out=True))
    assert "60 rows that were held out when it was learned" in fewer
    # What was learned from cannot have been held out.
    learned = words_of(report_html(clf, X_train, y_train, held_out=True))
    assert "These are the very rows that the model learned from." in learned
    assert "held-out" not in learned


def row_numbers(page):
    return [int(number) for number in re.findall(r'class="row-number">row (\d+)<', page)]


def test_rows_are_counted_from_1_or_as_they_are_given(model):
    clf, X, y = model("clinic", "soft")
    page = report_html(clf, X, y)
    unsure = np.argsort(clf.predict_proba(X).max(axis=1), kind="stable")[:10]
    assert row_numbers(page)[-10:] == (unsure + 1).tolist()
    numbers = [1000 + 3 * row for row in range(len(X))]
    given = report_html(clf, X, y, rows=numbers)
    assert row_numbers(given)[-10:] == [numbers[row] for row in unsure]
    assert f">row {numbers[unsure[0]]}</option>" in given
    # The rows most alike are of the same table, and so are their numbers.
    alike = re.search(r"training rows (\d+) ", words_of(given))
    assert int(alike[1]) in numbers
    with pytest.raises(ValueError, match="rows must be a number for each of the 120 rows, got 3"):
        report_html(clf, X, y, rows=[1, 2, 3])


def test_training_rows_are_named_only_where_they_are_shown(model):
    clf, X, y = model("clinic", "soft")
    assert "Most like it" not in words_of(report_html(clf, X[:50], np.asarray(y)[:50]))


def test_what_was_done_by_hand_is_not_compared_and_that_is_said(model):
    clf, X, y = model("iris")
    caveat = "but not what was changed or chosen in it by hand"
    assert caveat not in words_of(report_html(clf, X, y))
    short = words_of(report_html(clf.at(min(clf.path_["parts"])), X, y))
    assert caveat in short
    assert "They lack what was changed or chosen by hand." in short
    edited = words_of(report_html(clf.edit(forbid=["petal width (cm)"]), X, y))
    assert "of this table, without what was changed or chosen by hand" in edited


@pytest.mark.usefixtures("all_folds")
def test_rows_that_were_learned_from_are_called_so(model):
    clf, X, y = model("clinic")
    words = words_of(report_html(clf, X, y))
    assert "These are the very rows that the model learned from." in words
    chosen = clf.path_["cv_accuracy"][clf.path_["chosen"].index(True)]
    assert f"{100 * chosen:.1f} % right in cross-validation while it learned" in words
    assert "5 models of the same settings are judged in its place" in words
    assert "Most like it under the rules" in words


def test_a_file_tells_what_was_measured_and_keeps_no_rows(model, tmp_path):
    clf, X, y = model("clinic")
    path = tmp_path / "model.json"
    unfis.save(clf, path, target="state", held_out={"accuracy": 0.5, "rows": 40})
    loaded = words_of(report_html(load(path), X, y))
    assert "50.0 % right on 40 rows that were held out when it was learned" in loaded
    assert loaded.index("held out when") < loaded.index("in cross-validation while")
    assert "Rules for state" in loaded
    assert "Most like it under the rules" not in loaded


def test_without_classes_what_needs_them_is_left_out(model):
    clf, X, _ = model("clinic")
    page = report_html(clf, X)
    words = words_of(page)
    for part in ("Logistic regression", "Wrong", "calibration", "What is taken for what"):
        assert part not in words
    assert "How the rules read" not in words
    assert "Least sure" in words
    assert 'id="quality"' not in page


def test_soft_rules_have_no_path_and_are_measured_in_the_comparison(model):
    clf, X, y = model("clinic", "soft")
    page = report_html(clf, X, y)
    assert 'id="length"' not in page
    assert re.search(r"% right in cross-validation on 120 rows of this table", words_of(page))


@pytest.mark.parametrize("rules", [1, 8])
def test_few_and_many_rules_and_twenty_classes(rules):
    generator = np.random.default_rng(0)
    X = pd.DataFrame(generator.normal(size=(240, 3)), columns=list("abc"))
    y = np.arange(240) % 20
    clf = RuleNetwork(rules, selection="soft", ridge=1.0, learner=TrustRegion(max_iter=2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf.fit(X, y)
    page = report_html(clf, X, y)
    assert page.count("data-class=") == 20
    # A single rule has all of every decision.
    assert page.count('<div class="rule-state"') == (rules if rules > 1 else 0)


def test_rules_without_conditions():
    X = pd.DataFrame({"a": np.arange(40.0), "b": 1.0})
    clf = RuleNetwork(2, ridge=0.3, selection="none").fit(X, np.arange(40) // 20)
    edited = clf.edit(forbid=["a", "b"])
    words = words_of(report_html(edited, X, np.arange(40) // 20))
    assert "they say the same of every row" in words


def test_only_used_inputs_get_a_control():
    generator = np.random.default_rng(0)
    X = pd.DataFrame(generator.normal(size=(60, 100))).rename(columns="input {}".format)
    soft = RuleNetwork(2, selection="soft", ridge=1.0).fit(X, X["input 3"] > 0)
    clf = soft.edit(forbid=[name for name in X if name not in ("input 3", "input 60")])
    page = report_html(clf, X)
    assert page.count("data-input=") == 2
    assert len(page) < 300_000


def reloaded(clf, path):
    """The same model, which keeps no rows."""
    unfis.save(clf, path)
    return load(path)


def test_many_rows_are_sampled_and_that_is_said(model, tmp_path):
    clf, X, y = model("iris")
    clf = reloaded(clf, tmp_path / "model.json")
    rows = np.random.default_rng(0).integers(0, len(X), 100_000)
    page = report_html(clf, X.iloc[rows], np.asarray(y)[rows])
    assert "1,000 of the 100,000 rows, drawn at random" in words_of(page)
    assert "right on the 100,000 rows" in words_of(page)
    assert len(page) < 300_000


def test_too_few_rows_to_compare(model, tmp_path):
    clf, X, y = model("iris")
    clf = reloaded(clf, tmp_path / "model.json")
    page = report_html(clf, X.iloc[[0, 1, 60, 120]], np.asarray(y)[[0, 1, 60, 120]])
    assert "There are too few rows of each class to compare" in words_of(page)


def test_arrays_other_columns_and_other_orders(model):
    clf, X, y = model("wine")
    reordered = X[X.columns[::-1]].assign(other="text")
    assert report_html(clf, reordered) == report_html(clf, X)
    bare = RuleNetwork(2, selection="soft", ridge=0.3).fit(X.to_numpy(), y)
    assert "x0" in words_of(report_html(bare, X.to_numpy().tolist(), y))


def test_same_page_every_time(model):
    clf, X, y = model("clinic", "soft")
    assert report_html(clf, X, y) == report_html(clf, X, y)


def test_classes_that_the_model_does_not_know_are_refused(model):
    clf, X, _ = model("clinic")
    with pytest.raises(ValueError, match="y holds the class 'dead'"):
        report_html(clf, X, ["dead"] * len(X))


def test_names_are_text_wherever_they_stand(hostile):
    X, y = hostile
    clf = RuleNetwork(2, selection="soft", ridge=0.3).fit(X, y)
    page = report_html(clf, X, y, title="<b>title</b>", target="</title>")
    assert page.count("<script") == 2
    assert page.count("</script>") == 2
    assert "<img" not in page
    assert "onerror=" not in re.sub(r'"[^"]*"|>[^<]*<', "", page)
    assert "\u2028" not in page
    assert "style=" not in page
    block = re.search(r'<script type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)[1]
    names = [variable["name"] for variable in json.loads(block)["base"]["variables"]]
    assert names == list(X.columns)


def test_json_cannot_end_its_element():
    text = as_json({"</script>": "\u2028&<!--", "half": "\ud800"})
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == {"</script>": "\u2028&<!--", "half": "\ud800"}


def test_written_whole_or_not_at_all(model, tmp_path):
    clf, X, _ = model("clinic")
    path = tmp_path / "report.html"
    path.write_text("old")
    with pytest.raises(ValueError, match="one label for each row"):
        write_report(path, clf, X.iloc[:5], ["ill"])
    assert path.read_text() == "old"
    write_report(path, clf, X.iloc[:5], title="New")
    assert "<title>New</title>" in path.read_text(encoding="utf-8")
    assert os.listdir(tmp_path) == ["report.html"]


def test_without_jinja_it_says_what_to_install(model, monkeypatch):
    clf, X, _ = model("clinic")
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ImportError, match=r"pip install 'unfis\[report\]'"):
        report_html(clf, X)


def test_rules_are_compared_by_the_settings_they_were_learned_with(model):
    clf, _, _ = model("iris", "soft")
    changed = copy.copy(clf).set_params(selection="none", consequents="constant", max_rules=9)
    assert baselines.settled(changed).get_params() == baselines.settled(clf).get_params()


def test_what_rules_count_is_on_the_page(model):
    """Every line of points stands there, and what is remarked of them."""
    clf, X, y = model("clinic", "soft")
    page = report_html(clf, X, y)
    told = [words.points for words in rules_in_words(clf.rules_)]
    assert all(told)
    for points in told:
        assert len(points.rows) > 1
        for row in points.rows:
            assert all(f'<td class="number">{number}</td>' in page for number in row.points)
            assert row.per in page
        assert all(note in page for note in points.notes)


def bars_in(page):
    """The signed bars beside points: lengths, negative ones to the left."""
    tables = "".join(re.findall(r'<table class="points">.*?</table>', page, flags=re.DOTALL))
    found = re.findall(r'class="fill( against)?" x="[^"]*" width="([^"]*)"', tables)
    return [-float(width) if against else float(width) for against, width in found]


def test_a_single_rule_that_counts_is_a_scorecard(model):
    clf, X, y = model("clinic", "one rule")
    (rule,) = rules_in_words(clf.rules_)
    page = report_html(clf, X, y)
    words = words_of(page)
    assert "Scorecard" in words
    assert "Every row is decided by the sum of its points. Begin at the start" in words
    # What would be said of one rule among others says nothing here.
    rules = words.split("The rules")[1].split("What if")[0]
    for part in ("always", "THEN by points", "The rule says", "fulfils every condition"):
        assert part not in rules
    sizes = [size for row in rule.points.rows[1:] for size in row.sizes]
    longest = max(map(abs, sizes))
    assert bars_in(page) == pytest.approx([50 * size / longest for size in sizes], abs=0.01)
    for number, share in rule.points.scale:
        assert f'<td class="number">{number}</td>' in page
        assert f'<td class="number">{share}</td>' in page


def test_points_of_many_classes_have_no_bars():
    generator = np.random.default_rng(0)
    X = pd.DataFrame(generator.normal(size=(200, 2)), columns=["a", "b"])
    y = np.digitize(X["a"], [-1, -0.3, 0.3, 1])
    clf = UNFISClassifier(1, ridge=0.3).fit(X, y)
    page = report_html(clf, X, y)
    assert clf.rules_[0].effects
    assert "Points for" in words_of(page)
    assert not bars_in(page)


@pytest.mark.parametrize(("rules", "most"), [(1, 4), (2, 4), (1, 1)])
def test_points_of_many_classes_are_listed_by_class(model, rules, most):
    clf, X, y = model("ten classes", "soft")
    sparse = sparse_in_points(clf, rules, True, 3, most=most)
    page = report_html(sparse, X, y)
    words = words_of(page)
    told = [rule.points for rule in rules_in_words(sparse.rules_)]
    assert any(points.listed for points in told) == (most == 4)
    for points in told:
        assert points.heading.split(" for ")[0] in words
        for name, row in points.lines:
            assert f"{name} {row.name} {row.points[0]} {row.per}".strip() in words
        assert all(note in words for note in points.notes)
    for row in re.findall(r"<tr><th scope=.row.>(?!start).*?</tr>", page):
        assert '<td class="number">0</td>' not in row or "start" in row
    listed = [row for points in told for name, row in points.lines if not name]
    assert not listed or len(bars_in(page)) >= len(listed)


def test_rules_that_name_classes_have_no_points(model):
    _, X, y = model("iris")
    clf = UNFISClassifier(consequents="constant", ridge=0.3).fit(X, y)
    words = words_of(report_html(clf, X, y))
    assert "Rule 1" in words
    assert "The rule says" in words
    assert "An unknown input fulfils every condition on it." in words
    for part in ("Scorecard", "Points for", "Begin at the start", "counts as its average"):
        assert part not in words


def test_inputs_are_told_by_if_and_then(model):
    clf, X, y = model("clinic", "averaged")
    told = {item["label"]: item["rules"] for item in inputs_table(answers_of(clf, X, y))}
    for variable in clf.rules_.variables:
        expected = []
        for word, parts in (("IF", "conditions"), ("THEN", "effects")):
            numbers = [
                str(number)
                for number, rule in enumerate(clf.rules_, 1)
                if variable.name in [part.input for part in getattr(rule, parts)]
            ]
            expected += [f"{word} of {', '.join(numbers)}"] if numbers else []
        assert told[clf.rules_.labels[variable.name]] == "; ".join(expected)
    assert any("IF of" in one and "THEN of" in one for one in told.values())


def test_inputs_of_a_scorecard_are_in_then(model):
    clf, X, y = model("clinic", "one rule")
    told = [item["rules"] for item in inputs_table(answers_of(clf, X, y))]
    assert told.count("THEN") == len(clf.rules_[0].effects)
    assert set(told) <= {"THEN", ""}


def test_importances_have_digits_that_tell():
    assert [loss_words(loss) for loss in (1.234, 0.5, 0.042, 0.0031, -0.0234, 0.0001234)] == [
        *("1.23", "0.50", "0.042", "0.0031", "-0.023", "0.00012")
    ]
    assert [loss_words(loss) for loss in (0.00002, 1e-9, -1e-6, 0.0, 1e-17)] == [
        *("under 0.0001", "under 0.0001", "under 0.0001", "0", "0")
    ]


def test_errors_and_hits_have_colours_of_their_own(model):
    clf, X, y = model("iris", "soft")
    page = report_html(clf, X[::-1], np.asarray(y)[::-1])
    table = re.search(r'<table class="confusion">.*?</table>', page, flags=re.DOTALL)[0]
    rows = re.findall(r"<tr><th.*?</tr>", table, flags=re.DOTALL)
    kinds = [re.findall(r'class="shade-\d (right|wrong)"', row) for row in rows]
    kinds = [found for found in kinds if found]
    assert [found.index("right") for found in kinds] == [0, 1, 2]
    assert all(found.count("wrong") == 2 for found in kinds)
    hues = re.findall(r"\.confusion \.(right|wrong) \{ --hue: var\((--\w+)\)", page)
    assert len(set(dict(hues).values())) == 2


def test_confusion_is_of_what_is_answered_at_these_costs():
    clf, X, y = rare_model()
    dear = clf.deciding(costs={"yes": 12})
    found = int(((dear.predict(X) == "yes") & (y == "yes")).sum())
    assert found > ((clf.predict(X) == "yes") & (y == "yes")).sum()
    table = re.search(r'<table class="confusion">.*?</table>', report_html(dear, X, y), re.DOTALL)
    assert re.search(rf'right">{found}</td>', table[0])


def numbers_in(page):
    """All numbers that stand anywhere in a page."""
    return set(re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", page))


def test_without_rows_no_cell_of_the_table_is_in_the_page():
    clf, X, y = rare_model()
    held = {end for v in clf.rules_.variables for end in (v.lowest, v.highest, v.typical)}
    cells = {str(cell) for name in ("income", "debt") for cell in X[name] if cell not in held}
    cells = {cell for cell in cells if re.search(r"\.\d{3}", cell)}  # shorter ones are anywhere
    groups = {"branch": X["branch"]}
    shown = report_html(clf, X, y, groups=groups)
    hidden = report_html(clf, X, y, groups=groups, show_rows=False)
    assert len(numbers_in(shown) & cells) > 20
    assert numbers_in(hidden) & cells == set()
    assert re.findall(r">row \d+<", hidden) == []
    table, labels = rare_table()
    both = report_html(clf, table, labels, show_rows=False)
    every = {str(cell) for cell in table["income"] if cell not in held}
    assert {cell for cell in numbers_in(both) & every if re.search(r"\.\d{3}", cell)} == set()
    words = words_of(hidden)
    assert "It holds no row of the table" in words
    assert "rows of the table with their values" in words_of(shown)
    for part in ("Rows worth a look", "Values in this table", "the grey bars"):
        assert part not in words
    # What is measured stays.
    for part in ("Balanced accuracy", "Beside plain models", "By branch", "ROC"):
        assert part in words


def test_groups_are_shown_with_what_differs():
    clf, X, y = rare_model()
    dear = clf.deciding(costs={"yes": 12})
    told = plain_rates(y, dear.predict(X), X["branch"])
    words = words_of(report_html(dear, X, y, groups={"branch": X["branch"]}))
    assert all(sentence in words for sentence in told["words"])
    assert f"north {(X['branch'] == 'north').sum()} " in words
    with pytest.raises(ValueError, match="a value for each of the 600 rows, got 3 of 'branch'"):
        report_html(clf, X, y, groups={"branch": [1, 2, 3]})
    with pytest.raises(ValueError, match="groups needs the rows' classes"):
        report_html(clf, X, groups={"branch": X["branch"]})


def test_a_path_of_one_dot_is_left_out():
    path = {
        "rules": [1],
        "parts": [4],
        "conditions": [0],
        "cv_loss": [0.3],
        "cv_loss_error": [0.02],
        "cv_accuracy": [0.9],
        "cv_accuracy_error": [0.01],
        "chosen": [True],
    }
    assert path_chart(path, "accuracy") is None
    assert path_chart({}, "accuracy") is None


def test_the_path_is_of_parts_and_its_line_of_the_best():
    path = {
        "rules": [1, 1, 1],
        "parts": [0, 4, 4],
        "conditions": [0, 0, 0],
        "cv_loss": [0.7, 0.3, 0.4],
        "cv_loss_error": [0.02] * 3,
        "cv_accuracy": [0.5, 0.9, 0.8],
        "cv_accuracy_error": [0.01] * 3,
        "chosen": [False, True, False],
    }
    chart = path_chart(path, "accuracy")
    (only,) = chart["lines"]
    assert chart["across"][0][1] == "0"
    assert len(only["points"]) == 3
    across = sorted({x for x, _ in only["points"]})
    assert len(across) == 2
    best = min(y for _, y in only["points"])
    assert only["line"].endswith(f"L{across[1]:.1f} {best:.1f}")
    assert only["line"].count("L") == 1
    assert chart["chosen"] == pytest.approx((across[1], best))
    assert [row["parts"] for row in chart["table"]] == [0, 4, 4]
    # By their loss the best are the lowest.
    chart = path_chart(path, "loss")
    (only,) = chart["lines"]
    lowest = max(y for _, y in only["points"])
    assert only["line"].endswith(f"L{across[1]:.1f} {lowest:.1f}")
    assert chart["chosen"][1] == pytest.approx(lowest)


def test_a_rare_class_has_its_path_by_loss():
    clf, X, y = rare_model()
    assert "Cross-validated loss of the models" in words_of(report_html(clf, X, y))


def test_with_costs_the_least_sure_rows_are_those_near_the_threshold():
    clf, X, y = rare_model()
    dear = clf.deciding(costs={"yes": 12})
    distance = np.abs(dear.predict_proba(X)[:, 1] - 1 / 13)
    shown = np.array(row_numbers(report_html(dear, X, y))[-10:]) - 1
    assert distance[shown].max() <= np.sort(distance)[9] + 1e-9
