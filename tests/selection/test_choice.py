from dataclasses import replace

import numpy as np
import pytest
from selection.conftest import make_samples, make_task, squares

from unfis.learning.watch import Watch
from unfis.network import network_logits
from unfis.network.combination import MIXED_OUTPUTS
from unfis.selection import beginning
from unfis.selection import choice as choice_module
from unfis.selection.beginning import (
    RIDGES,
    SearchSpace,
    best_ridge,
    candidates,
    choose_size,
    compared_samples,
    lower,
)
from unfis.selection.choice import Point, cheapest, choose_path, price, share_of_part
from unfis.selection.families import (
    families_of,
    followed_in_time,
    followed_scorecards,
    split_families,
)
from unfis.selection.folds import fold_numbers
from unfis.selection.scoring import mean_and_error

SPACE = SearchSpace(None, 3, None, None, "linear", 0.001)


def point(parts, losses, rules=2, training_loss=0.0):
    stage = make_task(make_samples()).begin(rules)
    losses = np.array(losses)
    return Point(stage, parts, 1.0, training_loss, losses, losses < 1, np.nan)


def test_a_point_costs_its_loss_and_its_parts():
    weights = np.ones(2)
    assert price(point(8, [0.2, 0.4]), weights, 0.01) == pytest.approx(0.3 + 0.08)
    assert price(point(8, [0.2, 0.4]), weights, 0.0) == pytest.approx(0.3)


def test_a_point_is_no_better_on_new_rows_than_on_its_own():
    """Paths of the folds may find a good network of a size where the path of all rows lost it."""
    lost = point(8, [0.2, 0.4], training_loss=0.6)
    assert price(lost, np.ones(2), 0.0) == pytest.approx(0.6)


def test_of_points_that_cost_the_same_the_simplest_is_chosen():
    weights = np.ones(2)
    longer, shorter = point(6, [0.2, 0.4]), point(4, [0.2, 0.4])
    more_rules = point(4, [0.2, 0.4], rules=3)
    assert cheapest([more_rules, longer, shorter], weights, 0.0) is shorter
    # Whatever their last digits are: 0.1 + 0.2 is not 0.3.
    below = point(6, [0.3 - 1e-16, 0.3])
    assert cheapest([below, point(4, [0.1 + 0.2, 0.3])], weights, 0.0).parts == 4
    assert cheapest([below, point(4, [0.31, 0.3])], weights, 0.0) is below


def test_mean_and_error_by_hand():
    """Values 1 and 3, the second of weight 3: mean 2.5, variance 0.75, error sqrt(0.75 * 10/16)."""
    mean, error = mean_and_error(np.array([1.0, np.nan, 3.0]), np.array([1.0, 5.0, 3.0]))
    assert mean == 2.5
    assert error == pytest.approx(np.sqrt(0.75 * 10 / 16))
    assert np.isnan(mean_and_error(np.array([np.nan]), np.ones(1))).all()


def test_a_cross_validated_accuracy_is_a_share():
    """It came to 1.0000000000000004, and the model file that kept it was refused."""
    generator = np.random.default_rng(0)
    for rows in range(2, 200):
        hits, weights = np.ones(rows), generator.uniform(0.1, 3.0, size=rows)
        assert mean_and_error(hits, weights) == (1.0, 0.0)


def test_lower_is_by_so_many_standard_errors():
    low, weights = np.zeros(100), np.ones(100)
    noise = np.tile([-1.0, 1.0], 50)
    assert lower(low, noise + 0.21, weights, 2.0)
    assert not lower(low, noise + 0.19, weights, 2.0)
    # A rule more that says nothing changes last digits alone, all of them the same way.
    assert not lower(noise, noise + 2e-16, weights, 2.0)


def test_the_ridge_is_the_best_of_the_list():
    task = make_task(make_samples(rows=60))
    found = best_ridge(task, 1, RIDGES, 3)
    for ridge in RIDGES:
        assert found.loss <= best_ridge(task, 1, (ridge,), 0).loss + 1e-3


