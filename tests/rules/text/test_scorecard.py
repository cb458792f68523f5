"""One page of points: text, HTML and LaTeX."""

import json
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from networks import RuleNetwork
from rule_tables import averaged_in_points, class_rules, in_points, sparse_in_points
from sample_tables import HURTFUL

from unfis.rules import RuleBase
from unfis.rules.text.sentences import rules_in_words
from unfis.rules.text.words import visible


class Page(HTMLParser):
    """The tags and the text of a page, every tag closed that was opened."""

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.text = [], [], ""
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def hurtful():
    """A scorecard of inputs and classes with names that hurt."""
    generator = np.random.default_rng(1)
    X = generator.normal(size=(90, len(HURTFUL)))
    clf = RuleNetwork(1, selection="soft", ridge=0.15)
    clf.fit(X, np.where(X.sum(axis=1) > 0, HURTFUL[0], HURTFUL[7]))
    data = in_points(clf.rules_, unit=0.01).to_dict()
    for variable, name in zip(data["variables"], HURTFUL, strict=True):
        renamed = {variable["name"]: name}
        variable["name"] = name
        for effect in data["rules"][0]["effects"] + data["rules"][0]["conditions"]:
            effect["input"] = renamed.get(effect["input"], effect["input"])
    return RuleBase.from_dict(data)


@pytest.mark.parametrize("rules", [1, 3])
def test_every_form_has_every_number(model, rules):
    base = averaged_in_points(model("clinic", "soft")[0], rules, True, seed=2).rules_
    forms = {form: base.to_scorecard(form) for form in ("text", "html", "latex")}
    numbers = re.findall(r"^ +\S.*? {2,}([-+]\d+)(?=  for each|$)", forms["text"], flags=re.M)
    assert len(numbers) > rules
    plain = {"text": forms["text"], "html": Page(forms["html"]).text, "latex": forms["latex"]}
    for told in plain.values():
        assert all(number in told for number in numbers)
        assert "Numbers count in proportion, below as above." in " ".join(told.split())
    assert max(map(len, forms["text"].splitlines())) <= 100
    assert base.to_scorecard() == forms["text"]


def test_names_that_hurt_on_the_page(hurtful):
    page = Page(hurtful.to_scorecard("html"))
    assert page.tags.count("html") == 1
    assert "script" not in page.tags
    for name in HURTFUL:
        assert visible(name) in page.text
        assert visible(name) in hurtful.to_scorecard("text")


def test_the_latex_page_is_a_document(hurtful):
    text = hurtful.to_scorecard("latex")
    assert text.count("\\begin{document}") == text.count("\\end{document}") == 1
    stripped = text.replace("\\{", "").replace("\\}", "")
    assert stripped.count("{") == stripped.count("}")
    for row in re.findall(r"^.*\\\\$", text, flags=re.M):
        assert row.count("&") - row.count("\\&") == 2
    assert "\\textbackslash{}end\\{table\\}" in text


def test_rules_that_count_nothing_have_no_scorecard(model):
    base = class_rules(model("clinic", "soft")[0], 3, True).rules_
    with pytest.raises(ValueError, match="to_scorecard needs a rule whose THEN counts inputs"):
        base.to_scorecard()
    with pytest.raises(ValueError, match="format must be one of 'text', 'html', 'latex', got 'x'"):
        base.to_scorecard("x")


def test_the_start_and_two_kinds_are_whole(model):
    """A category of two kinds is one column around its mean, and its points are whole still."""
    clf = averaged_in_points(model("clinic", "soft")[0], 1, True, seed=2)
    base = clf.rules_
    known = replace(base, variables=tuple(replace(v, missing=0.0) for v in base.variables))
    text = str(known)
    assert re.search(r"(smoker|sex) is \S+ +[-+]\d+$", text, flags=re.M)
    assert not re.search(r"[-+]\d+\.\d", text)
    assert re.search(r"(smoker|sex|age|pressure) is unknown", str(base))


def test_several_classes_have_columns_and_one_has_nothing(model):
    base = averaged_in_points(model("iris", "soft")[0], 1, True, seed=2).rules_
    lines = str(base).splitlines()
    heads = lines[2].removeprefix("Points for").split()
    (zero,) = {"setosa", "versicolor", "virginica"} - set(heads)
    told = " ".join(str(base).split())
    assert f"{zero} has 0. The class with the most is the answer." in told
    assert "Probabilities are 1.35 to the power" in told
    assert all(len(line.split("  for each")[0]) == len(lines[2]) for line in lines[3:5])


def test_a_number_is_counted_above_0_without_a_sign(model):
    """The origin of a number around 0 may be rounded to -0."""
    base = averaged_in_points(model("iris", "soft")[0], 1, True, seed=2).rules_
    rule = base[0]
    effects = tuple(replace(effect, origin=-0.0) for effect in rule.effects)
    told = replace(base, rules=(replace(rule, effects=effects),)).to_scorecard()
    assert re.search(r"for each \S+( \S+)? above 0$", told, flags=re.M)
    assert "above -0" not in told


def test_points_to_draw_are_those_printed(model):
    base = averaged_in_points(model("clinic", "soft")[0], 1, True, seed=2).rules_
    points = rules_in_words(base)[0].points
    for row in points.rows:
        assert [f"{size:+g}" for size in row.sizes] == [
            text if text[0] in "+-" else f"+{text}" for text in row.points
        ]


def test_the_table_of_points_ends_where_a_class_is_nearly_sure(model):
    """However far the points of rows go, its columns are where the probability moves."""
    base = averaged_in_points(model("clinic", "soft")[0], 1, True, seed=2).rules_
    far = replace(base, rules=(replace(base[0], totals=(-40.0, 90.0)),))
    scale = rules_in_words(far)[0].points.scale
    shares = [share for _, share in scale]
    assert shares[0] == "under 1 %"
    assert shares[-1] == "over 99 %"
    assert all(re.fullmatch(r"\d+ %", share) for share in shares[1:-1])
    assert "0" in dict(scale)
    sure = replace(base, rules=(replace(base[0], totals=(40.0, 90.0)),))
    assert len(rules_in_words(sure)[0].points.scale) > 1


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="needs pdflatex")
@pytest.mark.parametrize("kind", ["card", "page", "rules", "classes", "ten", "ten on a page"])
def test_latex_can_be_typeset(hurtful, model, tmp_path, kind):
    """Names of any characters of ASCII; the letters of others need another LaTeX."""
    names = [name if name.isascii() else 'a_b % & # 100 - $ ~ [x] --- ?` "' for name in HURTFUL]
    data = json.dumps(hurtful.to_dict())
    for place, (name, other) in enumerate(zip(HURTFUL, names, strict=True)):
        if name != other:
            data = data.replace(json.dumps(name), json.dumps(f"{other} {place}"))
    made = averaged_in_points if kind != "classes" else class_rules
    base = made(model("clinic", "soft")[0], 3, True, seed=2).rules_
    if kind in ("card", "page"):
        base = RuleBase.from_dict(json.loads(data))
    if kind.startswith("ten"):
        base = sparse_in_points(model("ten classes", "soft")[0], 1, True, 3, most=4).rules_
    if kind.endswith("page"):
        document = base.to_scorecard("latex")
    else:
        packages = r"\usepackage{array,booktabs,longtable}"
        body = base.to_latex(caption="Rules & more")
        document = rf"\documentclass{{article}}{packages}\begin{{document}}{body}\end{{document}}"
    (tmp_path / "rules.tex").write_text(document, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "rules.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert kind != "page" or "(1 page" in done.stdout
