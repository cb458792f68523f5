"use strict";
// The rules at work, in double precision: what rules/condition.py, model.py and link.py do.

function createModel(data) {
  // The values of a row by the names of inputs: a number, a category, or null if unknown.
  function valuesOf(row) {
    return new Map(data.inputs.map((input) => {
      const cell = Object.hasOwn(row, input.name) ? row[input.name] : null;
      const value = readCell(input, cell, data.notation, new Map(input.numbers));
      const isPlace = input.kind === "category" && value !== null;
      return [input.name, isPlace ? input.categories[value] : value];
    }));
  }

  // What the rules make of values: how far each holds, the sum of each output, what is predicted.
  function evaluate(values) {
    const degrees = data.rules.map((rule) => rule.conditions.reduce(
      (found, condition) => found * degreeOf(condition, values.get(condition.input)), 1));
    const sums = [...data.start];
    data.rules.forEach((rule, i) => { sums[rule.output] += rule.points * degrees[i]; });
    const logits = sums.map((sum) => data.unit * sum);
    if (data.link === "identity") return { degrees, sums, answer: logits[0] };
    if (data.link === "exp") return { degrees, sums, answer: Math.exp(logits[0]) };
    const probabilities = softmax(logits);
    return { degrees, sums, probabilities, answer: data.classes[cheapest(probabilities, data.costs)] };
  }

  return { valuesOf, evaluate };
}

// The model for those who have values by name.
function byName(data) {
  const model = createModel(data);
  const evaluated = (row) => model.evaluate(model.valuesOf(row));
  const common = {
    inputs: data.inputs.map((input) => input.name),
    predict: (row) => evaluated(row).answer,
  };
  if (!data.classes.length) return Object.freeze(common);
  const predictProba = (row) => {
    const { probabilities } = evaluated(row);
    return Object.fromEntries(data.classes.map((label, c) => [label, probabilities[c]]));
  };
  return Object.freeze({ classes: data.classes, ...common, predictProba });
}

// How far a condition holds for a value.
function degreeOf(condition, value) {
  if (value === null) return condition.unknown;
  if (condition.kinds) return condition.kinds.includes(value) ? 1 : 0;
  const rising = condition.rises ? rise(value, ...condition.rises) : 1;
  return rising - (condition.falls ? rise(value, ...condition.falls) : 0);
}

// From 0 at one number to 1 at another; a step that includes its value where they are the same.
function rise(value, low, high) {
  if (value >= high) return 1;
  return value <= low ? 0 : (value - low) / (high - low);
}

function softmax(logits) {
  const largest = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - largest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

// The class that is expected to cost least; the most probable one where all errors cost the same.
function cheapest(probabilities, costs) {
  const expected = probabilities.map((share, k) => (costs.length
    ? probabilities.reduce((sum, each, c) => sum + each * costs[c][k], 0) : -share));
  return expected.indexOf(Math.min(...expected));
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
