"""Graphs of nearest neighbours made from features."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from sklearn.neighbors import NearestNeighbors

from . import definition
from .conftest import (
    Argument,
    FloatArray,
    blobs,
    program,
    result,
    write_csv,
    write_mtx_coordinate,
    write_npy,
)
from .test_cost import check

NEIGHBORS = ["--similarity", "neighbors"]
WEIGHTS = ["shared", "binary", "gaussian"]


def test_the_result_names_the_similarity(tmp_path: Path) -> None:
    found = result([write_csv(tmp_path / "p.csv", blobs(60, 3, seed=1)), *NEIGHBORS, "-k", 4])
    assert (found["similarity"], found["metric"]) == ("neighbors", "euclidean")
    assert not [warning for warning in found["warnings"] if "--neighbors" in warning]


@pytest.mark.parametrize("weights", WEIGHTS)
def test_more_neighbors_than_objects(weights: str, tmp_path: Path) -> None:
    file = write_csv(tmp_path / "p.csv", blobs(6, 2, seed=2))
    found = result([file, *NEIGHBORS, "--weights", weights, "--neighbors", 10])
    assert any(
        warning.startswith("--neighbors: 10 asked for, but there are only 5 other objects: all")
        for warning in found["warnings"]
    )
    fewer = result([file, *NEIGHBORS, "--weights", weights, "--neighbors", 5])
    assert fewer["labels"] == found["labels"]
    assert fewer["cost"] == found["cost"]


@pytest.mark.parametrize("rows", [2, 3, 9, 19, 20, 39, 41])
def test_few_objects_have_fewer_neighbors(rows: int, tmp_path: Path) -> None:
    points = blobs(rows, 2, seed=2)
    file = write_csv(tmp_path / "p.csv", points)
    found = result([file, "-k", 2])
    assert not [warning for warning in found["warnings"] if "--neighbors" in warning]
    same = result([file, "-k", 2, "--neighbors", definition.usual_neighbors(rows, repeat=False)])
    assert (same["labels"], same["cost"]) == (found["labels"], found["cost"])


@pytest.mark.parametrize("weights", WEIGHTS)
def test_one_object(weights: str, tmp_path: Path) -> None:
    file = write_csv(tmp_path / "one.csv", np.array([[3.0, -4.0]]))
    found = result([file, *NEIGHBORS, "--weights", weights])
    assert (found["labels"], found["cost"]) == ([0], 0)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_equal_rows(weights: str, tmp_path: Path) -> None:
    file = write_npy(tmp_path / "same.npy", np.full((20_000, 3), 2.5))
    found = result([file, *NEIGHBORS, "--weights", weights, "-k", 3, "--restarts", 1])
    assert any("All rows are equal" in warning for warning in found["warnings"])


@pytest.mark.parametrize("weights", WEIGHTS)
def test_ties_do_not_depend_on_the_order_of_rows(weights: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    points = rng.integers(4, size=(150, 3)).astype(float)
    args: list[Argument] = ["--scale", "none", "--neighbors", 3, "--weights", weights, "-k", 5]
    expected = result([write_csv(tmp_path / "p.csv", points), *NEIGHBORS, *args])
    for _ in range(3):
        order = rng.permutation(len(points))
        found = result([write_csv(tmp_path / "q.csv", points[order]), *NEIGHBORS, *args])
        assert found["cost"] == expected["cost"]
        labels = np.asarray(expected["labels"])[order]
        assert len(set(zip(labels, found["labels"], strict=True))) == found["clusters_found"]


def test_sparse_rows_are_joined_by_their_cosine(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    words = rng.uniform(0.5, 2, (120, 15)) * (rng.uniform(size=(120, 15)) < 0.4)
    words[:, 0] += 0.1  # every two rows share a column
    norm = np.sqrt((words**2).sum(axis=1, keepdims=True))
    x = definition.neighbors(words / norm, 6, "shared")
    file = write_mtx_coordinate(tmp_path / "words.mtx", words)
    found = result([file, "--as", "features", *NEIGHBORS, "--neighbors", 6, "-k", 4])
    check(found, x - definition.adaptive(x))


def test_empty_sparse_rows_are_named(tmp_path: Path) -> None:
    words = np.diag([1.0, 0.0, 2.0, 1.0])
    words[2, 0] = 1.0
    file = write_mtx_coordinate(tmp_path / "words.mtx", words)
    found = result([file, "--as", "features", *NEIGHBORS, "--neighbors", 2])
    assert any(warning.startswith("2 rows have a cosine above 0") for warning in found["warnings"])


# ---- Against scikit-learn ----


def lists_of(points: npt.NDArray[np.floating], k: int, how: str, folder: Path) -> FloatArray:
    """Distances as `bench/neighbors` finds them, after a look at the neighbours it names."""
    search = Path(program()).parent / "bench" / "neighbors"
    if not search.is_file():
        pytest.skip(f"no {search}: built with everything else by `make test`")
    file = write_npy(folder / "points.npy", points)
    squared, ids = folder / "squared", folder / "ids"
    command = [str(a) for a in (search, file, k, 2, how, squared, ids)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    distances = np.sqrt(np.fromfile(squared).reshape(len(points), k))
    neighbors = np.fromfile(ids, np.uint32).reshape(len(points), k)
    assert (neighbors != np.arange(len(points))[:, None]).all()
    assert all(len(set(own)) == k for own in neighbors.tolist())
    wide = points.astype(float)
    for e in range(k):
        between = np.linalg.norm(wide - wide[neighbors[:, e]], axis=1)
        np.testing.assert_allclose(distances[:, e], between, rtol=1e-9, atol=1e-9)
    return np.asarray(distances)


@pytest.mark.parametrize("how", ["all_pairs", "by_cells"])
@pytest.mark.parametrize("k", [1, 10, 64])
def test_copies_are_two_thirds_of_the_lists_at_most(how: str, k: int, tmp_path: Path) -> None:
    points = np.repeat(blobs(40, 4, seed=15), np.arange(40) % 9 + 1, axis=0)
    squared = definition.squared_distances(points)
    expected = [
        np.sqrt(squared[i, own]) for i, own in enumerate(definition.neighbor_lists(points, k))
    ]
    found = lists_of(points, k, how, tmp_path)
    np.testing.assert_allclose(found, np.asarray(expected), rtol=1e-9, atol=1e-9)


def sklearn_distances(points: npt.NDArray[np.floating], k: int) -> FloatArray:
    """With k-d trees, which take differences, unlike its brute force."""
    search = NearestNeighbors(n_neighbors=k, algorithm="kd_tree").fit(points.astype(float))
    return np.asarray(search.kneighbors()[0])


CLOUDS = {
    "blobs": blobs(1500, 6, seed=11, groups=8),
    "wide blobs": blobs(700, 50, seed=12, groups=5),
    "one column": blobs(800, 1, seed=13),
    "whole numbers": np.random.default_rng(14).permutation(np.argwhere(np.ones((10, 10, 9))) * 1.0),
    "far pieces": blobs(900, 3, seed=16) + 1e5 * (np.arange(900) % 3)[:, None],
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("cloud", CLOUDS)
@pytest.mark.parametrize("k", [1, 10, 64])
def test_all_pairs_find_what_scikit_learn_finds(
    cloud: str, dtype: str, k: int, tmp_path: Path
) -> None:
    points = CLOUDS[cloud].astype(dtype)
    found = lists_of(points, k, "all_pairs", tmp_path)
    np.testing.assert_allclose(found, sklearn_distances(points, k), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("cloud", CLOUDS)
def test_cells_find_nearly_all_that_scikit_learn_finds(cloud: str, tmp_path: Path) -> None:
    points = CLOUDS[cloud]
    found = lists_of(points, 10, "by_cells", tmp_path)
    last = sklearn_distances(points, 10)[:, -1:]
    recall = float((found <= last * (1 + 1e-9)).mean())
    print(f"recall of {cloud}: {recall:.4f}")
    assert recall >= 0.98


# ---- Copies, pieces, types and scales ----


@pytest.mark.parametrize("scale", ["standard", "minmax", "none"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("weights", WEIGHTS)
def test_types_and_scales(scale: str, dtype: str, weights: str, tmp_path: Path) -> None:
    points = blobs(140, 5, seed=21).astype(dtype)
    file = write_npy(tmp_path / "p.npy", points)
    args: list[Argument] = ["--scale", scale, "--weights", weights, "--shift", "adaptive", "-k", 4]
    found = result([file, *NEIGHBORS, *args])
    x = definition.neighbors(definition.scaled(points.astype(float), scale), 10, weights)
    check(found, x - definition.adaptive(x))


@pytest.mark.parametrize("weights", WEIGHTS)
def test_thousands_of_copies_take_a_moment(weights: str, tmp_path: Path) -> None:
    places = np.array([[0.0, 0.0], [5.0, 0.0], [0.0, 9.0]])
    rows = np.repeat(places, [20_000, 10_000, 500], axis=0)
    order = np.random.default_rng(22).permutation(len(rows))
    file = write_npy(tmp_path / "copies.npy", rows[order])
    args: list[Argument] = ["--weights", weights, "--shift", "adaptive", "--restarts", 1]
    found = result([file, *NEIGHBORS, *args], timeout=30)
    assert found["objects"] == 30_500


def test_pieces_far_apart_are_told_apart(tmp_path: Path) -> None:
    """No edge leaves a piece; K clusters for K pieces are the pieces."""
    rng = np.random.default_rng(23)
    piece = np.repeat(np.arange(5), 60)
    points = rng.normal(size=(300, 3)) + 1e3 * np.eye(5)[piece][:, :3] - 1e3 * (piece == 4)[:, None]
    file = write_npy(tmp_path / "pieces.npy", points)
    for weights in WEIGHTS:
        found = result([file, *NEIGHBORS, "--scale", "none", "--weights", weights, "-k", 5])
        assert found["sizes"] == [60] * 5
        assert all(
            len(set(np.asarray(found["labels"])[piece == p].tolist())) == 1 for p in range(5)
        )


def test_one_neighbor_makes_pairs_and_chains(tmp_path: Path) -> None:
    points = np.array([[0.0], [0.1], [5.0], [5.1], [9.0], [9.2]])
    file = write_csv(tmp_path / "pairs.csv", points)
    args: list[Argument] = ["--neighbors", 1, "--scale", "none", "--shift", "constant=0.5"]
    found = result([file, *NEIGHBORS, *args])
    assert found["labels"] == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("weights", WEIGHTS)
def test_sparse_copies_and_empty_rows(weights: str, tmp_path: Path) -> None:
    """Rows without a common column are in different pieces; an empty row has no neighbour."""
    words = np.zeros((45, 6))
    words[:20, :2] = [1.0, 2.0]
    words[20:40, 3:5] = [2.0, 1.0]
    file = write_mtx_coordinate(tmp_path / "words.mtx", words)
    args: list[Argument] = ["--neighbors", 4, "--weights", weights]
    free = result([file, "--as", "features", *NEIGHBORS, *args, "--shift", "constant=0.01"])
    assert free["sizes"] == [20, 20, 5]
    assert any(warning.startswith("5 rows have a cosine above 0") for warning in free["warnings"])
    given = result([file, "--as", "features", *NEIGHBORS, *args, "-k", 3])
    assert len(given["labels"]) == 45
