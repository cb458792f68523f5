"""Every tuned number of the search, with what was measured."""

from __future__ import annotations

from dataclasses import dataclass

from unfis.objective import Objective


@dataclass(frozen=True)
class Limits:
    """The tuned numbers. They were tuned on the tables of `benchmarks/tuning_tables.py`."""

    # Rows and bins.
    search_rows: int = 6_000  # more are drawn from; points are found on all
    fine_bins: int = 200  # of an input: where borders may lie in the end
    coarse_bins: int = 16  # of an input: where they are looked for first
    crisp_values: int = 30  # an input with no more values has a border at each of them
    # What a condition must earn beyond its points, in nats. Half of what the best of its family
    # gains by chance on 1,000 rows of noise (shoulders 1.8, sharp 2.0, slopes 0.5 to 1.2, bands
    # 2.6) predicts best: on 120 rows 1 nat is 0.4 points better than 2, with 9 rules for 7. Slopes
    # cost as much as shoulders: for 0.5 they predict as well, and 3 rules a row hold partly, not 1.
    shoulder_price: float = 1.0
    sharp_price: float = 2.0
    band_price: float = 3.0
    unknown_price: float = 0.7
    two_values_price: float = 0.5
    second_price: float = 3.0  # of a condition that is added to a rule
    boxes_price: float = 4.0  # of two at once, beside the logarithm of how many were compared
    # Rules.
    least_rows: float = 4.0  # that a rule must hold for, and not hold for
    narrowest_edge: float = 0.02  # of the rows, less in the tails
    ridge: float = 0.3  # of the search; 1 is 0.7 points worse on 120 rows
    ridges: tuple[float, ...] = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0)  # tried on the finished path
    usual_rules: int = 10  # to four classes: where a ridge is chosen, and the choice begins
    usual_rules_of_numbers: int = 15
    usual_rules_a_class: int = 4  # of more classes
    longest: float = 2.0  # times the usual length
    patience: int = 4  # rules beyond the usual length by which folds gain nothing: the end
    polish_every: int = 8  # rules: then all borders are moved again
    extend_every: int = 2  # rules: then conditions are added to rules (each time: as good)
    screen_every: int = 4  # rules: then two conditions at once are looked for
    screen_inputs: int = 64  # of more inputs no two are looked for at once
    screen_bins: int = 6
    # The choice of a length.
    folds: int = 5
    clear: float = 2.0  # standard errors that make a difference between lengths clear
    # Whole points.
    most_points: int = 9
    lost_by_points: float = 0.5  # nats that rounding may cost a rule

    def usual(self, objective: Objective) -> int:
        """The usual length of a model."""
        if objective.link == "identity":
            return self.usual_rules_of_numbers
        if objective.outputs > 4:
            return self.usual_rules_a_class * objective.outputs
        return self.usual_rules
