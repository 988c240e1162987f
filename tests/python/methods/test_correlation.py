"""CorrelationClustering: its cost against the definition, its search against all groupings."""

from __future__ import annotations

import doctest
from collections.abc import Callable

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from shiftcut import ShiftedMinCut
from shiftcut.methods import CorrelationClustering, _correlation, cut_cost

from ..data import Floats
from .groupings import Ints, groupings, separated_points

THREE = np.array([[0, 2, -1], [2, 0, 3], [-1, 3, 0]], dtype=float)


@parametrize_with_checks([CorrelationClustering(), CorrelationClustering(affinity="rbf")])
def test_scikit_learn_check(
    estimator: CorrelationClustering, check: Callable[[CorrelationClustering], None]
) -> None:
    check(estimator)


def plain_cost(x: Floats, labels: Ints) -> float:
    together = labels[:, None] == labels
    return float(np.where(together, abs(x) - x, abs(x) + x).sum() / 2)


def signed(n: int, rng: np.random.Generator) -> Floats:
    x = np.triu(rng.normal(size=(n, n)))
    return np.asarray(x + x.T)


def test_worked_numbers() -> None:
    numbers = {(0, 0, 1): (4, 6), (0, 1, 1): (2, 4), (0, 0, 0): (0, 2), (0, 1, 2): (8, 10)}
    for labels, (cut, correlation) in numbers.items():
        assert cut_cost(THREE, labels, "min_cut") == cut
        assert plain_cost(THREE, np.array(labels)) == correlation
    model = CorrelationClustering(affinity="precomputed", random_state=0).fit(THREE)
    assert model.labels_.tolist() == [0, 0, 0]
    assert (model.cost_, model.disagreements_, model.threshold_) == (2, 1, 0)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("threshold", [None, 0.4, -0.4])
def test_it_finds_the_best_of_all_groupings(
    form: Callable[[Floats], object], threshold: float | None
) -> None:
    rng = np.random.default_rng(1)
    for n in (1, 2, 5, 6, 7, 8):
        x = signed(n, rng) * (rng.uniform(size=(n, n)) < 0.7)
        x = np.asarray(x + x.T)
        shifted = x - (threshold or 0)
        lowest = [
            min(plain_cost(shifted, labels) for labels in groupings(n, k)) for k in range(1, n + 1)
        ]
        for k in (None, 1, min(3, n)):
            model = CorrelationClustering(
                k, threshold=threshold, affinity="precomputed", n_init=30, random_state=0
            ).fit(form(x))
            best = min(lowest[:k])
            assert model.cost_ == pytest.approx(best, abs=1e-9)
            assert plain_cost(shifted, model.labels_) == pytest.approx(best, abs=1e-9)
            diagonal = abs(np.diag(shifted)) - np.diag(shifted)
            assert model.disagreements_ == pytest.approx(best / 2 - diagonal.sum() / 4, abs=1e-9)


def test_it_is_the_shifted_min_cut_without_a_shift() -> None:
    x = signed(40, np.random.default_rng(2))
    model = CorrelationClustering(affinity="precomputed", random_state=3).fit(x)
    other = ShiftedMinCut(similarity="precomputed", shift="none", random_state=3).fit(x)
    np.testing.assert_array_equal(model.labels_, other.labels_)
    assert model.cost_ == pytest.approx(other.cost_ + (abs(x) + x).sum() / 2)
    assert model.cost_ == pytest.approx(
        cut_cost(x, model.labels_, "min_cut") + (abs(x) - x).sum() / 2
    )


@pytest.mark.parametrize("affinity", ["linear", "rbf", "neighbors"])
def test_rows_are_told_apart_at_their_mean_similarity(affinity: str) -> None:
    points = separated_points()
    model = CorrelationClustering(3, affinity=affinity, gamma=0.05, random_state=0).fit(points)
    assert adjusted_rand_score(np.arange(90) % 3, model.labels_) > 0.9
    assert model.threshold_ > 0


def test_threads_do_not_change_the_answer() -> None:
    x = signed(60, np.random.default_rng(4))
    models = [
        CorrelationClustering(affinity="precomputed", random_state=5, n_jobs=jobs).fit(x)
        for jobs in (1, 2, 7)
    ]
    for model in models[1:]:
        np.testing.assert_array_equal(model.labels_, models[0].labels_)
        assert model.cost_ == models[0].cost_


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"threshold": np.inf}, "threshold: found inf"),
        ({"threshold": "mean"}, "threshold: found 'mean'"),
        ({"n_clusters": 4}, "n_clusters: found 4; allowed: an int from 1 to n_samples=3"),
        ({"n_clusters": 0}, "n_clusters: found 0"),
        ({"n_init": 0}, "n_init: found 0"),
    ],
)
def test_parameters_that_make_no_sense(parameters: dict[str, object], words: str) -> None:
    model = CorrelationClustering(affinity="precomputed").set_params(**parameters)
    with pytest.raises(ValueError, match=words):
        model.fit(THREE)


def test_the_examples_are_true() -> None:
    found = doctest.testmod(_correlation)
    assert (found.failed, found.attempted > 0) == (0, True)
