import numpy as np
import pytest
from reference import SHAPES, random_network

from unfis.network import Parameters


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_vector_and_back(shape):
    network = random_network(shape, 0)
    again = Parameters.from_vector(network.to_vector(), shape)
    assert again.shape == shape
    for name in shape.blocks:
        np.testing.assert_array_equal(getattr(again, name), getattr(network, name))


def test_a_vector_of_another_length_is_refused():
    with pytest.raises(ValueError, match=r"must have 36 entries.*got shape \(33,\)"):
        Parameters.from_vector(np.zeros(33), SHAPES[1])
