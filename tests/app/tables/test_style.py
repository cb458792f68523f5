"""Encoding, separator and decimal mark, found out or given."""

import pytest

from unfis.app.requests import RequestError
from unfis.app.tables.style import Style, find_decimal, find_separator, find_style
from unfis.data.files import TableError

SEMICOLONS = "name;size;note\nA;1,5;x, y\nB;2,25;z\nC;3;a, b, c\n"


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("a,b\n1,2\n", ","),
        (SEMICOLONS, ";"),
        ("a\tb\n1,5\t2,5\n", "\t"),
        ("a|b|c\n1|2|3\n", "|"),
        ('a;b\n"x;y";1\n"p;q;r";2\n', ";"),
        ("only\n1\n2\n", ","),
        ("first, second;third\n1;2\n", ";"),
    ],
)
def test_separators(text, separator):
    assert find_separator(text) == separator


def test_decimal_marks():
    assert find_decimal(SEMICOLONS, ";") == ","
    assert find_decimal("a;b\n1.5;2\n", ";") == "."
    assert find_decimal("a;b\n1;2\n", ";") == "."
    assert find_decimal('a,b\n"1,5",2\n', ",") == ","
    assert find_decimal("a;b\n24.12.2024;1,5\n", ";") == ","


@pytest.mark.parametrize(
    ("encoding", "found"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-32", "utf-32"),
        ("latin-1", "cp1252"),
        ("cp1252", "cp1252"),
    ],
)
def test_encodings(tmp_path, encoding, found):
    path = tmp_path / "t.csv"
    path.write_bytes("größe,Stück\n1,2\n".encode(encoding))
    assert find_style(path, "t.csv", None, None, None) == Style(found, ",", ".")


def test_what_no_windows_wrote_is_latin_1(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n\x81,\xe9\n")
    assert find_style(path, "t.csv", None, None, None).encoding == "latin-1"


def test_a_late_letter_counts(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 400_000 + b"\xe9,2\n")
    assert find_style(path, "t.csv", None, None, None).encoding == "cp1252"
    with pytest.raises(TableError, match=r"t.csv, line 400002: this cannot be read as utf-8\."):
        find_style(path, "t.csv", None, None, "utf-8")


def test_what_is_given_is_taken(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"a;b\n1;2\n")
    assert find_style(path, "t.csv", "tab", "comma", "latin-1") == Style("latin-1", "\t", ",")
    with pytest.raises(RequestError, match="There is no encoding of text 'utf-9'"):
        find_style(path, "t.csv", None, None, "utf-9")
    for name in ("rot13", "base64", "undefined"):
        with pytest.raises(RequestError, match=f"There is no encoding of text '{name}'"):
            find_style(path, "t.csv", None, None, name)
    with pytest.raises(RequestError, match="decimal mark must be"):
        find_style(path, "t.csv", None, ";", None)