def test_the_choice_finds_the_inputs_that_matter_and_drops_the_noise():
    """A sum of two inputs is one scorecard of two numbers."""
    choice = choose_path(make_task(make_samples(rows=200, inputs=8)), SPACE)
    stage = choice.chosen.stage
    assert stage.rules == 1
    assert stage.in_consequent[:, :2].all()
    assert stage.in_consequent[:, 2:].sum() <= 2
    assert set(choice.seconds) == {"ridge", "path", "cross-validation"}


def test_the_choice_finds_rules_where_no_scorecard_can_be():
    choice = choose_path(make_task(squares()), SPACE)
    stage = choice.chosen.stage
    assert stage.rules > 1
    assert stage.condition[:, :2].any()
    held_out, _ = mean_and_error(choice.chosen.hits, choice.weights)
    assert held_out > 0.9


def numbers_tried(samples, monkeypatch):
    """The numbers of rules of which beginnings were made, of up to eight."""
    tried = []

    def recorded(task, n_rules, *others):
        tried.append(n_rules)
        return best_ridge(task, n_rules, *others)

    monkeypatch.setattr(beginning, "best_ridge", recorded)
    task = make_task(samples)
    found = candidates(task, replace(SPACE, max_rules=8), fold_numbers(samples, task.objective))
    assert found[0].n_rules == 1
    return sorted(tried)


def test_many_rules_are_tried_only_if_few_promise_to_be_better(monkeypatch):
    """Beside the scorecard, of which all others are judged by what they add."""
    assert numbers_tried(make_samples(rows=200), monkeypatch) == [2, 3]
    assert numbers_tried(squares(), monkeypatch)[:4] == [2, 3, 4, 5]


def test_several_rules_are_not_tried_where_it_would_take_long(monkeypatch):
    monkeypatch.setattr(beginning, "MOST_PRODUCTS_TRIED", 0)
    assert numbers_tried(squares(), monkeypatch) == []


def test_scorecards_are_beside_a_path_of_several_rules():
    choice = choose_path(make_task(squares()), SPACE)
    alone = [point.parts for point in choice.points if point.stage.rules == 1]
    several = [point.parts for point in choice.points if point.stage.rules > 1]
    assert 0 in alone
    assert len(set(alone)) == len(alone)
    assert several
    assert choice.chosen.stage.rules > 1
    named = choose_path(make_task(squares()), replace(SPACE, consequents="constant"))
    assert all(point.stage.rules > 1 for point in named.points if point.parts)


def test_scorecards_are_a_path_of_their_own():
    task = make_task(make_samples(inputs=4), ridge=0.3)
    folds = fold_numbers(task.samples, task.objective)
    found = followed_scorecards(task, SPACE, folds)
    assert found.scorecards is not None
    assert list(found.path) == [0, 1, 2, 3, 4]
    for parts, stage in found.path.items():
        assert stage.rules == 1
        assert task.parts(stage) == parts
    losses, hits = found.judged(list(found.path))
    assert losses.shape == hits.shape == (5, 120)
    assert losses[2].mean() < 0.5 * losses[0].mean()  # two inputs say what there is to say
    assert found.criterion == min(task.criterion(stage) for stage in found.path.values())
    short = followed_scorecards(task, replace(SPACE, max_conditions=2), folds)
    assert list(short.path) == [0, 1, 2]


def test_elimination_growth_and_splits_are_followed():
    task = make_task(squares(), ridge=0.3)
    folds = fold_numbers(task.samples, task.objective)
    firsts = candidates(task, SPACE, folds)
    families = families_of(firsts, SPACE)
    assert [family.n_rules > 0 for family in families] == [True] * (len(families) - 1) + [False]
    assert families[-1].card == 0
    cards = followed_scorecards(task, SPACE, folds)
    (split,) = split_families(cards, SPACE)
    assert split.n_rules == 0
    least = min(cards.path, key=lambda parts: task.criterion(cards.path[parts]))
    assert split.card == least
    # A network that looks at all inputs of many classes is not grown from nothing.
    targets = np.eye(6)[np.arange(400) % 6]
    many = firsts[0]._replace(task=make_task(squares()._replace(targets=targets)))
    assert families_of([many], SPACE) == []


