"""The paper's network written a second time, from the print and its errata, one sample at a time.

Loops and scalars only, and it accepts complex parameters, so that derivatives by complex step can
be taken of it.
"""

import numpy as np

from unfis.network import Parameters, Shape
from unfis.network.layers import EPSILON, WIDTH_FLOOR

SHAPES = [Shape(1, 1, 2), Shape(2, 3, 2), Shape(3, 4, 3), Shape(2, 5, 4)]


def logits(pi, x, shape):
    """z of one sample x, NaN where missing, for a flat parameter vector."""
    network = Parameters.from_vector(pi, shape)
    log_firing, outputs = [], []
    for i in range(shape.rules):
        total = 0.0
        output = network.consequents[i, :, 0].copy()
        for j in range(shape.features):
            if np.isnan(x[j]):
                continue
            selection = vs(network.logits[i, j])
            variance = network.widths[i, j] ** 2 + WIDTH_FLOOR**2
            mu = np.exp(-((x[j] - network.centres[i, j]) ** 2) / (2 * variance))
            if selection == 1:
                total = total - (x[j] - network.centres[i, j]) ** 2 / (2 * variance)
            else:
                bottom = (1 - selection) * mu + selection + EPSILON
                total = total + np.log((mu + EPSILON) / bottom)
            output = output + selection * network.consequents[i, :, j + 1] * x[j]
        log_firing.append(total)
        outputs.append(output)
    shift = max(np.real(log_firing))
    firing = [np.exp(value - shift) for value in log_firing]
    strengths = [f / sum(firing) for f in firing]
    return sum(phi * y for phi, y in zip(strengths, outputs, strict=True)) - network.thresholds


def vs(s):
    """The selection of a logit, which may be infinite."""
    if np.isinf(s):
        return 1.0 if np.real(s) > 0 else 0.0
    return 1 / (1 + np.exp(-s))


def random_network(shape, seed, selection="soft"):
    """Parameters in a range where every layer is active; "mixed" has decided pairs among soft."""
    generator = np.random.default_rng(seed)
    blocks = {name: generator.normal(size=size) for name, size in shape.blocks.items()}
    blocks["widths"] = generator.uniform(0.5, 2.0, size=shape.blocks["widths"])
    if selection == "none":
        blocks["logits"] = np.full(shape.blocks["logits"], np.inf)
    if selection == "mixed":
        decided = generator.choice([-np.inf, np.inf, 0.3], size=shape.blocks["logits"])
        blocks["logits"] = decided
    return Parameters(**blocks)


def random_samples(shape, seed, samples=6, missing=0.0):
    """Inputs, some of them missing."""
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(samples, shape.features))
    X[generator.random(X.shape) < missing] = np.nan
    return X
