"""The nested hierarchy of clusterings: levels, linkage and the tree."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.cluster import hierarchy
from sklearn.datasets import load_digits, make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.metrics import adjusted_rand_score

from shiftcut import ShiftedMinCut

from .data import blobs


def refines(fine: np.ndarray[Any, Any], coarse: np.ndarray[Any, Any]) -> bool:
    """Whether every cluster of `fine` is within one of `coarse`."""
    return len(np.unique(np.column_stack([fine, coarse]), axis=0)) == len(np.unique(fine))


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(2, 80),
    k=st.none() | st.integers(1, 8),
    shift=st.sampled_from([None, "adaptive", "degree", "none", 0.05]),
    repeats=st.booleans(),
    seed=st.integers(0, 999),
)
def test_levels_are_nested_and_hold_the_fit(
    n: int, k: int | None, shift: str | float | None, repeats: bool, seed: int
) -> None:
    points = blobs(n, 3, 4, seed)
    if repeats:
        points = points[np.random.default_rng(seed).integers(0, n, n)]
    model = ShiftedMinCut(
        None if k is None else min(k, n), similarity="neighbors", shift=shift, random_state=0
    ).fit(points)
    merges = model.linkage_
    assert merges.shape == (n - 1, 4)
    assert hierarchy.is_valid_linkage(merges, throw=True)
    assert hierarchy.is_monotonic(merges)
    assert (np.diff(merges[:, 2]) > 0).all()
    assert np.array_equal(model.labels_at(model.n_clusters_), model.labels_)
    coarser = np.zeros(n, dtype=np.int32)
    for count in range(1, n + 1):
        labels = model.labels_at(count)
        sizes = np.bincount(labels)
        assert len(sizes) == count
        assert refines(labels, coarser)
        if count != model.n_clusters_:
            assert (np.diff(sizes) <= 0).all()
            cut = hierarchy.fcluster(merges, count, criterion="maxclust")
            assert adjusted_rand_score(labels, cut) == pytest.approx(1)
        coarser = labels


def test_scipy_takes_the_linkage() -> None:
    model = ShiftedMinCut(random_state=0).fit(blobs(60))
    drawn = hierarchy.dendrogram(model.linkage_, no_plot=True)
    assert sorted(drawn["leaves"]) == list(range(60))
    cuts = hierarchy.cut_tree(model.linkage_, n_clusters=[2, 3, 7])
    for column, count in enumerate((2, 3, 7)):
        assert adjusted_rand_score(cuts[:, column], model.labels_at(count)) == 1


def test_planted_levels_are_found() -> None:
    """Three groups of three."""
    rng = np.random.default_rng(1)
    coarse = np.repeat(np.arange(3), 120)
    fine = np.repeat(np.arange(9), 40)
    far = np.array([[0, 0], [60, 0], [0, 60]])[coarse]
    near = 9 * np.array([[0, 0], [1, 0], [0, 1]])[fine % 3]
    points = far + near + rng.normal(size=(360, 2))
    for k in (None, 3, 9, 5):
        model = ShiftedMinCut(k, random_state=0).fit(points)
        if model.n_clusters_ <= 3:
            assert adjusted_rand_score(coarse, model.labels_at(3)) == 1
        if model.n_clusters_ != 5:
            assert adjusted_rand_score(fine, model.labels_at(9)) > 0.99


def test_digits_at_ten_clusters() -> None:
    digits = load_digits()
    for k, least in ((5, 0.6), (20, 0.75)):  # 0.66 and 0.82; with 10 clusters asked for 0.84
        model = ShiftedMinCut(k, random_state=0).fit(digits.data)
        assert adjusted_rand_score(digits.target, model.labels_at(10)) > least


def test_must_links_hold_at_every_level() -> None:
    points = blobs(50)
    must = [[0, 1], [1, 2], [10, 40]]
    model = ShiftedMinCut(3, must_link=must, random_state=0).fit(points)
    for count in range(1, 48):
        labels = model.labels_at(count)
        assert all(labels[a] == labels[b] for a, b in must)


def test_graphs_in_pieces_and_without_edges() -> None:
    pieces = sparse.block_diag([np.ones((5, 5)) - np.eye(5)] * 4).tocsr()
    model = ShiftedMinCut(similarity="precomputed", random_state=0).fit(pieces)
    assert model.n_clusters_ == 4
    assert refines(model.labels_at(5), model.labels_)
    assert refines(model.labels_, model.labels_at(2))
    empty = ShiftedMinCut(similarity="precomputed", shift="none", random_state=0)
    empty.fit(sparse.csr_array((6, 6)))
    assert hierarchy.is_valid_linkage(empty.linkage_)


def test_threads_agree_and_copies_keep_what_is_known() -> None:
    points, _ = make_blobs(500, 5, centers=6, random_state=0)
    one = ShiftedMinCut(random_state=0).fit(points)
    two = ShiftedMinCut(random_state=0, n_jobs=2).fit(points)
    assert np.array_equal(one.linkage_, two.linkage_)
    assert np.array_equal(pickle.loads(pickle.dumps(one)).labels_at(9), one.labels_at(9))
    bare = pickle.loads(pickle.dumps(ShiftedMinCut(random_state=0).fit(points)))
    with pytest.raises(ValueError, match="X is needed"):
        bare.labels_at(9)
    assert np.array_equal(bare.labels_at(9, points), one.labels_at(9))
    again = copy.deepcopy(one).fit(points[:100])
    assert len(again.linkage_) == 99


def test_what_has_no_levels_is_refused() -> None:
    points = blobs(30)
    with pytest.raises(NotFittedError):
        ShiftedMinCut().labels_at(3)
    model = ShiftedMinCut(3, random_state=0).fit(points)
    for bad in (0, 31):
        with pytest.raises(ValueError, match="allowed: 1 to 30"):
            model.labels_at(bad)
    with pytest.raises(TypeError, match="must be an int"):
        model.labels_at(2.5)  # type: ignore[arg-type]
    linear = ShiftedMinCut(3, similarity="linear", random_state=0).fit(points)
    with pytest.raises(ValueError, match="levels: found linear similarities"):
        linear.labels_at(4)
    weighted = ShiftedMinCut(3, random_state=0).fit(points, sample_weight=[0] + [1] * 29)
    with pytest.raises(ValueError, match="rows of weight 0"):
        weighted.labels_at(4)
