"""Words and signs count outside of double quotes alone."""

import pytest

from unfis.rules.quotes import (
    found_outside,
    in_double_quotes,
    masked,
    split_outside,
    without_comment,
    without_quotes,
)


def test_what_is_in_quotes_is_masked_in_its_length():
    text = 'a "b and c" d "e'
    assert masked(text) == 'a --------- d "e'  # a quote that is not closed is a sign
    assert len(masked(text)) == len(text)


def test_text_is_cut_outside_of_quotes():
    assert split_outside('"a and b" > 3 AND c < 4', r"\band\b") == ['"a and b" > 3 ', " c < 4"]
    assert found_outside('"a < b" <= 3 > 2', "<=|[<>]") == ["<=", ">"]
    assert split_outside("sand", r"\band\b") == ["sand"]


@pytest.mark.parametrize(
    ("line", "left"),
    [("IF a # why", "IF a"), ('"#1" > 2 # x', '"#1" > 2'), ("# all", ""), ("  none  ", "none")],
)
def test_comments_begin_outside_of_quotes(line, left):
    assert without_comment(line) == left


@pytest.mark.parametrize("name", ["age", "rock and roll", "", "5' disk", "a # b"])
def test_names_go_into_quotes_and_out_again(name):
    assert without_quotes(f" {in_double_quotes(name)} ") == name


def test_a_quote_alone_stays():
    assert without_quotes('"') == '"'
    with pytest.raises(ValueError, match="has a double quote in it"):
        in_double_quotes('5" disk')
