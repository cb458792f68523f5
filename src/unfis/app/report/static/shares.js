// A probability taken apart by rules and inputs: what rules/explain/shapley.py does.
// `orders` are those in which inputs get known where there are too many for all sets of them; none otherwise.

function createShares(base, model, orders) {
  const count = base.variables.length;

  // The probability of a class if only some inputs are known.
  function valueOf(values, isKnown, c) {
    const known = values.map((value, j) => (isKnown(j) ? value : null));
    return model.evaluate(known).probabilities[c];
  }

  // Set number s has the inputs of its binary digits.
  function ofAllSets(values, c) {
    const has = (set, j) => Math.floor(set / 2 ** j) % 2 === 1;
    const sets = Array.from({ length: 2 ** count }, (_, set) => set);
    const found = sets.map((set) => valueOf(values, (j) => has(set, j), c));
    const sizes = sets.map((set) => total(values.map((_, j) => (has(set, j) ? 1 : 0))));
    return values.map((_, j) => total(sets.filter((set) => !has(set, j)).map((set) =>
      (found[set + 2 ** j] - found[set]) / (count * choices(count - 1, sizes[set])))));
  }

  function alongOrders(values, c) {
    const shares = values.map(() => 0);
    orders.forEach((order) => {
      const known = new Set();
      let before = valueOf(values, (j) => known.has(j), c);
      order.forEach((input) => {
        known.add(input);
        const after = valueOf(values, (j) => known.has(j), c);
        shares[input] += (after - before) / orders.length;
        before = after;
      });
    });
    return shares;
  }

  // In how many ways some of several things are chosen.
  function choices(things, chosen) {
    let ways = 1;
    for (let n = 1; n <= chosen; n += 1) ways = (ways * (things - chosen + n)) / n;
    return ways;
  }

  // What each rule and each input adds to the probability of the first class; of mixed outputs to its logit.
  return (values, found) => {
    if (base.combination === "mixed outputs") {
      const { margin, ...shares } = model.shares(found);
      return { ...shares, total: margin, runnerUp: null };
    }
    const said = found.ruleOutputs.map((outputs) => logSoftmax(outputs).map(Math.exp));
    const byRules = (c) => said.map((one, i) => found.strengths[i] * one[c]);
    return {
      start: valueOf(values, () => false, found.first),
      inputs: (orders.length ? alongOrders : ofAllSets)(values, found.first),
      rules: byRules(found.first),
      runnerUp: byRules(found.second),
      total: found.probabilities[found.first],
    };
  };
}