def test_if_time_is_over_one_path_is_enough():
    class Over(Watch):
        def is_over(self, left_out=""):
            return True

    task = make_task(squares(), ridge=0.3, watch=Over())
    folds = fold_numbers(task.samples, task.objective)
    (found,) = followed_in_time(candidates(task, SPACE, folds), SPACE, folds)
    assert found.scorecards is not None


@pytest.mark.parametrize(("classes", "share"), [(2, 1), (3, 1), (5, 0.5), (9, 0.25)])
def test_a_part_of_many_classes_costs_less(classes, share, monkeypatch):
    """Each speaks for a small share of what there is to say."""
    told = []

    def cheapest_told(points, weights, tolerance):
        told.append(tolerance)
        return cheapest(points, weights, tolerance)

    monkeypatch.setattr(choice_module, "cheapest", cheapest_told)
    samples = make_samples(rows=90)._replace(targets=np.eye(classes)[np.arange(90) % classes])
    choose_path(make_task(samples), replace(SPACE, max_rules=1))
    assert told == [pytest.approx(0.001 * share)]


def test_a_part_costs_less_where_a_class_is_rare():
    """Of one row in sixty there is an eighth of the loss to save that there is of even classes."""
    rare, even = (np.eye(2)[(np.arange(600) % every == 0).astype(int)] for every in (60, 2))
    samples = make_samples(rows=600)
    shares = [share_of_part(make_task(samples._replace(targets=t))) for t in (rare, even)]
    assert shares == [pytest.approx(0.153, abs=0.002), 1.0]


def test_a_rare_class_is_looked_at_as_a_whole():
    samples = make_samples(rows=9000)
    targets = np.eye(2)[(np.arange(9000) % 90 == 0).astype(int)]
    compared, unseen = compared_samples(make_task(samples._replace(targets=targets)))
    assert unseen is None
    assert compared.targets[:, 1].sum() == 100
    assert len(compared.X) <= 2000
    assert compared.weights @ compared.targets[:, 1] / compared.weights.sum() == pytest.approx(
        1 / 90
    )


def test_what_is_held_out_is_not_seen():
    """Labels without any relation to the inputs: held out, no network can beat the class shares."""
    samples = make_samples(rows=100, inputs=8)
    guess = np.eye(2)[np.random.default_rng(5).permutation(np.arange(100) % 2)]
    choice = choose_path(make_task(samples._replace(targets=guess)), SPACE)
    for each in choice.points:
        assert mean_and_error(each.losses, choice.weights)[0] > 0.66


def test_number_of_rules_and_ridge_of_a_network_that_keeps_its_inputs():
    mixed = {"combination": MIXED_OUTPUTS}
    assert choose_size(make_task(make_samples(), **mixed), SPACE).n_rules == 2
    generator = np.random.default_rng(0)
    X = generator.uniform(-3, 3, size=(300, 2))
    bands = make_samples(300)._replace(X=X, targets=np.eye(2)[(X[:, 0] // 1 % 2).astype(int)])
    assert choose_size(make_task(bands, **mixed), SPACE).n_rules == 3  # two cannot do six bands
    fixed = SearchSpace(4, 3, None, 0.5, "linear", 0.001)
    assert choose_size(make_task(bands, **mixed), fixed).n_rules == 4


def test_of_very_many_rows_others_judge():
    """Networks of 2,000 rows are judged by rows that they have not looked at, and no folds."""
    task = make_task(squares(rows=7000))
    choice = choose_path(task, SPACE)
    assert choice.by == "other rows"
    assert len(choice.weights) >= 4000
    outputs = network_logits(choice.chosen.stage.parameters, task.samples.X)
    losses = task.objective.losses(outputs, task.samples.targets)
    held_out, error = mean_and_error(choice.chosen.losses, choice.weights)
    assert held_out == pytest.approx(losses.mean(), abs=4 * error)
    assert choice.chosen.stage.rules > 1
