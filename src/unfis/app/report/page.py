"""One self-contained HTML page: contents, templates, style and script put together."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Mapping, Sequence
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
from unfis.app.report.curves import class_curves
from unfis.app.report.headline import headline_of, judged_rows, known_figures
from unfis.app.report.pictures import CHART, path_chart
from unfis.app.report.quality import (
    baseline_table,
    confusion_table,
    exact_share,
    group_tables,
    sureness_chart,
)
from unfis.app.report.rows import explained_rows, shown_rows
from unfis.app.report.table import class_shares, inputs_table, table_words
from unfis.app.tables.evaluation import measured_on
from unfis.export.javascript import as_json, functions
from unfis.rules.text import explanation as sentences
from unfis.rules.text.numbers import percent
from unfis.rules.text.operating_point import operating_words
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
    training: tuple[Any, Any] | None = None,
    groups: Mapping[str, Any] | None = None,
    show_rows: bool = True,
) -> str:
    """A report on a fitted or loaded model and a table, as one HTML page.

    Parameters
    ----------
    model : UNFISClassifier
        Fitted, or loaded from a file. It answers by its own costs; `deciding` gives it others.
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
    training : tuple of X and y, default=None
        The rows that the model learned from: plain models to compare it with learn from the same
        ones. A model that was not read from a file keeps its own.
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
    environment.filters |= {"broken": broken, "named": named}
    environment.filters |= {"percent": percent, "share": exact_share}
    style = static("page.css")
    script = "\n".join([functions(), *map(static, SCRIPTS)])
    answers = answers_of(
        model,
        X,
        y,
        rows=rows,
        held_out=held_out,
        training=training,
        groups=groups,
        show_rows=show_rows,
    )
    name = getattr(y, "name", None)  # of a column
    named_y = name if isinstance(name, str) else None
    contents = contents_of(answers, title, target or model.origin_.target or named_y)
    fixed = {"style": style, "script": script, "policy": policy(style, script)}
    return str(environment.get_template("page.html.j2").render(contents, **fixed))


def write_report(
    path: str | os.PathLike[str], model: UNFISClassifier, X: Any, y: Any = None, **about: Any
) -> None:
    """Write a report to a file, whole or not at all; see `report_html`."""
    write_whole(path, report_html(model, X, y, **about))


def contents_of(answers: TableAnswers, title: str | None, target: str | None) -> dict[str, Any]:
    """The variables of the templates."""
    base = answers.base
    shown = shown_rows(answers)
    explained = list(dict.fromkeys([*shown.wrong.tolist(), *shown.unsure.tolist()]))
    offered, presets = controls(base), presets_of(answers, explained)
    question = visible(target) if target else worded_list(answers.class_names)
    return {
        "title": visible(title) if title else f"Rules for {question}",
        "answers": answers,
        "has_truth": answers.codes is not None,
        **measured_contents(answers),
        "table": table_words(answers),
        "classes": class_shares(answers),
        "inputs": inputs_table(answers),
        "cards": rule_cards(base),
        "counted": HOW_TO_COUNT if any(rule.effects for rule in base) else "",
        "histograms": histograms(answers),
        "footnotes": footnotes(base),
        "point_words": operating_words(base),
        "reading": reading_words(answers),
        "controls": offered,
        "presets": presets,
        "preset_of_row": {row: number for number, row in enumerate(explained, start=1)},
        "importance": importance_table(answers),
        "wrong": explained_rows(answers, shown.wrong),
        "unsure": explained_rows(answers, shown.unsure),
        "row_count": len(explained),
        "data": as_json(page_data(answers, offered, presets)),
        "sentences": sentences,
        "frame": CHART,
        "version": __version__,
    }


def measured_contents(answers: TableAnswers) -> dict[str, Any]:
    """The variables that tell how good the model is; None each where no classes are known."""
    comparison = compare(answers)
    judged = judged_rows(answers, comparison)
    if judged is None:
        known = known_figures(answers, None)
        nothing = dict.fromkeys(["judged", "curves", "groups"])
        path = path_chart(answers.model.path_, "accuracy")
        first = headline_of(None, None, known)
        return {"headline": first, "known": known[1:], "path": path, **nothing}
    found = measured_on(answers.model, judged.probabilities, judged.codes)
    known = known_figures(answers, found)
    first = headline_of(judged, found, known)
    return {
        "headline": first,
        "known": [one for one in known if one is not first.figure],
        "judged": judged,
        "baselines": baseline_table(answers, comparison, found.leading_name),
        "confusion": confusion_table(answers.class_names, found.confusion),
        "sureness": sureness_chart(judged),
        "curves": class_curves(answers, judged),
        "groups": group_tables(answers, judged),
        # How often models are right says little of a rare class.
        "path": path_chart(
            answers.model.path_, "accuracy" if found.leading_name == "accuracy" else "loss"
        ),
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
