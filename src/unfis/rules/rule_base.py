"""RuleBase: a whole model as plain data that predicts, and shows itself in several forms."""

from __future__ import annotations

from dataclasses import dataclass

from unfis.rules.plain_rules import PlainRules
from unfis.rules.text.page import as_html
from unfis.rules.text.render import as_latex, as_markdown, as_plain_text
from unfis.rules.text.scorecard import as_scorecard


@dataclass(frozen=True)
class RuleBase(PlainRules):
    """The rules of a fitted model, complete, and how they read; attributes as of `PlainRules`."""

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_text(self, detail: str = "short") -> str:
        """The rules in words; with detail="full" also with every number, to compute with."""
        return as_plain_text(self, detail)

    def to_markdown(self) -> str:
        """The rules as Markdown, a table for each."""
        return as_markdown(self)

    def to_latex(self, caption: str = "Fuzzy rules", label: str = "tab:rules") -> str:
        """The rules as a LaTeX table; needs the packages array and booktabs."""
        return as_latex(self, caption, label)

    def to_html(self) -> str:
        """The rules as HTML that stands by itself or inside a page."""
        return as_html(self)

    def to_scorecard(self, format: str = "text") -> str:
        """The points of the rules on one page to print: "text", "html" or "latex"."""
        return as_scorecard(self, format)
