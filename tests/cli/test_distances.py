"""Metrics of neighbours, neighbours in given matrices, and the scale that is chosen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import pairwise_distances

from .conftest import blobs, result, run, write_csv, write_npy


def error_of(args: list[object]) -> str:
    done = run(["cluster", *args])  # type: ignore[list-item]
    assert done.returncode == 1
    return done.stderr


def test_a_metric_implies_neighbors_and_is_reported(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "p.csv", blobs(60, 3, seed=1))
    found = result([file, "--metric", "manhattan", "-k", 4])
    assert (found["similarity"], found["metric"]) == ("neighbors", "manhattan")
    assert result([file, "-k", 4])["metric"] == "euclidean"


def test_distances_have_neighbors_unless_linear_is_asked_for(tmp_path: Path) -> None:
    points = blobs(80, 3, seed=2)
    table = write_npy(tmp_path / "p.npy", points)
    matrix = write_npy(tmp_path / "d.npy", pairwise_distances(points, metric="manhattan"))
    of_rows = result([table, "--as", "features", "--metric", "manhattan", "--scale", "none"])
    given = result([matrix, "--as", "distance"])
    assert given["similarity"] == "neighbors"
    assert given["labels"] == of_rows["labels"]
    assert given["cost"] == pytest.approx(of_rows["cost"])
    linear = result([matrix, "--as", "distance", "--similarity", "linear"])
    assert linear["similarity"] == "precomputed"


def test_similarities_are_used_as_they_are_unless_neighbors_are_asked_for(tmp_path: Path) -> None:
    distances = pairwise_distances(blobs(50, 3, seed=3))
    matrix = write_npy(tmp_path / "d.npy", distances)
    similar = write_npy(tmp_path / "s.npy", distances.max() - distances)
    assert result([similar, "--as", "similarity"])["similarity"] == "precomputed"
    near = result([similar, "--as", "similarity", "--similarity", "neighbors", "-k", 3])
    same = result([matrix, "--as", "distance", "-k", 3])
    assert near["labels"] == same["labels"]


def test_a_model_of_distances_assigns_new_objects(tmp_path: Path) -> None:
    points = blobs(90, 3, seed=4)
    d = pairwise_distances(points)
    matrix = write_npy(tmp_path / "d.npy", d[:70, :70])
    model = tmp_path / "model"
    result([matrix, "--as", "distance", "-k", 3, "--model", model])
    done = run(["predict", model, write_npy(tmp_path / "new.npy", d[70:, :70])])
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--metric", "nearest"], "--metric: found 'nearest'"),
        (["--metric", "cosine", "--similarity", "linear"], "only with --similarity neighbors"),
        (["--metric", "jaccard", "--scale", "standard"], "--scale: found standard with --metric"),
    ],
)
def test_bad_combinations_for_features(args: list[str], said: str, tmp_path: Path) -> None:
    file = write_csv(tmp_path / "p.csv", blobs(30, 3, seed=6))
    assert said in error_of([file, *args])


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--metric", "cosine"], "--metric: found with"),
        (["--scale", "none"], "--scale: found with"),
        (["--similarity", "rbf"], "neighbors or linear for distances"),
    ],
)
def test_bad_combinations_for_distances(args: list[str], said: str, tmp_path: Path) -> None:
    file = write_npy(tmp_path / "d.npy", pairwise_distances(blobs(20, 2, seed=7)))
    assert said in error_of([file, "--as", "distance", *args])


def test_too_many_rows_for_a_metric_are_refused_at_once(tmp_path: Path) -> None:
    rows = np.arange(5_000_000, dtype=np.float32)[:, None]
    file = tmp_path / "long.npy"
    np.save(file, rows)
    said = error_of([file, "--as", "features", "--metric", "manhattan"])
    assert "5000000 rows of 1 columns" in said


def test_the_report_says_which_scale_and_why(tmp_path: Path) -> None:
    points = blobs(200, 5, seed=5) * np.array([1, 1e3, 1e-3, 50, 1])
    done = run(["cluster", write_csv(tmp_path / "p.csv", points), "-k", "3"])
    assert "columns standardised: halves of the columns agree" in " ".join(done.stdout.split())
