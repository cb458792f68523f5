"""Rules in text, Markdown, LaTeX and HTML: what they say, and names that hurt."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from markdown_it import MarkdownIt
from networks import RuleNetwork
from rule_tables import class_rules, in_points, names_of_sets, table_of
from sample_tables import HURTFUL

from unfis import UNFISClassifier
from unfis.rules.text.render import for_html, for_latex, for_markdown, wrapped
from unfis.rules.text.words import visible

SNAPSHOTS = Path(__file__).parent / "snapshots"


@pytest.mark.parametrize("consequents", ["linear", "constant"])
@pytest.mark.parametrize(
    "name",
    [
        "iris",
        "wine",
        "breast cancer",
        "haberman",
        "cryotherapy",
        "heart",
        "autism",
        "thyroid",
        "clinic",
    ],
)
def test_the_text_is_as_it_was_read_and_found_good(name, consequents):
    name = name.replace("-", " ")
    if name not in names_of_sets():
        pytest.skip(f"needs {name}.csv in the folder UNFIS_DATA")
    X, y = table_of(name)
    clf = UNFISClassifier(consequents=consequents).fit(X, y)
    text = f"{clf.rules_}\n\n\n{clf.explain(X.iloc[[len(X) // 2]])}\n"
    name = name if consequents == "linear" else f"{name}, class rules"
    kept = SNAPSHOTS / f"{name}.txt"
    assert text == kept.read_text(encoding="utf-8"), f"see tests/rules/text/snapshots/{name}.txt"


class Texts(HTMLParser):
    """The tags and texts of a page, with every tag closed that was opened."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.texts, self.open = [], [], []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


@pytest.fixture(scope="module")
def hurtful():
    """Inputs, categories and classes with names that hurt."""
    generator = np.random.default_rng(1)
    table = pd.DataFrame(generator.normal(size=(90, len(HURTFUL))), columns=HURTFUL)
    table["kind"] = generator.choice(HURTFUL[:4], 90)
    score = table.iloc[:, :6].sum(axis=1) + (table["kind"] == HURTFUL[0])
    labels = np.where(score > 0, HURTFUL[0], HURTFUL[3])
    clf = RuleNetwork(2, selection="soft", ridge=0.15).fit(table, labels)
    return clf, table, in_points(clf.rules_, unit=0.01)


def test_names_that_hurt_in_html(hurtful):
    clf, table, rules = hurtful
    for page in (rules.to_html(), clf.explain(table.iloc[:2]).to_html()):
        read = Texts(page)
        assert set(read.tags) <= {
            *("style", "div", "p", "b", "table", "tr", "td", "th", "span", "ul", "li", "br")
        }
        whole = "".join(read.texts)
        for name in HURTFUL:
            assert visible(name) in whole
    assert clf.rules_._repr_html_() == clf.rules_.to_html()


def test_names_that_hurt_in_text(hurtful):
    clf, table, rules = hurtful
    text = str(rules)
    assert "two\\nlines\\tand tab" in text
    assert "turned\\u202eback" in text
    assert "فشار خون" in text
    assert all(line.isprintable() for line in text.splitlines())
    assert all(line.isprintable() for line in str(clf.explain(table)).splitlines())
    lengths = [len(line) for line in text.splitlines() if "n" * 200 not in line]
    assert max(lengths) < 250


def test_names_that_hurt_in_markdown(hurtful):
    """A renderer of Markdown makes tables of it, and gives every name back."""
    rules = hurtful[2]
    read = Texts(MarkdownIt("commonmark").enable("table").render(rules.to_markdown()))
    assert set(read.tags) <= {"p", "strong", "table", "thead", "tbody", "tr", "th", "td"}
    assert read.tags.count("table") == len(rules)
    rows = read.tags.count("tr")
    assert rows > len(rules) * len(HURTFUL)
    assert read.tags.count("td") + read.tags.count("th") == 3 * rows
    whole = "".join(read.texts)
    for name in HURTFUL:
        assert visible(name) in whole


def test_names_that_hurt_in_latex(hurtful):
    text = hurtful[2].to_latex(caption="Rules & more")
    body = text[text.index("\\toprule") : text.index("\\bottomrule")]
    for row in body.split("\\\\\n")[:-1]:
        assert row.count("&") - row.count("\\&") == 1
    stripped = body.replace("\\{", "").replace("\\}", "")
    assert stripped.count("{") == stripped.count("}")
    assert "\\textless{}script\\textgreater{}" in text
    assert "a\\_b\\textasciicircum{}c" in text
    assert "\\textbackslash{}end\\{table\\}" in text
    assert "n" + "\\allowbreak{}n" * 199 in text
    assert "Rules \\& more" in text
    assert text.count("\\end{longtable}") == 1


