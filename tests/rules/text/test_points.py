"""Points of many classes: only what counts is printed, and what is printed is the model."""

import re
from dataclasses import replace

import numpy as np
import pytest
from printed_rules import points_of, read
from rule_tables import averaged, sparse_in_points
from sample_tables import HURTFUL

from unfis.arrays import softmax
from unfis.rules import RuleBase
from unfis.rules.text.points import points_words
from unfis.rules.text.sentences import rules_in_words
from unfis.rules.text.words import class_name, visible

UNIT = 0.3


@pytest.fixture
def ten(model):
    """One rule for ten classes, a few of which each input speaks for."""
    clf, X, _ = model("ten classes", "soft")
    return sparse_in_points(clf, 1, True, 3, most=4).rules_, X


def printed_probabilities(base, X):
    """Those that a person computes who has nothing but the text, rule by rule."""
    names = [class_name(label) for label in base.classes]
    told = read(str(base), names)
    labels = {base.labels[variable.name]: variable.name for variable in base.variables}
    rows = X.astype(object).where(X.notna(), np.nan).to_dict("records")
    found = []
    for rule in told.rules:
        sums = [points_of(rule, row, labels) for row in rows]
        found.append(softmax(UNIT * np.array([[each[name] for name in names] for each in sums])))
    return np.stack(found, axis=1)


@pytest.mark.parametrize("rules", [1, 2])
@pytest.mark.parametrize("most", [1, 2, 4, 9])
@pytest.mark.parametrize("seed", range(3))
def test_points_added_up_by_hand_are_the_model(model, rules, most, seed):
    clf, X, _ = model("ten classes", "soft")
    base = sparse_in_points(clf, rules, True, seed, most=most).rules_
    found = base.arrays.evaluate(base.read(X))
    told = printed_probabilities(base, X)
    # Starts and unknown values have two decimals of a point.
    assert np.abs(told - found.said).max() < 0.01


@pytest.mark.parametrize("rules", [1, 2])
def test_of_many_classes_each_has_its_own_lines(model, rules):
    base = sparse_in_points(model("ten classes", "soft")[0], rules, True, 3, most=4).rules_
    listed = [points for rule in rules_in_words(base) if (points := rule.points).listed]
    assert listed
    for points in listed:
        assert len(points.classes) > 5
        assert [block.name for block in points.by_class] == points.classes
        for block in points.by_class:
            assert block.rows[0].name == "start"
            assert len(block.rows) > 1
            assert all(re.fullmatch(r"[-+]\d+(\.\d\d)?", row.points[0]) for row in block.rows[1:])
    numbers = [row for points in listed for block in points.by_class for row in block.rows]
    text = base.to_text()
    assert text.count("start ") >= sum(len(points.classes) for points in listed)
    assert sum(text.count(f"  {row.name} ") for row in set(map(tuple_of, numbers))) >= len(listed)
    assert max(map(len, text.splitlines())) <= 100


def tuple_of(row):
    return row._replace(points=tuple(row.points))


@pytest.mark.parametrize("seed", range(4))
def test_up_to_five_classes_are_a_table_without_zeros(model, seed):
    base = sparse_in_points(model("iris", "soft")[0], 1, True, seed, most=1).rules_
    points = points_words(base[0], base)
    assert not points.listed
    assert not points.by_class
    for row in points.rows[1:]:
        assert any(row.points)
        assert "0" not in row.points
        assert row.sizes == [float(text or 0) for text in row.points]
    lines = [line for line in str(base).splitlines() if "  for each" in line]
    assert not any(re.search(r" [-+]?0 ", line.split("  for each")[0] + " ") for line in lines)


def test_classes_that_no_input_speaks_for_are_told_in_one_line(model):
    base = sparse_in_points(model("ten classes", "soft")[0], 1, True, 1, most=1).rules_
    points = points_words(base[0], base)
    (note,) = (note for note in points.notes if note.startswith("Start only: "))
    spoken_for = set(points.classes)
    (zero,) = (
        name for name in map(class_name, base.classes) if f"{name} has 0." in points.notes[-1]
    )
    told = re.findall(r"(class \d) ([-+]\d+\.\d\d|[-+]?\d+)(?:,|\.$)", note)
    assert {name for name, _ in told} | spoken_for | {zero} == set(map(class_name, base.classes))
    assert not {name for name, _ in told} & (spoken_for | {zero})


def test_the_start_tells_the_three_most_probable_classes(ten):
    base, _ = ten
    closing = points_words(base[0], base).notes[-1]
    shares = re.findall(r"(\d+) % class \d", closing.split("at the start ")[1])
    assert len(shares) == 3
    assert sorted(map(int, shares), reverse=True) == list(map(int, shares))
    assert closing.endswith(" and 7 more.")


def test_the_lowest_start_is_0_where_no_class_is_without_points(model):
    base = sparse_in_points(model("ten classes", "soft")[0], 2, True, 0, most=4).rules_
    for rule in base:
        points = points_words(rule, base)
        assert "has 0" not in points.notes[-1]
        starts = [block.rows[0].points[0] for block in points.by_class]
        alone = re.findall(r"class \d (\S+?)[,.]( |$)", " ".join(points.notes[:-1]))
        starts += [number for number, _ in alone]
        assert starts.count("0") == 1
        assert not any(start.startswith("-") for start in starts)


