"""What is printed, and the names of the sets."""

import pytest

from unfis_paper.reproduction.paper import (
    ACCURACY,
    ACTIVE,
    BALANCED,
    INPUT_COUNTS,
    SETS,
    WITHOUT_LEAK,
    acronyms_of,
)


def test_the_printed_numbers_are_the_papers():
    """Means of the columns, summed up by hand from the print."""
    assert sum(row[-1][0] for row in ACCURACY.values()) == pytest.approx(603.35)
    assert sum(row[0][0] for row in BALANCED.values()) == pytest.approx(3.1275)
    assert sum(sum(pair) for pair in ACTIVE.values()) == pytest.approx(64.21)
    assert list(ACCURACY) == list(SETS)


NAMES = {
    "": list(SETS),
    "iris": ["IRI"],
    "IRI": ["IRI"],
    "iri,Wine": ["IRI", "WIN"],
    "wine,IRI": ["IRI", "WIN"],
    "autism": ["AUT"],
    "autism-17": ["AUT"],
    "autism-18,AUT": ["AUT"],
}


@pytest.mark.parametrize("names", NAMES)
def test_sets_by_every_name(names):
    assert acronyms_of(name for name in names.split(",") if name) == NAMES[names]


def test_an_unknown_set_is_a_sentence():
    with pytest.raises(ValueError, match=r"There is no set 'irsi'; choose from haberman \(HAB\), "):
        acronyms_of(["irsi"])


def test_inputs_of_every_form():
    assert INPUT_COUNTS[SETS["AUT"]] == 18
    assert INPUT_COUNTS[WITHOUT_LEAK["AUT"]] == 16
    assert INPUT_COUNTS["autism-17"] == 17
    assert INPUT_COUNTS["wine"] == 13
