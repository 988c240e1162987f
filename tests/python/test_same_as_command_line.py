"""The same file, options and seed give the same answer as the command line, on every view."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from shiftcut import ShiftcutWarning, ShiftedMinCut

from .command_line import cluster, write_mtx, write_npy
from .data import Floats, blobs, random_sparse

SAME = ["objects", "clusters_asked", "clusters_found", "sizes", "cost", "stop_reason", "shift"]
SAME += ["similarity", "seed", "warning_codes", "version"]
OF_RESTARTS = ("method", "cost", "sweeps", "moves")


def check_same(ours: ShiftedMinCut, theirs: dict[str, Any]) -> None:
    np.testing.assert_array_equal(ours.labels_, theirs["labels"])
    for field in SAME:
        assert ours.result_[field] == theirs[field], field
    for field in ("distance", "scale"):
        assert ours.result_.get(field) == theirs.get(field), field
    for mine, other in zip(ours.result_["restarts"], theirs["restarts"], strict=True):
        assert [mine[f] for f in OF_RESTARTS] == [other[f] for f in OF_RESTARTS]


def fitted(model: ShiftedMinCut, values: object) -> ShiftedMinCut:
    """Fits; every warning of the result must have been a Python warning, in the same words."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(values)
    told = [str(w.message) for w in caught if issubclass(w.category, ShiftcutWarning)]
    assert told == model.result_["warnings"]
    return model


FEATURES: dict[str, tuple[dict[str, Any], list[object]]] = {
    "linear": ({"similarity": "linear"}, ["--similarity", "linear"]),
    "euclidean": (
        {"similarity": "linear", "distance": "euclidean"},
        ["--similarity", "linear", "--distance", "euclidean"],
    ),
    "cosine": ({"similarity": "cosine"}, ["--similarity", "cosine"]),
    "rbf": ({"similarity": "rbf"}, ["--similarity", "rbf"]),
    "rbf sigma": ({"similarity": "rbf", "sigma": 1.5}, ["--similarity", "rbf", "--sigma", 1.5]),
    "neighbors": ({"similarity": "neighbors"}, ["--similarity", "neighbors"]),
    "binary": (
        {"weights": "binary", "n_neighbors": 5},
        ["--similarity", "neighbors", "--weights", "binary", "--neighbors", 5],
    ),
    "gaussian": (
        {"weights": "gaussian"},
        ["--similarity", "neighbors", "--weights", "gaussian"],
    ),
    "minmax": (
        {"similarity": "linear", "scale": "minmax"},
        ["--similarity", "linear", "--scale", "minmax"],
    ),
    "unscaled": (
        {"similarity": "linear", "scale": "none"},
        ["--similarity", "linear", "--scale", "none"],
    ),
}


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("view", FEATURES)
def test_features(view: str, dtype: type[np.floating[Any]], tmp_path: Path) -> None:
    points = blobs(150, 6, groups=4).astype(dtype)
    parameters, arguments = FEATURES[view]
    ours = fitted(ShiftedMinCut(4, random_state=3, **parameters), points)
    file = write_npy(tmp_path / "points.npy", points)
    check_same(ours, cluster(file, "-k", 4, "--seed", 3, *arguments))


def test_the_defaults_are_the_same(tmp_path: Path) -> None:
    points = blobs(150, 6, groups=4)
    file = write_npy(tmp_path / "points.npy", points)
    check_same(fitted(ShiftedMinCut(4, random_state=0), points), cluster(file, "-k", 4))
    check_same(fitted(ShiftedMinCut(random_state=0), points), cluster(file))
    few = write_npy(tmp_path / "few.npy", points[:9])
    check_same(fitted(ShiftedMinCut(random_state=0), points[:9]), cluster(few))


def similarity(n: int = 60) -> Floats:
    x = np.random.default_rng(1).normal(size=(n, n))
    return np.asarray((x + x.T) / 2)


SHIFTS: dict[str, tuple[dict[str, Any], list[object]]] = {
    "adaptive": ({"shift": "adaptive"}, ["--shift", "adaptive"]),
    "stronger": (
        {"shift": "adaptive", "shift_strength": 1.3},
        ["--shift", "adaptive", "--shift-strength", 1.3],
    ),
    "constant": ({"shift": 0.25}, ["--shift", "constant=0.25"]),
    "none": ({"shift": "none"}, ["--shift", "none"]),
}
GRAPH_SHIFTS: dict[str, tuple[dict[str, Any], list[object]]] = {
    **SHIFTS,
    "auto": ({"shift": "auto"}, ["--shift", "auto"]),
    "degree": (
        {"shift": "degree", "shift_strength": 0.8},
        ["--shift", "degree", "--shift-strength", 0.8],
    ),
}


@pytest.mark.parametrize("shift", SHIFTS)
@pytest.mark.parametrize("clusters", [3, None])
def test_a_similarity_matrix(shift: str, clusters: int | None, tmp_path: Path) -> None:
    parameters, arguments = SHIFTS[shift]
    x = similarity()
    model = ShiftedMinCut(clusters, similarity="precomputed", random_state=2, **parameters)
    file = write_npy(tmp_path / "x.npy", x)
    asked = ["-k", clusters or "auto", "--as", "similarity", "--seed", 2]
    check_same(fitted(model, x), cluster(file, *asked, *arguments))


