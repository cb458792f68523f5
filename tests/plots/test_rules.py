from dataclasses import replace

import numpy as np
import pytest
from matplotlib import pyplot as plt
from networks import RuleNetwork
from rule_tables import sparse_in_points
from sample_tables import ten_classes

from unfis import UNFISClassifier
from unfis.plots import RulesDisplay
from unfis.plots.sources import selected_membership
from unfis.rules.text.numbers import percent
from unfis.rules.text.sentences import rules_in_words


def curve(ax):
    return ax.get_lines()[0].get_data()


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_a_title_has_the_share_of_the_class_that_it_names(decisive):
    """Which may be the smaller one, as of a rare class that was weighted."""
    base = decisive.rules_
    rare = replace(base[0], mix=(0.06, 0.0, 0.94), label=base.classes[0])
    display = RulesDisplay.from_estimator(replace(base, rules=(rare, *base.rules[1:])))
    assert display.axes_[0, 0].get_title(loc="left") == f"Rule 1: {base.classes[0]} (6 %)"


def test_rules_are_rows_and_inputs_columns(decisive, iris):
    display = RulesDisplay.from_estimator(decisive)
    used = decisive.selected_[:, decisive.selected_.any(axis=0)]
    assert display.axes_.shape == used.shape
    for panel, is_used in np.ndenumerate(used):
        assert texts(display.axes_[panel]) == ([] if is_used else ["not in IF"])
    titles = [ax.get_title(loc="left") for ax in display.axes_[:, 0]]
    assert titles == [
        f"Rule {i}: {rule.label} ({percent(max(rule.mix))})"
        for i, rule in enumerate(decisive.rules_, 1)
    ]
    names = [ax.get_xlabel() for ax in display.axes_[-1]]
    assert names == iris[0].columns[decisive.selected_.any(axis=0)].tolist()


def test_curves_are_memberships_over_the_range(soft):
    display = RulesDisplay.from_estimator(soft)
    for i, rule in enumerate(soft.rules_):
        for j, condition in enumerate(rule.conditions):
            points, degrees = curve(display.axes_[i, j])
            shape = condition.centre, condition.width, condition.selection
            np.testing.assert_allclose(degrees, selected_membership(points, *shape))
            variable = soft.rules_.variables[j]
            assert (points[0], points[-1]) == (variable.lowest, variable.highest)


def test_rows_are_drawn_by_class(decisive, iris, legend_labels, beside_data):
    display = RulesDisplay.from_estimator(decisive, *iris)
    labels = ["holds by more\nthan half", "setosa", "versicolor", "virginica"]
    assert legend_labels(display.axes_[0, -1]) == labels
    lanes = display.axes_[1, 0].get_lines()[-3:]
    values = np.concatenate([lane.get_xdata() for lane in lanes])
    assert sorted(values) == sorted(iris[0][display.axes[0].name])
    beside_data(display.axes_[0, -1])


def test_rows_are_drawn_without_classes(decisive, iris, legend_labels):
    display = RulesDisplay.from_estimator(decisive, iris[0].to_numpy())
    assert legend_labels(display.axes_[0, -1]) == ["holds by more\nthan half", "rows"]


def bars_of(ax):
    """The length of each bar, (classes, lines)."""
    return [[bar.get_width() for bar in container] for container in ax.containers]


def test_a_rule_without_if_is_drawn_as_its_scorecard(scorecard, iris, legend_labels, draws):
    display = RulesDisplay.from_estimator(scorecard, *iris)
    (panel,) = display.axes_.flat
    rule = scorecard.rules_[0]
    (points,) = (words.points for words in rules_in_words(scorecard.rules_))
    drawn = np.transpose(bars_of(panel))
    assert drawn[1:].tolist() == [
        [float(number or 0) for number in row.points] for row in points.rows[1:]
    ]
    assert np.count_nonzero(drawn) >= len(rule.effects)
    # The start is written, and would make the bars beside it short.
    assert not drawn[0].any()
    assert sorted(texts(panel)) == sorted(number for row in points.rows for number in row.points)
    names = [label.get_text().replace("\n", " ") for label in panel.get_yticklabels()]
    assert names == [f"{row.name} {row.per}".strip() for row in points.rows]
    assert legend_labels(panel) == points.classes
    assert "(versicolor has 0)" in panel.get_xlabel()
    draws(display.figure_)


