"""A network that is seen as rules, for the tests of what still takes both."""

import unfis
from unfis import UNFISClassifier, UNFISNetworkClassifier
from unfis.estimators.predictor import RulePredictor


class RuleNetwork(UNFISNetworkClassifier, UNFISClassifier):
    """The network, asked through its rule base: views, explanations, edits."""

    costs = threshold = None
    rules_ = RulePredictor.rules_


def classifier(n_rules="auto", *, selection="decisive", **settings):
    """The estimator of rules that are selected so."""
    if selection == "decisive":
        return UNFISClassifier(n_rules, **settings)
    return RuleNetwork(n_rules, selection=selection, **settings)


def load(path):
    """The model of a file, a network seen as rules."""
    model = unfis.load(path)
    return model if isinstance(model, UNFISClassifier) else RuleNetwork.of_model(model.model_)
