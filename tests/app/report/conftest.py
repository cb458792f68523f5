import pytest

pytest.importorskip("jinja2", reason="the report needs Jinja2")


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
