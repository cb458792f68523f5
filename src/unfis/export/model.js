"use strict";
// The rule base at work, in double precision: what rules/evaluation.py and rules/explain/attribution.py do.
// Used by the page of a report too. A row is an array over base.variables: a number, the place of a category, or null if unknown.
// `numbers` are the places of categories that numbers are, as pairs, for each of base.variables.

function createModel(base, constants, numbers) {
  const places = new Map(base.variables.map((variable, place) => [variable.name, place]));
  const placesOf = (parts) => parts.map((part) => places.get(part.input));
  const conditionsOf = base.rules.map((rule) => placesOf(rule.conditions));
  const effectsOf = base.rules.map((rule) => placesOf(rule.effects));
  const otherwise = base.rules.findIndex((rule) => rule.otherwise);

  // Values by name, or in the order of the variables; text is read in the model's notation.
  function row(values) {
    return base.variables.map((variable, place) => {
      const byName = !Array.isArray(values);
      if (byName && !Object.hasOwn(values, variable.name)) return null;
      const value = byName ? values[variable.name] : values[place];
      return readCell(variable, value, base.notation, new Map(numbers[place]));
    });
  }

  function scaled(variable, value) {
    const distance = (value - variable.reference) / variable.scale;
    return Math.min(Math.max(distance, -constants.largestInput), constants.largestInput);
  }

  function logDegree(condition, variable, value) {
    if (value === null) return 0;
    if (variable.categories.length) return Math.log(condition.degrees[value]);
    const centre = condition.shift / variable.scale;
    const width = condition.width / variable.scale;
    const distance = scaled(variable, value) - centre;
    const deviation = (distance - withinCore(condition, variable, distance)) / width;
    const logMembership = -0.5 * deviation * deviation;
    const selection = condition.selection;
    if (selection === 1) return logMembership;
    const membership = Math.exp(logMembership);
    const least = selection + constants.epsilon;
    return Math.log((membership + constants.epsilon) / ((1 - selection) * membership + least));
  }

  // How much of a deviation lies where the condition holds wholly.
  function withinCore(condition, variable, distance) {
    if (!condition.reach.length) return 0;
    const [below, above] = condition.reach.map((end) => (end === null ? Infinity : end));
    return Math.min(Math.max(distance, -below / variable.scale), above / variable.scale);
  }

  function added(slope, variable, value) {
    if (value === null) return 0;
    if (variable.categories.length) return slope[value];
    return slope * variable.scale * scaled(variable, value);
  }

  // Of a rule that speaks where no other does: as far as all others fail.
  function withOtherwise(logFiring) {
    if (otherwise < 0) return logFiring;
    const rests = logFiring.map((log, i) => (i === otherwise ? 0
      : Math.log(Math.max(-Math.expm1(log), constants.leastRest))));
    return logFiring.map((log, i) => (i === otherwise ? total(rests) : log));
  }

  // Rules mix what they say before it becomes probabilities, or their probabilities are averaged.
  function together(strengths, ruleOutputs) {
    const across = (lists, combine) => base.classes.map((_, c) => combine(lists.map((list) => list[c])));
    if (base.combination === "mixed outputs") {
      return across(ruleOutputs, (outputs) => total(outputs.map((one, i) => strengths[i] * one)));
    }
    return across(ruleOutputs.map(logSoftmax), (logs) => {
      const highest = Math.max(...logs);
      const average = total(logs.map((log, i) => strengths[i] * Math.exp(log - highest)));
      return Math.log(Math.max(average, constants.leastNumber)) + highest;
    });
  }

  // What the rules make of a row; degrees are by rule and condition, effects by rule, effect and class.
  function evaluate(values) {
    const logDegrees = base.rules.map((rule, i) => rule.conditions.map((condition, place) => {
      const j = conditionsOf[i][place];
      return logDegree(condition, base.variables[j], values[j]);
    }));
    const logFiring = withOtherwise(logDegrees.map(total));
    const logStrengths = logSoftmax(logFiring);
    const strengths = logStrengths.map(Math.exp);
    const effects = base.rules.map((rule, i) => rule.effects.map((effect, place) => {
      const j = effectsOf[i][place];
      return effect.slopes.map((slope) => added(slope, base.variables[j], values[j]));
    }));
    const ruleOutputs = base.rules.map((rule, i) => rule.biases.map((bias, c) =>
      bias + total(effects[i].map((effect) => effect[c]))));
    const logits = together(strengths, ruleOutputs);
    const probabilities = logSoftmax(logits).map(Math.exp);
    const [first, second] = firstTwo(logits, probabilities, base.costs);
    return {
      logDegrees, logFiring, logStrengths, strengths, effects, ruleOutputs, logits, probabilities,
      first, second, coverage: coverage(values, logFiring),
    };
  }

  function coverage(values, logFiring) {
    if (values.length && values.every((value) => value === null)) return 0;
    if (base.variables.some((variable, j) => isFar(variable, values[j]))) return 0;
    const best = Math.max(...logFiring);
    const reach = best + 1e-9 * (1 + Math.abs(best));
    const reached = base.firing.filter(([point]) => point <= reach);
    return reached.length ? reached[reached.length - 1][1] : 0;
  }

  // Whether a number is unlike any of the training rows.
  function isFar(variable, value) {
    if (value === null || variable.categories.length) return false;
    const beyond = constants.far * (variable.highest - variable.lowest);
    return value < variable.lowest - beyond || value > variable.highest + beyond;
  }

  // What each rule and each input adds to the logit of the first class against the second.
  function shares(found) {
    const against = (list) => list[found.first] - list[found.second];
    const count = base.rules.length;
    const logs = base.rules.map((_, i) => spread(conditionsOf[i], found.logDegrees[i]));
    const adds = base.rules.map((_, i) => spread(effectsOf[i], found.effects[i].map(against)));
    const biases = base.rules.map((rule) => against(rule.biases));
    const moved = strengthShares(found, logs);
    const inputs = base.variables.map((_, j) => total(base.rules.map((_, i) =>
      moved[i][j] * (biases[i] + 0.5 * total(adds[i])) +
      adds[i][j] * 0.5 * (found.strengths[i] + 1 / count))));
    const rules = found.strengths.map((strength, i) => strength * against(found.ruleOutputs[i]));
    return { start: total(biases) / count, inputs, rules, margin: against(found.logits) };
  }

  // A list over some places as one over all variables, 0 elsewhere.
  function spread(some, list) {
    const all = base.variables.map(() => 0);
    list.forEach((value, place) => { all[some[place]] = value; });
    return all;
  }

  function strengthShares(found, logs) {
    const count = base.rules.length;
    const means = found.logStrengths.map((log) => {
      const ratio = log + Math.log(count);
      return (Math.abs(ratio) < 1e-300 ? 1 : Math.expm1(ratio) / ratio) / count;
    });
    const all = total(means);
    const common = base.variables.map((_, j) =>
      total(means.map((mean, k) => (mean / all) * logs[k][j])));
    return means.map((mean, i) => {
      const parts = logs[i].map((log, j) => mean * (log - common[j]));
      const lost = found.strengths[i] - 1 / count - total(parts);
      const size = Math.max(total(parts.map(Math.abs)), Number.MIN_VALUE);
      return parts.map((part) => part + Math.abs(part) * (lost / size));
    });
  }

  return { row, evaluate, shares, conditionsOf };
}

