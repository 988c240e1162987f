"""The reported cost is the definition's, and no single move improves the answer.

Every case computes S from the very numbers in the file, in float64, and knows nothing of how the
program gets there.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from . import definition
from .conftest import (
    Argument,
    FloatArray,
    Result,
    blobs,
    random_graph,
    result,
    write_csv,
    write_edges,
    write_mtx_array,
    write_mtx_coordinate,
    write_npy,
)

SHAPES = [(12, 1), (30, 3), (57, 8), (131, 20), (260, 2), (90, 40)]
SHIFTS = ["adaptive", "adaptive 0.5", "adaptive 2", "constant", "constant 2", "none", "matrix 0.7"]

LINEAR: list[Argument] = ["--similarity", "linear"]

Similarity = tuple[list[Argument], Callable[[FloatArray], FloatArray]]

SIMILARITIES: dict[str, Similarity] = {
    "default": ([], lambda y: definition.neighbors(y, None, "shared")),
    "sqeuclidean": (
        ["--similarity", "linear", "--distance", "sqeuclidean"],
        lambda y: definition.linear(y, "sqeuclidean"),
    ),
    "euclidean": (
        ["--similarity", "linear", "--distance", "euclidean"],
        lambda y: definition.linear(y, "euclidean"),
    ),
    "cosine": (["--similarity", "cosine"], definition.cosine),
    "rbf": (
        ["--similarity", "rbf", "--sigma", "1.7"],
        lambda y: definition.rbf(y, 1.7),
    ),
    "rbf self-tuned": (["--similarity", "rbf"], lambda y: definition.rbf(y, None)),
    "neighbors": (
        ["--similarity", "neighbors", "--neighbors", "10"],
        lambda y: definition.neighbors(y, 10, "shared"),
    ),
    "binary neighbors": (
        ["--similarity", "neighbors", "--neighbors", "4", "--weights", "binary"],
        lambda y: definition.neighbors(y, 4, "binary"),
    ),
    "gaussian neighbors": (
        ["--similarity", "neighbors", "--neighbors", "500", "--weights", "gaussian"],
        lambda y: definition.neighbors(y, 500, "gaussian"),
    ),
}


def check(found: Result, s: FloatArray) -> None:
    """The definition's cost, and a single-move optimum of it."""
    assert found["objects"] == len(s)
    assert found["stop_reason"] == "converged"
    expected = definition.cost(s, found["labels"])
    # Where the terms cancel, the definition itself is only as good as its roundings.
    roundings = 1e-14 * float(np.abs(s).sum())
    assert found["cost"] == pytest.approx(expected, rel=1e-9, abs=roundings)
    asked = found["clusters_asked"]
    may_open = asked == "auto" or found["clusters_found"] < asked
    gain = definition.largest_gain(s, found["labels"], may_open)
    assert gain <= 1e-10 * np.abs(s).max() * len(s)


def shift_of(
    name: str, x: FloatArray, folder: Path, seed: int
) -> tuple[list[Argument], FloatArray]:
    """The options for a shift, and the shifted similarities S."""
    kind, _, strength_text = name.partition(" ")
    strength = float(strength_text or 1)
    options: list[Argument] = ["--shift-strength", strength_text] if strength_text else []
    if kind == "adaptive":
        return ["--shift", kind, *options], x - strength * definition.adaptive(x)
    if kind == "none":
        return ["--shift", kind, *options], x
    if kind == "constant":
        value = float(np.quantile(x, 0.6)) / strength + 0.01
        return ["--shift", f"constant={value!r}", *options], x - strength * value
    alpha = np.random.default_rng(seed).normal(x.mean(), x.std() + 0.1, x.shape)
    alpha = (alpha + alpha.T) / 2
    file = folder / f"shift.{['npy', 'csv', 'mtx'][seed % 3]}"
    if file.suffix == ".npy":
        write_npy(file, alpha)
    elif file.suffix == ".csv":
        write_csv(file, alpha)
    else:
        write_mtx_array(file, alpha, symmetric=True)
    return ["--shift", f"matrix={file}", *options], x - strength * alpha


def check_with_every_shift(args: list[Argument], x: FloatArray, folder: Path, seed: int) -> None:
    """Alternates between a given and a free number of clusters."""
    for i, name in enumerate(SHIFTS):
        options, s = shift_of(name, x, folder, seed + i)
        clusters: list[Argument] = ["-k", min(2 + (seed + i) % 5, len(x))] if (seed + i) % 2 else []
        found = result([*args, *options, *clusters, "--seed", seed, "--restarts", 3])
        assert found["shift"]["kind"] == name.split()[0]
        check(found, s)


@pytest.mark.parametrize("similarity", SIMILARITIES)
@pytest.mark.parametrize("scale", ["standard", "minmax", "none"])
@pytest.mark.parametrize("shape", range(len(SHAPES)))
def test_features(similarity: str, scale: str, shape: int, tmp_path: Path) -> None:
    features = blobs(*SHAPES[shape], seed=shape)
    options, similarity_of = SIMILARITIES[similarity]
    file = write_csv(tmp_path / "points.csv", features)
    x = similarity_of(definition.scaled(features, scale))
    check_with_every_shift([file, "--scale", scale, *options], x, tmp_path, shape)


