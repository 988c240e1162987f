"""Rows with weights: --weight-column."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from .conftest import Argument, FloatArray, blobs, result, run


def write(path: Path, rows: FloatArray, weights: npt.ArrayLike | None = None) -> Path:
    names = [f"x{j}" for j in range(rows.shape[1])]
    columns = [rows]
    if weights is not None:
        names.insert(1, "weight")
        columns = [rows[:, :1], np.asarray(weights)[:, None], rows[:, 1:]]
    lines = [",".join(repr(float(x)) for x in row) for row in np.hstack(columns)]
    path.write_text("\n".join([",".join(names), *lines]) + "\n")
    return path


@pytest.mark.parametrize("similarity", ["neighbors", "linear", "cosine", "rbf"])
def test_a_weight_of_2_equals_a_row_given_twice(similarity: str, tmp_path: Path) -> None:
    rows = np.round(blobs(60, 3, seed=1))
    weights = np.random.default_rng(1).integers(0, 4, 60)
    options: list[Argument] = ["-k", 3, "--similarity", similarity]
    file = write(tmp_path / "w.csv", rows, weights)
    done = run(["cluster", file, "--weight-column", "weight", *options, "--json", "-"])
    weighted = json.loads(done.stdout)
    repeated = result([write(tmp_path / "r.csv", np.repeat(rows, weights, axis=0)), *options])
    assert weighted["cost"] == repeated["cost"]
    assert np.repeat(weighted["labels"], weights).tolist() == repeated["labels"]
    assert weighted["objects"] == 60


@pytest.mark.parametrize("cell", ["-1", "nan", "inf", "", "heavy"])
def test_a_bad_weight_is_named_with_its_line(cell: str, tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(f"a,w\n1,1\n2,{cell}\n3,1\n")
    found = run(["cluster", file, "--weight-column", "w"])
    assert found.returncode == 1
    assert "line 3" in found.stderr
    assert "a finite number of 0 or more" in found.stderr


def test_a_column_has_one_use(tmp_path: Path) -> None:
    file = write(tmp_path / "t.csv", blobs(20, 2, seed=2))
    for options in (["--drop", "x1"], ["--label-column", "x1"]):
        found = run(["cluster", file, "--weight-column", "x1", *options])
        assert found.returncode == 1
        assert "which another option names as well" in found.stderr


def test_weights_are_for_tables_of_features(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", blobs(20, 2, seed=3))
    (tmp_path / "m.csv").write_text("w,a,b\n1,0,1\n1,1,0\n")
    for file, options in (("x.npy", []), ("m.csv", ["--as", "similarity"])):
        found = run(["cluster", tmp_path / file, "--weight-column", "w", *options])
        assert found.returncode == 1
        assert "--weight-column" in found.stderr


@pytest.mark.parametrize("places", [2, 3, 5, 8, 12])
@pytest.mark.parametrize("clusters", ["given", "free"])
def test_a_few_places_with_many_rows_each_are_the_clusters(
    places: int, clusters: str, tmp_path: Path
) -> None:
    rng = np.random.default_rng(places)
    where = np.concatenate([np.arange(places), rng.integers(places, size=400)])
    rows = rng.uniform(0, 100, (places, 2))[where]
    file = write(tmp_path / "p.csv", rows)
    found = result([file, "-k", places if clusters == "given" else "auto"])
    assert found["clusters_found"] == places
    assert len(set(zip(where.tolist(), found["labels"], strict=True))) == places
