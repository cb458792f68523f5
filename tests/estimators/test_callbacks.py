"""scikit-learn's callbacks, with a scikit-learn that has them and one that has not."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.datasets import load_iris

from unfis import SGD, UNFISNetworkClassifier

callback = pytest.importorskip("sklearn.callback", reason="scikit-learn is older than 1.9")
X, Y = load_iris(return_X_y=True, as_frame=True)


def test_scoring_monitor_sees_every_iteration():
    monitor = callback.ScoringMonitor(scoring="neg_log_loss")
    clf = UNFISNetworkClassifier(3, selection="soft", ridge=0.15).set_callbacks(monitor)
    clf.fit(X, Y, sample_weight=np.ones(150))
    rows = [row for row in monitor.get_logs().data if row["task_name"] == "iteration"]
    assert len(rows) == clf.n_iter_
    scores = [row["neg_log_loss"] for row in rows]
    assert scores[-1] > scores[0]


def test_progress_bar_reaches_the_end(capsys):
    UNFISNetworkClassifier().set_callbacks(callback.ProgressBar()).fit(X, Y)
    assert "100%" in capsys.readouterr().out


def test_a_callback_can_stop_the_training():
    class StopAtThree:
        def setup(self, estimator, context):
            self.seen = 0

        def teardown(self, estimator, context):
            self.torn_down = True

        def on_fit_task_begin(self, estimator, context):
            pass

        def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
            self.seen += 1
            assert fitted_estimator.predict_proba(X).shape == (150, 3)
            return self.seen == 3

    stop = StopAtThree()
    clf = UNFISNetworkClassifier(3, selection="soft", learner=SGD(max_iter=50)).set_callbacks(stop)
    clf.fit(X, Y)
    assert clf.n_iter_ == 3
    assert not clf.converged_
    assert stop.torn_down


def test_without_callbacks_nothing_else_changes():
    script = (
        "import sys\n"
        "import sklearn.preprocessing, sklearn.pipeline, sklearn.cluster\n"
        "from sklearn.datasets import load_iris\n"
        "sys.modules['sklearn.callback'] = None\n"
        "from unfis import UNFISNetworkClassifier\n"
        "X, y = load_iris(return_X_y=True)\n"
        "clf = UNFISNetworkClassifier().fit(X, y)\n"
        "assert not hasattr(clf, 'set_callbacks')\n"
        "print(clf.score(X, y))\n"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert float(result.stdout) > 0.95
