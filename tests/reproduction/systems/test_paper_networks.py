"""Our own systems, and the paper's networks among them."""

from unfis.reproduction.systems import OURS
from unfis.reproduction.systems.paper_networks import SCALED
from unfis.reproduction.systems.tuned import TUNED_LEARNERS


def test_every_system_has_a_name_of_its_own():
    names = [system.name for system in OURS]
    assert len(names) == len(set(names))
    assert set(TUNED_LEARNERS) <= set(names)
    assert not any(system.missing for system in OURS)


def test_the_papers_configuration_is_what_is_called_printed():
    printed = OURS[0].build(7)
    assert printed.get_params()["scale"] is False
    assert (printed.initialisation, printed.n_rules, printed.ridge) == ("knn", 2, 0.0)
    assert printed.random_state == 7
    assert OURS[0].coded


def test_scaled_differs_by_the_scale_alone():
    systems = {system.name: system for system in OURS}
    for scaled, printed in zip(SCALED, OURS[:2], strict=True):
        assert systems[scaled].coded
        ours, theirs = (system.build(3).get_params() for system in (systems[scaled], printed))
        assert {key for key in ours if str(ours[key]) != str(theirs[key])} == {"scale"}
