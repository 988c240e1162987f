"""Clusters that come out again in subsamples are separated from those that don't."""

from __future__ import annotations

import warnings
from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.datasets import load_iris, make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score

from shiftcut import ShiftcutWarning, ShiftedMinCut, stability
from shiftcut._stability import Stability, _agreement, _jaccard

FEW: dict[str, Any] = {"n_resamples": 8, "n_init": 3}


def four_blobs() -> tuple[Any, Any]:
    X, y = make_blobs(200, centers=4, n_features=3, random_state=3)
    return X, y


def quietly(*args: Any, **parameters: Any) -> Stability:  # noqa: ANN401
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ShiftcutWarning)
        return stability(*args, **{**FEW, **parameters})


@pytest.mark.filterwarnings("error::shiftcut.ShiftcutWarning")
def test_clear_clusters_are_stable_and_their_number_is_found() -> None:
    X, y = four_blobs()
    found = stability(X, range(2, 8), **FEW)
    assert found.n_clusters == found.best.asked == 4
    assert [one.asked for one in found.candidates] == [2, 3, 4, 5, 6, 7]
    assert found.agreement > 0.95
    assert found.recovery.shape == (4,)
    assert found.recovery.min() > 0.95
    assert found.support.min() > 0.5
    assert adjusted_rand_score(y, found.labels) > 0.95
    worse = found.candidates[-1]
    assert worse.agreement < found.agreement
    assert worse.weakest < 0.8


def test_moons_and_flowers_have_the_number_they_should() -> None:
    X, y = make_moons(300, noise=0.06, random_state=0)
    found = quietly(X, range(2, 8))
    assert found.n_clusters == 2
    assert adjusted_rand_score(y, found.labels) > 0.95
    assert quietly(load_iris().data, range(2, 8)).n_clusters in (2, 3)


@pytest.mark.parametrize("n_clusters", [None, 4, range(2, 6)])
def test_noise_is_unstable_and_a_warning_says_so(n_clusters: Any) -> None:  # noqa: ANN401
    X = np.random.default_rng(0).normal(size=(200, 6))
    with pytest.warns(ShiftcutWarning) as told:
        found = stability(X, n_clusters, **FEW)
    codes = {getattr(warning.message, "code", None) for warning in told}
    if n_clusters is None:
        assert found.n_clusters == 1
        assert found.agreement == 0
        assert codes == {"no_clusters"}
    else:
        assert {"unstable", "like_noise"} <= codes
        assert any("agree by 0." in str(warning.message) for warning in told)


def test_clusters_that_are_not_recovered_are_named() -> None:
    X, _ = four_blobs()
    with pytest.warns(
        ShiftcutWarning, match=r"do not recover \d of the \d clusters .*: \d \(0\."
    ) as told:
        found = stability(X, 9, random_state=1, **FEW)
    weak = [k for k, value in enumerate(found.recovery) if value < 0.6]
    text = next(str(w.message) for w in told if "do not recover" in str(w.message))
    assert all(f"{k} ({found.recovery[k]:.2f})" in text for k in weak[:8])


def jaccard_in_sets(labels: Any, found: Any, k: int) -> float:  # noqa: ANN401
    mine = set(np.flatnonzero(labels == k))
    others = [set(np.flatnonzero(found == j)) for j in np.unique(found)]
    return max(len(mine & other) / len(mine | other) for other in others)


def test_recovery_and_agreement_are_those_of_the_definition() -> None:
    random = np.random.default_rng(0)
    for _ in range(50):
        n, k = int(random.integers(2, 30)), int(random.integers(1, 6))
        labels, found = random.integers(0, k, n), random.integers(0, 4, n)
        values, nearest = _jaccard(labels.astype(np.int32), found.astype(np.int32), k)
        for one in range(k):
            if one in labels:
                assert values[one] == pytest.approx(jaccard_in_sets(labels, found, one))
                mine, other = labels == one, found == nearest[one]
                assert values[one] == pytest.approx((mine & other).sum() / (mine | other).sum())
            else:
                assert np.isnan(values[one])
                assert nearest[one] == -1
        drawn = np.where(random.uniform(size=(2, n)) < 0.7, [labels, found], -1).astype(np.int32)
        both = (drawn >= 0).all(axis=0)
        trivial = any(len(np.unique(row[both])) < 2 for row in drawn)
        expected = 0 if trivial else adjusted_rand_score(*drawn[:, both])
        assert _agreement(*drawn) == pytest.approx(expected)


def test_the_figures_are_those_of_fits_to_the_whole_if_only_seeds_differ() -> None:
    X, _ = four_blobs()
    found = quietly(X, 5, fraction=1, similarity="linear")
    assert found.recovery == pytest.approx(1, abs=0.4)
    assert not np.isnan(found.support).any()
    assert found.best.found == [found.n_clusters] * FEW["n_resamples"]


def same(one: Stability, other: Stability) -> bool:
    return (
        np.array_equal(one.labels, other.labels)
        and one.agreement == other.agreement
        and np.array_equal(one.recovery, other.recovery)
    )


