"""Rules as a Python module that needs nothing but Python."""

from __future__ import annotations

from pprint import pformat

from unfis.export.portable import Portable, model_data, source_of

LONGEST_LINE = 100
NO_MODEL = '{"notation": {}, "inputs": []}'
FUTURE = "from __future__ import annotations\n"
READING = "from unfis.data.notation import BLANKS, CategoryReader, Notation, number_of\n"
MODULE_USE = """\
predict(row) gives %s; a row is a dict
of values by the names of the inputs, or of text that spells them. An input that is absent, None,
NaN or a word for missing is unknown, and so is a category that is not listed.
`python THIS_FILE table.csv` predicts a whole table."""


def python_module(model: Portable) -> str:
    """The source of a module: `template.py` with these rules and the library's reading of text."""
    _, reading = source_of("unfis.data", "notation.py").split(FUTURE)
    source = source_of("unfis.export", "template.py").replace(READING, reading.strip("\n"))
    data = pformat(model_data(model), width=LONGEST_LINE, sort_dicts=False)
    answer = "the class of a row, predict_proba(row) the probability of each class"
    use = MODULE_USE % (answer if model.classes else "the number that is expected of a row")
    words = f"{model.words}\n\n{use}\n".replace("\\", "\\\\").replace('"""', r"\"\"\"")
    return source.replace(NO_MODEL, data, 1).replace("DOCSTRING", words, 1)
