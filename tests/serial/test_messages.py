from unfis.serial.messages import LONGEST, listed, quoted, shortened


def test_a_value_is_repeated_as_python_writes_it():
    assert quoted("a\nb") == r"'a\nb'"
    assert quoted(1.5) == "1.5"


def test_a_long_value_keeps_its_ends():
    text = quoted("x" * 100_000 + "y" * 100_000)
    assert len(text) == LONGEST
    assert text.startswith("'xxx")
    assert text.endswith("yyy'")
    assert "…" in text
    assert shortened("abc", 3) == "abc"


def test_lists_are_not_endless():
    assert listed(["a", "b"]) == "'a', 'b'"
    assert listed(range(1000)).endswith("9, and 990 more")
    assert len(listed(["x" * 1000] * 1000)) < 1000
