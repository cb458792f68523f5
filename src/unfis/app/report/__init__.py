"""The report: one HTML file that shows a model, how good it is, and answers what-if by itself."""

from unfis.app.report.page import report_html, write_report

__all__ = ["report_html", "write_report"]
