"""The same input, options and seed give the same answer, for any number of threads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from . import definition
from .conftest import (
    Argument,
    Result,
    blobs,
    random_graph,
    result,
    write_csv,
    write_mtx_array,
    write_mtx_coordinate,
    write_npy,
)

VIEWS = [
    "default",
    "default free",
    "features",
    "features free",
    "float32 features",
    "constant shift",
    "stronger shift",
    "cosine",
    "sparse features",
    "sparse cosine free",
    "plain distances",
    "rbf",
    "neighbors",
    "neighbors free",
    "sparse neighbors",
    "shift matrix",
    "similarity",
    "similarity free",
    "distance",
    "graph",
    "graph free",
]


def arguments(view: str, folder: Path) -> list[Argument]:
    """Large enough for several blocks, tiles and threads to share the work."""
    points = blobs(700, 24, seed=1, groups=12)
    clusters: list[Argument] = [] if view.endswith("free") else ["-k", 9]
    shape = view.removesuffix(" free")
    linear: list[Argument] = ["--similarity", "linear"]
    if shape == "float32 features":
        return [write_npy(folder / "points.npy", points.astype(np.float32)), *linear, *clusters]
    if shape.startswith("sparse"):
        rng = np.random.default_rng(3)
        words = rng.uniform(0.5, 2, (500, 300)) * (rng.uniform(size=(500, 300)) < 0.02)
        file = write_mtx_coordinate(folder / "words.mtx", words)
        kind = shape.removeprefix("sparse ").replace("features", "linear")
        return [file, "--as", "features", "--similarity", kind, *clusters]
    if shape == "similarity":
        noise = np.random.default_rng(4).normal(size=(400, 400))
        return [write_mtx_array(folder / "alike.mtx", noise + noise.T, True), *clusters]
    if shape == "distance":
        distances = np.sqrt(definition.squared_distances(points[:400]))
        return [write_npy(folder / "far.npy", distances), "--as", "distance", *clusters]
    if shape == "graph":
        graph = random_graph(800, 6, seed=2)
        return [write_mtx_coordinate(folder / "graph.mtx", graph, symmetric=True), *clusters]
    own: dict[str, list[Argument]] = {
        "default": [],
        "constant shift": [*linear, "--shift", "constant=60"],
        "stronger shift": [*linear, "--shift-strength", "1.3"],
        "cosine": ["--similarity", "cosine"],
        "plain distances": ["--distance", "euclidean", "--scale", "standard"],
        "rbf": ["--similarity", "rbf"],
        "neighbors": ["--similarity", "neighbors", "--shift", "adaptive"],
    }
    options = own.get(shape, linear)
    if shape == "shift matrix":
        alpha = np.add.outer(np.arange(700.0), np.arange(700.0)) / 10
        options = [*linear, "--shift", f"matrix={write_npy(folder / 'alpha.npy', alpha)}"]
    return [write_csv(folder / "points.csv", points), *options, *clusters]


def timeless(found: Result) -> Result:
    restarts = [{k: v for k, v in r.items() if k != "seconds"} for r in found["restarts"]]
    kept = {k: v for k, v in found.items() if k not in {"seconds", "threads"}}
    return kept | {"restarts": restarts}


@pytest.mark.parametrize("view", VIEWS)
def test_threads_never_change_the_answer(view: str, tmp_path: Path) -> None:
    args = [*arguments(view, tmp_path), "--restarts", 4, "--seed", 11]
    labels = [tmp_path / f"labels{threads}.csv" for threads in (1, 2, 7)]
    found = [
        result([*args, "--threads", threads, "--labels", file])
        for threads, file in zip((1, 2, 7), labels, strict=True)
    ]
    assert [f["threads"] for f in found] == [1, 2, 7]
    assert timeless(found[0]) == timeless(found[1]) == timeless(found[2])
    assert labels[0].read_bytes() == labels[1].read_bytes() == labels[2].read_bytes()
    assert found[0]["clusters_found"] > 1


@pytest.mark.parametrize("view", VIEWS)
def test_one_restart_shared_by_threads(view: str, tmp_path: Path) -> None:
    """With a single restart the threads work inside it."""
    args = [*arguments(view, tmp_path), "--restarts", 1]
    assert timeless(result([*args, "--threads", 1])) == timeless(result([*args, "--threads", 3]))


@pytest.mark.parametrize(
    "view", ["default", "default free", "features", "rbf", "graph", "graph free"]
)
def test_a_run_repeats_itself(view: str, tmp_path: Path) -> None:
    args = [*arguments(view, tmp_path), "--restarts", 5]
    assert timeless(result([*args, "--seed", 3])) == timeless(result([*args, "--seed", 3]))
    assert timeless(result([*args, "--seed", 0])) == timeless(result(args))


@pytest.mark.parametrize("view", ["features", "rbf", "neighbors", "graph", "graph free"])
def test_the_seed_is_used(view: str, tmp_path: Path) -> None:
    """Other seeds take other ways, though some may be the same by chance."""
    args = [*arguments(view, tmp_path), "--restarts", 5]
    ways = {
        tuple((r["cost"], r["sweeps"], r["moves"]) for r in found["restarts"])
        for found in (result([*args, "--seed", seed]) for seed in (1, 2, 2**64 - 1))
    }
    assert len(ways) > 1


@pytest.mark.parametrize("view", VIEWS)
def test_auto_is_never_worse_than_ten_restarts(view: str, tmp_path: Path) -> None:
    args = arguments(view, tmp_path)
    restarts = result([*args, "--method", "local-search"])["cost"]
    assert result([*args, "--method", "auto"])["cost"] <= restarts + 1e-9 * abs(restarts)


def test_the_storage_of_the_same_numbers_does_not_matter(tmp_path: Path) -> None:
    points = blobs(200, 6, seed=8)
    files = [
        write_csv(tmp_path / "p.csv", points),
        write_csv(tmp_path / "p.tsv", points, delimiter="\t"),
        write_npy(tmp_path / "c.npy", points),
        write_npy(tmp_path / "f.npy", np.asfortranarray(points)),
        write_mtx_array(tmp_path / "p.mtx", points),
    ]
    found = [timeless(result([file, "--as", "features", "-k", 4])) for file in files]
    assert all(other == found[0] for other in found[1:])
