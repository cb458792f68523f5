"""Which of very many samples are looked at."""

import numpy as np

from unfis.data.drawing import deduplicated, drawn, every_kth, is_rare
from unfis.data.samples import Samples


def made(rows, shares=(0.5, 0.5), seed=0):
    generator = np.random.RandomState(seed)
    codes = generator.choice(len(shares), rows, p=shares)
    weights = generator.uniform(0.5, 2.0, rows)
    return Samples(generator.normal(size=(rows, 3)), np.eye(len(shares))[codes], weights)


def test_same_samples_are_one_of_their_joint_weight():
    X = np.array([[1.0, np.nan], [0.0, 1.0], [1.0, np.nan], [1.0, np.nan]])
    targets = np.eye(2)[[0, 1, 0, 1]]
    found = deduplicated(Samples(X, targets, np.array([1.0, 2.0, 3.0, 5.0])))
    np.testing.assert_array_equal(found.X, [[0.0, 1.0], [1.0, np.nan], [1.0, np.nan]])
    np.testing.assert_array_equal(found.weights, [2.0, 5.0, 4.0])


def test_the_order_of_samples_does_not_count():
    one = made(500)
    order = np.random.RandomState(1).permutation(500)
    for some in (deduplicated, lambda table: drawn(table, 100)):
        first, second = some(one), some(one.part(order))
        ends = [np.lexsort(found.X.T) for found in (first, second)]
        np.testing.assert_array_equal(first.X[ends[0]], second.X[ends[1]])
        np.testing.assert_array_equal(first.weights[ends[0]], second.weights[ends[1]])


def test_nor_does_the_order_of_inputs():
    one = made(500)
    other = one._replace(X=one.X[:, ::-1])
    drawings = [drawn(table, 100) for table in (one, other)]
    np.testing.assert_array_equal(drawings[0].X, drawings[1].X[:, ::-1])


def test_few_samples_are_all_drawn():
    table = made(50)
    np.testing.assert_array_equal(drawn(table, 50).X, table.X)
    assert 45 <= len(drawn(table, 49).X) <= 50


def test_about_so_many_are_drawn_or_taken():
    table = made(5000)
    assert len(drawn(table, 400).X) == 400
    assert 380 <= len(every_kth(table, 400).X) <= 420


def test_of_a_rare_class_all_are_looked_at_and_weigh_as_they_do_among_all():
    table = made(20_000, (0.49, 0.49, 0.02))
    whole = table.weights @ table.targets
    for some in (drawn(table, 1000), every_kth(table, 1000)):
        assert some.targets[:, 2].sum() > 150
        part = some.weights @ some.targets
        np.testing.assert_allclose(part / part.sum(), whole / whole.sum(), rtol=1e-9)


def test_a_row_that_is_drawn_is_drawn_with_all_of_its_copies():
    table = made(300)
    twice = Samples(*(np.concatenate([part, part]) for part in table))
    found = drawn(twice, 100)
    assert len(found.X) == 100
    alone = {tuple(row): weight for row, weight in zip(table.X, table.weights, strict=True)}
    expected = [2 * alone[tuple(row)] for row in found.X]
    np.testing.assert_allclose(found.weights, expected)


def test_rare_is_less_than_a_fifth_of_an_even_share():
    assert is_rare(np.array([50, 41, 9])).tolist() == [False, False, False]
    assert is_rare(np.array([50, 45, 5])).tolist() == [False, False, True]
    assert is_rare(np.array([5, 95, 0])).tolist() == [True, False, False]
