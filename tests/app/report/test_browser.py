"""The page in headless Chromium: its arithmetic, what it shows, and what it must not do."""

import json

import numpy as np
import pandas as pd
import pytest
from report_models import HOSTILE, fitted
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from unfis import UNFISClassifier
from unfis.app.report import report_html
from unfis.text.numbers import percent

ROWS = 200


def random_table(X, seed=0):
    """Rows with values of the table and beyond, some of them unknown."""
    generator = np.random.default_rng(seed)
    found = X.iloc[generator.integers(0, len(X), ROWS)].reset_index(drop=True)
    for name in found:
        if pd.api.types.is_float_dtype(found[name]):
            spread = 2 * float(X[name].std())
            found[name] = found[name] + spread * generator.normal(size=ROWS)
        found[name] = found[name].astype(object)
        found.loc[generator.random(ROWS) < 0.15, name] = None
    return found


def asked(page, function, X):
    """What the page answers on rows, given as JSON so that no name is read as code."""
    rows = X.to_json(orient="records", double_precision=15)
    script = f"return JSON.stringify(JSON.parse(arguments[0]).map((row) => unfis.{function}(row)))"
    return json.loads(page.execute_script(script, rows))


def resized(page, width):
    override = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", override)


@pytest.fixture
def at_width(browser):
    yield lambda width: resized(browser, width)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("name", ["clinic", "iris", "rare", "hostile", "twelve"])
def test_same_probabilities_and_answers(opened, name):
    clf, learned, (X, y) = fitted(name)
    clf = clf.with_decision(costs={"yes": 12}) if name == "rare" else clf
    page = opened(report_html(clf, X, y))
    table = random_table(learned[0])
    found = asked(page, "predictProba", table)
    expected = clf.predict_proba(table)
    for c, label in enumerate(clf.classes_):
        assert [one[label] for one in found] == pytest.approx(expected[:, c].tolist(), abs=1e-9)
    assert asked(page, "predict", table) == clf.predict(table).tolist()
    assert page.get_log("browser") == []


def test_same_numbers(opened):
    model, learned, (X, y) = fitted("diabetes")
    page = opened(report_html(model, X, y))
    table = random_table(learned[0])
    assert asked(page, "predict", table) == pytest.approx(model.predict(table).tolist(), rel=1e-9)
    assert page.get_log("browser") == []


def test_numbers_of_any_size(opened):
    generator = np.random.default_rng(4)
    base = generator.normal(size=(150, 3))
    X = pd.DataFrame(
        {"huge": base[:, 0] * 1e200, "tiny": base[:, 1] * 1e-200, "far": 1e9 + base[:, 2]}
    )
    clf = UNFISClassifier(max_rules=4).fit(X, base.sum(axis=1) > 0)
    page = opened(report_html(clf, X))
    assert page.get_log("browser") == []
    expected = clf.predict_proba(X)[:, 1]
    found = [one["true"] for one in asked_exactly(page, X)]
    assert found == pytest.approx(expected.tolist(), abs=1e-9)
    for group in page.find_elements(By.CSS_SELECTOR, "[data-input]"):
        slider = group.find_element(By.CSS_SELECTOR, "[type=range]")
        field = group.find_element(By.CSS_SELECTOR, "[type=number]")
        name = group.find_element(By.CLASS_NAME, "control-name").text
        ends = []
        for key in (Keys.HOME, Keys.END):
            slider.send_keys(key)
            ends.append(float(field.get_property("value")))
        assert ends == [X[name].min(), X[name].max()]


def asked_exactly(page, X):
    """As `asked`, with all digits of numbers."""
    rows = json.dumps(X.to_dict(orient="records"))
    script = "return JSON.stringify(JSON.parse(arguments[0]).map((row) => unfis.predictProba(row)))"
    return json.loads(page.execute_script(script, rows))


def shown(page):
    """The sum of each output, the rules that hold with what they add, and the answer."""
    sums = [one.text for one in page.find_elements(By.CSS_SELECTOR, "[data-role=sum]")]
    lines = page.find_elements(By.CSS_SELECTOR, "[data-rule]")
    lit = {
        int(one.get_attribute("data-rule")): one
        for one in lines
        if "holds" in one.get_attribute("class")
    }
    adds = {n: one.find_element(By.CSS_SELECTOR, "[data-role=adds]").text for n, one in lit.items()}
    return sums, adds, page.find_element(By.ID, "answer").text


def number_in(text):
    return float(text.split(": ")[-1].replace("−", "-").replace(",", ""))


@pytest.mark.parametrize("name", ["clinic", "iris", "diabetes"])
def test_rules_that_hold_light_up_with_their_share_and_the_sum(opened, name):
    model, _, (X, y) = fitted(name)
    page = opened(report_html(model, X, y))
    options = page.find_elements(By.CSS_SELECTOR, "#preset option")[1:6]
    for option in options:
        option.click()
        row = X.iloc[[int(option.text.removeprefix("row ")) - 1]]
        sums, adds, answer = shown(page)
        expected = model.contributions(row)[0]
        degrees = model.model_.rules.degrees(model.model_.columns.values(row))[:, 0]
        assert set(adds) == set(np.flatnonzero(degrees).tolist())
        for n, text in adds.items():
            assert number_in(text) == pytest.approx(
                expected[n], abs=0.51 if name == "diabetes" else 0.0051
            )
        points = model.model_.points(model.model_.columns.values(row))[0]
        points = points - (model.model_.rules.start if name == "clinic" else 0)
        assert [number_in(one) for one in sums] == pytest.approx(points.tolist(), abs=0.51)
        if name == "diabetes":
            assert number_in(answer) == pytest.approx(model.predict(row)[0], rel=1e-3)
        else:
            found = model.predict_proba(row)[0]
            assert answer == f"{model.predict(row)[0]} ({percent(found.max())})"


