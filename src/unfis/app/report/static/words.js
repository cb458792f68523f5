// The words of numbers.py, words.py and explanation.py in rules/text.

const MOST_DECIMALS = 300;
const MOST_FIXED = 17;

// As Python rounds: a tie goes to the even digit.
function fixed(value, decimals) {
  const size = Math.abs(value);
  let text = size.toFixed(decimals);
  const tail = size.toFixed(Math.min(100, decimals + 40)).split(".")[1] ?? "";
  const tie = /^50*$/.test(tail.slice(decimals));
  if (tie && Number(text.at(-1)) % 2) text = (Number(text) - 10 ** -decimals).toFixed(decimals);
  return (value < 0 && Number(text) !== 0 ? "-" : "") + text;
}

function percent(share) {
  const text = fixed(100 * share, 0);
  if (Number(text) <= 0 && share > 1e-9) return "under 1 %";
  if (Number(text) >= 100 && share < 1 - 1e-9) return "over 99 %";
  return `${text} %`;
}

function degreeWords(degree, least) {
  if (degree >= 0.005) return fixed(degree, 2);
  return degree >= least ? degree.toPrecision(1) : `under ${fixed(least, 4)}`;
}

function signed(value) {
  const text = fixed(value, 2);
  return text.startsWith("-") ? text : `+${text}`;
}

function signedPercent(share) {
  const text = fixed(100 * share, 0);
  return `${text.startsWith("-") ? "" : "+"}${text} %`;
}

// As ties.py ranks: places in rising order, those of values that differ by rounding alone as they come.
function ranked(values) {
  const order = values.map((_, place) => place).sort((a, b) => values[a] - values[b]);
  const ranks = [];
  order.forEach((place, n) => {
    const last = values[order[n - 1]];
    const rises = n > 0 && values[place] - last > 1e-9 * (1 + Math.abs(last));
    ranks[place] = n > 0 ? ranks[order[n - 1]] + Number(rises) : 0;
  });
  return order.sort((a, b) => ranks[a] - ranks[b] || a - b);
}