// The model for those who have values by name.
function byName(data) {
  const { base, constants, numbers } = data;
  const model = createModel(base, constants, numbers);
  const evaluated = (values) => model.evaluate(model.row(values));
  return Object.freeze({
    classes: base.classes,
    inputs: base.variables.map((variable) => variable.name),
    predict: (values) => base.classes[evaluated(values).first],
    predictProba: (values) => {
      const { probabilities } = evaluated(values);
      return Object.fromEntries(base.classes.map((label, c) => [label, probabilities[c]]));
    },
  });
}

// How a cell is read: what data/notation.py and data/categories.py do. null if it is unknown.
function readCell(variable, value, notation, numbers) {
  const isPlain = ["boolean", "number", "string"].includes(typeof value);
  if (!isPlain || Number.isNaN(value)) return null;
  if (variable.kind === "category") {
    return categoryPlace(variable.categories, value, notation, numbers);
  }
  if (typeof value === "string" && isMissing(value, notation)) return null;
  if (variable.kind === "boolean") {
    const truth = typeof value === "string" ? spelledTruth(value, notation) : Number(value);
    return truth === 0 || truth === 1 ? truth : null;
  }
  const number = typeof value === "string" ? spelledNumber(value, notation) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return null;
  return missingNumbers(notation).includes(number) ? null : number;
}

function wordOf(cell) {
  return cell.replace(/^[ \t\n\u00a0]+|[ \t\n\u00a0]+$/g, "");
}

function isMissing(cell, notation) {
  return notation.missing.includes(wordOf(cell).toLowerCase());
}

function spelledNumber(cell, notation) {
  let word = wordOf(cell);
  if (notation.decimal === ",") word = word.replaceAll(".", "_").replaceAll(",", ".");
  return /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i.test(word) ? Number(word) : null;
}

function missingNumbers(notation) {
  return notation.missing.map((word) => spelledNumber(word, notation))
    .filter((number) => number !== null);
}

function spelledTruth(cell, notation) {
  const word = wordOf(cell).toLowerCase();
  if (notation.true.includes(word)) return 1;
  return notation.false.includes(word) ? 0 : null;
}

function categoryPlace(categories, value, notation, numbers) {
  if (categories.includes(value)) return categories.indexOf(value);
  const word = typeof value === "string" ? wordOf(value) : String(value);
  const isText = typeof categories[0] === "string";
  const spelled = isText ? categories : categories.map((kind) => String(kind).toLowerCase());
  const place = spelled.indexOf(isText ? word : word.toLowerCase());
  if (place >= 0) return place;
  if (isMissing(word, notation)) return null;
  let number = typeof value === "string" ? null : Number(value);
  if (typeof value === "string" && !isText) {
    number = spelledNumber(word, notation) ?? spelledTruth(word, notation);
  }
  return numbers.get(number) ?? null;
}

function total(list) {
  return list.reduce((sum, value) => sum + value, 0);
}

function logSoftmax(list) {
  const largest = Math.max(...list);
  const shifted = list.map((value) => value - largest);
  const whole = Math.log(total(shifted.map(Math.exp)));
  return shifted.map((value) => value - whole);
}

// The class that is answered, by costs where errors cost differently, and the most probable other one.
function firstTwo(logits, probabilities, costs) {
  const expected = costs.length
    ? costs.map((_, k) => total(probabilities.map((share, c) => share * costs[c][k])))
    : logits.map((logit) => -logit);
  const first = expected.indexOf(Math.min(...expected));
  const others = logits.map((logit, c) => (c === first ? -Infinity : logit));
  return [first, others.indexOf(Math.max(...others))];
}
