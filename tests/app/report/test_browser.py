"""The page in headless Chromium: its arithmetic, its words, and what it must not do."""

import json

import numpy as np
import pytest
from networks import RuleNetwork
from rare_tables import rare_model
from rule_tables import AVERAGED_KINDS, names_of_sets, numbers_of_any_size
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from unfis.rules.text.explanation import answer
from unfis.rules.text.words import class_name

from unfis.app.report import report_html
from unfis.arrays import softmax
from unfis.data.samples import TrainingSample
from unfis.rules import explain_rows

ROWS = 200
PAIRS = [(name, kind) for name in names_of_sets() for kind in ("decisive", "soft", "none")]
PAIRS += [("clinic", kind) for kind in ("constant", "unscaled", "one rule", "three rules")]
PAIRS += [(name, kind) for name in ("clinic", "iris", "wine") for kind in AVERAGED_KINDS]


def random_values(base, seed=0):
    """Values as of a ValueReader: beyond the range seen too, and some of them unknown."""
    generator = np.random.default_rng(seed)
    columns = []
    for variable in base.variables:
        if variable.categories:
            columns.append(generator.integers(0, len(variable.categories), ROWS).astype(float))
            continue
        span = (variable.highest - variable.lowest) or 1.0
        low, high = variable.lowest - 0.5 * span, variable.highest + 0.5 * span
        column = generator.uniform(low, high, ROWS)
        column[:3] = [1e300, -1e300, variable.typical]
        columns.append(column)
    values = np.array(columns).T
    values[generator.random(values.shape) < 0.15] = np.nan
    return values


def as_given(base, row):
    """A row of values as the page's `predict` takes it: by name, categories as themselves."""
    given = {}
    for variable, value in zip(base.variables, row, strict=True):
        known = variable.categories[int(value)] if variable.categories and value == value else value
        given[variable.name] = None if value != value else known
    return given


def asked(page, function, rows):
    """What the page answers on rows, given as JSON so that no name is read as code."""
    script = f"return JSON.stringify(JSON.parse(arguments[0]).map((row) => unfis.{function}(row)))"
    return json.loads(page.execute_script(script, json.dumps(rows)))


def explained(base, values):
    """The library's explanations, without training rows to compare with."""
    ends = np.array([[v.lowest for v in base.variables], [v.highest for v in base.variables]])
    return explain_rows(base, values, TrainingSample.forgotten(ends, base.rows))


@pytest.mark.parametrize(("name", "kind"), PAIRS)
def test_same_probabilities_and_words(model, opened, name, kind):
    clf, X, _ = model(name, kind)
    assert_says_the_same(opened(report_html(clf, X.iloc[:20])), clf.rules_)


