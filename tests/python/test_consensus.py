"""The bench's plain consensus of path and trees, and the product's election beside it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score

from bench.peers import consensus
from shiftcut import ShiftedMinCut

Floats = npt.NDArray[np.float64]


def problems() -> list[tuple[Floats, int]]:
    return [
        (make_blobs(240, 3, centers=4, cluster_std=1.2, random_state=0)[0], 4),
        (make_moons(240, noise=0.07, random_state=0)[0], 2),
        (make_circles(240, noise=0.04, factor=0.5, random_state=0)[0], 2),
    ]


def lists_of_all(rows: Floats) -> consensus.Lists:
    distances = cdist(rows, rows)
    ids = distances.argsort(axis=1)[:, 1:]
    return consensus.Lists(ids, np.take_along_axis(distances, ids, axis=1))


def test_neighbors_are_distinct_from_the_row_even_where_rows_repeat() -> None:
    rows = np.repeat(np.eye(3), 20, axis=0)
    lists = consensus.nearest_neighbors(rows)
    assert (lists.ids != np.arange(60)[:, None]).all()
    assert lists.ids.shape == (60, consensus.NEIGHBORS)


def test_the_tree_of_all_pairs_is_a_minimum_spanning_tree() -> None:
    rows = np.random.default_rng(1).normal(size=(60, 3))
    tree = consensus.spanning_tree(rows, lists_of_all(rows), reach=1)
    expected = minimum_spanning_tree(cdist(rows, rows)).sum()
    assert tree.lengths.sum() == pytest.approx(expected, rel=1e-6)
    assert (np.diff(tree.lengths) <= 0).all()


def test_separate_parts_of_the_neighbour_graph_are_joined() -> None:
    rows = make_blobs(150, 2, centers=5, cluster_std=0.1, random_state=3)[0]
    tree = consensus.spanning_tree(rows, consensus.nearest_neighbors(rows), reach=1)
    assert len(tree.ends) == 149
    pieces = consensus.cut_tree(tree, 150, 5, 0.5)
    assert sorted(np.bincount(pieces)) == [30] * 5


@pytest.mark.parametrize("share", consensus.LEAST_PIECES)
def test_cuts_leave_pieces_of_the_least_size(share: float) -> None:
    rows = np.random.default_rng(2).normal(size=(300, 2))
    tree = consensus.spanning_tree(rows, consensus.nearest_neighbors(rows), reach=5)
    sizes = np.bincount(consensus.cut_tree(tree, 300, 6, share))
    assert len(sizes) <= 6
    assert sizes.min() >= max(2, share * 300 / 6)


def test_a_descent_ends_where_no_move_lowers_the_cost() -> None:
    rows = np.random.default_rng(3).normal(size=(90, 2))
    graph = consensus.shared_neighbor_graph(consensus.nearest_neighbors(rows))
    labels = consensus.descended(graph, np.arange(90, dtype=np.int64) % 4, 4)
    x = graph.toarray()
    mean = x.mean(axis=1)
    shifted = x - (mean[:, None] + mean[None, :] - x.mean())
    np.fill_diagonal(shifted, 0)
    affinity = shifted @ np.eye(4)[labels]
    assert (affinity.max(axis=1) <= affinity[np.arange(90), labels] + 1e-9).all()


@pytest.mark.parametrize(("rows", "clusters"), problems())
def test_the_product_elects_what_the_plain_vote_elects(rows: Floats, clusters: int) -> None:
    labels = consensus.consensus(rows, clusters)
    model = ShiftedMinCut(clusters, scale="none", random_state=0).fit(rows)
    assert adjusted_rand_score(labels, model.labels_) >= 0.95
