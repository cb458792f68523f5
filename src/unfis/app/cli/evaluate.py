"""unfis evaluate: how good a model's answers to a table are."""

from __future__ import annotations

from unfis.app.cli import options
from unfis.app.cli.running import print_json, print_text, working


def evaluate_command(
    model: options.ModelFile,
    table: options.TableFile,
    target: options.TargetColumn = None,
    separator: options.Separator = None,
    decimal: options.Decimal = None,
    encoding: options.Encoding = None,
    missing: options.Missing = None,
    as_json: options.AsJson = False,
    debug: options.Debug = False,
) -> None:
    """Measure a model on a table with known classes.

    Accuracy with its interval, what was taken for what, each class, how sure it was against how
    often right, and how many rows are unlike what was learned from. Of the table that the model was
    fitted on only the held-out rows count.

    Example: unfis evaluate model.json iris.csv
    """
    from unfis import load
    from unfis.app.tables import read_table
    from unfis.app.tables.evaluation import asked_of, evaluate, evaluation_text

    fitted = load(model)
    with working("Reading") as progress:
        read = read_table(
            table,
            **options.style(separator, decimal, encoding, missing, fitted.notation_),
            progress=progress,
        )
    found = evaluate(fitted, asked_of(fitted, read, target))
    if as_json:
        print_json(found)
    else:
        print_text(evaluation_text(found))
