"""What each setting is on the command line: its flags and its help, how it is given and read."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from unfis.app.requests import RequestError
from unfis.app.requests.setting import renamed
from unfis.serial.messages import quoted

# - is standard output, as it is standard input of tables.
HYPHEN, STANDARD_OUTPUT = Path("-"), Path("/dev/stdout")


def split_names(text: str) -> tuple[str, ...]:
    """Names that were given with commas between them, in quotes where a comma is part of one."""
    names = next(csv.reader([text], skipinitialspace=True), [])
    return tuple(name.strip() for name in names if name.strip())


def numbers_by_class(setting: str, given: str | Sequence[str] | None, word: str = "") -> Any:
    """Numbers that were given as class=number, once or several times; or a word, or nothing."""
    texts = [given] if isinstance(given, str) else list(given or ())
    if not texts or texts == [word]:
        return texts[0] if texts else None
    found = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        try:
            found[name.strip()] = float(number)
        except ValueError:
            name = ""
        if not name:
            raise RequestError(
                f"`{setting}` must be a class and a number, such as yes=0.2, got {quoted(text)}."
            )
    return found


def names_of_all(given: Sequence[str] | None) -> tuple[str, ...]:
    """The names of an option that was given once or several times."""
    return tuple(chain.from_iterable(map(split_names, given or ())))


class Shown(NamedTuple):
    """A setting on the command line; what is None follows from its name and type."""

    help: str
    flags: str = ""  # with blanks between them
    metavar: str | None = None
    given: Any = None  # the type of what is given, where the setting has another
    read: Callable[[Any], Any] | None = None
    is_argument: bool = False


# In the order of the help.
OPTIONS = {
    "model": Shown("The model file, made by unfis fit.", given=Path, read=str, is_argument=True),
    "table": Shown("CSV, TSV, Parquet or Excel (.xlsx); - for standard input.", is_argument=True),
    "name": Shown("Which table.", is_argument=True),
    "kind": Shown("What to make of it.", "--to"),
    "length": Shown("How many rules the model shall have."),
    "target": Shown("The column of true answers, if not that of the model.", "--target -t"),
    "task": Shown("What the target is; auto finds out. counts: whole numbers from 0 on."),
    "output": Shown(
        "The file to write, else standard output.",
        "--output -o",
        read=lambda path: STANDARD_OUTPUT if path == HYPHEN else path,
    ),
    "title": Shown("The page's title."),
    "sql_table": Shown("The table that the SQL query reads.", "--table"),
    "sql_columns": Shown("Columns that the SQL query gives as well, such as id,name.", "--keep"),
    "rules": Shown("The most rules; else the data says how many."),
    "max_conditions": Shown(
        "The most conditions in the IF of a rule; 1 is one input in each rule."
    ),
    "points": Shown("Whole points, which a person can add up, or exact ones."),
    "test_share": Shown("Part of the rows held out to measure on; 0 learns from all.", "--test"),
    "seed": Shown("Of the choice of held-out rows."),
    "drop": Shown(
        'Columns that no rule may use: a,b, or "a,1",b if a name has a comma; may come again.',
        "--drop --forbid",
        given=list[str] | None,
        read=names_of_all,
    ),
    "keep": Shown("Columns to learn from that would be left out."),
    "categorical": Shown("Columns whose cells, numbers too, are names of categories."),
    "weight": Shown("Column that says how much each row counts."),
    "class_weight": Shown(
        "How much the rows of a class count in learning, such as yes=5; may come again. balanced: "
        "all classes alike.",
        metavar="CLASS=WEIGHT|balanced",
        given=list[str] | None,
        read=lambda given: numbers_by_class("class_weight", given, "balanced"),
    ),
    "proba": Shown("Add each class's probability.", "--proba"),
    "explain": Shown("Add how it comes about, in one line.", "--explain"),
    "coverage": Shown("Add how much of each row is like training, 0 to 1.", "--coverage"),
    "sets": Shown(
        "Add which classes each row may be of, or between which numbers its number may be.",
        "--set --interval",
    ),
    "why": Shown("Add why an answer is not to be relied on, if so.", "--why"),
    "abstain": Shown('Answer "don\'t know" there, and add why.', "--abstain"),
    "confidence": Shown("Of --set, --why and --abstain: so often the true answer is in the set."),
    "rows": Shown(
        "Which row, counted from 1; may come again.", "--row -r", given=list[int], read=tuple
    ),
    "costs": Shown(
        "What it costs to miss a class, such as yes=10, or yes:no=10 for yes answered no, where "
        "any other error costs 1; may come again.",
        "--cost",
        metavar="CLASS=COST",
        given=list[str] | None,
        read=lambda given: numbers_by_class("costs", given),
    ),
    "threshold": Shown(
        "Above which probability one of two classes is the answer, such as yes=0.2; auto is what "
        "costs least, or has the best balanced accuracy, in cross-validation.",
        metavar="CLASS=SHARE|auto",
        given=str | None,
        read=lambda given: numbers_by_class("threshold", given, "auto"),
    ),
    "groups": Shown(
        "Rates by group of a column, or of several: sex,age.",
        "--group -g",
        given=list[str] | None,
        read=names_of_all,
    ),
    "no_rows": Shown("Leave out the rows of the table, and single values.", "--no-rows"),
    "increasing": Shown(
        "Columns of which more never makes the class less probable, or the number lower, such as "
        "age,debt."
    ),
    "decreasing": Shown("Columns of which more never makes it more probable, or higher."),
    "about": Shown(
        "The class that --increasing and --decreasing are about; else the second in alphabetical "
        "order.",
        "--for",
        metavar="CLASS",
    ),
    "given_rules": Shown(
        "Rules written by hand, a line each, to learn the rest around: IF age >= 60 AND ward is A "
        "or B THEN ill +2. Without points these are learned.",
        "--given",
        metavar="FILE",
    ),
    "engine": Shown("Where to learn: here, or on a Dask cluster, from Parquet files alone."),
    "scheduler": Shown(
        "Of a Dask cluster that runs; else --engine dask starts one here.", metavar="ADDRESS"
    ),
    "workers": Shown("Processes of the cluster that is started here."),
    "time_limit": Shown(
        "How long it may learn; then it ends with the best so far.", metavar="SECONDS"
    ),
    "separator": Shown("Of a text table, such as ; or tab; found out if not given."),
    "decimal": Shown("point or comma; found out if not given."),
    "encoding": Shown("Such as utf-8 or cp1252; found out if not given."),
    "missing": Shown(
        "Words that mean nothing is known, such as NA,-999; else NA, N/A, NaN, null, ? and -."
    ),
    "as_json": Shown("Print JSON, for programs.", "--json"),
    "debug": Shown("Show where an error came from.", "--debug"),
}


def flags_of(name: str) -> list[str]:
    """The flags of a setting, the longest first."""
    return OPTIONS[name].flags.split() or [f"--{name.replace('_', '-')}"]


def in_flags(message: str) -> str:
    """A message that names settings by their flags."""
    return renamed(message, lambda name: flags_of(name)[0] if name in OPTIONS else None)
