"""Graphs of nearest neighbours made from features."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from . import definition
from .conftest import Argument, blobs, result, write_csv, write_mtx_coordinate, write_npy
from .test_cost import check

NEIGHBORS = ["--similarity", "neighbors"]
WEIGHTS = ["shared", "binary", "gaussian"]


def test_the_result_names_the_similarity(tmp_path: Path) -> None:
    found = result([write_csv(tmp_path / "p.csv", blobs(60, 3, seed=1)), *NEIGHBORS, "-k", 4])
    assert (found["similarity"], found["scale"]) == ("neighbors", "standard")
    assert not [warning for warning in found["warnings"] if "--neighbors" in warning]


@pytest.mark.parametrize("weights", WEIGHTS)
def test_more_neighbors_than_objects(weights: str, tmp_path: Path) -> None:
    file = write_csv(tmp_path / "p.csv", blobs(6, 2, seed=2))
    found = result([file, *NEIGHBORS, "--weights", weights])
    assert (
        "--neighbors: 10 asked for, but there are only 5 other objects: all are used."
        in found["warnings"]
    )
    fewer = result([file, *NEIGHBORS, "--weights", weights, "--neighbors", 5])
    assert fewer["labels"] == found["labels"]
    assert fewer["cost"] == found["cost"]


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


@pytest.mark.parametrize("weights", ["shared", "binary"])
def test_whole_numbers_with_ties(weights: str, tmp_path: Path) -> None:
    points = np.random.default_rng(3).integers(4, size=(150, 3)).astype(float)
    file = write_csv(tmp_path / "p.csv", points)
    args: list[Argument] = ["--scale", "none", "--neighbors", 3, "--weights", weights, "-k", 5]
    x = definition.neighbors(points, 3, weights)
    check(result([file, *NEIGHBORS, *args]), x - definition.adaptive(x))


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
