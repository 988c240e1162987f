"""Bounds on the sizes of clusters."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import load_digits

from shiftcut import Feedback, ShiftedMinCut

from .data import blobs

ROOT = Path(__file__).resolve().parent.parent.parent
UCI = ROOT.parent / "shared" / "data" / "uci"

Labels = npt.NDArray[np.int64]


def groupings(n: int) -> Iterator[list[int]]:
    """All partitions of n objects, clusters numbered in the order of their first objects."""
    labels = [0] * n

    def place(i: int, used: int) -> Iterator[list[int]]:
        if i == n:
            yield labels
            return
        for k in range(used + 1):
            labels[i] = k
            yield from place(i + 1, max(used, k + 1))

    yield from place(0, 0)


def is_possible(n: int, k: int | None, least: int | None, most: int | None) -> bool:
    fewest = 1 if most is None else -(-n // most)
    largest = n // (least or 1)
    numbers = [k] if k is not None and least is not None else range(1, (k or n) + 1)
    return any(fewest <= m <= largest for m in numbers) and (
        least is None or most is None or least <= most
    )


def keeps(model: ShiftedMinCut, k: int | None, least: int | None, most: int | None) -> bool:
    sizes = np.bincount(model.labels_)
    return (
        sizes.min() >= (least or 1)
        and sizes.max() <= (most or len(model.labels_))
        and (k is None or len(sizes) <= k)
        and (k is None or least is None or len(sizes) == k)
    )


def cost(similarity: npt.NDArray[np.float64], labels: npt.ArrayLike) -> float:
    together = np.equal.outer(np.asarray(labels), np.asarray(labels))
    return -float(similarity[together].sum())


BOUND = st.none() | st.integers(1, 9)


@settings(max_examples=150, deadline=None)
@given(
    n=st.integers(2, 7),
    k=st.none() | st.integers(1, 7),
    least=BOUND,
    most=BOUND,
    shift=st.sampled_from(["adaptive", "none", 0.3]),
    seed=st.integers(0, 2**16),
)
def test_small_matrices_reach_the_best_grouping_or_are_refused(
    n: int, k: int | None, least: int | None, most: int | None, shift: str | float, seed: int
) -> None:
    half = np.random.default_rng(seed).normal(size=(n, n))
    matrix = half + half.T
    model = ShiftedMinCut(
        k,
        similarity="precomputed",
        shift=shift,
        min_cluster_size=least,
        max_cluster_size=most,
        random_state=0,
    )
    if (k or 1) > n:
        return
    if not is_possible(n, k, least, most):
        with pytest.raises(ValueError, match="cluster_size"):
            model.fit(matrix)
        return
    model.fit(matrix)
    assert keeps(model, k, least, most)
    shifted = matrix
    if shift == "adaptive":
        r = matrix.sum(axis=0)
        shifted = matrix - (np.add.outer(r, r) / n - r.sum() / n**2)
    elif shift != "none":
        shifted = matrix - float(shift)
    assert model.cost_ == pytest.approx(cost(shifted, model.labels_), abs=1e-9)
    if least is None and most is None:
        return
    lowest = min(
        cost(shifted, labels)
        for labels in groupings(n)
        if max(labels) < (k or n)
        and (k is None or least is None or max(labels) == k - 1)
        and min(np.bincount(labels)) >= (least or 1)
        and max(np.bincount(labels)) <= (most or n)
    )
    # The optimum in nearly all cases: tests/sizes counts in how many.
    assert model.cost_ <= lowest + 0.35 * (abs(lowest) + 1)


@settings(max_examples=40, deadline=None)
@given(
    similarity=st.sampled_from(["auto", "neighbors", "linear", "cosine", "rbf"]),
    method=st.sampled_from(["auto", "local-search", "multilevel", "annealing", "frank-wolfe"]),
    k=st.none() | st.integers(1, 8),
    least=st.none() | st.integers(1, 15),
    more=st.none() | st.integers(0, 30),
    seed=st.integers(0, 99),
)
def test_every_similarity_and_method_keeps_the_sizes(
    similarity: str, method: str, k: int | None, least: int | None, more: int | None, seed: int
) -> None:
    points = blobs(60, 3, 3, seed)
    if method == "multilevel" and similarity in ("linear", "cosine"):
        similarity = "neighbors"  # multilevel needs a graph or a matrix
    most = None if more is None else (least or 1) + more
    model = ShiftedMinCut(
        k,
        similarity=similarity,
        method=method,
        min_cluster_size=least,
        max_cluster_size=most,
        n_init=2,
        random_state=seed,
    )
    if not is_possible(60, k, least, most):
        with pytest.raises(ValueError, match="cluster_size"):
            model.fit(points)
        return
    assert keeps(model.fit(points), k, least, most)


def test_clusters_of_one_size_are_the_groups_where_groups_have_one_size() -> None:
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(5), 20)
    points = rng.normal(size=(5, 4))[truth] * 8 + rng.normal(size=(100, 4))
    model = ShiftedMinCut(5, min_cluster_size=20, max_cluster_size=20, random_state=0).fit(points)
    assert model.result_["sizes"] == [20] * 5
    assert len({*zip(truth.tolist(), model.labels_.tolist(), strict=True)}) == 5
    assert model.result_["size_bounds"]["moved"] == 0


@pytest.mark.parametrize("similarity", ["neighbors", "linear"])
def test_pairs_and_groups_hold_beside_sizes(similarity: str) -> None:
    points = blobs(90, 3, 3, 1)
    must = [[0, 1], [1, 2], [30, 40]]
    cannot = [[0, 3], [30, 31]]
    groups = [i // 3 for i in range(90)]
    for links in ({"must_link": must, "cannot_link": cannot}, {"cannot_link_groups": groups}):
        model = ShiftedMinCut(
            4, similarity=similarity, max_cluster_size=25, min_cluster_size=20, random_state=0
        ).fit(points, **links)
        assert keeps(model, 4, 20, 25)
        if "must_link" in links:
            assert all(model.labels_[a] == model.labels_[b] for a, b in must)
            assert all(model.labels_[a] != model.labels_[b] for a, b in cannot)
        else:
            by_group = model.labels_.reshape(30, 3)
            assert all(len(set(row)) == 3 for row in by_group.tolist())


def test_what_cannot_be_kept_is_refused_with_the_reason() -> None:
    points = blobs(12, 2)

    def refused(
        k: int | None = None, links: dict[str, Any] | None = None, **sizes: int | None
    ) -> str:
        with pytest.raises(ValueError, match=r"cluster_size") as told:
            ShiftedMinCut(k, random_state=0).set_params(**sizes).fit(points, **(links or {}))
        return str(told.value)

    assert "allowed: at most 3" in refused(4, min_cluster_size=4)
    assert "allowed: at least 4" in refused(3, max_cluster_size=3)
    assert "no number of clusters" in refused(min_cluster_size=7, max_cluster_size=11)
    assert "at most max_cluster_size, 2" in refused(min_cluster_size=3, max_cluster_size=2)
    assert "1 to 12" in refused(min_cluster_size=13)
    joined = {"must_link": [[0, 1], [1, 2], [2, 3]]}
    assert "at least 4, as must_link joins that many" in refused(links=joined, max_cluster_size=3)
    star = {"cannot_link": [[0, i] for i in range(1, 12)]}
    assert "no grouping keeps" in refused(2, links=star, max_cluster_size=6)
    assert "int in the range [1, inf)" in refused(min_cluster_size=0)
    with pytest.raises(ValueError, match="rows of weight 0"):
        ShiftedMinCut(max_cluster_size=6).fit(points, sample_weight=[0] + [1] * 11)
    with pytest.raises(ValueError, match="questions about pairs"):
        Feedback(ShiftedMinCut(3, max_cluster_size=6), points)


def test_equal_rows_share_a_cluster_unless_sizes_forbid_it() -> None:
    points = np.repeat(blobs(10, 3, 2), [1, 1, 1, 1, 1, 2, 2, 3, 9, 9], axis=0)
    loose = ShiftedMinCut(3, max_cluster_size=12, random_state=0).fit(points)
    frame = pd.DataFrame(points).assign(label=loose.labels_)
    assert frame.groupby([0, 1, 2])["label"].nunique().max() == 1
    tight = ShiftedMinCut(5, max_cluster_size=6, min_cluster_size=6, random_state=0).fit(points)
    assert tight.result_["sizes"] == [6] * 5
    for model in (loose, tight):  # by the nodes of the fit
        assert model.explain(0)["own"]["cluster"] == model.labels_[0]
        new = model.predict(points)
        assert new.shape == (30,)
        assert set(new.tolist()) <= set(range(model.n_clusters_))


def test_weights_are_not_counted() -> None:
    points = blobs(60, 3)
    weights = np.random.default_rng(0).uniform(0.5, 9, 60)
    model = ShiftedMinCut(3, min_cluster_size=20, max_cluster_size=20, random_state=0)
    model.fit(points, sample_weight=weights)
    assert np.bincount(model.labels_).tolist() == [20, 20, 20]


def test_graphs_with_k_free_split_and_merge() -> None:
    rng = np.random.default_rng(0)
    block = np.repeat([0, 1, 2, 3, 4, 5], [40, 40, 10, 4, 3, 3])
    joined = rng.uniform(size=(100, 100)) < np.where(np.equal.outer(block, block), 0.5, 0.02)
    graph = sparse.csr_array(np.triu(joined, 1).astype(float))
    graph = graph + graph.T
    model = ShiftedMinCut(
        similarity="precomputed", min_cluster_size=8, max_cluster_size=25, random_state=0
    ).fit(graph)
    assert keeps(model, None, 8, 25)
    assert "costly_sizes" in model.result_["warning_codes"]
    bounds = model.result_["size_bounds"]
    assert (bounds["min"], bounds["max"]) == (8, 25)
    assert bounds["unbounded_cost"] < model.cost_


def test_threads_and_runs_agree() -> None:
    points = load_digits().data
    fits = [
        ShiftedMinCut(10, max_cluster_size=181, random_state=3, n_jobs=jobs).fit(points)
        for jobs in (1, 2, 1)
    ]
    assert all(a.labels_.tolist() == b.labels_.tolist() for a, b in itertools.pairwise(fits))
    assert fits[0].result_["sizes"][0] <= 181


def test_a_stopped_fit_keeps_the_sizes() -> None:
    points = np.random.default_rng(0).normal(size=(20000, 20))
    model = ShiftedMinCut(7, max_cluster_size=3000, max_seconds=0.05, random_state=0).fit(points)
    assert keeps(model, 7, None, 3000)


@pytest.mark.filterwarnings("ignore::shiftcut.ShiftcutWarning")
def test_uci_tables() -> None:
    if not UCI.exists():
        pytest.skip(f"no data at {UCI}")
    for path in sorted(UCI.glob("*.csv")):
        table = pd.read_csv(path)
        n = len(table)
        k = max(2, min(6, n // 10))
        model = ShiftedMinCut(k, min_cluster_size=n // k, max_cluster_size=n // k + 1)
        sizes = model.set_params(random_state=0).fit(table).result_["sizes"]
        assert len(sizes) == k, path.name
        assert max(sizes) - min(sizes) <= 1, path.name