@pytest.fixture(scope="module")
def ten():
    """A model of ten classes, of which every input counts for few."""
    return RuleNetwork(2, selection="soft").fit(*ten_classes())


def test_of_many_classes_every_line_is_of_one(ten, legend_labels, draws):
    model = sparse_in_points(ten, 1, True, 3, most=4)
    display = RulesDisplay.from_estimator(model)
    (panel,) = display.axes_.flat
    (points,) = (words.points for words in rules_in_words(model.rules_))
    assert points.listed
    drawn = np.transpose(bars_of(panel))
    assert drawn.shape == (len(points.lines), len(points.classes))
    sizes = [0.0 if name else row.sizes[0] for name, row in points.lines]
    assert drawn.sum(axis=1).tolist() == sizes
    assert (np.count_nonzero(drawn, axis=1) <= 1).all()
    written = sorted(text for text in texts(panel) if text)
    assert written == sorted(row.points[0] for _, row in points.lines)
    names = [label.get_text().replace("\n", " ") for label in panel.get_yticklabels()]
    assert sum(name.endswith(": start") for name in names) == len(points.classes)
    assert [f"class {label}" for label in legend_labels(panel)] == points.classes
    draws(display.figure_)


def test_where_each_class_has_its_sum_none_is_told_to_have_0(ten, draws):
    model = sparse_in_points(ten, 2, True, 0, most=4)
    display = RulesDisplay.from_estimator(model)
    assert {panel.get_xlabel() for panel in display.axes_[:, -1]} == {"points"}
    draws(display.figure_)


def test_classes_that_no_input_speaks_for_have_no_bars(ten, draws):
    model = sparse_in_points(ten, 1, True, 1, most=1)
    (panel,) = RulesDisplay.from_estimator(model).axes_.flat
    (points,) = (words.points for words in rules_in_words(model.rules_))
    assert not points.listed
    assert len(panel.containers) == len(points.classes) < 6
    draws(panel.figure)


def test_an_input_in_then_alone_has_no_set(crossed, crossed_table, draws):
    display = RulesDisplay.from_estimator(crossed, *crossed_table)
    conditions = {item.input for rule in crossed.rules_ for item in rule.conditions}
    effects = {item.input for rule in crossed.rules_ for item in rule.effects}
    assert effects - conditions
    assert {axis.name for axis in display.axes} == conditions
    assert display.axes_.shape == (len(crossed.rules_), len(conditions) + 1)
    for panel, rule in zip(display.axes_[:, -1], crossed.rules_, strict=True):
        assert len(bars_of(panel)[0]) == 1 + len(rule.effects)
        assert panel.get_xlabel() in ("points for apart", "points for together")
    draws(display.figure_)


def test_kinds_have_a_bar_each(mixed_table, draws):
    X, _ = mixed_table
    y = np.where((X["kind"] == "oak") | (X["kind"] == "elm") & X["wild"], "yes", "no")
    model = UNFISClassifier(1, points="exact").fit(X, y)
    panel = RulesDisplay.from_estimator(model).axes_[0, 0]
    names = [label.get_text() for label in panel.get_yticklabels()]
    kinds = next(effect for effect in model.rules_[0].effects if effect.input == "kind")
    said = np.any(kinds.slopes, axis=0)
    assert said[[1, 2]].all()
    told = {
        f"kind is {kind}" for kind, says in zip(["elm", "fir", "oak"], said, strict=True) if says
    }
    assert {name for name in names if name.startswith("kind is ")} == told
    drawn = dict(zip(names, bars_of(panel)[0], strict=True))
    spread = drawn["kind is oak"] - drawn["kind is fir"]
    exact = np.subtract(kinds.slopes[1], kinds.slopes[0])[[2, 1]]
    assert abs(spread) == pytest.approx(abs(exact[0] - exact[1]), abs=0.011)
    assert panel.get_xlabel().startswith("log-odds for ")
    draws(panel.figure)


def test_a_rule_that_names_a_class_has_no_bars(crossed, draws):
    base = crossed.rules_
    plain = replace(base[1], effects=(), otherwise=True, conditions=())
    display = RulesDisplay.from_estimator(replace(base, rules=(base[0], plain)))
    assert display.axes_[0, -1].containers
    assert not display.axes_[1, -1].axison
    assert display.axes_[1, 0].get_title(loc="left").startswith("Otherwise: ")
    draws(display.figure_)


