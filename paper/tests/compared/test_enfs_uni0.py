"""ENFS-Uni0: rows count by how far rules hold."""

import numpy as np

from unfis_paper.compared import ENFSUni0Classifier


def test_a_row_counts_by_its_largest_activation():
    """Rows 0 and 4 in one cloud, whose centre is 2 and whose width is sqrt(2): exp(-1) of 4."""
    clf = ENFSUni0Classifier(max_similarity=0.01, forgetting=1.0, random_state=0)
    system = clf.partial_fit([[0.0], [4.0]], [0, 1], classes=[0, 1]).system_
    np.testing.assert_allclose(system.clouds.centres, [[2.0]])
    # The first entry is of the constant 1 and so adds up the weights: 1 of the first row.
    np.testing.assert_allclose(system.output.squares[0, 0], 1 + np.exp(-1))
    np.testing.assert_allclose(system.output.products[0], [1, np.exp(-1)])