def test_names_that_hurt_come_back_from_json(hurtful):
    data = json.loads(hurtful[0].rules_.to_json())
    assert [variable["name"] for variable in data["variables"]] == [*HURTFUL, "kind"]


def test_escapes_of_single_characters():
    assert for_markdown("a_b*c|d<e>") == r"a\_b\*c\|d\<e\>"
    assert for_latex("50 % of_x ^ \\") == r"50~\% of\_x \textasciicircum{} \textbackslash{}"
    assert for_latex("(about -1.5 to -0.2) 3-4 -x") == "(about $-1.5$ to $-0.2$) 3-{}4 -{}x"
    assert for_html('<a href="x">\'&') == "&lt;a href=&quot;x&quot;&gt;&#x27;&amp;"


@pytest.mark.parametrize("form", ["to_text", "to_markdown", "to_latex", "to_html"])
def test_every_view_shows_classes_probabilities_and_rows(model, form):
    clf, _, _ = model("iris", "class rules")
    view = getattr(clf.rules_, form)()
    for rule in clf.rules_:
        assert str(rule.rows) in view
        assert rule.label in view
        assert f"{100 * max(rule.mix):.0f}" in view  # per cent of the rows
    assert "THEN" in view.upper()
    assert "is low" in view


@pytest.mark.parametrize("form", ["to_text", "to_markdown", "to_latex", "to_html"])
def test_every_view_says_what_rules_are_together(model, form):
    view = getattr(class_rules(model("clinic", "soft")[0], 3, True).rules_, form)()
    assert "The answer is the average of what the rules say" in " ".join(view.split())
    assert "Taken one at a time" in view
    assert "otherwise" in view.lower() or "else &" in view


@pytest.mark.parametrize("form", ["to_text", "to_markdown", "to_latex", "to_html"])
def test_every_view_tells_a_rule_without_a_condition(model, form):
    base = model("iris", "soft")[0].edit(drop=[(1, c) for c in model("iris")[1].columns]).rules_
    assert "always" in getattr(base, form)()


@pytest.mark.parametrize("form", ["to_text", "to_markdown", "to_latex", "to_html"])
def test_every_view_tells_a_rule_of_which_no_condition_tells_rows_apart(model, form):
    base = class_rules(model("clinic", "soft")[0], 2, False).rules_
    empty = [replace(condition, term="") for condition in base[1].conditions]
    told = replace(base, rules=(base[0], replace(base[1], conditions=tuple(empty))))
    assert "otherwise (where no other rule holds better)" in getattr(told, form)()


@pytest.mark.parametrize("form", ["to_text", "to_markdown", "to_latex", "to_html"])
def test_every_view_names_inputs_that_count_in_no_range(model, form):
    base = class_rules(model("clinic", "soft")[0], 2, False).rules_

    def seen(first_term):
        """The rules with "low" for all conditions but the first of all."""
        rules = []
        for number, rule in enumerate(base):
            told = [replace(condition, term="low") for condition in rule.conditions]
            if number == 0:
                told[0] = replace(told[0], term=first_term)
            rules.append(replace(rule, conditions=tuple(told)))
        return " ".join(getattr(replace(base, rules=tuple(rules)), form)().split())

    assert seen("").count("How far the rule holds also depends on") == 1
    assert "How far the rule holds" not in seen("low")


def test_shares_of_weights_are_not_called_shares_of_rows():
    generator = np.random.default_rng(0)
    X = pd.DataFrame({"a": generator.normal(size=200)})
    y = np.where(X["a"] + generator.normal(size=200) > 0, "u", "v")
    weights = np.where(y == "u", 5.0, 1.0)
    clf = UNFISClassifier(2, consequents="constant")
    assert "% of the rows." in str(clf.fit(X, y).rules_)
    text = str(clf.fit(X, y, weights).rules_)
    assert "% of the weight." in text
    assert "% of the rows." not in text


def test_classes_by_number_are_called_classes():
    generator = np.random.default_rng(0)
    X = generator.normal(size=(50, 2))
    clf = RuleNetwork(2, selection="soft", ridge=0.15, consequents="constant")
    assert "THEN class 1" in str(clf.fit(X, (X[:, 0] > 0).astype(int)).rules_)


def test_one_rule_that_counts_is_a_scorecard(model):
    clf, _, _ = model("iris", "one rule")
    text = clf.rules_.to_text("full")
    assert text.startswith("A scorecard for setosa, versicolor or virginica, learned from 150 rows")
    assert not re.search(r"\b(IF|THEN|Rule 1|Rules overlap)\b", text.split("WITH")[0])