def assert_says_the_same(page, base):
    """The page gives the rules' probabilities and the library's words."""
    values = random_values(base)
    rows = [as_given(base, row) for row in values]
    answers = np.array(asked(page, "predict", rows))
    expected = softmax(base.arrays.evaluate(values).logits)
    assert np.abs(answers - expected).max() <= 1e-9
    # Only inputs of the rules are on the page: others must be known for the same list of unknowns.
    unused = [j for j in range(len(base.variables)) if j not in base.arrays.used]
    values[:, unused] = 0.0
    explanations = asked(page, "explain", rows[3:40])
    for found, one in zip(explanations, explained(base, values[3:40]), strict=True):
        lines = [found["answer"], *found["warnings"], ""]
        for rule in found["rules"]:
            lines += [rule["carried"], *(f"  {words}" for words in rule["held"])]
        lines += [""] if found["rules"] else []
        assert str(one).startswith("\n".join([*lines, found["title"] + ":"]))
        shares = {part.label: part.share for part in one.inputs}
        assert dict(found["shares"][1:]) == pytest.approx(shares, abs=1e-6)
        assert found["total"] == pytest.approx(one.total, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("costs", [None, {"yes": 12}, {"no": 3}])
def test_the_page_answers_by_the_costs(opened, costs):
    clf, X, y = rare_model()
    clf = clf.deciding(costs=costs)
    page = opened(report_html(clf, X, y))
    answers = asked(page, "answer", json.loads(X.to_json(orient="records")))
    assert answers == clf.predict(X).tolist()
    counts = answers.count("yes"), int((rare_model()[0].predict(X) == "yes").sum())
    assert (counts[0] > counts[1]) == (costs == {"yes": 12})


@pytest.mark.parametrize(
    ("name", "kind"), [("iris", "decisive"), ("clinic", "soft"), ("ten classes", "soft")]
)
def test_the_page_tells_the_same_sets_and_doubts(model, opened, name, kind):
    clf, X, _ = model(name, kind)
    page = opened(report_html(clf, X.iloc[:20]))
    base = clf.rules_
    values = random_values(base)
    unused = [j for j in range(len(base.variables)) if j not in base.arrays.used]
    values[:, unused] = 0.0
    found = asked(page, "doubt", [as_given(base, row) for row in values])
    sets = clf.model_.conformal(0.95)
    probabilities = softmax(base.arrays.evaluate(values).logits)
    coverage = base.covered(base.arrays.evaluate(values))
    names = [[class_name(one) for one in labels] for labels in sets.labels(probabilities)]
    assert [one["set"] for one in found] == names
    assert [one["why"] for one in found] == sets.doubts(
        probabilities, base.answers(probabilities), coverage
    )
    assert len({one["why"] for one in found}) > 1


def test_doubt_is_shown_for_the_row_at_hand(opened):
    clf, X, y = rare_model()
    page = opened(report_html(clf, X, y))
    assert "at 95 % confidence" in page.find_element(By.ID, "doubt").text
    field = page.find_element(By.CSS_SELECTOR, "[data-input] [type=number]")
    field.clear()
    field.send_keys("1e9")
    told = page.find_element(By.ID, "doubt")
    assert '"Don\'t know" would be safer: unlike anything learned from.' in told.text
    assert "doubtful" in told.get_attribute("class")


@pytest.mark.parametrize("width", [1280, 390])
def test_costs_groups_and_curves_fit_any_screen(opened, width):
    clf, X, y = rare_model()
    html = report_html(clf.deciding(costs={"yes": 12}), X, y, groups={"branch": X["branch"]})
    page = opened(html)
    override = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", override)
    page.execute_script("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    found = page.execute_script("return document.documentElement.scrollWidth")
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert found <= width
    assert page.get_log("browser") == []


def test_numbers_of_any_size(opened):
    X, y = numbers_of_any_size()
    clf = RuleNetwork(2, selection="soft", ridge=0.15).fit(X, y)
    page = opened(report_html(clf, X, y))
    assert_says_the_same(page, clf.rules_)
    assert page.get_log("browser") == []
    for group in page.find_elements(By.CSS_SELECTOR, "[data-input]"):
        slider = group.find_element(By.CSS_SELECTOR, "[type=range]")
        field = group.find_element(By.CSS_SELECTOR, "[type=number]")
        variable = next(v for v in clf.rules_.variables if group.text.startswith(v.name))
        found = []
        for key in (Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.END):
            slider.send_keys(key)
            found.append(float(field.get_property("value")))
        assert variable.lowest == found[0] < found[1] < found[2] < found[3] == variable.highest


def test_unseen_categories_and_odd_values_are_unknown(model, opened):
    clf, X, _ = model("clinic", "soft")
    page = opened(report_html(clf, X.iloc[:20]))
    odd = {"ward": "south", "smoker": "perhaps", "age (years)": "old", "pressure (mmHg)": None}
    answers, unknown = asked(page, "predict", [odd, {}])
    assert answers == unknown


def test_controls_move_what_is_shown(model, opened):
    clf, X, y = model("iris", "class rules")
    page = opened(report_html(clf, X, y))

    def shown():
        shares = page.find_elements(By.CSS_SELECTOR, "#what-if [data-role=share]")
        strengths = page.find_elements(By.CSS_SELECTOR, "#what-if [data-role=strength]")
        markers = page.find_elements(By.CSS_SELECTOR, "#what-if .marker circle")
        positions = [marker.get_attribute("cx") for marker in markers]
        words = page.find_element(By.ID, "answer").text
        return [s.text for s in shares], [s.text for s in strengths], positions, words

    before = shown()
    groups = page.find_elements(By.CSS_SELECTOR, "[data-input]")
    used = clf.rules_.arrays.used
    row = np.array([[variable.typical for variable in clf.rules_.variables]])
    for name in ("petal width", "petal length"):
        index = next(n for n, group in enumerate(groups) if group.text.startswith(name))
        groups[index].find_element(By.CSS_SELECTOR, "[type=range]").send_keys(Keys.HOME)
        row[0, used[index]] = clf.rules_.variables[used[index]].lowest
    after = shown()
    assert all(old != new for old, new in zip(before, after, strict=True))
    assert after[3] == answer(explained(clf.rules_, row)[0])

    field = groups[index].find_element(By.CSS_SELECTOR, "[type=number]")
    assert float(field.get_property("value")) == row[0, used[index]]
    field.clear()
    field.send_keys("99")
    row[0, used[index]] = 99.0
    assert shown()[3] == answer(explained(clf.rules_, row)[0])
    assert "beyond what was seen" in groups[index].text

    groups[index].find_element(By.CSS_SELECTOR, "[data-role=unknown]").click()
    row[0, used[index]] = np.nan
    assert shown()[3] == answer(explained(clf.rules_, row)[0])
    assert "Unknown: petal length (cm)." in page.find_element(By.ID, "warnings").text


def test_rows_are_presets(model, opened):
    clf, X, y = model("clinic")
    page = opened(report_html(clf, X, y))
    details = page.find_element(By.CSS_SELECTOR, "details.row")
    details.find_element(By.TAG_NAME, "summary").click()
    answer = details.find_element(By.CSS_SELECTOR, ".why strong").text
    details.find_element(By.CSS_SELECTOR, "[data-preset]").click()
    assert page.find_element(By.ID, "answer").text == answer


def test_choices_move_what_is_shown(model, opened):
    clf, X, y = model("clinic")
    page = opened(report_html(clf, X, y))
    before = page.find_element(By.ID, "answer").text
    choices = page.find_elements(By.CSS_SELECTOR, "[data-input] select")
    assert choices
    seen = set()
    for choice in choices:
        for option in choice.find_elements(By.TAG_NAME, "option"):
            option.click()
            seen.add(page.find_element(By.ID, "answer").text)
    assert seen - {before}


@pytest.mark.parametrize("width", [1280, 400])
def test_hostile_names_run_nothing(opened, hostile, width):
    X, y = hostile
    clf = RuleNetwork(2, selection="soft", ridge=0.3).fit(X, y)
    html = report_html(clf, X, y, title=X.columns[2], target=X.columns[0])
    page = opened(html)
    override = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", override)
    for summary in page.find_elements(By.CSS_SELECTOR, "details.row summary")[:3]:
        page.execute_script("arguments[0].parentElement.open = true", summary)
    for choice in page.find_elements(By.CSS_SELECTOR, "[data-input] select"):
        choice.find_elements(By.TAG_NAME, "option")[-1].click()
    assert page.execute_script("return [typeof window.hacked, document.images.length]") == [
        "undefined",
        0,
    ]
    assert page.execute_script("return document.scripts.length") == 2
    assert page.find_element(By.TAG_NAME, "h1").text == X.columns[2]
    assert "{{7*7}}" in page.find_element(By.ID, "what-if").text
    assert page.get_log("browser") == []
    assert requests_of(page) == {page.current_url.split("#")[0]}
    # Nothing sticks out, however long the names are.
    assert page.execute_script("return document.documentElement.scrollWidth") <= width
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("width", [1280, 400])
def test_nothing_sticks_out(model, opened, width):
    clf, X, y = model("wine")
    page = opened(report_html(clf, X, y))
    override = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", override)
    page.execute_script("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    found = page.execute_script("return document.documentElement.scrollWidth")
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert found <= width


def test_hostile_names_predict_the_same(opened, hostile):
    X, y = hostile
    clf = RuleNetwork(2, selection="soft", ridge=0.3).fit(X, y)
    page = opened(report_html(clf, X, y))
    values = clf.rules_.read(X)
    answers = asked(page, "predict", [as_given(clf.rules_, row) for row in values])
    assert np.abs(np.array(answers) - clf.predict_proba(X)).max() <= 1e-9


def requests_of(page):
    """The addresses that the page asked for."""
    messages = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    sent = [m["params"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    return {parameters["request"]["url"] for parameters in sent}


def test_policy_stops_scripts_that_are_not_the_page_s_own(model, opened):
    clf, X, _ = model("iris")
    html = report_html(clf, X.iloc[:5])
    page = opened(html.replace("</body>", "<script>window.hacked = 1</script></body>"))
    assert page.execute_script("return typeof window.hacked") == "undefined"
    assert "Content Security Policy" in page.get_log("browser")[0]["message"]