def test_nothing_depends_on_the_number_of_jobs_but_on_the_seed() -> None:
    X, _ = four_blobs()
    one = quietly(X, [3, 6])
    assert same(one, quietly(X, [3, 6], n_jobs=3))
    assert one.candidates[1].agreement != quietly(X, [3, 6], random_state=1).candidates[1].agreement
    # The subsamples do not depend on what they are used for.
    assert one.candidates[1].agreement == quietly(X, [6]).agreement


def test_frames_and_sparse_rows_are_taken() -> None:
    X, _ = four_blobs()
    frame = pd.DataFrame(X, columns=list("abc"))
    assert same(quietly(frame, 4), quietly(X, 4))
    text = frame.assign(kind=np.where(X[:, 0] > X[:, 0].mean(), "u", "v"))
    text.loc[3, "a"] = None
    assert quietly(text, 4).labels.shape == (200,)
    assert quietly(sparse.csr_array(np.maximum(X, 0)), 3, metric="cosine").n_clusters == 3


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_matrices_are_subsampled_in_rows_and_columns(form: Any) -> None:  # noqa: ANN401
    X, y = four_blobs()
    kernel = np.exp(-cdist(X, X, "sqeuclidean") / 4)
    kernel[kernel < 0.01] = 0
    found = quietly(form(kernel), [2, 4, 7], similarity="precomputed")
    assert found.n_clusters == 4
    assert adjusted_rand_score(y, found.labels) > 0.95
    for parameters in ({"metric": "precomputed"}, {"similarity": "precomputed_distance"}):
        assert quietly(cdist(X, X), 4, **parameters).agreement > 0.8


def test_graphs_are_taken_with_their_names() -> None:
    graph = nx.karate_club_graph()
    found = quietly(graph, [2, 4], shift="degree")
    matrix = nx.to_scipy_sparse_array(graph)
    assert same(found, quietly(matrix, [2, 4], shift="degree", similarity="precomputed"))
    assert set(found.estimator.labels_by_name_) == set(graph)


def test_pairs_and_shifts_go_with_their_objects() -> None:
    X, _ = four_blobs()
    pairs = [[i, i + 1] for i in range(0, 60, 2)]
    found = quietly(X, 4, must_link=pairs, random_state=2)
    assert all(found.labels[one] == found.labels[other] for one, other in pairs)
    shift = np.full((200, 200), 0.2)
    as_number = quietly(X, 4, shift=0.2)
    assert quietly(X, 4, shift=shift).agreement == as_number.agreement
    assert quietly(X, 4, shift=sparse.csr_array(shift)).agreement == as_number.agreement


def test_bounds_on_sizes_hold_in_proportion() -> None:
    X, _ = four_blobs()
    found = quietly(X, 4, min_cluster_size=50, max_cluster_size=50)
    assert np.bincount(found.labels).tolist() == [50] * 4
    assert found.agreement > 0.8  # 40 in each, also where a subsample has 38 of them


def test_what_it_found_is_readable() -> None:
    X, _ = four_blobs()
    text = repr(quietly(X, [3, 4, None]))
    assert text.startswith("Stability over 8 subsamples of 80% of 200 objects\n")
    assert "<- selected" in text
    assert "recovery   weakest cluster" in text
    assert text.count("highly stable") == 4
    alone = repr(quietly(X, 4))
    assert "agreement 1.00 (1: identical, 0: chance)" in alone
    assert max(map(len, text.splitlines())) < 80


def test_pairs_of_subsamples_are_all_compared() -> None:
    X, _ = four_blobs()
    found = quietly(X, 6, n_resamples=5)
    assert len(list(combinations(range(5), 2))) == 10
    assert len(found.best.found) == 5
    assert 0 < found.best.spread < 1


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"n_clusters": 0}, "n_clusters: found 0; allowed: an int of 1 or more, None, or several"),
        ({"n_clusters": [2, 2.5]}, r"n_clusters: found 2\.5"),
        ({"n_clusters": "3"}, "n_clusters: found '3'"),
        ({"n_clusters": []}, "n_clusters: found none"),
        ({"n_clusters": [2, 2]}, r"n_clusters: found \[2, 2\]; allowed: each number once"),
        ({"n_clusters": 300}, "n_samples=200 should be >= n_clusters=300"),
        ({"n_resamples": 1}, "n_resamples: found 1; allowed: 2 or more"),
        ({"fraction": 0}, "fraction: found 0; allowed: above 0 and up to 1"),
        ({"fraction": 1.5}, r"fraction: found 1\.5"),
        ({"fraction": True}, "fraction: found True"),
        ({"scale": "robust"}, "'scale' parameter"),
    ],
)
def test_what_makes_no_sense_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        stability(four_blobs()[0], **given)


def test_few_objects_are_refused() -> None:
    with pytest.raises(ValueError, match="X: found 6 objects"):
        quietly(four_blobs()[0][:6], 2)


def test_the_model_is_that_of_a_fit() -> None:
    X, _ = four_blobs()
    found = quietly(X, 4)
    seed = found.estimator.random_state
    expected = ShiftedMinCut(4, n_init=3, random_state=seed).fit(X)
    np.testing.assert_array_equal(found.labels, expected.labels_)
    assert found.estimator.predict(X[:3]).shape == (3,)
