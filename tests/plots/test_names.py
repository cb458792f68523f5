import pytest

from unfis.plots.names import LONGEST_SHOWN, short_value, shown


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