@pytest.mark.parametrize("similarity", SIMILARITIES)
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_npy_features(similarity: str, order: str, kind: type[np.floating], tmp_path: Path) -> None:
    stored = np.array(blobs(75, 9, seed=5), dtype=kind, order="F" if order == "F" else "C")
    options, similarity_of = SIMILARITIES[similarity]
    file = write_npy(tmp_path / "points.npy", stored)
    x = similarity_of(definition.scaled(stored.astype(np.float64), "standard"))
    check_with_every_shift([file, "--scale", "standard", *options], x, tmp_path, seed=1)


def test_missing_cells_and_text_become_what_the_readme_says(tmp_path: Path) -> None:
    """Median for numbers, the most frequent value for text, text one-hot encoded."""
    file = tmp_path / "mixed.csv"
    rows = ["1,red,3", "2,blue,?", ",red,5", "8,,4", "4,green,NA", "2.5,red,6", "7,blue,1"]
    file.write_text("\n".join(["size,colour,age", *rows]) + "\n", encoding="utf-8")
    colours = ["blue", "green", "red"]
    colour = ["red", "blue", "red", "red", "green", "red", "blue"]
    features = np.array(
        [
            [size, *(float(name == c) for c in colours), age]
            for size, name, age in zip(
                [1, 2, 3.25, 8, 4, 2.5, 7], colour, [3, 4, 5, 4, 4, 6, 1], strict=True
            )
        ],
        dtype=np.float64,
    )
    x = definition.linear(definition.scaled(features, "standard"), "sqeuclidean")
    check(result([file, *LINEAR, "-k", "3"]), x - definition.adaptive(x))


def test_codes_are_one_hot_encoded_on_request(tmp_path: Path) -> None:
    features = np.column_stack([blobs(40, 2, 1), np.arange(40) % 3 + 10.0])
    file = write_csv(tmp_path / "codes.csv", features)
    one_hot = np.column_stack([features[:, :2], np.eye(3)[np.arange(40) % 3]])
    x = definition.linear(definition.scaled(one_hot, "standard"), "sqeuclidean")
    args: list[Argument] = [file, "--categorical", "x2", *LINEAR, "-k", "4"]
    check(result(args), x - definition.adaptive(x))


