"""Graphs and neighbour graphs that say little or nothing: a defined answer or a clear error each.

With K given and free, for every method.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from .. import definition
from ..conftest import (
    Argument,
    FloatArray,
    Result,
    blobs,
    groups,
    result,
    run,
    write_csv,
    write_edges,
    write_mtx_coordinate,
    write_npy,
)

METHODS = ["auto", "multilevel", "local-search", "annealing", "frank-wolfe"]
CLUSTERS: list[list[Argument]] = [["-k", 1], ["-k", 3], ["-k", "auto"]]
NEIGHBORS: list[Argument] = ["--similarity", "neighbors"]
ADAPTIVE: list[Argument] = ["--shift", "adaptive"]


def clusters_name(clusters: list[Argument]) -> str:
    return f"k {clusters[1]}"


def check_cost(found: Result, s: FloatArray) -> None:
    expected = definition.cost(s, found["labels"])
    assert found["cost"] == pytest.approx(expected, rel=1e-9, abs=1e-9)


def refused(args: list[Argument], *words: str) -> None:
    done = run(["cluster", *args, "--json", "-"])
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    for word in words:
        assert word in done.stderr


# ---- Graphs ----


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("clusters", CLUSTERS, ids=clusters_name)
def test_no_edges(method: str, clusters: list[Argument], tmp_path: Path) -> None:
    file = tmp_path / "none.mtx"
    file.write_text("%%MatrixMarket matrix coordinate real symmetric\n6 6 0\n", encoding="utf-8")
    args: list[Argument] = [file, "--method", method, *clusters]
    for shift in ["adaptive", "none"]:
        assert result([*args, "--shift", shift])["cost"] == 0
    apart = result([*args, "--shift", "constant=1"])
    assert apart["sizes"] == {1: [6], 3: [2, 2, 2], "auto": [1] * 6}[clusters[1]]
    check_cost(apart, np.full((6, 6), -1.0))
    together = result([*args, "--shift", "constant=-1"])
    assert together["sizes"] == [6]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shift", ["adaptive", "none", "constant=0.5"])
def test_one_node(method: str, shift: str, tmp_path: Path) -> None:
    file = write_edges(tmp_path / "loop.edges", [("a", "a", 2.0)])
    choices: list[list[Argument]] = [["-k", 1], ["-k", "auto"]]
    for clusters in choices:
        found = result([file, "--method", method, "--shift", shift, *clusters])
        assert (found["labels"], found["sizes"]) == ([0], [1])
        expected = {"adaptive": 0.0, "none": -2.0, "constant=0.5": -1.5}[shift]
        assert found["cost"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("clusters", CLUSTERS, ids=clusters_name)
def test_weights_of_zero(method: str, clusters: list[Argument], tmp_path: Path) -> None:
    """An edge of weight 0 is as good as none."""
    edges = [("a", "b", 0.0), ("b", "c", 0.0), ("d", "e", 0.0), ("c", "c", 0.0)]
    args: list[Argument] = ["--method", method, *clusters]
    zeros = write_edges(tmp_path / "zeros.edges", edges)
    found = result([zeros, *args, *ADAPTIVE])
    assert (found["objects"], found["cost"]) == (5, 0)
    apart = result([zeros, *args, "--shift", "constant=1"])
    assert len(apart["sizes"]) == {1: 1, 3: 3, "auto": 5}[clusters[1]]
    some = write_edges(tmp_path / "some.edges", [*edges, ("a", "c", 1.0)])
    free = result([some, "--method", method, "-k", "auto", "--shift", "constant=0.25"])
    assert groups(free) == {frozenset({0, 2}), frozenset({1}), frozenset({3}), frozenset({4})}


@pytest.mark.parametrize("method", METHODS)
def test_as_many_clusters_as_nodes(method: str, tmp_path: Path) -> None:
    """K = n forbids nothing: the answer is as good as with K free, and a huge shift parts all."""
    x = np.zeros((9, 9))
    for a in range(0, 9, 3):
        x[a : a + 3, a : a + 3] = 1 - np.eye(3)
    x[2, 3] = x[3, 2] = 0.5
    file = write_mtx_coordinate(tmp_path / "g.mtx", x, symmetric=True)
    args: list[Argument] = [file, "--method", method, "--restarts", 20]
    shifts: list[list[Argument]] = [ADAPTIVE, ["--shift", "constant=0.3"]]
    for shift in shifts:
        given = result([*args, *shift, "-k", 9])
        free = result([*args, *shift, "-k", "auto"])
        assert given["cost"] == pytest.approx(free["cost"])
        assert groups(given) == {frozenset(range(a, a + 3)) for a in (0, 3, 6)}
    assert result([*args, "--shift", "constant=99", "-k", 9])["sizes"] == [1] * 9


def test_more_clusters_than_nodes_are_refused(tmp_path: Path) -> None:
    file = write_edges(tmp_path / "g.edges", [("a", "b", 1.0), ("b", "c", 1.0)])
    refused([file, "-k", 4], "4", "3")
    refused([file, "-k", 0], "-k", "0")
    table = write_csv(tmp_path / "p.csv", blobs(5, 2, seed=1))
    refused([table, *NEIGHBORS, "-k", 6], "6", "5")


@pytest.mark.parametrize("method", METHODS)
def test_parts_without_edges_between_them(method: str, tmp_path: Path) -> None:
    """Four rings; two clusters must join some, free ones none."""
    x = np.zeros((24, 24))
    for a in range(0, 24, 6):
        for i in range(6):
            for step in (1, 2):
                j = a + (i + step) % 6
                x[a + i, j] = x[j, a + i] = 1
    file = write_mtx_coordinate(tmp_path / "rings.mtx", x, symmetric=True)
    rings = {frozenset(range(a, a + 6)) for a in range(0, 24, 6)}
    args: list[Argument] = [file, "--method", method, "--restarts", 20]
    for shift, strength in [("adaptive", 1.0), ("constant=0.4", 1.0), ("adaptive", 0.5)]:
        shifted: list[Argument] = ["--shift", shift, "--shift-strength", strength]
        alpha = definition.adaptive(x) if shift == "adaptive" else np.full_like(x, 0.4)
        counts: list[Argument] = ["auto", 4, 2]
        for clusters in counts:
            found = result([*args, *shifted, "-k", clusters])
            check_cost(found, x - strength * alpha)
            assert clusters == 2 or groups(found) == rings
            assert clusters != 2 or found["sizes"] == [12, 12]


@pytest.mark.parametrize("method", METHODS)
def test_multilevel_search_needs_a_graph_or_a_matrix(method: str, tmp_path: Path) -> None:
    file = write_csv(tmp_path / "p.csv", blobs(30, 2, seed=1))
    args: list[Argument] = [file, "--similarity", "linear", "-k", 3, "--method", method]
    if method == "multilevel":
        refused(args, "--method", "multilevel", "neighbors")
    else:
        assert result(args)["objects"] == 30


# ---- Neighbour graphs ----


@pytest.mark.parametrize("weights", ["shared", "binary", "gaussian"])
@pytest.mark.parametrize("clusters", CLUSTERS, ids=clusters_name)
def test_all_rows_equal(weights: str, clusters: list[Argument], tmp_path: Path) -> None:
    for rows in [2, 7, 40]:
        if clusters[1] == 3 and rows < 3:
            continue
        file = write_npy(tmp_path / f"{rows}.npy", np.full((rows, 2), 4.0))
        found = result([file, *NEIGHBORS, "--weights", weights, *clusters])
        assert any("All rows are equal" in warning for warning in found["warnings"])


@pytest.mark.parametrize("weights", ["shared", "binary", "gaussian"])
@pytest.mark.parametrize("clusters", CLUSTERS, ids=clusters_name)
def test_many_copies_of_a_few_rows(weights: str, clusters: list[Argument], tmp_path: Path) -> None:
    points = np.repeat(np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0], [7.0, 7.0]]), 15, axis=0)
    file = write_npy(tmp_path / "copies.npy", points)
    args: list[Argument] = [*ADAPTIVE, "--scale", "none", "--weights", weights, *clusters]
    found = result([file, *NEIGHBORS, *args])
    x = definition.neighbors(points, None, weights)  # of the four distinct rows
    check_cost(found, x - definition.adaptive(x))


@pytest.mark.parametrize("weights", ["shared", "binary", "gaussian"])
def test_places_with_many_copies_are_the_clusters(weights: str, tmp_path: Path) -> None:
    places = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0], [7.0, 7.0]])
    file = write_npy(tmp_path / "copies.npy", np.repeat(places, 15, axis=0))
    expected = {frozenset(range(a, a + 15)) for a in range(0, 60, 15)}
    args: list[Argument] = [file, *NEIGHBORS, "--weights", weights]
    assert groups(result([*args, "-k", 4])) == expected
    # At a given strength the lowest cost counts, which may join places, but never parts one.
    for found in (result([*args, *ADAPTIVE]), result([*args, *ADAPTIVE, "-k", 3])):
        labels = np.reshape(found["labels"], (4, 15))
        assert [len(set(own.tolist())) for own in labels] == [1] * 4


@pytest.mark.parametrize("clusters", CLUSTERS, ids=clusters_name)
@pytest.mark.parametrize("neighbors", [1, 4, 50, 1000])
def test_copies_and_any_number_of_neighbors(
    neighbors: int, clusters: list[Argument], tmp_path: Path
) -> None:
    points = np.repeat(blobs(12, 2, seed=3), [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6], axis=0)
    file = write_npy(tmp_path / "p.npy", points)
    args: list[Argument] = ["--neighbors", neighbors, "--scale", "none", *clusters, *ADAPTIVE]
    found = result([file, *NEIGHBORS, *args])
    x = definition.neighbors(points, neighbors, "shared")
    check_cost(found, x - definition.adaptive(x))


def test_numbers_of_neighbors_that_are_refused(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "p.csv", blobs(20, 2, seed=4))
    wrongs: list[Argument] = [0, -1, 1001, "many", 2.5]
    for wrong in wrongs:
        refused([file, *NEIGHBORS, "-k", 2, "--neighbors", wrong], "--neighbors", str(wrong))


@pytest.mark.parametrize("clusters", CLUSTERS, ids=clusters_name)
def test_time_is_up_at_once(clusters: list[Argument], tmp_path: Path) -> None:
    file = write_npy(tmp_path / "p.npy", blobs(3000, 4, seed=5))
    graph = write_edges(tmp_path / "g.edges", [(i, (i * 7 + 1) % 3000, 1.0) for i in range(3000)])
    for args in ([file, *NEIGHBORS], [graph]):
        for method in ["auto", "multilevel"]:
            found = result([*args, *clusters, "--method", method, "--max-seconds", 1e-9])
            assert found["stop_reason"] == "max_seconds"
            assert len(found["labels"]) == 3000