def test_a_distance_matrix(tmp_path: Path) -> None:
    points = blobs(50, 3)
    d = np.sqrt(((points[:, None] - points) ** 2).sum(axis=2))
    model = ShiftedMinCut(3, similarity="precomputed_distance", random_state=0)
    file = write_npy(tmp_path / "d.npy", d)
    linear = cluster(file, "--as", "distance", "--similarity", "linear", "-k", 3)
    check_same(fitted(model, d), linear)
    of_neighbors = ShiftedMinCut(3, metric="precomputed", random_state=0)
    check_same(fitted(of_neighbors, d), cluster(file, "--as", "distance", "-k", 3))


def graph(n: int = 80) -> Any:  # noqa: ANN401
    upper = random_sparse(n, n, 0.06, seed=4)
    upper = sparse.triu(upper, 1)
    return (upper + upper.T).tocsr()


@pytest.mark.parametrize("shift", GRAPH_SHIFTS)
def test_a_graph(shift: str, tmp_path: Path) -> None:
    parameters, arguments = GRAPH_SHIFTS[shift]
    model = ShiftedMinCut(5, similarity="precomputed", random_state=1, **parameters)
    file = write_mtx(tmp_path / "graph.mtx", graph())
    theirs = cluster(file, "-k", 5, "--seed", 1, *arguments)
    check_same(fitted(model, graph()), theirs)


@pytest.mark.parametrize("shift", [{}, {"shift_strength": 1.2}, {"shift": 0.3}])
def test_a_graph_of_probabilities(shift: dict[str, Any], tmp_path: Path) -> None:
    probabilities = graph()
    probabilities.data[:] = np.where(probabilities.data > 0.9, 1.0, probabilities.data)
    model = ShiftedMinCut(similarity="precomputed", weights="log-odds", random_state=1, **shift)
    file = write_mtx(tmp_path / "graph.mtx", probabilities)
    asked: list[object] = ["--weights", "log-odds", "--seed", 1]
    if "shift_strength" in shift:
        asked += ["--shift-strength", 1.2]
    if "shift" in shift:
        asked += ["--shift", "constant=0.3"]
    check_same(fitted(model, probabilities), cluster(file, *asked))
    p = np.clip(probabilities.data, 1e-12, 1 - 1e-12)
    odds = probabilities.copy()
    odds.data[:] = np.log(p / (1 - p))
    if "shift" in shift:  # see test_linkage.py for the others
        same = ShiftedMinCut(similarity="precomputed", random_state=1, **shift).fit(odds)
        np.testing.assert_array_equal(same.labels_, model.labels_)
        np.testing.assert_allclose(model.transform(probabilities), same.transform(odds), atol=1e-9)


@pytest.mark.parametrize("kind", ["linear", "cosine", "neighbors"])
@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
def test_sparse_rows(kind: str, layout: str, tmp_path: Path) -> None:
    rows = random_sparse(70, 40, 0.15, seed=5)
    file = write_mtx(tmp_path / "rows.mtx", rows)
    model = ShiftedMinCut(4, similarity=kind, random_state=0)
    theirs = cluster(file, "--as", "features", "-k", 4, "--similarity", kind)
    check_same(fitted(model, rows.asformat(layout)), theirs)


@pytest.mark.parametrize("as_sparse", [False, True])
def test_a_shift_matrix(as_sparse: bool, tmp_path: Path) -> None:
    alpha = np.abs(similarity(80)) * (graph().todense() > 0)
    given: Any = sparse.csr_matrix(alpha) if as_sparse else alpha
    model = ShiftedMinCut(4, similarity="precomputed", shift=given, random_state=0)
    file = write_mtx(tmp_path / "graph.mtx", graph())
    writes: Callable[[Path, Any], Path] = write_mtx if as_sparse else write_npy
    shift = writes(tmp_path / ("a.mtx" if as_sparse else "a.npy"), alpha)
    check_same(fitted(model, graph()), cluster(file, "-k", 4, "--shift", f"matrix={shift}"))


@pytest.mark.parametrize(
    "method", ["auto", "local-search", "multilevel", "annealing", "frank-wolfe"]
)
def test_every_method(method: str, tmp_path: Path) -> None:
    points = blobs(100, 4)
    file = write_npy(tmp_path / "points.npy", points)
    model = ShiftedMinCut(3, method=method, n_init=4, random_state=9)
    arguments = ["--similarity", "neighbors", "--method", method, "--restarts", 4, "--seed", 9]
    check_same(fitted(model, points), cluster(file, "-k", 3, *arguments))


def test_warnings_point_at_the_line_that_called() -> None:
    with pytest.warns(ShiftcutWarning, match="clusters were asked for") as caught:
        ShiftedMinCut(9, similarity="linear", random_state=0).fit(blobs(100, 2))
    assert {warning.filename for warning in caught} == {__file__}
