// The page: controls that move the rules, and what they say then.
(() => {
  const data = JSON.parse(document.getElementById("unfis-data").textContent);
  const { base, constants, numbers, limits, sliders, presets } = data;
  const model = createModel(base, constants, numbers);
  const sharesOf = createShares(base, model, data.orders);
  const words = createWords(base, data.words, limits, data.doubt);
  const one = (selector, parent = document) => parent.querySelector(selector);
  const all = (selector, parent = document) => [...parent.querySelectorAll(selector)];
  const controls = all("[data-input]");
  let row = presets[0].values.slice();
  // What was known before it was ticked as unknown.
  const known = row.slice();

  window.unfis = Object.freeze({
    predict: (values) => model.evaluate(model.row(values)).probabilities,
    explain: (values) => explained(model.row(values)),
    answer: (values) => base.classes[model.evaluate(model.row(values)).first],
    doubt: (values) => words.doubts(model.evaluate(model.row(values))),
  });

  function explained(values) {
    const found = model.evaluate(values);
    const shares = sharesOf(values, found);
    return {
      answer: words.answer(found),
      warnings: words.warnings(values, found),
      rules: words.rules(model, values, found, shares),
      title: words.title(found),
      shares: words.shareTable(values, shares),
      total: shares.total,
    };
  }

  // A slider's positions: the lowest value, round ones, the highest.
  function sliderValue(j, position) {
    const { lowest, highest } = base.variables[j];
    const { step, first, last, decimals } = sliders[j];
    const inner = first + position - 1;
    if (position <= 0) return lowest;
    if (inner > last) return highest;
    const value = inner * step;
    return Number(decimals <= 100 ? value.toFixed(decimals) : value.toPrecision(15));
  }

  function sliderPosition(j, value) {
    const { lowest, highest } = base.variables[j];
    const { step, first, last } = sliders[j];
    const end = Math.max(0, last - first + 2);
    if (value <= lowest) return 0;
    if (value >= highest) return end;
    return Math.min(Math.max(Math.round(value / step) - first + 1, 1), end - 1);
  }

  function set(j, value) {
    row[j] = value;
    if (value !== null) known[j] = value;
    show();
  }

  function preset(number) {
    row = presets[number].values.slice();
    row.forEach((value, j) => { known[j] = value ?? presets[0].values[j]; });
    one("#preset").value = String(number);
    show();
  }

  function show() {
    const found = model.evaluate(row);
    const explanation = explained(row);
    controls.forEach(showControl);
    showAnswer(found, explanation);
    base.rules.forEach((_, i) => showRule(found, i));
  }

  function showControl(control, j) {
    const unknown = row[j] === null;
    const value = unknown ? known[j] : row[j];
    control.classList.toggle("unknown", unknown);
    one("[data-role=unknown]", control).checked = unknown;
    const choice = one("select", control);
    if (choice) {
      choice.value = String(value);
      choice.disabled = unknown;
      return;
    }
    const [slider, field] = [one("[type=range]", control), one("[type=number]", control)];
    slider.value = String(sliderPosition(j, value));
    slider.disabled = unknown || slider.max === "0";
    slider.setAttribute("aria-valuetext", words.valueWords(j, value));
    field.disabled = unknown;
    if (document.activeElement !== field) field.value = unknown ? "" : String(value);
    const { lowest, highest } = base.variables[j];
    one("[data-role=beyond]", control).hidden = unknown || (value >= lowest && value <= highest);
  }

  function showAnswer(found, explanation) {
    all("[data-class]").forEach((line, c) => {
      line.classList.toggle("first", c === found.first);
      one("[data-role=share]", line).textContent = percent(found.probabilities[c]);
      one(".fill", line).setAttribute("width", 100 * found.probabilities[c]);
    });
    write(one("#answer"), explanation.answer);
    const doubt = one("#doubt");
    write(doubt, words.doubtSentences(found));
    doubt.classList.toggle("doubtful", Boolean(words.doubts(found)?.why));
    one("#warnings").replaceChildren(...explanation.warnings.map((text) => element("p", text)));
    one("#why").replaceChildren(...explanation.rules.map((rule) => {
      const item = element("li", rule.carried);
      const list = element("ul", "");
      list.append(...rule.held.map((text) => element("li", text)));
      if (rule.held.length) item.append(list);
      return item;
    }));
    write(one("#shares-title"), explanation.title);
    const largest = Math.max(...explanation.shares.map(([, share]) => Math.abs(share))) || 1;
    const rows = all("#shares tr");
    explanation.shares.forEach(([label, share], number) => {
      write(one("th", rows[number]), label);
      one("td", rows[number]).textContent = number ? words.added(share) : words.amount(share);
      const width = (50 * Math.abs(share)) / largest;
      const bar = one(".fill", rows[number]);
      bar.classList.toggle("against", share < 0);
      bar.setAttribute("x", share < 0 ? 50 - width : 50);
      bar.setAttribute("width", width);
    });
    one("#total").textContent = words.amount(explanation.total);
  }

  function showRule(found, i) {
    const card = one(`[data-rule="${i}"]`);
    if (!card) return;
    one("[data-role=strength]", card).textContent = percent(found.strengths[i]);
    one(".fill", card).setAttribute("width", 100 * found.strengths[i]);
    all("[data-condition]", card).forEach((line) => {
      const number = Number(line.dataset.condition);
      const j = model.conditionsOf[i][number];
      const degree = Math.exp(found.logDegrees[i][number]);
      line.classList.toggle("unknown", row[j] === null);
      one("[data-role=degree]", line).textContent = row[j] === null ? "unknown" : degreeWords(degree, limits.least);
      const marker = one(".marker", line);
      if (marker) showMarker(marker, j, degree);
      all("[data-kind]", line).forEach((bar, kind) => {
        bar.classList.toggle("on", kind === row[j]);
      });
    });
  }

  function showMarker(marker, j, degree) {
    marker.classList.toggle("gone", row[j] === null);
    if (row[j] === null) return;
    const { lowest, highest } = base.variables[j];
    const span = highest - lowest || 1;
    const start = highest > lowest ? lowest : lowest - 0.5;
    const share = Math.min(Math.max((row[j] - start) / span, 0), 1);
    const { width, height } = marker.ownerSVGElement.viewBox.baseVal;
    one("circle", marker).setAttribute("cx", share * width);
    one("circle", marker).setAttribute("cy", height - degree * (height - 2));
    one("line", marker).setAttribute("x1", share * width);
    one("line", marker).setAttribute("x2", share * width);
  }

  function element(name, text) {
    const made = document.createElement(name);
    write(made, text);
    return made;
  }

  // Text that may be broken where words of a name are joined.
  function write(target, text) {
    const parts = text.split(/(?<=[_./\\-])(?=[\p{L}_])/u);
    const nodes = parts.flatMap((part) => [part, document.createElement("wbr")]);
    target.replaceChildren(...nodes.slice(0, -1));
  }

  controls.forEach((control, j) => {
    const unknown = one("[data-role=unknown]", control);
    unknown.addEventListener("change", () => set(j, unknown.checked ? null : known[j]));
    const choice = one("select", control);
    if (choice) {
      choice.addEventListener("change", () => set(j, Number(choice.value)));
      return;
    }
    const [slider, field] = [one("[type=range]", control), one("[type=number]", control)];
    slider.max = String(Math.max(0, sliderPosition(j, Infinity)));
    slider.addEventListener("input", () => set(j, sliderValue(j, Number(slider.value))));
    field.addEventListener("input", () => {
      if (Number.isFinite(field.valueAsNumber)) set(j, field.valueAsNumber);
    });
    field.addEventListener("blur", show);
  });
  one("#preset").addEventListener("change", (event) => preset(Number(event.target.value)));
  all("[data-preset]").forEach((button) => button.addEventListener("click", () => {
    preset(Number(button.dataset.preset));
    one("#what-if").scrollIntoView();
    one("#preset").focus({ preventScroll: true });
  }));

  document.documentElement.classList.add("live");
  show();
})();