def test_controls_move_what_is_shown(opened):
    clf, _, (X, y) = fitted("iris")
    page = opened(report_html(clf, X, y))
    group = page.find_element(By.CSS_SELECTOR, "[data-input]")
    name = group.find_element(By.CLASS_NAME, "control-name").text
    field = group.find_element(By.CSS_SELECTOR, "[type=number]")
    seen = []
    for key in (Keys.HOME, Keys.END):
        group.find_element(By.CSS_SELECTOR, "[type=range]").send_keys(key)
        seen.append(shown(page))
    assert seen[0] != seen[1]
    ranges, place = clf.model_.ranges, list(X.columns).index(name)
    assert float(field.get_property("value")) == ranges.high[place]
    field.clear()
    field.send_keys("99")
    assert "beyond what was seen" in group.text
    group.find_element(By.CSS_SELECTOR, "[data-role=unknown]").click()
    assert not field.is_enabled()
    assert "beyond what was seen" not in group.text


def test_choices_move_what_is_shown(opened):
    clf, _, (X, y) = fitted("clinic")
    page = opened(report_html(clf, X, y))
    seen = set()
    for choice in page.find_elements(By.CSS_SELECTOR, "[data-input] select"):
        for option in choice.find_elements(By.TAG_NAME, "option"):
            option.click()
            seen.add(shown(page)[0][0])
    assert len(seen) > 2


def test_the_set_of_classes_is_that_of_the_library(opened):
    clf, _, (X, y) = fitted("rare")
    page = opened(report_html(clf, X, y))
    for option in page.find_elements(By.CSS_SELECTOR, "#preset option")[1:]:
        option.click()
        row = X.iloc[[int(option.text.removeprefix("row ")) - 1]]
        inside = clf.classes_[clf.predict_set(row, 0.95)[0]].tolist()
        expected = " or ".join(inside) or "unusual for every class"
        assert page.find_element(By.ID, "set").text == f"At 95 % confidence: {expected}."


def test_rows_are_presets(opened):
    clf, _, (X, y) = fitted("clinic")
    page = opened(report_html(clf, X, y))
    details = page.find_element(By.CSS_SELECTOR, "details.row")
    details.find_element(By.TAG_NAME, "summary").click()
    title = details.find_element(By.CSS_SELECTOR, ".why strong").text
    details.find_element(By.CSS_SELECTOR, "[data-preset]").click()
    answer = page.find_element(By.ID, "answer").text
    assert title == answer.replace(" (", ", probability ").removesuffix(")")


def test_unseen_categories_and_odd_values_are_unknown(opened):
    clf, _, (X, _) = fitted("clinic")
    page = opened(report_html(clf, X))
    odd = pd.DataFrame([{"ward": "south", "smoker": "perhaps", "age (years)": "old"}, {}])
    answers, unknown = asked(page, "predictProba", odd)
    assert answers == unknown


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["rare", "twelve", "diabetes", "hostile"])
def test_nothing_sticks_out_and_no_name_breaks_letter_by_letter(opened, at_width, name, width):
    model, _, (X, y) = fitted(name)
    groups = {"branch": X["branch"]} if name == "rare" else None
    page = opened(report_html(model, X, y, groups=groups))
    at_width(width)
    page.execute_script("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert page.execute_script("return document.documentElement.scrollWidth") <= width
    heads = "[...document.querySelectorAll('th[scope=row], .control-name, .state li > span')]"
    narrow = f"return {heads}.filter((one) => one.offsetWidth && one.innerText.length > 8).map("
    widths = page.execute_script(f"{narrow}(one) => [one.offsetWidth, one.innerText])")
    assert min(widths)[0] >= 60, min(widths)
    cut = "return [...document.querySelectorAll('table')].filter((one) => !one.closest('.scroll') "
    cut += "&& one.scrollWidth > one.parentElement.clientWidth + 1).length"
    assert page.execute_script(cut) == 0
    assert page.get_log("browser") == []


def test_hostile_names_run_nothing(opened, at_width):
    clf, (X, y), _ = fitted("hostile")
    page = opened(report_html(clf, X, y, title=HOSTILE[2], target=HOSTILE[0]))
    for choice in page.find_elements(By.CSS_SELECTOR, "[data-input] select"):
        choice.find_elements(By.TAG_NAME, "option")[-1].click()
    state = "return [typeof window.hacked, document.images.length, document.scripts.length]"
    assert page.execute_script(state) == ["undefined", 0, 2]
    assert page.find_element(By.TAG_NAME, "h1").text == HOSTILE[2]
    assert page.get_log("browser") == []
    assert requests_of(page) == {page.current_url.split("#")[0]}


def requests_of(page):
    """The addresses that the page asked for."""
    messages = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    sent = [m["params"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    return {parameters["request"]["url"] for parameters in sent}


def test_policy_stops_scripts_that_are_not_the_page_s_own(opened):
    clf, _, (X, _) = fitted("iris")
    html = report_html(clf, X.iloc[:5])
    page = opened(html.replace("</body>", "<script>window.hacked = 1</script></body>"))
    assert page.execute_script("return typeof window.hacked") == "undefined"
    assert "Content Security Policy" in page.get_log("browser")[0]["message"]
