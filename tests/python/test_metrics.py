"""The scores are scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as theirs

from shiftcut import metrics


@pytest.mark.parametrize("seed", range(5))
def test_scores_equal_those_of_scikit_learn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 5, 200)
    labels = np.where(rng.random(200) < 0.6, truth, rng.integers(0, 7, 200))
    found = metrics.scores(truth, labels)
    expected = {
        "ami": theirs.adjusted_mutual_info_score(truth, labels),
        "ami_max": theirs.adjusted_mutual_info_score(truth, labels, average_method="max"),
        "ari": theirs.adjusted_rand_score(truth, labels),
        "v_measure": theirs.v_measure_score(truth, labels),
        "homogeneity": theirs.homogeneity_score(truth, labels),
        "completeness": theirs.completeness_score(truth, labels),
    }
    assert found == pytest.approx(expected, abs=1e-12)
    for name, value in expected.items():
        assert getattr(metrics, name)(truth, labels) == pytest.approx(value, abs=1e-12)


def test_labels_may_be_words_or_any_numbers() -> None:
    words = ["a", "a", "b", "b"]
    assert metrics.ami_max(words, [10**12, 10**12, -1, -1]) == pytest.approx(1)
    assert metrics.ari(words, [0.5, 0.5, 0.5, 0.25]) < 1


def test_bad_labels_are_refused() -> None:
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        metrics.scores([0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="NaN"):
        metrics.scores([0, np.nan], [0, 1])
    with pytest.raises(ValueError, match="1d array"):
        metrics.scores([[0, 1], [1, 0]], [0, 1])
