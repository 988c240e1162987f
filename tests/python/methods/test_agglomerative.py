"""ReliableAgglomerative against SciPy's linkage, which merges one nearest pair at a time."""

from __future__ import annotations

import doctest
from collections.abc import Callable

import numpy as np
import pytest
from scipy.cluster import hierarchy
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics import adjusted_rand_score
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from shiftcut.methods import ReliableAgglomerative, _agglomerative

from ..data import blobs
from .groupings import separated_points

LINKAGES = ["single", "complete", "average", "ward"]


@parametrize_with_checks([ReliableAgglomerative(linkage=linkage) for linkage in LINKAGES])
def test_scikit_learn_check(
    estimator: ReliableAgglomerative, check: Callable[[ReliableAgglomerative], None]
) -> None:
    check(estimator)


@pytest.mark.parametrize("linkage", LINKAGES)
def test_the_tree_is_scipys(linkage: str) -> None:
    rng = np.random.default_rng(LINKAGES.index(linkage))
    for run in range(150):
        rows = rng.normal(size=(int(rng.integers(2, 60)), int(rng.integers(1, 5))))
        d = pdist(rows)
        expected = hierarchy.linkage(d, linkage)
        if run % 2:
            model = ReliableAgglomerative(1, linkage=linkage).fit(rows)
        else:
            model = ReliableAgglomerative(1, linkage=linkage, metric="precomputed").fit(
                squareform(d)
            )
        found = model.linkage_matrix_
        assert hierarchy.is_valid_linkage(found)
        assert hierarchy.is_monotonic(found)
        np.testing.assert_allclose(found[:, 2], expected[:, 2], rtol=1e-6)
        np.testing.assert_array_equal(found[:, [0, 1, 3]], expected[:, [0, 1, 3]])
        np.testing.assert_allclose(
            hierarchy.cophenet(found), hierarchy.cophenet(expected), rtol=1e-6
        )


@pytest.mark.parametrize("linkage", ["single", "complete", "average"])
def test_the_tree_is_scipys_on_distances_that_are_no_metric(linkage: str) -> None:
    rng = np.random.default_rng(9)
    for _ in range(100):
        d = rng.uniform(size=45 * 22)
        found = ReliableAgglomerative(1, linkage=linkage, metric="precomputed").fit(squareform(d))
        np.testing.assert_allclose(
            hierarchy.cophenet(found.linkage_matrix_),
            hierarchy.cophenet(hierarchy.linkage(d, linkage)),
        )


def test_worked_numbers() -> None:
    points = np.array([[0.0], [1], [3], [7], [12]])
    heights = {
        "single": [1, 2, 4, 5],
        "complete": [1, 3, 5, 12],
        "average": [1, 2.5, 5, 8.1666667],
        "ward": np.sqrt(2 * np.array([0.5, 4.1666667, 12.5, 80.0333333])),
    }
    for linkage, expected in heights.items():
        found = ReliableAgglomerative(linkage=linkage).fit(points).linkage_matrix_[:, 2]
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_clusters_by_round() -> None:
    model = ReliableAgglomerative(3).fit([[0.0], [1], [10], [11.5], [30], [32]])
    left = [6 - int((model.rounds_ <= round_).sum()) for round_ in (1, 2, 3)]
    assert left == [3, 2, 1]
    assert model.n_iter_ == 3
    assert model.labels_.tolist() == [0, 0, 1, 1, 2, 2]


def test_labels_follow_the_rounds_and_not_the_heights() -> None:
    # The far pair is mutual at once; the chain of five takes three rounds.
    points = np.array([[0.0], [1], [2.1], [3.3], [4.6], [100], [140]])
    model = ReliableAgglomerative(2, linkage="single").fit(points)
    assert model.labels_.tolist() == [0, 0, 0, 0, 0, 1, 1]
    before = ReliableAgglomerative(3, linkage="single").fit(points)
    by_height = hierarchy.fcluster(model.linkage_matrix_, 3, "maxclust")
    assert adjusted_rand_score(by_height, [0, 0, 0, 0, 0, 1, 2]) == 1
    assert adjusted_rand_score(before.labels_, [0, 0, 0, 0, 1, 2, 2]) == 1


@pytest.mark.parametrize("linkage", LINKAGES)
def test_squared_distances_give_squared_heights_to_ward_alone(linkage: str) -> None:
    points = blobs(60)
    plain = ReliableAgglomerative(3, linkage=linkage).fit(points)
    squared = ReliableAgglomerative(3, linkage=linkage, metric="sqeuclidean").fit(points)
    if linkage == "ward":
        np.testing.assert_allclose(
            squared.linkage_matrix_[:, 2], plain.linkage_matrix_[:, 2] ** 2, rtol=1e-6
        )
        np.testing.assert_array_equal(squared.labels_, plain.labels_)
    else:
        expected = hierarchy.linkage(pdist(points, "sqeuclidean"), linkage)
        np.testing.assert_allclose(squared.linkage_matrix_[:, 2], expected[:, 2], rtol=1e-6)


@pytest.mark.parametrize("linkage", ["complete", "average", "ward"])
def test_blobs_are_found(linkage: str) -> None:
    model = ReliableAgglomerative(3, linkage=linkage, n_jobs=2).fit(separated_points())
    assert adjusted_rand_score(np.arange(90) % 3, model.labels_) > 0.9


def test_one_object_is_a_cluster() -> None:
    model = ReliableAgglomerative(1).fit([[1.0, 2.0]])
    assert model.labels_.tolist() == [0]
    assert model.linkage_matrix_.shape == (0, 4)


def test_tags_tell_what_it_takes() -> None:
    assert get_tags(ReliableAgglomerative(metric="precomputed")).input_tags.pairwise
    assert not get_tags(ReliableAgglomerative()).input_tags.pairwise


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"linkage": "centroid"}, "found 'centroid'; allowed: single, .* not reducible"),
        ({"linkage": "nearest"}, "linkage: found 'nearest'; allowed: single"),
        ({"metric": "cosine"}, "metric: found 'cosine'"),
        ({"n_clusters": 0}, "n_clusters: found 0"),
        ({"n_clusters": 4}, "n_clusters: found 4; allowed: an int from 1 to n_samples=3"),
    ],
)
def test_parameters_that_make_no_sense(parameters: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        ReliableAgglomerative().set_params(**parameters).fit([[0.0], [1], [3]])


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        (np.ones((2, 3)), "must be square"),
        (np.array([[0.0, 1], [2, 0]]), "symmetric"),
        (np.array([[0.0, -1], [-1, 0]]), "found -1 between objects 0 and 1"),
    ],
)
def test_distances_that_make_no_sense(matrix: np.ndarray, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        ReliableAgglomerative(metric="precomputed").fit(matrix)


def test_the_examples_are_true() -> None:
    found = doctest.testmod(_agglomerative)
    assert (found.failed, found.attempted > 0) == (0, True)
