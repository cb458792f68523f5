"""One self-contained HTML page: contents, templates, style and script put together."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from unfis import __version__
from unfis.app.report.answers import TableAnswers, answers_of
from unfis.app.report.baselines import compare
from unfis.app.report.charts import BOTTOM, LEFT, RIGHT, TOP
from unfis.app.report.curves import class_curves, number_charts, path_chart
from unfis.app.report.headline import headline_of, judged_rows, leading_name, performance_of
from unfis.app.report.quality import baseline_table, confusion_table, group_tables
from unfis.app.report.rows import explained_rows, shown_rows
from unfis.app.report.rules import decision_words, rules_contents
from unfis.app.report.table import class_shares, inputs_table, table_words
from unfis.app.report.what_if import controls, page_data, presets_of
from unfis.estimators.base import RuleEstimator
from unfis.evaluation.errors import Errors
from unfis.export.javascript import as_json, functions
from unfis.serial.files import write_whole
from unfis.serial.messages import needed
from unfis.text.names import visible
from unfis.text.numbers import enumerated, percent

# A name longer than this is shown in part where it would take more room than what it names.
LONGEST_UNCLAMPED = 60


def report_html(
    model: RuleEstimator,
    X: Any,
    y: Any = None,
    *,
    title: str | None = None,
    target: str | None = None,
    rows: Sequence[int] | None = None,
    held_out: bool = False,
    training: tuple[Any, Any] | None = None,
    groups: Mapping[str, Any] | None = None,
    show_rows: bool = True,
) -> str:
    """A report on a fitted or loaded model and a table, as one HTML page.

    Parameters
    ----------
    model : UNFISClassifier or UNFISRegressor
        Fitted, or loaded from a file. It answers by its own costs; `with_decision` gives it others.
    X : data frame or array-like of shape (n_samples, n_features)
        The rows to show it on; other ones than it learned from, if there are any.
    y : array-like of shape (n_samples,), default=None
        Their classes or numbers. Without them nothing is measured.
    title : str, default=None
        The page's title.
    target : str, default=None
        What is predicted; the name of y, or of the column in the model's file.
    rows : sequence of int, default=None
        The numbers of the rows in the table that they come from; 1, 2, ... if not given.
    held_out : bool, default=False
        Whether these rows were held out when the model was fitted. The page says so; it cannot
        know it by itself.
    training : tuple of X and y, default=None
        The rows that the model learned from: plain models to compare it with learn from the same
        ones. A model that was not read from a file keeps them.
    groups : dict of array-like of shape (n_samples,), default=None
        Attributes, by name, that should make no difference: rates are shown by group.
    show_rows : bool, default=True
        Whether the page may hold rows of the table.

    Returns
    -------
    page : str
    """
    jinja2 = needed("jinja2", "unfis.app.report needs Jinja2", "report")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("unfis.app.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"broken": broken, "named": named, "percent": percent}
    style, script = static("page.css"), functions() + static("page.js")
    answers = answers_of(
        model, X, y, rows=rows, held_out=held_out, training=training, groups=groups,
        show_rows=show_rows,
    )  # fmt: skip
    name = getattr(y, "name", None)  # of a column
    named_y = name if isinstance(name, str) else None
    target = target or model.model_.origin.target or named_y or model.model_.names.target
    contents = contents_of(answers, title, target)
    fixed = {"style": style, "script": script, "policy": policy(style, script)}
    return str(environment.get_template("page.html.j2").render(contents, **fixed))


def write_report(
    path: str | os.PathLike[str], model: RuleEstimator, X: Any, y: Any = None, **about: Any
) -> None:
    """Write a report to a file, whole or not at all; see `report_html`."""
    write_whole(path, report_html(model, X, y, **about))


def contents_of(answers: TableAnswers, title: str | None, target: str | None) -> dict[str, Any]:
    """The variables of the templates."""
    shown = shown_rows(answers)
    explained = list(dict.fromkeys([*shown.wrong.tolist(), *shown.unsure.tolist()]))
    presets, names = presets_of(answers, explained), answers.names
    question = visible(target) if target else enumerated(answers.class_names) or names.output(0)
    return {
        "title": visible(title) if title else f"Rules for {question}",
        "answers": answers,
        "has_truth": answers.targets is not None,
        "is_of_classes": bool(answers.classes),
        **measured_contents(answers),
        **rules_contents(answers),
        "decision": decision_words(answers),
        "table": table_words(answers),
        "classes": class_shares(answers),
        "inputs": inputs_table(answers),
        "controls": controls(answers),
        "presets": presets,
        "preset_of_row": {row: number for number, row in enumerate(explained, start=1)},
        "wrong": explained_rows(answers, shown.wrong),
        "unsure": explained_rows(answers, shown.unsure),
        "row_count": len(explained),
        "data": as_json(page_data(answers, presets)),
        "frame": {"left": LEFT, "right": RIGHT, "top": TOP, "bottom": BOTTOM},
        "version": __version__,
    }


def measured_contents(answers: TableAnswers) -> dict[str, Any]:
    """The variables about how good the model is; None each where no targets are known."""
    comparison = compare(answers)
    judged = judged_rows(answers, comparison)
    found = None if judged is None else performance_of(answers, judged.targets, judged.predictions)
    contents: dict[str, Any] = {
        "headline": headline_of(answers, judged, found),
        "judged": judged,
        "path": path_chart(answers, judged),
        **dict.fromkeys(["baselines", "confusion", "class_curves", "groups", "errors"]),
    }
    if judged is None or found is None:
        return contents
    contents["baselines"] = baseline_table(answers, comparison, leading_name(found))
    contents["groups"] = group_tables(answers, judged)
    if isinstance(found, Errors):
        return contents | {"errors": number_charts(answers, judged)}
    return contents | {
        "confusion": confusion_table(answers.class_names, found.confusion),
        "class_curves": class_curves(answers, judged),
    }


def broken(text: str) -> Any:
    """Text that may also be broken after the signs that join words in names of columns."""
    from markupsafe import Markup, escape

    return Markup(re.sub(r"([_./\\-])(?=[^\W\d])", r"\1<wbr>", str(escape(text))))


def named(text: str) -> Any:
    """A name beside a picture or a number: of a very long one only its first lines are seen."""
    from markupsafe import Markup

    if len(text) <= LONGEST_UNCLAMPED:
        return broken(text)
    return Markup('<span class="clamp" title="{}">{}</span>').format(text, broken(text))


def static(name: str) -> str:
    """The text of a static file."""
    return (files("unfis.app.report") / "static" / name).read_text(encoding="utf-8")


def policy(*own: str) -> str:
    """What the page may do: use its own style and script, known by hashes, and nothing else."""
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in own]
    style, script = (f"'sha256-{digest}'" for digest in digests)
    allowed = f"style-src {style}; script-src {script}"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
