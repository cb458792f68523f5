"""The signs of rules, and which inputs may stand in one."""

import numpy as np
import pytest

from unfis.rules import Kinds, Trapezoid, Unknown
from unfis.search.constraints import Constraints, common_signs

RISING, FALLING = Trapezoid(0, 1.0, 2.0), Trapezoid(0, c=1.0, d=2.0)
BAND, OTHER = Trapezoid(0, 1.0, 2.0, 3.0, 4.0), Trapezoid(1, 0.0, 1.0)


@pytest.mark.parametrize(
    ("conditions", "sign"),
    [
        ([RISING], 1.0),
        ([FALLING], -1.0),
        ([BAND], np.nan),
        ([OTHER], -1.0),
        ([RISING, OTHER], np.nan),
        ([FALLING, OTHER], -1.0),
        ([Trapezoid(2, 0.0, 1.0, 2.0, 3.0)], 0.0),
        ([Trapezoid(2, 0.0, 1.0), RISING], 1.0),
        ([Unknown(0)], 0.0),
        ([Kinds(3, (0,)), FALLING], -1.0),
        ([BAND, RISING], np.nan),
        ([], 0.0),
    ],
)
def test_the_sign_of_a_rule(conditions, sign):
    found = Constraints({0: 1, 1: -1}).sign(conditions)
    np.testing.assert_equal(found, sign)


def test_the_common_signs_of_conditions():
    ones = np.array([0.0, 1.0, -1.0, np.nan])
    expected = [
        [0.0, 1.0, -1.0, np.nan],
        [1.0, 1.0, np.nan, np.nan],
        [-1.0, np.nan, -1.0, np.nan],
        [np.nan, np.nan, np.nan, np.nan],
    ]
    np.testing.assert_array_equal(common_signs(ones[:, None], ones[None]), expected)


def test_partners_of_inputs():
    free = Constraints()
    np.testing.assert_array_equal(free.partners([1], [0, 1, 2]), [0.0, np.nan, 0.0])
    groups = Constraints(groups=(frozenset((0, 1)), frozenset((1, 2)), frozenset((0, 2))))
    np.testing.assert_array_equal(groups.partners([0], [1, 2, 3]), [0.0, 0.0, np.nan])
    np.testing.assert_array_equal(groups.partners([0, 1], [2]), [np.nan])