function rounded(value, decimals) {
  const size = Math.abs(value);
  if (size === 0 && decimals > MOST_FIXED) return "0";
  if (size === 0 || (size >= 1e-4 && size < 1e15)) return fixed(value, Math.min(decimals, MOST_FIXED));
  const power = Math.floor(Math.log10(size));
  const digits = Math.min(Math.max(decimals + power + 1, 3), 17);
  if (power >= -4 && power < digits) return String(Number(value.toPrecision(digits)));
  const [head, exponent] = value.toExponential(digits - 1).split("e");
  const plain = head.includes(".") ? head.replace(/\.?0+$/, "") : head;
  return `${plain}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}

// Whether a number has no more decimals than these, of which toFixed writes 100.
function hasDecimals(value, decimals) {
  if (decimals <= 100 || value === 0) return Number(value.toFixed(Math.min(decimals, 100))) === value;
  const digits = decimals + Math.floor(Math.log10(Math.abs(value))) + 1;
  return digits > 0 && Number(value.toPrecision(Math.min(digits, 100))) === value;
}

function asGiven(value, decimals) {
  for (let more = decimals; more < Math.min(decimals + 3, MOST_DECIMALS); more += 1) {
    if (hasDecimals(value, more)) return rounded(value, more);
  }
  return rounded(value, Math.min(decimals + 2, MOST_DECIMALS));
}

function createWords(base, words, limits, doubt) {
  function valueWords(j, value) {
    if (value === null) return "unknown";
    if (base.variables[j].categories.length) return words.categories[j][value];
    const unit = words.units[j] ? ` ${words.units[j]}` : "";
    return asGiven(value, base.variables[j].decimals) + unit;
  }

  const isMixed = base.combination === "mixed outputs";
  const added = isMixed ? signed : signedPercent;
  const amount = isMixed ? signed : percent;
  const labelled = (j, value) => `${words.labels[j]} ${valueWords(j, value)}`;

  function answer(found) {
    const classes = [found.first, found.second];
    const shares = classes.map((c) => found.probabilities[c]);
    const [first, second] = classes.map((c) => words.classes[c]);
    const begun = `${first} (${percent(shares[0])})`;
    if (shares[0] + 1e-9 * (1 + shares[0]) < shares[1]) {
      return `${begun}, since ${words.reason}; ${second} is more probable (${percent(shares[1])})`;
    }
    return `${begun} rather than ${second} (${percent(shares[1])})`;
  }

  function warnings(row, found) {
    const messages = [];
    const unknown = words.names.filter((_, j) => row[j] === null);
    if (unknown.length === row.length) {
      messages.push("Nothing is known that the rules look at.");
    } else if (found.coverage === 0) {
      messages.push("The rules fit this row worse than any training row: do not rely on the answer.");
    } else if (found.coverage <= limits.rare) {
      const better = percent(1 - found.coverage);
      messages.push(`The rules fit this row worse than ${better} of the training rows.`);
    }
    if (unknown.length) messages.push(`Unknown: ${unknown.join(", ")}.`);
    return messages;
  }

  // What model/conformal.py does: to as many digits as thresholds are kept with.
  function likelihood(share) {
    const power = Math.floor(Math.log10(Math.max(share, doubt.least)));
    return Number(share.toFixed(Math.min(doubt.digits - 1 - power, 100)));
  }

  // Which classes a row may be of, and why an answer is none to rely on, "" if nothing is against it; null if unknown.
  function doubts(found) {
    if (!doubt) return null;
    const places = base.classes.map((_, c) => c);
    const isInside = (c) => likelihood(found.probabilities[c]) >= doubt.thresholds[c] * (1 - 1e-9);
    const inside = places.filter(isInside);
    return { set: inside.map((c) => words.classes[c]), why: doubtWords(found, inside) };
  }

  function doubtWords(found, inside) {
    if (found.coverage <= limits.rare) {
      return `${found.coverage > 0 ? "hardly like" : "unlike"} anything learned from`;
    }
    const isAlwaysIn = (c) => doubt.thresholds[c] === 0;
    const names = (places) => places.map((c) => words.classes[c]);
    if (inside.length === 1) {
      const [usual] = inside;
      return usual === found.first ? ""
        : `unusual for ${words.classes[found.first]}, usual for ${words.classes[usual]}`;
    }
    if (!inside.length) return "like no class";
    if (inside.filter((c) => !isAlwaysIn(c)).length <= 1) {
      const always = names(base.classes.map((_, c) => c).filter(isAlwaysIn));
      return `too few rows of ${always.join(" and ")} to rule it out`;
    }
    const others = names(inside);
    const last = others.pop();
    if (others.length === 1) return `cannot tell ${others[0]} from ${last}`;
    return `cannot tell ${others.join(", ")} and ${last} apart`;
  }

  function doubtSentences(found) {
    const told = doubts(found);
    if (!told) return "";
    const set = told.set.join(" or ") || "none of the classes";
    const begun = `Classes it may be of, at ${percent(doubt.confidence)} confidence: ${set}.`;
    return told.why ? `${begun} "Don't know" would be safer: ${told.why}.` : begun;
  }

  function held(model, row, found, i, number) {
    const j = model.conditionsOf[i][number];
    const log = found.logDegrees[i][number];
    const term = words.terms[i][number];
    const told = term && ` "is ${term}"`;
    if (row[j] === null) return `${labelled(j, null)}:${told} counts as fulfilled`;
    const isLimit = limiting(found, i, number) && Math.exp(log) < limits.matters;
    const which = isLimit && term ? ", which limits the rule" : "";
    return `${labelled(j, row[j])}:${told} holds by ${degreeWords(Math.exp(log), limits.least)}${which}`;
  }

  function limiting(found, i, number) {
    const log = found.logDegrees[i][number];
    return log < 0 && log === Math.min(...found.logDegrees[i]);
  }

  // What each rule carries, the strongest first, with those of its conditions that are worth a word.
  function rules(model, row, found, shares) {
    if (base.rules.length === 1) return [];
    return ranked(found.strengths.map((strength) => -strength)).map((i) => {
      let numbers = base.rules[i].conditions.map((_, number) => number);
      if (found.strengths[i] < limits.little) {
        numbers = numbers.filter((number) => limiting(found, i, number)).slice(0, 1);
      }
      return {
        carried: carried(found, shares, i),
        held: numbers.map((number) => held(model, row, found, i, number)),
      };
    });
  }

  function carried(found, shares, i) {
    const [first, second] = [found.first, found.second].map((c) => words.classes[c]);
    const name = `Rule ${i + 1}${base.rules[i].otherwise ? " (otherwise)" : ""}`;
    let begun = `${name} carries ${percent(found.strengths[i])} of the decision`;
    const holds = found.logDegrees[i].reduce((product, log) => product * Math.exp(log), 1);
    if (holds < limits.little && found.strengths[i] > limits.half && !base.rules[i].otherwise) {
      begun += `, as the other${base.rules.length === 2 ? " holds" : "s hold"} still less`;
    }
    if (isMixed) return `${begun} and adds ${added(shares.rules[i])}`;
    if (found.strengths[i] < limits.hardly) return begun;
    return `${begun}: ${percent(shares.rules[i])} for ${first}, ${percent(shares.runnerUp[i])} for ${second}`;
  }

  function title(found) {
    const [first, second] = [found.first, found.second].map((c) => words.classes[c]);
    if (!isMixed) return `What speaks for ${first} (in points of probability, beside knowing nothing)`;
    return `What speaks for ${first} against ${second} (log-odds, beside knowing nothing)`;
  }

  // The start and what each input adds to it, the strongest first.
  function shareTable(row, shares) {
    const order = ranked(shares.inputs.map((share) => -Math.abs(share)));
    const inputs = order.map((j) => [labelled(j, row[j]), shares.inputs[j]]);
    return [["with nothing known", shares.start], ...inputs];
  }

  return { valueWords, answer, warnings, doubts, doubtSentences, rules, title, shareTable, added, amount };
}