@pytest.mark.parametrize("form", ["array", "array symmetric", "npy32", "npy64", "npyF", "csv"])
@pytest.mark.parametrize("size", [2, 23, 140])
def test_similarity_matrix(form: str, size: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(size)
    x = rng.normal(size=(size, size))
    x = x + x.T
    if form.startswith("array"):
        file = write_mtx_array(tmp_path / "alike.mtx", x, symmetric=form.endswith("symmetric"))
    elif form == "csv":
        file = write_csv(tmp_path / "alike.csv", x)
    elif form == "npy32":
        x = x.astype(np.float32).astype(np.float64)
        file = write_npy(tmp_path / "alike.npy", x.astype(np.float32))
    else:
        file = write_npy(tmp_path / "alike.npy", np.asfortranarray(x) if form == "npyF" else x)
    check_with_every_shift([file, "--as", "similarity"], x, tmp_path, size)


@pytest.mark.parametrize("form", ["mtx", "npy32", "npy64", "csv"])
@pytest.mark.parametrize("size", [3, 24, 141])
def test_distance_matrix(form: str, size: int, tmp_path: Path) -> None:
    distances = np.sqrt(definition.squared_distances(blobs(size, 3, seed=2)))
    if form == "mtx":
        file = write_mtx_array(tmp_path / "far.mtx", distances)
    elif form == "csv":
        file = write_csv(tmp_path / "far.csv", distances)
    elif form == "npy32":
        file = write_npy(tmp_path / "far.npy", distances.astype(np.float32))
        distances = distances.astype(np.float32).astype(np.float64)
    else:
        file = write_npy(tmp_path / "far.npy", distances)
    x = definition.from_distances(distances)
    args: list[Argument] = [file, "--as", "distance", "--similarity", "linear"]
    check_with_every_shift(args, x, tmp_path, size)


@pytest.mark.parametrize(
    "form", ["general", "symmetric", "pattern", "npy as graph", "csv as graph"]
)
@pytest.mark.parametrize("size", [2, 25, 150])
def test_graph_matrix(form: str, size: int, tmp_path: Path) -> None:
    x = random_graph(size, degree=4, seed=size, signed=form == "general")
    x[0, 0] = x[size - 1, size - 1] = 1.5
    options: list[Argument] = []
    if form == "pattern":
        x = (x != 0).astype(np.float64)
        file = write_mtx_coordinate(tmp_path / "graph.mtx", x, symmetric=True, pattern=True)
    elif form == "npy as graph":
        file, options = write_npy(tmp_path / "graph.npy", x), ["--as", "graph"]
    elif form == "csv as graph":
        file, options = write_csv(tmp_path / "graph.csv", x), ["--as", "graph"]
    else:
        file = write_mtx_coordinate(tmp_path / "graph.mtx", x, symmetric=form == "symmetric")
    check_with_every_shift([file, *options], x, tmp_path, size)


@pytest.mark.parametrize("strength", [0.5, 1, 2])
def test_graph_minus_a_sparse_shift_matrix(strength: float, tmp_path: Path) -> None:
    x, alpha = random_graph(80, 5, seed=1), random_graph(80, 8, seed=2, signed=True)
    file = write_mtx_coordinate(tmp_path / "graph.mtx", x, symmetric=True)
    shift = write_mtx_coordinate(tmp_path / "alpha.mtx", alpha)
    options: list[Argument] = ["--shift", f"matrix={shift}", "--shift-strength", strength]
    check(result([file, *options]), x - strength * alpha)
    check(result([file, *options, "-k", "4"]), x - strength * alpha)


@pytest.mark.parametrize("size", [5, 60, 300])
def test_edges(size: int, tmp_path: Path) -> None:
    """Repeated edges, in either direction, add up; a self loop counts once."""
    rng = np.random.default_rng(size)
    order: dict[str, int] = {}
    edges = []
    for _ in range(size * 4):
        u, v = (f"n{i}" for i in rng.integers(size, size=2))
        order.setdefault(u, len(order))
        order.setdefault(v, len(order))
        edges.append((u, v, float(rng.uniform(-0.5, 2))))
    x = np.zeros((len(order), len(order)))
    for u, v, w in edges:
        x[order[u], order[v]] += w
        if u != v:
            x[order[v], order[u]] += w
    file = write_edges(tmp_path / "graph.edges", edges)
    check_with_every_shift([file], x, tmp_path, size)


@pytest.mark.parametrize("similarity", ["sqeuclidean", "cosine"])
@pytest.mark.parametrize("shape", [(20, 6), (120, 300), (200, 40)])
def test_sparse_features(similarity: str, shape: tuple[int, int], tmp_path: Path) -> None:
    rng = np.random.default_rng(shape)
    features = rng.uniform(0.1, 3, shape) * (rng.uniform(size=shape) < 5 / shape[1])
    features[0, 0] = 1.0
    empty = ~features.any(axis=1)  # equal rows, which share a cluster even where that costs more
    features[empty, 0] = rng.uniform(0.1, 3, empty.sum())
    file = write_mtx_coordinate(tmp_path / "words.mtx", features)
    options, similarity_of = SIMILARITIES[similarity]
    x = similarity_of(features)
    check_with_every_shift([file, "--as", "features", *options], x, tmp_path, shape[0])


@pytest.mark.parametrize("rows", [600, 2500])
def test_many_rows_and_clusters(rows: int, tmp_path: Path) -> None:
    """Large enough for blocks, tiles and pruning to be at work."""
    features = blobs(rows, 33, seed=9, groups=30).astype(np.float32)
    file = write_npy(tmp_path / "points.npy", features)
    y = definition.scaled(features.astype(np.float64), "standard")
    x = 2 * (y - y.mean(axis=0)) @ (y - y.mean(axis=0)).T
    linear: list[Argument] = [file, "--scale", "standard", *LINEAR]
    check(result([*linear, "-k", "25", "--restarts", "2"]), x)
    check(result([*linear, "--restarts", "2"]), x)
    z = definition.cosine(y)
    options = ["--similarity", "cosine", "--shift-strength", "1.5", "--restarts", "2"]
    check(result([file, "--scale", "standard", *options]), z - 1.5 * definition.adaptive(z))


def test_a_shift_makes_more_and_fewer_clusters(tmp_path: Path) -> None:
    """The shift does what the README says: the larger, the smaller the clusters."""
    file = write_mtx_coordinate(tmp_path / "graph.mtx", random_graph(120, 6, 3), symmetric=True)
    counts = [
        result([file, "--shift", f"constant={value}"])["clusters_found"]
        for value in [0, 0.05, 0.5, 5]
    ]
    assert counts[0] == 1
    assert counts[-1] == 120
    assert counts == sorted(counts)


def test_more_restarts_only_add_to_fewer(tmp_path: Path) -> None:
    """Restart r is the same whatever comes after it, so the cost can only fall."""
    file = write_mtx_coordinate(tmp_path / "graph.mtx", random_graph(150, 5, 4), symmetric=True)
    args: list[Argument] = [file, "-k", "6", "--method", "local-search"]
    few, many = (result([*args, "--restarts", r]) for r in [5, 15])
    for shorter, longer in zip(few["restarts"], many["restarts"], strict=False):
        assert (shorter["cost"], shorter["sweeps"]) == (longer["cost"], longer["sweeps"])
    assert (len(few["restarts"]), len(many["restarts"])) == (5, 15)
    assert len({restart["cost"] for restart in many["restarts"]}) > 5
    assert many["cost"] <= few["cost"]