def test_categories_are_bars(mixed, mixed_table, draws):
    display = RulesDisplay.from_estimator(mixed, *mixed_table, inputs=["kind", "wild"])
    for i, rule in enumerate(mixed.rules_):
        for j, condition in enumerate(rule.conditions[1:3]):
            heights = [bar.get_height() for bar in display.axes_[i, j].containers[0]]
            assert heights == list(condition.degrees)
    ticks = [label.get_text() for label in display.axes_[1, 0].get_xticklabels()]
    assert ticks == ["elm", "fir", "oak"]
    draws(display.figure_)


def test_rules_and_inputs_can_be_chosen(decisive):
    names = ["petal width (cm)", "sepal length (cm)"]
    display = RulesDisplay.from_estimator(decisive, rules=[2], inputs=names)
    assert display.axes_.shape == (1, 2)
    assert [axis.name for axis in display.axes] == names
    assert display.axes_[0, 0].get_title(loc="left").startswith("Rule 2: ")
    assert texts(display.axes_[0, 1]) == ["not in IF"]


def test_a_rule_alone_has_its_inputs_only(decisive):
    display = RulesDisplay.from_estimator(decisive, rules=[1])
    assert [axis.name for axis in display.axes] == ["petal length (cm)"]


def test_too_many_panels_are_refused(iris):
    wide = np.hstack([iris[0].to_numpy(), iris[0].to_numpy() ** 2])
    model = RuleNetwork(2, selection="soft", ridge=0.15).fit(wide, iris[1])
    expected = (
        "16 panels, 2 rules by 8 inputs, .* 12 can be .*inputs=.*the inputs in an IF are 'x0', 'x1'"
    )
    with pytest.raises(ValueError, match=expected):
        RulesDisplay.from_estimator(model)
    assert RulesDisplay.from_estimator(model, rules=[1]).axes_.shape == (1, 8)


def test_nothing_to_draw_is_refused(decisive):
    with pytest.raises(ValueError, match="must leave at least one panel"):
        RulesDisplay.from_estimator(decisive, inputs=[])
    bare = replace(decisive.rules_[0], conditions=())
    with pytest.raises(ValueError, match="The inputs in the IF of these rules: none"):
        RulesDisplay.from_estimator(replace(decisive.rules_, rules=(bare,)))


def test_unknown_rules_and_inputs_are_refused(decisive):
    with pytest.raises(ValueError, match="number from 1 to 3"):
        RulesDisplay.from_estimator(decisive, rules=[0])
    with pytest.raises(ValueError, match="got 'height'"):
        RulesDisplay.from_estimator(decisive, inputs=["height"])


def test_the_axes_given_are_divided(decisive, iris, draws):
    figure, (ax, other) = plt.subplots(1, 2, layout="constrained", figsize=(12, 4))
    display = RulesDisplay.from_estimator(decisive, *iris, ax=ax)
    assert display.figure_ is figure
    assert len(figure.axes) == 2 + display.axes_.size
    draws(figure)
    edge = other.get_window_extent().x0
    assert all(panel.get_window_extent().x1 < edge for panel in display.axes_.flat)


def test_an_array_of_axes_is_used(decisive):
    _, axes = plt.subplots(*RulesDisplay.from_estimator(decisive).axes_.shape)
    assert (RulesDisplay.from_estimator(decisive, ax=axes).axes_ == axes).all()


@pytest.mark.filterwarnings("ignore:Glyph")
def test_hurtful_names_are_drawn_as_they_are(hurtful, hurtful_table, draws):
    found = draws(RulesDisplay.from_estimator(hurtful, *hurtful_table).figure_)
    assert "\\$\\frac_ and \\$ one_\nmore" in found
    assert any(text.startswith(r" _hidden \$a\$") for text in found)
    assert all(len(text) <= 42 for text in found)


@pytest.mark.filterwarnings("ignore:Glyph")
def test_hurtful_names_are_drawn_beside_points(hurtful_table, draws):
    model = UNFISClassifier(1, ridge=0.01, tolerance=0).fit(*hurtful_table)
    assert len(model.rules_[0].effects) > 1
    found = draws(RulesDisplay.from_estimator(model).figure_)
    assert any(text.startswith(r" _hidden \$a\$") or r"\$\frac_" in text for text in found)
    assert all(len(line) <= 42 for text in found for line in text.split("\n"))
