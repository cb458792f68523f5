"""The systems that the paper compares itself with, as classifiers of scikit-learn's kind.

Re-implemented from published descriptions: each file says what is certain, and what was chosen
where publications are silent. Inputs are numbers, taken as they are: scale them where that is
wanted.
"""

from unfis_paper.compared.almmo0 import ALMMo0Classifier
from unfis_paper.compared.efnhn import EFNHNClassifier
from unfis_paper.compared.efnn import EFNNClassifier
from unfis_paper.compared.efnn_null_uni import EFNNNullUniClassifier
from unfis_paper.compared.enfs_uni0 import ENFSUni0Classifier
from unfis_paper.compared.uninull_fnn import UNInullFNNClassifier

__all__ = [
    "ALMMo0Classifier",
    "EFNHNClassifier",
    "EFNNClassifier",
    "EFNNNullUniClassifier",
    "ENFSUni0Classifier",
    "UNInullFNNClassifier",
]
