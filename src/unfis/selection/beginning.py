"""Networks of all inputs, from which elimination begins: how many rules, and how strong a prior.

Both are chosen by leave-one-out in closed form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from unfis.arrays import Array
from unfis.data.samples import Samples
from unfis.learning.leave_one_out import leave_one_out
from unfis.parallel import in_processes
from unfis.selection.folds import Folds, deduplicated, every_kth, is_rare
from unfis.selection.scorecards import Scorecards
from unfis.selection.scoring import mean_and_error
from unfis.selection.stage import Stage, Task
from unfis.ties import first_least, is_less

# Ridges that are tried, from the middle outwards as long as they predict better.
RIDGES = tuple(10.0 ** (exponent / 2) for exponent in range(-3, 4))
# Rows that a choice looks at: more do not make it better, only slower.
CHOICE_ROWS = 2000
# If so many others are left, or more, networks are judged by them, in place of folds.
ENOUGH_UNSEEN, MOST_UNSEEN = 4000, 6000
# Which share of a fit this is, of the time that it usually takes.
BEGINNING_SPAN = (0.0, 0.35)
# The number of rules that others must beat where one says nothing, or all.
USUAL_RULES = 2
# More rules than this are tried only if so few promise to be better than the usual number, and if
# there are as many samples as parameters.
FEW_RULES = 3
# Several rules of all inputs are tried only where an iteration takes no more products than this.
MOST_PRODUCTS_TRIED = 4e8
# By how many standard errors a number of rules must be better, and must at the first ridge for
# others to be tried.
CLEARLY, PROMISING = 2.0, 1.0


@dataclass(frozen=True)
class SearchSpace:
    """What the user leaves to the data (None, or a bound), and what not."""

    n_rules: int | None  # None to choose from 1 to `max_rules`
    max_rules: int  # most rules to choose from
    max_conditions: int | None  # most inputs in the IF and the THEN of a rule, None for no bound
    ridge: float | None  # None to choose
    consequents: str  # "linear" or "constant"
    tolerance: float  # how much cross-validated loss it may cost to be rid of a part
    n_jobs: int | None = None  # how many processes share the work, None for this one alone

    @property
    def numbers(self) -> Sequence[int]:
        """The numbers of rules to choose from."""
        return range(1, self.max_rules + 1) if self.n_rules is None else (self.n_rules,)

    def longest(self, task: Task) -> int:
        """The most inputs in the IF and the THEN of a rule."""
        return self.max_conditions or 2 * len(task.inputs)

    @property
    def has_scorecards(self) -> bool:
        """Whether a single rule may be chosen, and have something to say."""
        return self.consequents == "linear" and 1 in self.numbers

    @property
    def most_rules(self) -> int:
        """The most of them."""
        return self.numbers[-1]

    @property
    def ridges(self) -> Sequence[float]:
        """The ridges to choose from."""
        return RIDGES if self.ridge is None else (self.ridge,)


def choose_size(task: Task, space: SearchSpace) -> Beginning:
    """The number of rules and the ridge of a network that keeps all its inputs."""
    task = replace(task, samples=compared_samples(task)[0], consequents=space.consequents)
    found = sorted(candidates(task, space, None), key=lambda first: first.n_rules)
    return found[first_least([first.loss for first in found])]


class Beginning(NamedTuple):
    """The network of all inputs at the ridge that suits it."""

    task: Task
    stage: Stage
    n_rules: int
    losses: Array  # of each sample left out, (samples,)
    loss: float  # their mean


def compared_samples(task: Task) -> tuple[Samples, Samples | None]:
    """Different samples, and not too many; of very many also others to judge by, else None.

    A rare stratum is looked at as a whole, which leaves no others of it.
    """
    samples = deduplicated(task.samples)
    compared, others = every_kth(samples, task.objective, CHOICE_ROWS)
    counts = task.objective.strata(samples.targets).sum(axis=0)
    if len(others.X) < ENOUGH_UNSEEN or is_rare(counts).any():
        return compared, None
    return compared, every_kth(others, task.objective, MOST_UNSEEN)[0]


def candidates(task: Task, space: SearchSpace, folds: Folds) -> list[Beginning]:
    """Beginnings with the usual number of rules, and with others if they are clearly better.

    One rule is a scorecard, if it is averaged with none; of rules that name classes, or that are
    mixed, two are the least that have anything to decide between. Another number must have a
    clearly lower leave-one-out loss, and many rules are tried only if few promise one.
    """
    scorecards = task.combination.has_otherwise and space.has_scorecards
    usual_number = 1 if scorecards else USUAL_RULES
    task.watch.begin("number of rules", BEGINNING_SPAN)
    usual, *others = sorted(space.numbers, key=lambda n_rules: abs(n_rules - usual_number))
    if scorecards:
        first = best_scorecard(task, space.ridges, folds)
        others = [n for n in others if task.work(n) <= MOST_PRODUCTS_TRIED]
    else:
        first = best_ridge(task, usual, space.ridges, len(space.ridges) // 2)
    middle = space.ridges.index(first.task.ridge)
    to_beat: Beginning | None = first
    if space.consequents == "constant":
        # They have little but their sets, which a single sample may decide under a weak prior: one
        # ridge then says nothing of the others, and each number looks for its own.
        middle, to_beat = len(space.ridges) // 2, None
    few = [n for n in others if n <= FEW_RULES]
    rivals = tried_numbers(task, space, space.ridges, middle, to_beat, few)
    if clearer(rivals, first, PROMISING):
        most = len(task.samples.X) // task.parameters_per_rule
        more = [n for n in others if FEW_RULES < n <= most]
        rivals += while_better(task, space, to_beat, more, rivals)
    task.watch.is_over("more numbers of rules")
    return [first, *clearer(rivals, first, CLEARLY)]


def while_better(
    task: Task,
    space: SearchSpace,
    to_beat: Beginning | None,
    numbers: Sequence[int],
    rivals: Sequence[Beginning],
) -> list[Beginning]:
    """Beginnings with ever more rules, two numbers at a time, until none of both is better.

    At the ridge of the best of few, unless each number looks for its own, with nothing to beat.
    """
    found: list[Beginning] = []
    best = rivals[int(first_least([rival.loss for rival in rivals]))]
    ridges = space.ridges if to_beat is None else (best.task.ridge,)
    for start in range(0, len(numbers), 2):
        two = numbers[start : start + 2]
        tried = tried_numbers(task, space, ridges, len(ridges) // 2, to_beat, two)
        found += tried
        better = [one for one in tried if is_less(one.loss, best.loss)]
        if not better:
            break
        best = better[int(first_least([one.loss for one in better]))]
    return found


def tried_numbers(
    task: Task,
    space: SearchSpace,
    ridges: Sequence[float],
    middle: int,
    to_beat: Beginning | None,
    numbers: Sequence[int],
) -> list[Beginning]:
    """Beginnings with these numbers of rules, each at the ridge that suits it, while time lasts."""
    most = space.most_rules

    def tell(done: int) -> None:
        number = numbers[done - 1]
        task.watch.report(number / most, f"number of rules, {number} of at most {most}")

    works = [partial(ridge_in_time, task, n, ridges, middle, to_beat) for n in numbers]
    # To start processes takes seconds, which nobody has who is late already.
    n_jobs = None if task.watch.is_over() else space.n_jobs
    found = in_processes(works, n_jobs, tell)
    # What comes from another process has a watch that is silent.
    return [
        one._replace(task=replace(one.task, watch=task.watch)) for one in found if one is not None
    ]


def clearer(rivals: Sequence[Beginning], first: Beginning, errors: float) -> list[Beginning]:
    """Those that are better than the first by so many standard errors."""
    weights = first.task.samples.weights
    return [rival for rival in rivals if lower(rival.losses, first.losses, weights, errors)]


def ridge_in_time(task: Task, *given: Any) -> Beginning | None:
    """What `best_ridge` finds, None if time is over before it begins."""
    return None if task.watch.is_over() else best_ridge(task, *given)


def best_ridge(
    task: Task, n_rules: int, ridges: Sequence[float], middle: int, to_beat: Beginning | None = None
) -> Beginning:
    """The ridge with the least leave-one-out loss, sought from one of the list outwards.

    Not sought if the first one does not promise to become clearly better than what is to beat.
    """

    def tried(ridge: float, before: Beginning | None) -> Beginning:
        own = replace(task, ridge=ridge)
        stage, _, problem, vector = own.trained(before.stage if before else task.begin(n_rules))
        losses = leave_one_out(problem, vector).losses
        mean, _ = mean_and_error(losses, problem.weights)
        return Beginning(own, stage, n_rules, losses, mean)

    best = tried(ridges[middle], None)
    weights = task.samples.weights
    if to_beat and not lower(best.losses, to_beat.losses, weights, PROMISING):
        return best
    return sought_outwards(best, tried, ridges, middle)


def best_scorecard(task: Task, ridges: Sequence[float], folds: Folds) -> Beginning:
    """The scorecard of all inputs at the ridge with the least leave-one-out loss."""
    says: dict[float, Array] = {}

    def tried(ridge: float, before: Beginning | None) -> Beginning:
        cards = Scorecards(replace(task, ridge=ridge), folds)
        losses, mean, says[ridge] = cards.left_out(says[before.task.ridge] if before else None)
        return Beginning(cards.task, task.begin(1), 1, losses, mean)

    middle = len(ridges) // 2
    return sought_outwards(tried(ridges[middle], None), tried, ridges, middle)


def sought_outwards(
    best: Beginning,
    tried: Callable[[float, Beginning | None], Beginning],
    ridges: Sequence[float],
    middle: int,
) -> Beginning:
    """The first beginning, or a better one at another ridge: smaller ones, and then larger ones."""
    for outward in (ridges[:middle][::-1], ridges[middle + 1 :]):
        found = best
        for ridge in outward:
            if found.task.watch.is_over():
                break
            candidate = tried(ridge, found)
            if not is_less(candidate.loss, found.loss):
                break
            found = candidate
        if found is not best:
            return found
    return best


def lower(losses: Array, others: Array, weights: Array, errors: float) -> bool:
    """Whether losses are lower than others, sample by sample, by so many standard errors."""
    gain, error = mean_and_error(others - losses, weights)
    return is_less(errors * error, gain)
