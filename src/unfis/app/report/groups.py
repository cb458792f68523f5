"""Whether groups of rows are treated alike: their rates as tables for the page."""

from __future__ import annotations

from typing import Any

from unfis.app.report.answers import TableAnswers
from unfis.app.report.headline import Judged
from unfis.app.tables.grouping import group_row, plain_rates
from unfis.rules.text.words import visible


def group_tables(answers: TableAnswers, judged: Judged) -> list[dict[str, Any]]:
    """For each attribute its groups with their rates, by class, and what differs in words."""
    labels, found = answers.model.classes_, []
    for name, values in answers.groups.items():
        true, answered = labels[judged.codes], labels[judged.answered]
        rates = plain_rates(true, answered, values[judged.rows])
        tables = [
            (visible(one["class"]), [group_row(group) for group in one["groups"]])
            for one in rates["classes"]
        ]
        found.append({"name": visible(name), "tables": tables, "sentences": rates["words"]})
    return found
