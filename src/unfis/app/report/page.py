"""One self-contained HTML page: templates, style and script put together."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Sequence
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from unfis.app.report.answers import answers_of
from unfis.app.report.contents import contents_of
from unfis.export.javascript import as_json, functions
from unfis.serial.files import write_whole

if TYPE_CHECKING:
    from unfis.estimators.classifier import UNFISClassifier

STYLES = ("page.css",)
# A name longer than this is shown in part where it would take more room than what it names.
LONGEST_UNCLAMPED = 60
SCRIPTS = ("words.js", "page.js")


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
    jinja2 = jinja()
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("unfis.app.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"broken": broken, "named": named}
    style, script = joined(STYLES), f"{functions()}\n{joined(SCRIPTS)}"
    answers = answers_of(model, X, y, rows, held_out=held_out)
    contents = contents_of(answers, title, target or model.origin_.target or name_of(y))
    markup = import_module("markupsafe").Markup
    page = environment.get_template("page.html.j2").render(
        contents,
        style=markup(style),
        script=markup(script),
        data=markup(as_json(contents["data_of_page"])),
        policy=policy(style, script),
    )
    return str(page)


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


def name_of(y: Any) -> str | None:
    """The name of a column, if it has one."""
    name = getattr(y, "name", None)
    return name if isinstance(name, str) else None


def broken(text: str) -> Any:
    """Text that may also be broken after the signs that join words in names of columns."""
    safe = import_module("markupsafe")
    return safe.Markup(re.sub(r"([_./\\-])(?=[^\W\d])", r"\1<wbr>", str(safe.escape(text))))


def named(text: str) -> Any:
    """A name beside a picture or a number: of a very long one only its first lines are seen."""
    if len(text) <= LONGEST_UNCLAMPED:
        return broken(text)
    markup = import_module("markupsafe").Markup
    return markup('<span class="clamp" title="{}">{}</span>').format(text, broken(text))


def jinja() -> Any:
    """Jinja2, imported when it is needed: the package works without."""
    try:
        return import_module("jinja2")
    except ImportError as error:
        raise ImportError("unfis.app.report needs Jinja2: pip install 'unfis[report]'.") from error


def joined(names: tuple[str, ...]) -> str:
    """The text of static files, one after the other."""
    folder = files("unfis.app.report") / "static"
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in names)


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
