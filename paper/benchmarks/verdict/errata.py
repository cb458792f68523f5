"""What is wrong in print, each with the test that shows it, or with the numbers."""

from __future__ import annotations

from unfis_paper.reproduction.paper import ACCURACY, CHARACTERISTICS
from verdict.comparison import ComparedRuns
from verdict.paper_means import best_compared, printed_mean

# What, and the test of tests/paper that the print fails and its correction passes.
ERRATA = (
    (
        "soft-max without its exponentials, eq. `output`",
        "test_errata.py::test_output_as_printed_is_no_probability",
    ),
    (
        "sign and factor of the off-diagonal derivatives, eqs. j2 to j4",
        "test_errata.py::test_each_printed_derivative_is_wrong",
    ),
    (
        "sign of the antecedent part of the derivative by s, eq. j2",
        "test_errata.py::test_each_printed_derivative_is_wrong",
    ),
    ("the bias selected in eq. j1", "test_errata.py::test_each_printed_derivative_is_wrong"),
    (
        "epsilon dropped from the derivatives, eqs. j1 to j4",
        "test_errata.py::test_epsilon_matters_where_mu_underflows",
    ),
    (
        "the factor 1/2 lost between eqs. lm5 and lm7",
        "test_gqlm.py::test_eq_lm7_drops_a_factor_of_one_half",
    ),
    (
        "C lambda, not lambda, is GqLM's damping, eq. lm8",
        "test_gqlm.py::test_gqlm_is_algorithm_1_to_the_letter",
    ),
    (
        "Lemma 2 without 1 + epsilon",
        "test_lemmas.py::test_lemma_2_slope_has_the_factor_one_plus_epsilon",
    ),
)


def errata(recorded: ComparedRuns) -> list[str]:
    """The equations, then the tables and the text about them."""
    best, accuracy = best_compared("HAB")
    fnn, unfis = (printed_mean(ACCURACY, "HAB", system) for system in ("FNN", "UNFIS"))
    _, train, test, _ = CHARACTERISTICS["AUT"]
    inputs = [features for features, *_ in CHARACTERISTICS.values()]
    return [
        *(f"- {what} (tests/paper/{test})." for what, test in ERRATA),
        '- "AUC" is balanced accuracy by its formula; both are above.',
        "- The deviation 0.1402 of UNFIS' AUC on AUT, where 0.0140 is likely meant.",
        f"- The text has UNFIS second on HAB and above FNN everywhere; the table has {best} "
        f"{accuracy:.2f}, FNN {fnn:.2f}, UNFIS {unfis:.2f}.",
        f"- The text speaks of 6 sets with 3 to 13 inputs; the table has {len(inputs)} with "
        f"{min(inputs)} to {max(inputs)}.",
        f"- AUT: the printed {train} + {test} rows are {train + test}, the file has 1054. 18 "
        "inputs are only reached with the case number and the score, and the class is `score > 3`; "
        "without both the class is still a threshold of the sum of ten inputs.",
    ]
