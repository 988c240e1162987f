"""The default command: neighbours of rows, the strength of the shift found along a path."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from sklearn import datasets
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score

from . import definition
from .conftest import (
    Argument,
    FloatArray,
    Result,
    blobs,
    groups,
    random_graph,
    result,
    run,
    write_csv,
    write_mtx_coordinate,
    write_npy,
)
from .test_cost import check

Classes = npt.NDArray[np.int64]


def check_path(found: Result) -> None:
    """Well formed, and the strength that was taken is one of it."""
    shift, n, asked = found["shift"], found["objects"], found["clusters_asked"]
    path = shift["path"]
    if found["similarity"] == "neighbors":
        assert len(path) == (28 if asked == "auto" else 14)
    else:  # on given graphs it may go on to stronger shifts
        longer = len(path) - (28 if asked == "auto" else 18)
        assert longer >= 0
        assert longer % 4 == 0 or (asked != "auto" and longer % 4 in (2, 3))
    strengths = [point["strength"] for point in path]
    assert strengths == sorted(set(strengths), reverse=True)
    assert strengths[-1] > 0
    assert shift["kind"] == "adaptive"
    assert shift["strength"] in strengths
    for point in path:
        assert sum(point["sizes"]) == n
        assert point["sizes"] == sorted(point["sizes"], reverse=True)
        assert min(point["sizes"]) > 0
        assert point["clusters"] == len(point["sizes"])
        assert asked == "auto" or point["clusters"] <= asked
        assert np.isfinite(point["cost"])
        assert (point["criterion"] is None) == (point["clusters"] == 1)
        assert -1 <= point["agreement"] <= 1 + 1e-12
    if found["similarity"] == "precomputed":  # elsewhere a vote may prefer one of higher cost
        chosen = path[strengths.index(shift["strength"])]
        assert found["cost"] <= chosen["cost"] + 1e-9 * abs(chosen["cost"])
    assert 0 <= found["seconds"]["shift"] <= found["seconds"]["total"]


def shifted(x: FloatArray, found: Result) -> FloatArray:
    return np.asarray(x - found["shift"]["strength"] * definition.adaptive(x))


# ---- Data with known classes ----


def moons() -> tuple[FloatArray, Classes]:
    points, classes = datasets.make_moons(2000, noise=0.05, random_state=0)
    return points, classes


def circles() -> tuple[FloatArray, Classes]:
    points, classes = datasets.make_circles(2000, noise=0.05, factor=0.5, random_state=0)
    return points, classes


def many_blobs() -> tuple[FloatArray, Classes]:
    points, classes = datasets.make_blobs(5000, n_features=32, centers=100, random_state=0)
    return points, classes


@pytest.mark.parametrize("make", [moons, circles, many_blobs], ids=lambda make: make.__name__)
@pytest.mark.parametrize("free", [False, True], ids=["given", "free"])
def test_clear_shapes_are_found(make: object, free: bool, tmp_path: Path) -> None:
    assert callable(make)
    points, classes = make()
    count = len(set(classes.tolist()))
    file = write_npy(tmp_path / "points.npy", points)
    found = result([file, "-k", "auto" if free else count])
    check_path(found)
    assert adjusted_rand_score(classes, found["labels"]) >= 0.99
    assert found["clusters_found"] == count or free


@pytest.mark.parametrize(
    ("name", "least"), [("iris", 0.7), ("wine", 0.75), ("breast_cancer", 0.55), ("digits", 0.88)]
)
def test_classes_of_known_data(name: str, least: float, tmp_path: Path) -> None:
    points, classes = getattr(datasets, f"load_{name}")(return_X_y=True)
    file = write_npy(tmp_path / "points.npy", points.astype(float))
    count = len(set(classes.tolist()))
    found = result([file, "-k", count])
    check_path(found)
    assert found["clusters_found"] == count
    ami = adjusted_mutual_info_score(classes, found["labels"])
    print(f"{name}: AMI {ami:.3f}")
    assert ami >= least


# ---- Few objects, or few that differ ----


def test_one_object(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "one.csv", np.array([[3.0, -4.0]]))
    choices: list[list[Argument]] = [[], ["-k", 1]]
    for clusters in choices:
        found = result([file, *clusters])
        assert (found["labels"], found["cost"]) == ([0], 0)
        assert "path" not in found["shift"]


def test_two_objects(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "two.csv", np.array([[3.0, -4.0], [1.0, 2.0]]))
    assert sorted(result([file, "-k", 2])["labels"]) == [0, 1]
    assert result([file, "-k", 1])["labels"] == [0, 0]
    assert len(result([file])["labels"]) == 2


@pytest.mark.parametrize("clusters", ["2", "auto"])
@pytest.mark.parametrize("rows", range(4, 13))
def test_two_obvious_groups_of_few_objects(rows: int, clusters: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(rows)
    side = np.arange(rows) % 2
    points = side[:, None] * 20 + rng.normal(size=(rows, 2))
    found = result([write_csv(tmp_path / "p.csv", points), "-k", clusters])
    expected = {frozenset(range(0, rows, 2)), frozenset(range(1, rows, 2))}
    assert groups(found) == expected


@pytest.mark.parametrize("clusters", ["2", "auto"])
@pytest.mark.parametrize("rows", [6, 9, 12])
def test_a_third_of_few_objects_apart(rows: int, clusters: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(rows)
    side = np.arange(rows) % 3 == 0
    points = side[:, None] * 20 + rng.normal(size=(rows, 2))
    found = result([write_csv(tmp_path / "p.csv", points), "-k", clusters])
    apart = frozenset(range(0, rows, 3))
    assert groups(found) == {apart, frozenset(range(rows)) - apart}


def test_three_objects_of_which_two_are_near(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "p.csv", np.array([[0.0, 0.0], [0.1, 0.0], [9.0, 9.0]]))
    assert groups(result([file, "-k", 2])) == {frozenset({0, 1}), frozenset({2})}


@pytest.mark.parametrize("each", [3, 5])
def test_three_obvious_groups_of_few_objects(each: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(each)
    side = np.arange(3 * each) % 3
    points = 20 * np.eye(3)[side] + rng.normal(size=(3 * each, 3))
    found = result([write_csv(tmp_path / "p.csv", points)])
    assert groups(found) == {frozenset(np.flatnonzero(side == k).tolist()) for k in range(3)}


@pytest.mark.parametrize(
    ("count", "each", "least"), [(3, 4, 16), (4, 3, 13), (4, 6, 16), (5, 5, 14)]
)
def test_groups_of_few_objects_as_they_come(
    count: int, each: int, least: int, tmp_path: Path
) -> None:
    """Random centres, nine deviations apart or more, in most of 20 tables."""
    found = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        side = np.repeat(np.arange(count), each)
        while True:
            centres = 9 * rng.uniform(-1, 1, size=(count, 5)) * count**0.2
            gaps = np.linalg.norm(centres[:, None] - centres, axis=2)
            if gaps[np.triu_indices(count, 1)].min() > 9:
                break
        points = centres[side] + rng.normal(size=(len(side), 5))
        answer = groups(result([write_npy(tmp_path / "p.npy", points)]))
        found += answer == {frozenset(np.flatnonzero(side == k).tolist()) for k in range(count)}
    assert found >= least


def test_rows_on_two_lines(tmp_path: Path) -> None:
    points = np.array([[x, y] for y in (0, 5) for x in range(10)], float)
    found = result([write_csv(tmp_path / "p.csv", points)])
    assert groups(found) == {frozenset(range(10)), frozenset(range(10, 20))}


@pytest.mark.parametrize("shape", [(8, 2), (40, 3), (300, 2), (800, 6)])
@pytest.mark.parametrize("normal", [False, True], ids=["uniform", "normal"])
def test_noise_is_called_noise(shape: tuple[int, int], normal: bool, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    points = rng.normal(size=shape) if normal else rng.uniform(size=shape)
    file = write_npy(tmp_path / "p.npy", points)
    found = result([file])
    assert found["clusters_found"] == 1
    assert "no_clusters" in found["warning_codes"]
    if len(points) > 20:
        assert "like_noise" in result([file, "-k", 3])["warning_codes"]


def test_noise_in_columns_of_unequal_spread_is_called_noise(tmp_path: Path) -> None:
    """Divided along the longest axis, noise is as easy to divide as noise of fewer columns."""
    divided = 0
    sets = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        columns = int(rng.choice([2, 5, 12]))
        for spread in (1 / np.arange(1, columns + 1), np.r_[10, np.ones(columns - 1)]):
            points = rng.normal(size=(300, columns)) * spread
            found = result([write_npy(tmp_path / "p.npy", points), "--scale", "none"])
            divided += found["clusters_found"] > 1
            sets += 1
    assert divided <= sets // 8


@pytest.mark.parametrize("rows", [2, 3, 7, 30])
def test_as_many_clusters_as_objects(rows: int, tmp_path: Path) -> None:
    file = write_csv(tmp_path / "p.csv", blobs(rows, 2, seed=rows))
    found = result([file, "-k", rows])
    check_path(found)
    assert found["clusters_asked"] == rows


@pytest.mark.parametrize("clusters", ["1", "3", "auto"])
def test_all_rows_equal(clusters: str, tmp_path: Path) -> None:
    file = write_csv(tmp_path / "p.csv", np.full((40, 3), 2.5))
    found = result([file, "-k", clusters])
    assert any("equal" in warning for warning in found["warnings"])
    assert np.isfinite(found["cost"])


@pytest.mark.parametrize("clusters", ["4", "auto"])
def test_constant_columns_change_nothing(clusters: str, tmp_path: Path) -> None:
    points = blobs(200, 3, seed=7)
    padded = np.column_stack([np.full(200, 1e6), points, np.zeros(200)])
    alone = result([write_csv(tmp_path / "p.csv", points), "-k", clusters])
    beside = result([write_csv(tmp_path / "q.csv", padded), "-k", clusters])
    assert beside["labels"] == alone["labels"]
    assert beside["shift"] == alone["shift"]


# ---- What the result says ----


@pytest.mark.parametrize("weights", ["shared", "binary", "gaussian"])
@pytest.mark.parametrize("clusters", ["2", "5", "auto"])
@pytest.mark.parametrize("shape", [(12, 2), (60, 3), (400, 6)])
def test_the_cost_is_that_of_the_strength_taken(
    shape: tuple[int, int], clusters: str, weights: str, tmp_path: Path
) -> None:
    points = blobs(*shape, seed=1)
    file = write_npy(tmp_path / "p.npy", points)
    found = result([file, "--scale", "standard", "--weights", weights, "-k", clusters])
    check_path(found)
    x = definition.neighbors(definition.scaled(points, "standard"), None, weights)
    check(found, shifted(x, found))


@pytest.mark.parametrize("clusters", ["6", "auto"])
def test_the_strength_taken_gives_the_same_when_asked_for(clusters: str, tmp_path: Path) -> None:
    file = write_npy(tmp_path / "p.npy", blobs(300, 4, seed=2, groups=6))
    found = result([file, "-k", clusters])
    strength = repr(found["shift"]["strength"])
    asked = result([file, "-k", clusters, "--shift-strength", strength])
    assert "path" not in asked["shift"]
    assert asked["seconds"]["shift"] == 0
    assert asked["cost"] == pytest.approx(found["cost"], rel=2e-2)


@pytest.mark.parametrize("clusters", ["4", "auto"])
def test_a_graph_has_a_path_when_asked_for(clusters: str, tmp_path: Path) -> None:
    x = random_graph(200, 6, seed=3)
    file = write_mtx_coordinate(tmp_path / "g.mtx", x, symmetric=True)
    found = result([file, "--shift", "auto", "-k", clusters])
    check_path(found)
    check(found, shifted(x, found))
    usual = result([file, "-k", clusters])
    assert usual["shift"] == {"kind": "adaptive", "strength": 1}


def test_a_graph_without_edges_has_no_path(tmp_path: Path) -> None:
    file = tmp_path / "none.mtx"
    file.write_text("%%MatrixMarket matrix coordinate real symmetric\n5 5 0\n", encoding="utf-8")
    found = result([file, "--shift", "auto"])
    assert found["shift"] == {"kind": "adaptive", "strength": 1}
    assert found["cost"] == 0


def test_auto_is_what_neighbors_have_anyway(tmp_path: Path) -> None:
    file = write_npy(tmp_path / "p.npy", blobs(120, 3, seed=4))
    for clusters in ["3", "auto"]:
        plain = result([file, "-k", clusters])
        spelled = result(
            [
                file,
                "-k",
                clusters,
                "--similarity",
                "neighbors",
                "--shift",
                "auto",
                "--neighbors",
                10,
            ]
        )
        assert (spelled["labels"], spelled["shift"]) == (plain["labels"], plain["shift"])


@pytest.mark.parametrize(
    ("options", "similarity"),
    [(["--distance", "sqeuclidean"], "linear"), (["--sigma", "2"], "rbf"), ([], "neighbors")],
)
def test_options_imply_their_similarity(
    options: list[Argument], similarity: str, tmp_path: Path
) -> None:
    file = write_npy(tmp_path / "p.npy", blobs(60, 3, seed=5))
    found = result([file, *options, "-k", 3])
    assert found["similarity"] == similarity
    assert ("path" in found["shift"]) == (similarity == "neighbors")
    same = result([file, *options, "--similarity", similarity, "-k", 3])
    assert (same["labels"], same["cost"]) == (found["labels"], found["cost"])


@pytest.mark.parametrize("similarity", ["linear", "cosine", "rbf"])
def test_auto_is_refused_where_there_is_no_graph(similarity: str, tmp_path: Path) -> None:
    file = write_npy(tmp_path / "p.npy", blobs(60, 3, seed=5))
    done = run(["cluster", file, "--similarity", similarity, "--shift", "auto"])
    assert (done.returncode, done.stdout) == (1, "")
    assert f"--shift: found auto for {similarity} similarities; allowed: auto for" in done.stderr


def test_answers_from_one_to_five_in_two_groups_are_found_as_k_means_finds_them(
    tmp_path: Path,
) -> None:
    """Four questions, asked of two groups that differ by another amount in each."""
    scores = []
    for seed in range(100, 108):
        rng = np.random.default_rng(seed)
        truth = rng.integers(0, 2, 3000)
        low, high = rng.uniform(1.5, 2.5, 4), rng.uniform(3.5, 4.5, 4)
        means = np.where(truth[:, None] == 0, low, high)
        rows = np.clip(np.round(means + 0.8 * rng.normal(size=(3000, 4))), 1, 5)
        found = result([write_npy(tmp_path / "answers.npy", rows), "-k", 2])
        scores.append(adjusted_rand_score(truth, found["labels"]))
    assert np.mean(scores) >= 0.9, scores
