"""One self-contained HTML page: contents, templates, style and script put together."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from unfis import __version__
from unfis.app.report.answers import TableAnswers, answers_of
from unfis.app.report.baselines import compare
from unfis.app.report.cards import (
    controls,
    histograms,
    importance_table,
    page_data,
    presets_of,
    reading_words,
    rule_cards,
)
from unfis.app.report.pictures import CHART, path_chart
from unfis.app.report.quality import exact_share, measurements, quality
from unfis.app.report.table import (
    class_shares,
    explained_rows,
    inputs_table,
    table_words,
    unsure_rows,
    wrong_rows,
)
from unfis.export.javascript import as_json, functions
from unfis.rules.text import explanation as sentences
from unfis.rules.text.numbers import percent
from unfis.rules.text.scorecard import HOW_TO_COUNT
from unfis.rules.text.sentences import footnotes
from unfis.rules.text.terms import worded_list
from unfis.rules.text.words import visible
from unfis.serial.files import write_whole
from unfis.serial.messages import needed

if TYPE_CHECKING:
    from unfis.estimators.classifier import UNFISClassifier

# A name longer than this is shown in part where it would take more room than what it names.
LONGEST_UNCLAMPED = 60
# Own scripts of the page, each of which needs those before it.
SCRIPTS = ("shares.js", "words.js", "page.js")


def report_html(
    model: UNFISClassifier,
    X: Any,
    y: Any = None,
    *,
    title: str | None = None,
    target: str | None = None,
    rows: Sequence[int] | None = None,
    held_out: bool = False,
) -> str:
    """A report on a fitted or loaded model and a table, as one HTML page.

    Parameters
    ----------
    model : UNFISClassifier
        Fitted, or loaded from a file.
    X : data frame or array-like of shape (n_samples, n_features)
        The rows to show it on; other ones than it learned from, if there are any.
    y : array-like of shape (n_samples,), default=None
        Their classes. Without them nothing is measured.
    title : str, default=None
        The page's title.
    target : str, default=None
        What the classes are called together; the name of y, or of the column in the model's file.
    rows : sequence of int, default=None
        The numbers of the rows in the table that they come from; 1, 2, ... if not given.
    held_out : bool, default=False
        Whether these rows were held out when the model was fitted. The page says so; it cannot
        know it by itself.

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
    environment.filters |= {"broken": broken, "named": named}
    environment.filters |= {"percent": percent, "share": exact_share}
    style = static("page.css")
    script = "\n".join([functions(), *map(static, SCRIPTS)])
    answers = answers_of(model, X, y, rows, held_out=held_out)
    contents = contents_of(answers, title, target or model.origin_.target or name_of(y))
    fixed = {"style": style, "script": script, "policy": policy(style, script)}
    return str(environment.get_template("page.html.j2").render(contents, **fixed))


def write_report(
    path: str | os.PathLike[str],
    model: UNFISClassifier,
    X: Any,
    y: Any = None,
    *,
    title: str | None = None,
    target: str | None = None,
    rows: Sequence[int] | None = None,
    held_out: bool = False,
) -> None:
    """Write a report to a file, whole or not at all; see `report_html`."""
    page = report_html(model, X, y, title=title, target=target, rows=rows, held_out=held_out)
    write_whole(path, page)


def contents_of(answers: TableAnswers, title: str | None, target: str | None) -> dict[str, Any]:
    """The variables of the templates."""
    model, base = answers.model, answers.base
    comparison = None
    if answers.codes is not None:
        comparison = compare(model, answers.X, answers.values, answers.codes)
    known = measurements(answers, comparison)
    wrong, unsure = wrong_rows(answers), unsure_rows(answers)
    explained = list(dict.fromkeys([*wrong.tolist(), *unsure.tolist()]))
    offered, presets = controls(base), presets_of(answers, explained)
    question = visible(target) if target else worded_list(answers.class_names)
    return {
        "title": visible(title) if title else f"Rules for {question}",
        "answers": answers,
        "has_truth": answers.codes is not None,
        "lead": known[0] if known else None,
        "others": known[1:] if answers.learned or answers.codes is None else known[1:2],
        "table": table_words(answers),
        "classes": class_shares(answers),
        "inputs": inputs_table(answers),
        "cards": rule_cards(base),
        "counted": HOW_TO_COUNT if any(rule.effects for rule in base) else "",
        "histograms": histograms(answers),
        "footnotes": footnotes(base),
        "reading": reading_words(answers),
        "controls": offered,
        "presets": presets,
        "preset_of_row": {row: number for number, row in enumerate(explained, start=1)},
        "importance": importance_table(answers),
        **quality(answers, comparison),
        "path": path_chart(model.path_) if model.path_ else None,
        "wrong": explained_rows(answers, wrong),
        "unsure": explained_rows(answers, unsure),
        "data": as_json(page_data(answers, offered, presets)),
        "sentences": sentences,
        "frame": CHART,
        "version": __version__,
    }


def name_of(y: Any) -> str | None:
    """The name of a column, if it has one."""
    name = getattr(y, "name", None)
    return name if isinstance(name, str) else None


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


def policy(style: str, script: str) -> str:
    """What the page may do: use its own style and script, and nothing else."""
    return (
        f"default-src 'none'; style-src {source(style)}; script-src {source(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def source(text: str) -> str:
    """The hash by which a browser knows a style or script of the page."""
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
