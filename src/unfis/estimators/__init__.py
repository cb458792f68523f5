"""The classifier with scikit-learn's interface."""
