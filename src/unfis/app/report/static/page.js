// The page: controls that set the inputs, and what the rules make of them; `createModel` computes.
(() => {
  const data = JSON.parse(document.getElementById("unfis-data").textContent);
  const { inputs, classes, costs } = data.model;
  const model = createModel(data.model);
  const one = (selector, parent = document) => parent.querySelector(selector);
  const all = (selector, parent = document) => [...parent.querySelectorAll(selector)];
  const controls = all("[data-input]");
  const POSITIONS = 1000;
  const most = Math.max(...data.model.rules.map((rule) => Math.abs(rule.points)), ...data.model.start);
  const decimals = Math.min(Math.max(2 - Math.floor(Math.log10(most || 1)), 0), 100);
  let row = data.presets[0].values.slice();
  // What was known before it was ticked as unknown.
  const known = row.slice();

  window.unfis = byName(data.model);

  // Numbers as text/numbers.py writes them.
  function numberWords(value, digits) {
    const rounded = Number(value.toPrecision(digits));
    const size = Math.abs(rounded);
    if (size >= 1e15 || (size > 0 && size < 1e-7)) return String(rounded);
    const grouping = size >= 10000;
    return rounded.toLocaleString("en-US", { useGrouping: grouping, maximumFractionDigits: 20 });
  }

  // Points that are added up have the same decimals.
  function pointsWords(value) {
    const text = numberWords(Number(value.toFixed(decimals)), 15).replace("-", "−");
    return value > 0 ? `+${text}` : text;
  }

  function percent(share) {
    if (share > 0 && share < 0.005) return "<1 %";
    if (share > 0.995 && share < 1 - 1e-9) return ">99 %";
    return `${(100 * share).toFixed(0)} %`;
  }

  // A slider's ends are the input's; between them it moves in round steps.
  function sliderValue(j, position) {
    const { low, high, step } = data.sliders[j];
    if (position <= 0) return low;
    if (position >= POSITIONS) return high;
    const value = low + (high - low) * (position / POSITIONS);
    const round = Number((Math.round(value / step) * step).toPrecision(12));
    return Math.min(Math.max(round, low), high);
  }

  function sliderPosition(j, value) {
    const { low, high } = data.sliders[j];
    return high > low ? Math.round((POSITIONS * (value - low)) / (high - low)) : 0;
  }

  function valueOf(j) {
    const isKind = inputs[j].kind === "category" && row[j] !== null;
    return isKind ? inputs[j].categories[row[j]] : row[j];
  }

  function set(j, value) {
    row[j] = value;
    if (value !== null) known[j] = value;
    show();
  }

  function preset(number) {
    row = data.presets[number].values.slice();
    row.forEach((value, j) => { known[j] = value ?? data.presets[0].values[j]; });
    one("#preset").value = String(number);
    show();
  }

  function show() {
    const found = model.evaluate(new Map(inputs.map((input, j) => [input.name, valueOf(j)])));
    controls.forEach(showControl);
    all("[data-rule]").forEach((line) => showRule(line, found.degrees[Number(line.dataset.rule)]));
    all("[data-output]").forEach((state) => {
      const c = Number(state.dataset.output) + found.sums.length - all("[data-output]").length;
      // Of many classes those that have no chance are left out.
      state.hidden = classes.length > 4 && found.probabilities[c] < 0.01;
      one("[data-role=sum]", state).textContent = pointsWords(found.sums[c] - data.starts[c]);
    });
    if (classes.length) showClasses(found);
    else write(one("#answer"), `${data.names[0]}: ${numberWords(found.answer, 4)}`);
  }

  function showControl(control, j) {
    const unknown = row[j] === null;
    const value = unknown ? known[j] : row[j];
    one("[data-role=unknown]", control).checked = unknown;
    const choice = one("select", control);
    if (choice) {
      choice.value = String(value);
      choice.disabled = unknown;
      return;
    }
    const [slider, field] = [one("[type=range]", control), one("[type=number]", control)];
    slider.value = String(sliderPosition(j, value));
    slider.disabled = unknown;
    slider.setAttribute("aria-valuetext", String(value));
    field.disabled = unknown;
    if (document.activeElement !== field) field.value = unknown ? "" : String(value);
    const { seen } = data.sliders[j];
    one("[data-role=beyond]", control).hidden = unknown || !seen
      || (value >= seen[0] && value <= seen[1]);
  }

  // A rule that holds lights up, with what it adds.
  function showRule(line, degree) {
    const { points } = data.model.rules[Number(line.dataset.rule)];
    line.classList.toggle("holds", degree > 0);
    const part = degree < 1 ? `${percent(degree)} of ${pointsWords(points)}: ` : "";
    one("[data-role=adds]", line).textContent = degree > 0 ? part + pointsWords(points * degree) : "";
  }

  function showClasses(found) {
    const first = cheapest(found.probabilities, costs);
    all("[data-class]").forEach((line, c) => {
      line.classList.toggle("first", c === first);
      one("[data-role=share]", line).textContent = percent(found.probabilities[c]);
      one(".fill", line).setAttribute("width", 100 * found.probabilities[c]);
    });
    write(one("#answer"), `${data.names[first]} (${percent(found.probabilities[first])})`);
    if (!data.sets) return;
    const inside = data.names.filter((_, c) => found.probabilities[c] >= data.sets[c] * (1 - 1e-9));
    const words = inside.length ? inside.join(" or ") : "unusual for every class";
    write(one("#set"), `At 95 % confidence: ${words}.`);
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
