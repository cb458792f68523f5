import subprocess
import sys

import numpy as np
import pytest
from matplotlib import pyplot as plt

from unfis.plots import SelectionEffectDisplay
from unfis.plots.canvas import (
    LONGEST_SHOWN,
    colour,
    dot_handle,
    grid_of_axes,
    legend_beside,
    line_style,
    marker,
    short_value,
    shown,
)


def test_matplotlib_is_imported_only_to_draw():
    code = (
        "import sys, unfis.plots as p; p.SelectionEffectDisplay();"
        "sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"needs matplotlib: pip install 'unfis\[plot\]'"):
        SelectionEffectDisplay().plot()


def test_styles_differ_for_long():
    assert len({(colour(i), marker(i)) for i in range(72)}) == 72
    assert len({(colour(i), str(line_style(i))) for i in range(56)}) == 56


def test_axes_given_are_divided():
    _, ax = plt.subplots()
    axes = grid_of_axes(ax, 2, 3, (1, 1))
    assert axes.shape == (2, 3)
    assert not ax.axison
    assert axes[0, 0].figure is ax.figure


def test_one_panel_needs_no_division():
    _, ax = plt.subplots()
    assert grid_of_axes(ax, 1, 1, (1, 1))[0, 0] is ax
    assert ax.axison


def test_an_array_of_axes_is_used_in_order():
    _, axes = plt.subplots(6)
    assert (grid_of_axes(axes, 2, 3, (1, 1)).ravel() == axes).all()
    assert (grid_of_axes(list(axes), 3, 2, (1, 1)).ravel() == axes).all()


def test_axes_that_do_not_fit_are_refused():
    figure, axes = plt.subplots(4)
    with pytest.raises(ValueError, match=r"array of 2 x 3 of them, got an array of shape \(4,\)"):
        grid_of_axes(axes, 2, 3, (1, 1))
    with pytest.raises(ValueError, match=r"placed by hand. Make it with plt.subplots\(\)"):
        grid_of_axes(figure.add_axes((0, 0, 1, 1)), 2, 3, (1, 1))


def test_labels_that_begin_with_an_underscore_are_in_the_legend(legend_labels):
    _, ax = plt.subplots()
    legend_beside(ax, [dot_handle(0), dot_handle(1)], ["_a", "b"])
    assert legend_labels(ax) == [" _a", "b"]


def test_an_empty_legend_is_none():
    _, ax = plt.subplots()
    legend_beside(ax, [], [])
    assert ax.get_legend() is None


def test_a_long_legend_has_columns(beside_data):
    figure, ax = plt.subplots(layout="constrained", figsize=(9, 5))
    legend_beside(ax, [dot_handle(i) for i in range(40)], list("ab" * 20))
    assert ax.get_legend()._ncols == 3  # noqa: SLF001 - there is no public one
    assert np.isfinite(figure.get_size_inches()).all()
    beside_data(ax)


def test_a_plain_name_stays_as_it_is():
    assert shown("petal width (cm)") == "petal width (cm)"
    assert shown(3) == "3"


def test_a_long_name_keeps_its_ends():
    text = shown("x" * 100 + "y" * 95 + " (kg)")
    assert len(text) == LONGEST_SHOWN
    assert text.startswith("xxx")
    assert text.endswith("yyy (kg)")
    assert "…" in text


def test_dollars_are_no_mathematics():
    assert shown("$a$") == r"\$a\$"


def test_dollars_stay_escaped_wherever_a_name_is_cut():
    for length in range(5, 40):
        text = shown("$" * 60, length)
        assert text.count("$") == text.count(r"\$") == length - 1


@pytest.mark.parametrize("name", ["a\nb", "a\tb", "a\x00b", "a\ud800b", "a \r\n b"])
def test_a_name_is_one_line_of_characters_that_can_be_drawn(name):
    assert shown(name) == "a b"


def test_lines_break_at_the_ends_of_words_only():
    assert shown("number_of_major_vessels", width=12) == "number_of_\nmajor_\nvessels"
    assert shown("a" * 25, width=12) == "a" * 25


def test_values_are_short():
    assert short_value(1 / 3) == "0.3333"
    assert short_value("a" * 50) == "aaaaaaaa…aaa"
    assert short_value(None) == "None"
