import numpy as np
import pandas as pd
import pytest
from rule_tables import fitted

pytest.importorskip("jinja2", reason="the report needs Jinja2")

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror="window.hacked=1">',
    "</script><script>window.hacked=1</script>",
    "{{7*7}}",
    "${window.hacked=1}",
    "line\u2028break\u2029 'one' \"two\" & &amp;",
    "__proto__",
    "x" * 300,
]


def hostile_table(rows=120):
    """A table whose names, categories and classes are what a page must not run."""
    generator = np.random.default_rng(0)
    table = pd.DataFrame({name: generator.normal(size=rows).round(2) for name in HOSTILE[:4]})
    table[HOSTILE[4]] = generator.choice(HOSTILE, rows)
    table[HOSTILE[5]] = pd.Categorical(generator.choice(HOSTILE[::-1], rows))
    table[HOSTILE[6]] = generator.random(rows) < 0.5
    table[HOSTILE[7]] = generator.normal(size=rows) * 1e6
    score = table[HOSTILE[0]] + table[HOSTILE[6]] + 2 * (table[HOSTILE[4]] == HOSTILE[2])
    labels = np.array(HOSTILE)[[2, 5, 7]][np.digitize(score, [-0.2, 1.2])]
    table.loc[generator.random(rows) < 0.1, HOSTILE[0]] = np.nan
    table.loc[generator.random(rows) < 0.1, HOSTILE[4]] = None
    return table, labels


@pytest.fixture
def all_folds():
    """Asked for by tests whose comparison must be as it is for users."""


@pytest.fixture(autouse=True)
def few_folds(request, monkeypatch):
    """Two folds to compare in: most of the time of a report is spent on learning in its folds."""
    if "all_folds" not in request.fixturenames:
        monkeypatch.setattr("unfis.app.report.baselines.COMPARISON_FOLDS", 2)


@pytest.fixture
def model():
    return fitted


@pytest.fixture
def hostile():
    return hostile_table()


@pytest.fixture
def opened(browser, tmp_path):
    """Open a page from disk."""

    def open_page(html):
        path = tmp_path / "report.html"
        path.write_text(html, encoding="utf-8")
        browser.get_log("browser"), browser.get_log("performance")
        browser.get(path.as_uri())
        return browser

    return open_page