def test_numbers_that_are_counted_exactly_are_listed_too(model):
    clf, _, _ = model("ten classes", "soft")
    base = averaged(clf, 1, True).rules_
    wide = replace(base[0], effects=base[0].effects * 3)
    points = points_words(wide, base)
    assert points.listed
    assert points.heading == "Log-odds for each class"
    assert any("at most 6 inputs are shown" in note for note in points.notes)


def test_effects_that_tell_no_classes_apart_leave_the_starts(ten):
    base, _ = ten
    number = next(effect for effect in base[0].effects if effect.kind == "number")
    same = replace(base[0], effects=(replace(number, slopes=(1.0,) * 10),))
    points = points_words(same, replace(base, rules=(same,)))
    assert (points.rows, points.by_class, points.classes) == ([], [], [])
    assert points.notes[0].count("class ") == 9
    assert "Start only: class" in str(replace(base, rules=(same,)))


def with_purpose(base, points):
    """The rule base in which a category counts for the last class alone."""
    kinds = base.by_name["purpose"].categories
    slopes = np.zeros((len(base.classes), len(kinds)))
    slopes[-1] = UNIT * np.array([points.get(kind, 0) for kind in kinds])
    (before,) = (effect for effect in base[0].effects if effect.input == "purpose")
    made = replace(before, slopes=tuple(map(tuple, slopes.tolist())), origin=None)
    effects = tuple(made if effect is before else effect for effect in base[0].effects)
    return replace(base, rules=(replace(base[0], effects=effects),))


def purpose_rows(base):
    block = points_words(base[0], base).by_class[-1]
    return [(r.name, r.points[0], r.every) for r in block.rows if r.name.startswith("purpose")]


def test_kinds_that_add_the_same_are_one_line(ten):
    base, _ = ten
    few = with_purpose(base, {"car": 2, "boat": 2, "rent": -1})
    assert purpose_rows(few) == [
        ("purpose is boat or car", "+2", ""),
        ("purpose is rent", "-1", ""),
    ]
    kinds = base.by_name["purpose"].categories
    many = with_purpose(base, dict.fromkeys(kinds[:-1], 2))
    assert purpose_rows(many) == [
        ("purpose is known and not wedding", "+2", "boat, car, garden, rent, repair or school")
    ]


def test_of_many_kinds_the_most_frequent_is_named(ten):
    base, _ = ten
    purpose = base.by_name["purpose"]
    assert purpose.typical == "wedding"
    more = replace(purpose, categories=(*purpose.categories, *(f"kind {k}" for k in range(9))))
    variables = tuple(more if variable is purpose else variable for variable in base.variables)
    grown = replace(base, variables=variables)
    told = with_purpose(grown, dict.fromkeys(purpose.categories, 2))
    (row,) = purpose_rows(told)
    assert row == (
        "purpose is wedding, boat, car or 4 more",
        "+2",
        "boat, car, garden, rent, repair, school or wedding",
    )
    assert f'title="{row[2]}"' in told.to_html()
    assert f'title="{row[2]}"' in told.to_scorecard("html")
    slopes = next(e for e in told.to_dict()["rules"][0]["effects"] if e["input"] == "purpose")
    assert len(slopes["slopes"][0]) == 16


def test_all_kinds_of_a_condition_are_in_the_page(model):
    base = averaged(model("ten classes", "soft")[0], 2, True).rules_
    kinds = base.by_name["purpose"].categories
    changed = tuple(
        replace(c, accepted=kinds[:5], term="boat, car or 3 more") if c.input == "purpose" else c
        for c in base[0].conditions
    )
    told = replace(base, rules=(replace(base[0], conditions=changed), base[1]))
    every = "boat, car, garden, rent or repair"
    assert f'<td title="{every}">is boat, car or 3 more</td>' in told.to_html()


@pytest.fixture
def hurtful(ten):
    """Ten classes and the inputs of a scorecard with names that hurt."""
    data = ten[0].to_dict()
    data["classes"] = HURTFUL[:10]
    data["rules"][0]["label"] = HURTFUL[0]
    names = dict(zip([v["name"] for v in data["variables"]], HURTFUL[::-1], strict=False))
    for part in [*data["variables"]]:
        part["name"] = names[part["name"]]
    for part in data["rules"][0]["effects"] + data["rules"][0]["conditions"]:
        part["input"] = names[part["input"]]
    return RuleBase.from_dict(data)


def test_names_that_hurt_are_escaped_in_lists(hurtful):
    points = points_words(hurtful[0], hurtful)
    assert points.listed
    for page in (hurtful.to_html(), hurtful.to_scorecard("html")):
        assert "<script>" not in page
        assert "&lt;script&gt;" in page
        assert page.count("<tr>") >= len(points.lines)
    for text in (hurtful.to_latex(), hurtful.to_scorecard("latex")):
        stripped = text.replace("\\{", "").replace("\\}", "")
        assert stripped.count("{") == stripped.count("}")
        assert "\\textless{}script" in text
        assert "two\nlines" not in text
    card = hurtful.to_scorecard("latex")
    for row in re.findall(r"^[^\\].* & .*\\\\$", card.split("\\midrule")[1], flags=re.M):
        assert row.count("&") - row.count("\\&") == 3
    for name in points.classes:
        assert name in str(hurtful)
    assert visible(HURTFUL[3]) in hurtful.to_markdown().replace("\\\\", "\\")
