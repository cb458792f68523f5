"""A network that is seen as averaged rules are, for the tests of what still takes both."""

from unfis import UNFISClassifier
from unfis.learning.epochs import GqLM
from unfis.model_file import read_model


class RuleNetwork(UNFISClassifier):
    """The network, asked through a rule base: views, explanations, edits."""

    costs = threshold = None

    def __init__(
        self,
        n_rules="auto",
        *,
        max_rules=None,
        selection="soft",
        consequents="linear",
        learner="trust-region",
        initialisation="k-means",
        scale=True,
        ridge="auto",
        class_weight=None,
        categorical_features="from_dtype",
        early_stopping=False,
        validation_fraction=0.1,
        warm_start=False,
        n_jobs=None,
        time_limit=None,
        random_state=None,
        verbose=False,
    ):
        given = {
            name: value for name, value in locals().items() if name not in ("self", "__class__")
        }
        vars(self).update(given)

    @classmethod
    def paper(cls, **overrides):
        paper = {"n_rules": 2, "learner": GqLM(), "initialisation": "knn", "scale": False}
        return cls(**{**paper, "ridge": 0.0, **overrides})

    @property
    def _before(self):
        return self.model_ if self.warm_start and hasattr(self, "model_") else None


def classifier(n_rules="auto", *, selection="decisive", **settings):
    """The estimator of rules that are selected so."""
    if selection == "decisive":
        return UNFISClassifier(n_rules, **settings)
    return RuleNetwork(n_rules, selection=selection, **settings)


def load(path):
    """The model of a file, a network seen as rules."""
    model = read_model(path)
    kind = UNFISClassifier if model.settings.selection == "decisive" else RuleNetwork
    return kind.of_model(model)
