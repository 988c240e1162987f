"""Small, odd and degenerate input: a defined result each."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from . import definition
from .conftest import (
    Argument,
    Result,
    blobs,
    groups,
    random_graph,
    result,
    run,
    write_csv,
    write_edges,
    write_mtx_array,
    write_mtx_coordinate,
    write_npy,
)

LINEAR: list[Argument] = ["--similarity", "linear"]
SIMILARITIES: list[list[Argument]] = [
    [],
    LINEAR,
    ["--distance", "euclidean"],
    ["--similarity", "cosine"],
    ["--similarity", "rbf"],
    ["--similarity", "rbf", "--sigma", 1],
]
SCALES = ["standard", "minmax", "none"]


def options_name(options: list[Argument]) -> str:
    return " ".join(map(str, options)) or "default"


def has_warning(found: Result, *words: str) -> bool:
    return any(all(word in warning for word in words) for warning in found["warnings"])


# ---- Few objects, few clusters ----


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("options", SIMILARITIES, ids=options_name)
@pytest.mark.parametrize("shift", ["adaptive", "none", "constant=0.5"])
def test_one_object(options: list[Argument], scale: str, shift: str, tmp_path: Path) -> None:
    file = write_csv(tmp_path / "one.csv", np.array([[3.0, -4.0]]))
    choices: list[list[Argument]] = [["-k", 1], []]
    for clusters in choices:
        found = result([file, "--scale", scale, *options, "--shift", shift, *clusters])
        assert (found["labels"], found["sizes"]) == ([0], [1])
        assert np.isfinite(found["cost"])


@pytest.mark.parametrize("options", SIMILARITIES, ids=options_name)
def test_two_objects(options: list[Argument], tmp_path: Path) -> None:
    """With the adaptive shift two different objects want apart, but for a weak one they join."""
    file = write_csv(tmp_path / "two.csv", np.array([[1.0, 2.0], [3.0, -1.0]]))
    if options:
        assert groups(result([file, *options])) == {frozenset({0}), frozenset({1})}
    assert groups(result([file, *options, "-k", 2])) == {frozenset({0}), frozenset({1})}
    assert result([file, *options, "-k", 1])["labels"] == [0, 0]


@pytest.mark.parametrize("options", SIMILARITIES, ids=options_name)
@pytest.mark.parametrize("rows", [1, 2, 3, 10, 40])
def test_one_cluster_and_as_many_as_objects(
    options: list[Argument], rows: int, tmp_path: Path
) -> None:
    file = write_csv(tmp_path / "points.csv", blobs(rows, 3, seed=rows))
    assert result([file, *options, "-k", 1])["labels"] == [0] * rows
    assert result([file, *options, "-k", rows])["clusters_asked"] == rows
    apart = result([file, *options, "-k", rows, "--shift", "constant=1e6"])
    assert sorted(apart["labels"]) == list(range(rows))


@pytest.mark.parametrize("rows", [2, 17])
@pytest.mark.parametrize("options", SIMILARITIES, ids=options_name)
def test_a_huge_shift_parts_and_a_negative_one_joins(
    options: list[Argument], rows: int, tmp_path: Path
) -> None:
    file = write_csv(tmp_path / "points.csv", blobs(rows, 2, seed=1))
    apart = result([file, *options, "--shift", "constant=1e9"])
    assert apart["clusters_found"] == rows
    joined = result([file, *options, "--shift", "constant=-1e9"])
    assert joined["clusters_found"] == 1
    assert has_warning(joined, "one cluster")
    assert rows == 2 or has_warning(apart, "own")


# ---- Features that say little ----


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("options", SIMILARITIES, ids=options_name)
def test_all_rows_equal(options: list[Argument], scale: str, tmp_path: Path) -> None:
    file = write_csv(tmp_path / "equal.csv", np.full((12, 3), 0.1))
    found = result([file, "--scale", scale, *options, "-k", 3])
    if options:
        assert abs(found["cost"]) < 1e-9
    else:  # one node
        x = definition.neighbors(np.zeros((12, 1)), None, "shared")
        strength = found["shift"]["strength"]
        expected = definition.cost(x - strength * definition.adaptive(x), found["labels"])
        assert found["cost"] == pytest.approx(expected, rel=1e-9)
    if scale != "none":
        assert has_warning(found, "equal")


def test_all_rows_equal_without_scaling_is_told_too(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "equal.csv", np.full((12, 3), 0.1))
    assert has_warning(result([file, "--scale", "none", "-k", 3]), "equal")


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("options", SIMILARITIES, ids=options_name)
def test_constant_columns_change_nothing(
    options: list[Argument], scale: str, tmp_path: Path
) -> None:
    points = blobs(50, 3, seed=4)
    if scale == "none" and "cosine" in options:
        padded = np.column_stack([points, np.zeros(50)])
    else:
        padded = np.column_stack([np.full(50, 0.1), points, np.full(50, -7e5)])
    args: list[Argument] = ["--scale", scale, *options, "-k", 4]
    alone = result([write_csv(tmp_path / "alone.csv", points), *args])
    beside = result([write_csv(tmp_path / "beside.csv", padded), *args])
    assert beside["labels"] == alone["labels"]
    assert beside["cost"] == pytest.approx(alone["cost"], rel=1e-9)


@pytest.mark.parametrize("options", SIMILARITIES, ids=options_name)
def test_one_column(options: list[Argument], tmp_path: Path) -> None:
    column = np.array([[0.0], [0.1], [0.2], [9.0], [9.1], [9.2]])
    found = result([write_csv(tmp_path / "line.csv", column), *options, "-k", 2])
    assert groups(found) == {frozenset({0, 1, 2}), frozenset({3, 4, 5})}


@pytest.mark.parametrize("options", SIMILARITIES, ids=options_name)
def test_duplicate_rows_end_together(options: list[Argument], tmp_path: Path) -> None:
    """Equal objects have equal affinities to all others, and like each other best."""
    points = np.repeat(blobs(15, 4, seed=3), 4, axis=0)
    file = write_csv(tmp_path / "copies.csv", points)
    found = result([file, "--scale", "standard", *options, "-k", 3])
    labels = np.reshape(found["labels"], (15, 4))
    assert (labels == labels[:, :1]).all()
    rows = definition.scaled(points, "standard")
    x = {
        "default": lambda: definition.neighbors(rows, None, "shared"),
        "--similarity linear": lambda: definition.linear(rows, "sqeuclidean"),
        "--distance euclidean": lambda: definition.linear(rows, "euclidean"),
        "--similarity cosine": lambda: definition.cosine(rows),
        "--similarity rbf": lambda: definition.rbf(rows, None),
        "--similarity rbf --sigma 1": lambda: definition.rbf(rows, 1.0),
    }[options_name(options)]()
    strength = found["shift"]["strength"]
    expected = definition.cost(x - strength * definition.adaptive(x), found["labels"])
    assert found["cost"] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("options", SIMILARITIES, ids=options_name)
def test_numbers_of_very_different_sizes(options: list[Argument], tmp_path: Path) -> None:
    points = blobs(40, 3, seed=6, groups=3, apart=20)
    args: list[Argument] = ["--scale", "standard", *options, "-k", 3]
    expected = result([write_npy(tmp_path / "p.npy", points), *args])
    scaled = points * [1e-150, 1e150, 1.0]
    found = result([write_npy(tmp_path / "q.npy", scaled), *args])
    assert found["labels"] == expected["labels"]
    assert found["cost"] == pytest.approx(expected["cost"], rel=1e-9)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("options", SIMILARITIES, ids=options_name)
def test_numbers_whose_squares_overflow(
    options: list[Argument], scale: str, tmp_path: Path
) -> None:
    """Finite in the file, infinite when squared: refused, or as if they were smaller."""
    points = blobs(30, 2, seed=7)
    args: list[Argument] = ["-k", 3, "--scale", scale, *options]
    small = result([write_csv(tmp_path / "small.csv", points), *args])
    huge = write_csv(tmp_path / "huge.csv", points * 1e200)
    done = run(["cluster", huge, *args, "--json", "-"])
    if done.returncode == 1:
        assert done.stderr.count("\n") == 1
        assert "huge.csv" in done.stderr
        return
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert found["cost"] is not None
    if not (scale == "none" and "--sigma" in options):  # there, nothing is near anything
        assert found["labels"] == small["labels"]


def test_a_row_of_zeros_has_no_direction(tmp_path: Path) -> None:
    points = blobs(20, 3, seed=5)
    points[[4, 9]] = 0
    file = write_csv(tmp_path / "points.csv", points)
    found = result([file, "--similarity", "cosine", "--scale", "none", "-k", 3])
    assert has_warning(found, "2 rows", "zero")
    x = definition.cosine(points)
    expected = definition.cost(x - definition.adaptive(x), found["labels"])
    assert found["cost"] == pytest.approx(expected, rel=1e-9)


def test_an_empty_sparse_row_has_no_direction(tmp_path: Path) -> None:
    rows = np.array([[1.0, 0, 0], [0, 0, 0], [0, 2, 3], [1, 0, 0.1], [0, 0, 0]])
    file = write_mtx_coordinate(tmp_path / "words.mtx", rows)
    found = result([file, "--as", "features", "--similarity", "cosine", "-k", 2])
    assert has_warning(found, "2 rows", "empty")


def test_fewer_clusters_than_asked_are_explained(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "line.csv", np.array([[0.0], [1], [2], [10], [11], [12]]))
    found = result([file, *LINEAR, "-k", 5])
    assert found["clusters_found"] == 2
    assert has_warning(found, "5 clusters were asked for and 2 found", "upper bound", "Try")
    told = " ".join(run(["cluster", file, *LINEAR, "-k", 5]).stdout.split())
    assert "warning: 5 clusters were asked for and 2 found" in told
    assert "in 2 clusters (at most 5 requested)" in told
    assert not has_warning(result([file, *LINEAR, "-k", 2]), "asked")


# ---- Graphs that say little ----


def test_a_graph_without_edges(tmp_path: Path) -> None:
    file = tmp_path / "none.mtx"
    file.write_text("%%MatrixMarket matrix coordinate real symmetric\n5 5 0\n", encoding="utf-8")
    for args in ([], ["-k", 3], ["-k", 5], ["--shift", "none"]):
        assert result([file, *args])["cost"] == 0
    assert result([file, "--shift", "constant=1"])["clusters_found"] == 5
    assert result([file, "--shift", "constant=1", "-k", 2])["sizes"] == [3, 2]


@pytest.mark.parametrize("count", [1, 2, 6])
def test_self_loops_only(count: int, tmp_path: Path) -> None:
    file = write_edges(tmp_path / "loops.edges", [(i, i, 2.0) for i in range(count)])
    found = result([file])
    # X = 2 I: apart, S_ii = 2 - 4/n + 2/n = 2 - 2/n.
    assert found["clusters_found"] == count
    assert found["cost"] == pytest.approx(-(2 * count - 2), abs=1e-12)
    assert result([file, "--shift", "none", "-k", 1])["cost"] == -2 * count


def test_weights_that_sum_to_zero(tmp_path: Path) -> None:
    edges = [("a", "b", 2.0), ("c", "d", 2.0), ("a", "c", -1.0), ("b", "d", -3.0)]
    found = result([write_edges(tmp_path / "g.edges", edges)])
    assert groups(found) == {frozenset({0, 1}), frozenset({2, 3})}
    twice = [("a", "b", 1.0), ("b", "a", -1.0), ("c", "d", 0.0)]
    assert result([write_edges(tmp_path / "h.edges", twice)])["cost"] == 0


def test_negative_weights_part(tmp_path: Path) -> None:
    edges = [(i, j, -1.0) for i in range(5) for j in range(i)]
    file = write_edges(tmp_path / "g.edges", edges)
    apart = result([file, "--shift", "none"])
    assert (apart["clusters_found"], apart["cost"]) == (5, 0)
    assert result([file, "--shift", "none", "-k", 2])["sizes"] == [3, 2]


def test_isolated_nodes(tmp_path: Path) -> None:
    x = np.zeros((7, 7))
    x[:3, :3] = 1 - np.eye(3)
    file = write_mtx_coordinate(tmp_path / "g.mtx", x, symmetric=True)
    found = result([file, "--shift", "constant=0.1"])
    assert groups(found) == {frozenset({0, 1, 2}), *(frozenset({i}) for i in range(3, 7))}
    adaptive = result([file])
    expected = definition.cost(x - definition.adaptive(x), adaptive["labels"])
    assert adaptive["cost"] == pytest.approx(expected, rel=1e-9)
    assert frozenset({0, 1, 2}) in groups(adaptive)


def test_separate_parts_are_found(tmp_path: Path) -> None:
    """Three dense parts without edges between them."""
    x = np.zeros((60, 60))
    for part in range(3):
        x[part * 20 : part * 20 + 20, part * 20 : part * 20 + 20] = random_graph(20, 8, seed=part)
    file = write_mtx_coordinate(tmp_path / "g.mtx", x, symmetric=True)
    assert groups(result([file])) == {
        frozenset(range(part * 20, part * 20 + 20)) for part in range(3)
    }


def test_worked_examples(tmp_path: Path) -> None:
    """The numbers of methods.md, sections 2 and 3."""
    line = write_csv(tmp_path / "line.csv", np.array([[0.0], [1], [4], [5]]))
    plain: list[Argument] = [line, "--scale", "none", *LINEAR, "-k", 2]
    assert result(plain)["cost"] == pytest.approx(-64)
    assert result([*plain, "--distance", "euclidean"])["cost"] == pytest.approx(-14)
    edges = [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0), (2, 3, 1.0), (3, 4, 1.0)]
    graph = write_edges(tmp_path / "g.edges", edges)
    for shift, cost in [("constant=0", -10), ("constant=.25", -4.75), ("constant=.5", -1.5)]:
        assert result([graph, "--shift", shift, "--restarts", 50])["cost"] == pytest.approx(cost)
    assert result([graph, "-k", 2])["cost"] == pytest.approx(-2.4)
    signed = np.array([[0.0, 2, -1], [2, 0, 3], [-1, 3, 0]])
    matrix = write_mtx_array(tmp_path / "m.mtx", signed)
    assert result([matrix, "--shift", "none"])["cost"] == pytest.approx(-8)
