"""Text of a table inside Markdown, LaTeX and HTML: whatever it is, it stays text."""

from __future__ import annotations

import html
import re

LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",
    "`": r"\textasciigrave{}",
    "-": "-{}",
    "[": "{[}",
    "]": "{]}",
}
# Words longer than this get places to break.
LONGEST_WORD = 30


def for_markdown(text: str) -> str:
    """Text in Markdown, also inside its tables."""
    return re.sub(r"([\\`*_{}\[\]<>#|~&$^!])", r"\\\1", text)


def for_latex(text: str) -> str:
    """Text in LaTeX; letters beyond ASCII are left to an engine that knows Unicode.

    Words too long for a column may break anywhere.
    """
    return " ".join(
        (r"\allowbreak{}" if len(word) > LONGEST_WORD else "").join(
            LATEX.get(char, char) for char in word
        )
        for word in text.split(" ")
    )


def for_html(text: str) -> str:
    """Text in HTML, also inside an attribute."""
    return html.escape(text, quote=True)