@pytest.mark.parametrize("form", ["to_text", "to_markdown", "to_latex", "to_html"])
def test_no_view_says_of_a_scorecard_what_tells_rules_apart(model, form):
    view = getattr(model("iris", "one rule")[0].rules_, form)()
    for part in (
        "Rule 1",
        "always",
        "by points",
        "the rule says",
        "one at a time",
        "in every case",
    ):
        assert part not in view


def test_one_rule_that_names_a_class_always_holds(model):
    base = model("iris", "constant")[0].rules_
    single = replace(base, rules=base.rules[:1], overlap=((1.0,),))
    lines = str(single).splitlines()
    assert lines[2] == "Rule 1  always"
    assert lines[3] == f"        THEN {single[0].label}"


def test_no_line_begins_with_the_sign_of_a_number_above_it():
    for length in range(60, 100):
        lines = wrapped("x" * length + " 29 % of the rows")
        assert not any(line.strip().startswith("%") for line in lines)
        assert " ".join(map(str.strip, lines)) == "x" * length + " 29 % of the rows"


def test_an_unknown_detail_is_named(model):
    with pytest.raises(ValueError, match="detail must be 'short' or 'full', got 'long'"):
        model("iris")[0].rules_.to_text(detail="long")


UNITS = {
    "petal width (cm)": ("petal width", "cm"),
    "f(x)": ("f(x)", ""),
    "log(income)": ("log(income)", ""),
    "a (b (c))": ("a (b (c))", ""),
    "(cm)": ("(cm)", ""),
    "x ()": ("x ()", ""),
    "two words (m / s)": ("two words", "m / s"),
}


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_stands_in_brackets_behind_a_space(model, name):
    variable = replace(model("iris")[0].rules_.variables[0], name=name)
    assert (variable.label, variable.unit) == UNITS[name]


def test_names_of_nothing_are_seen():
    assert visible("") == "''"
    assert visible("  ") == "'  '"


def test_categories_that_are_numbers_keep_their_digits():
    generator = np.random.default_rng(0)
    codes = generator.choice([12345671.0, 12345672.0, 0.5], 90)
    table = np.column_stack([codes, generator.normal(size=90)])
    clf = RuleNetwork(2, selection="soft", ridge=0.15, categorical_features=[0])
    text = clf.fit(table, (codes == 0.5).astype(int)).rules_.to_text(detail="full")
    assert "12345671 = " in text
    assert "12345672 = " in text
    assert "0.5 = " in text


@pytest.mark.parametrize("kind", ["soft", "constant", "none", "class rules"])
@pytest.mark.parametrize("name", ["iris", "clinic"])
def test_no_two_rules_read_alike(model, name, kind):
    """Two copies of a rule, one a little wider, differ in digits."""
    rules = model(name, kind)[0].rules_
    first = next(rule for rule in rules if any(c.width for c in rule.conditions))
    wider = [replace(c, width=1.001 * c.width) if c.width else c for c in first.conditions]
    pair = replace(rules, rules=(first, replace(first, conditions=tuple(wider))))
    readings = [re.sub("^Rule [12]", "", block) for block in str(pair).split("\n\n")[1:3]]
    assert readings[0] != readings[1]


def test_a_long_rule_base_goes_over_pages(model):
    text = model("wine", "three rules")[0].rules_.to_latex()
    assert "\\begin{longtable}" in text
    assert "longtable}" in text.splitlines()[0]


def test_the_largest_overlaps_are_told():
    generator = np.random.default_rng(0)
    X = generator.normal(size=(120, 2))
    rules = RuleNetwork(5, selection="soft", ridge=0.15).fit(X, (X[:, 0] > 0) * 1).rules_
    largest = max(rules.overlap[i][k] for i in range(5) for k in range(i))
    text = rules.to_text("full")
    assert f"by {100 * largest:.0f} %" in text.split("Rules overlap:")[1].split(",")[0]
    assert "5 more pairs by less" in text


def test_two_inputs_that_differ_in_unit_keep_it_in_their_names():
    generator = np.random.default_rng(0)
    X = pd.DataFrame(generator.normal(size=(60, 2)), columns=["size (cm)", "size (mm)"])
    y = (X.sum(axis=1) > 0).astype(int)
    text = str(RuleNetwork(2, selection="soft", ridge=0.15).fit(X, y).rules_)
    assert "size (cm)" in text
    assert "size (mm)" in text
