"""Another task than classes: one number with squared error, to be learned by the same code."""

import numpy as np


class Gaussian:
    """(y - z)^2 / 2: identity link, curvature 1, one output that is minded as it is."""

    def losses(self, outputs, targets):
        return 0.5 * np.square(targets - outputs)[:, 0]

    def residuals(self, outputs, targets):
        return targets - outputs

    def roots(self, outputs, targets):
        return np.ones((len(outputs), 1, 1)), targets - outputs

    def unrooted(self, roots, rooted):
        return rooted

    def contrasts(self, outputs):
        return np.eye(outputs)

    def encode(self, values, outputs):
        return np.reshape(values, (-1, outputs)).astype(float)
