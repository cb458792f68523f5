"""What holds for all tests: properties are tried on the same examples in every run; a browser."""

import shutil

import pytest
from hypothesis import settings

settings.register_profile("same examples", derandomize=True, deadline=None)
settings.load_profile("same examples")


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """A headless Chromium that keeps what its console says and which requests it makes."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="pages are driven by selenium")
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip("chromium and chromedriver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    profile = tmp_path_factory.mktemp("chromium")
    quiet = "background-networking component-update default-apps gpu quic sync"
    flags = ["headless", "no-sandbox", "no-first-run", f"user-data-dir={profile}"]
    for flag in [*flags, *(f"disable-{name}" for name in quiet.split())]:
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(driver)
    running = webdriver.Chrome(options=options, service=service)
    yield running
    running.quit()
