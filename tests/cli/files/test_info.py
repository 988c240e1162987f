"""`shiftcut info` tells what each kind of file holds."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from ..conftest import (
    Argument,
    blobs,
    random_graph,
    run,
    write_csv,
    write_edges,
    write_mtx_array,
    write_mtx_coordinate,
    write_npy,
)


def told(args: list[Argument], stdin: bytes | None = None) -> list[str]:
    done = run(["info", *args], stdin)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout.splitlines()


def test_csv(tmp_path: Path) -> None:
    file = tmp_path / "mixed.csv"
    file.write_text("size,colour,kind\n1,red,a\n,blue,b\n3,red,a\n", encoding="utf-8")
    lines = told([file, "--label-column", "kind"])
    assert lines[:3] == [f"file:     {file}", "holds:    features", "objects:  3"]
    assert "stored:   3 x 3, dense float64" in lines
    assert "features: 3: 'size', 'colour=blue', 'colour=red'" in lines
    assert "classes:  2: 'a' (2), 'b' (1)" in lines
    assert [line for line in lines if line.startswith("note:") and "'size'" in line]


def test_tsv_with_dropped_and_categorical_columns(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "t.tsv", np.array([[1.0, 5, 9], [2, 6, 9], [3, 5, 9]]), None, "\t")
    lines = told([file, "--drop", "x2", "--categorical", "x1"])
    assert "stored:   3 x 3, dense float64" in lines
    assert [line for line in lines if line.startswith("features: 3: 'x0', 'x1=5")]


def test_csv_without_header(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("1,2\n3,4\n", encoding="utf-8")
    lines = told([tmp_path / "t.csv", "--no-header"])
    assert "objects:  2" in lines
    assert "features: 2: 'c0', 'c1'" in lines


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_npy(kind: str, tmp_path: Path) -> None:
    lines = told([write_npy(tmp_path / "p.npy", blobs(7, 3, 0).astype(kind))])
    assert lines[1:] == ["holds:    features", "objects:  7", f"stored:   7 x 3, dense {kind}"]


def test_mtx_array(tmp_path: Path) -> None:
    file = write_mtx_array(tmp_path / "m.mtx", np.eye(4))
    assert "holds:    a matrix of similarities" in told([file])
    assert "holds:    features" in told([file, "--as", "features"])
    far = write_mtx_array(tmp_path / "d.mtx", 1 - np.eye(4))
    assert "holds:    a matrix of distances" in told([far, "--as", "distance"])


def test_mtx_coordinate(tmp_path: Path) -> None:
    graph = random_graph(30, 4, seed=0)
    graph[3, 3] = 2
    file = write_mtx_coordinate(tmp_path / "g.mtx", graph, symmetric=True)
    edges = np.count_nonzero(np.triu(graph, 1))
    lines = told([file])
    assert lines[1:] == [
        "holds:    a graph",
        "objects:  30",
        f"edges:    {edges} and 1 self loops",
    ]


def test_sparse_features(tmp_path: Path) -> None:
    rows = np.array([[1.0, 0, 2, 0], [0, 0, 0, 3]])
    lines = told([write_mtx_coordinate(tmp_path / "w.mtx", rows), "--as", "features"])
    assert lines[1:] == [
        "holds:    features",
        "objects:  2",
        "stored:   2 x 4, sparse with 3 values",
    ]


def test_edges_gzipped_and_from_standard_input(tmp_path: Path) -> None:
    file = write_edges(tmp_path / "g.edges", [("ann", "bob", 1), ("bob", "cid", 2)])
    lines = ["holds:    a graph", "objects:  3", "edges:    2", "ids:      'ann', 'bob', 'cid'"]
    assert told([file])[1:] == lines
    packed = tmp_path / "g.edges.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    assert told([packed])[1:] == lines
    assert told(["-", "--format", "edges"], file.read_bytes())[1:] == lines


def test_nothing_a_terminal_would_obey_is_shown(tmp_path: Path) -> None:
    bad = ["\x1b[31mred", "\x9b31mc1", "\u202eturned", "\x07"]
    table = tmp_path / "t.csv"
    table.write_text(",".join(bad) + "\n" + "1,2,,4\n2,3,5,x\n", encoding="utf-8")
    graph = tmp_path / "g\x9b.edges"
    graph.write_text(f"{bad[0]} {bad[1]}\n{bad[2]} {bad[3]}\n", encoding="utf-8")
    (tmp_path / "broken.edges").write_bytes(b"\xff\xfe b\n")
    commands: list[list[Argument]] = [
        ["info", graph],
        ["info", table],
        ["info", table, "--drop", bad[3]],
        ["info", tmp_path / "broken.edges"],
        ["cluster", graph, "--shift", "constant=0.5"],
        ["explain", graph, "--shift", "constant=0.5", "--object", bad[0]],
    ]
    for args in commands:
        done = run(args)
        shown = done.stdout + done.stderr
        assert shown
        assert not [c for c in shown if c in "\x1b\x9b\u202e\x07"], shown


def test_help_and_version() -> None:
    for args in (["--help"], ["cluster", "--help"], ["evaluate", "--help"], ["info", "--help"]):
        done = run(args)
        assert (done.returncode, done.stderr) == (0, "")
        assert "shiftcut" in done.stdout
    done = run(["--version"])
    assert done.returncode == 0
    assert done.stdout.startswith("shiftcut ")
