"""Pairs that are known: --must-link, --cannot-link, --cannot-link-by, and log-odds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from . import definition
from .conftest import (
    Argument,
    blobs,
    check_consistent,
    random_graph,
    result,
    run,
    write_mtx_coordinate,
    write_npy,
)
from .test_errors import refused

METHODS = ["auto", "local-search", "annealing", "frank-wolfe"]


def write_pairs(file: Path, pairs: list[tuple[object, ...]], separator: str = " ") -> Path:
    text = "".join(separator.join(map(str, pair)) + "\n" for pair in pairs)
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("similarity", ["neighbors", "linear", "cosine", "rbf"])
def test_pairs_hold(similarity: str, method: str, tmp_path: Path) -> None:
    points = blobs(120, 3, seed=1, groups=4)
    file = write_npy(tmp_path / "points.npy", points)
    rng = np.random.default_rng(2)
    hidden = rng.integers(4, size=120)
    drawn = [tuple(pair) for pair in rng.choice(120, size=(60, 2)) if pair[0] != pair[1]]
    drawn = list({(min(pair), max(pair)) for pair in drawn})
    must = [pair for pair in drawn if hidden[pair[0]] == hidden[pair[1]]]
    cannot = [pair for pair in drawn if hidden[pair[0]] != hidden[pair[1]]]
    args: list[Argument] = ["--similarity", similarity, "--method", method, "-k", 4]
    args += ["--must-link", write_pairs(tmp_path / "must.txt", must)]
    args += ["--cannot-link", write_pairs(tmp_path / "cannot.csv", [("a", "b"), *cannot], ",")]
    found = result([file, *args])
    check_consistent(found)
    labels = found["labels"]
    assert all(labels[a] == labels[b] for a, b in must)
    assert all(labels[a] != labels[b] for a, b in cannot)
    links = found["links"]
    assert (links["must_link"], links["cannot_link"], links["cost"]) == (len(must), len(cannot), 0)


def test_evidence_counts_in_the_cost(tmp_path: Path) -> None:
    x = random_graph(60, 4, seed=3)
    file = write_mtx_coordinate(tmp_path / "graph.mtx", x, symmetric=True)
    must = write_pairs(tmp_path / "must.tsv", [(0, 9, 0.5), (3, 4, 7)], "\t")
    cannot = write_pairs(tmp_path / "cannot.txt", [("# these are far", "apart"), (5, 6, 1.5)])
    found = result([file, "-k", 3, "--must-link", must, "--cannot-link", cannot])
    s = x - definition.adaptive(x)
    for a, b, weight in [(0, 9, 0.5), (3, 4, 7), (5, 6, -1.5)]:
        s[a, b] += weight
        s[b, a] += weight
    assert found["cost"] == pytest.approx(definition.cost(s, found["labels"]), rel=1e-9)
    assert found["links"]["uncertain"] == 3


def test_ids_of_a_graph_name_its_objects(tmp_path: Path) -> None:
    edges = tmp_path / "graph.edges"
    edges.write_text("ann bob 1\nbob eve 1\neve dan 1\n", encoding="utf-8")
    must = write_pairs(tmp_path / "must.txt", [("ann", "dan")])
    found = result([edges, "--must-link", must, "--shift", "constant=0.9"])
    assert found["labels"][0] == found["labels"][3]


def test_probabilities_as_log_odds(tmp_path: Path) -> None:
    """Correlation clustering: with K free and no shift the signs decide, but for paths."""
    edges = tmp_path / "same.edges"
    edges.write_text("a b 0.9\nb c 0.8\na c 0.4\nc d 0.2\nd e 0.99\n", encoding="utf-8")
    by_default = result([edges, "--weights", "log-odds"])
    assert by_default["labels"] == [0, 0, 0, 1, 1]
    assert by_default["shift"] == {
        "kind": "linkage",
        "strength": 1,
        "value": 0.5,
        "base_rate": pytest.approx((0.9 + 0.8 + 0.4 + 0.2 + 0.99) / 5),
        "raised": 1,
    }
    done = run(["cluster", edges, "--weights", "log-odds"])
    assert "pairs without a probability count as log-odds of -0.5" in done.stdout
    found = result([edges, "--weights", "log-odds", "--shift", "none"])
    assert found["labels"] == [0, 0, 0, 1, 1]
    assert found["shift"]["kind"] == "none"
    odds = [np.log(p / (1 - p)) for p in (0.9, 0.8, 0.4, 0.99)]
    assert found["cost"] == pytest.approx(-2 * sum(odds), rel=1e-12)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("0 1\n7 1000\n", "line 2: found '1000'; allowed: a row number from 0 to 39"),
        ("0 1\n\n2 two\n", "line 3: found 'two'; allowed: a row number from 0 to 39"),
        ("5 5\n", "line 1: found '5' with itself; allowed: two different objects"),
        ("0 1 0.5\n1 0 0.7\n", "line 2: found '1' and '0' again, which line 1 of"),
        ("0 1 -3\n", "line 1: found the weight '-3'; allowed: a number above 0, or none"),
        ("0 1 much\n", "line 1: found the weight 'much'; allowed: a number above 0, or none"),
        ("0\n", "line 1: found 1 cells; allowed: two ids, and perhaps a weight"),
        ("0,1,2,3\n", "line 1: found 4 cells; allowed: two ids, and perhaps a weight"),
    ],
)
def test_bad_pairs_are_told_with_their_line(lines: str, told: str, tmp_path: Path) -> None:
    file = write_npy(tmp_path / "points.npy", blobs(40, 2, seed=1, groups=2))
    pairs = tmp_path / "pairs.txt"
    pairs.write_text(lines, encoding="utf-8")
    assert told in refused(["cluster", file, "--must-link", pairs])


def test_contradictions_are_told_before_the_search(tmp_path: Path) -> None:
    file = write_npy(tmp_path / "points.npy", blobs(40, 2, seed=1, groups=2))
    must = write_pairs(tmp_path / "must.txt", [(0, 1), (1, 2), (2, 3), (0, 3)])
    cannot = write_pairs(tmp_path / "cannot.txt", [(0, 2), (3, 1)])
    told = refused(["cluster", file, "--must-link", must, "--cannot-link", cannot])
    assert "found 0 and 2, which --must-link puts together (0 and 1, 1 and 2)" in told
    both = refused(["cluster", file, "--must-link", must, "--cannot-link", must])
    assert "again, which line 1 of" in both
    ring = write_pairs(tmp_path / "ring.txt", [(a, b) for a in range(5) for b in range(a)])
    told = refused(["cluster", file, "--cannot-link", ring, "-k", "4"])
    assert "5 objects of which no two may be together (0, 1, 2, 3, 4), but at most 4" in told


def test_log_odds_are_for_graphs_of_probabilities(tmp_path: Path) -> None:
    file = write_npy(tmp_path / "points.npy", blobs(40, 2, seed=1, groups=2))
    assert "which is not a graph" in refused(["cluster", file, "--weights", "log-odds"])
    edges = tmp_path / "graph.edges"
    edges.write_text("a b 1.5\n", encoding="utf-8")
    told = refused(["cluster", edges, "--weights", "log-odds"])
    assert "has the weight 1.5; allowed: probabilities from 0 to 1" in told


def records(entities: int, seed: int) -> tuple[list[str], dict[str, str]]:
    """Edges between records of three sources, some of them false, and the source of each."""
    rng = np.random.default_rng(seed)
    lines = []
    for e in range(entities):
        lines += [f"{a}{e} {b}{e} {0.5 + 0.49 * rng.random():.3f}" for a, b in ("xy", "xz", "yz")]
        other = rng.integers(entities)
        if other != e:
            lines.append(f"{rng.choice(list('xyz'))}{e} {rng.choice(list('xyz'))}{other} 0.7")
    sources = {f"{s}{e}": s for e in range(entities) for s in "xyz"}
    return sorted({tuple(sorted(line.split()[:2])): line for line in lines}.values()), sources


def one_of_each_group(groups: list[str], labels: list[int]) -> bool:
    placed = [pair for pair in zip(groups, labels, strict=True) if pair[0]]
    return len(set(placed)) == len(placed)


@pytest.mark.parametrize("entities", [30, 200])
def test_records_of_one_source_are_kept_apart(entities: int, tmp_path: Path) -> None:
    lines, sources = records(entities, seed=4)
    edges = tmp_path / "matches.edges"
    edges.write_text("\n".join(lines) + "\n", encoding="utf-8")
    file = tmp_path / "sources.csv"
    file.write_text("id,source\n" + "".join(f"{i},{s}\n" for i, s in sources.items()))
    args: list[Argument] = [edges, "--weights", "log-odds", "--shift", "none"]
    free = result(args)
    ids = [line.split(",")[0] for line in labels_of(args, tmp_path)]
    assert not one_of_each_group([sources[i] for i in ids], free["labels"])
    found = result([*args, "--cannot-link-by", file])
    check_consistent(found)
    assert one_of_each_group([sources[i] for i in ids], found["labels"])
    assert (found["links"]["groups"], found["links"]["in_groups"]) == (3, 3 * entities)
    assert found["cost"] > free["cost"]


def labels_of(args: list[Argument], folder: Path) -> list[str]:
    file = folder / "labels.csv"
    result([*args, "--labels", file])
    return file.read_text(encoding="utf-8").splitlines()[1:]


@pytest.mark.parametrize("clusters", ["auto", 4])
def test_a_column_of_a_table_keeps_rows_apart(clusters: str | int, tmp_path: Path) -> None:
    points = blobs(60, 2, seed=1, groups=3)
    groups = [f"g{i // 4}" if i % 5 else "" for i in range(60)]
    file = tmp_path / "table.csv"
    rows = [f"{x},{g},{y}" for (x, y), g in zip(points.tolist(), groups, strict=True)]
    file.write_text("\n".join(["x,who,y", *rows]) + "\n", encoding="utf-8")
    found = result([file, "--cannot-link-by", "who", "-k", clusters])
    assert one_of_each_group(groups, found["labels"])
    assert found["links"]["in_groups"] == 48
    bare = result([file, "--drop", "who", "-k", clusters])
    assert found["objects"] == bare["objects"] == 60


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("0,a\n1,b\n40,c\n", "line 3: found '40'; allowed: a row number from 0 to 39"),
        ("0,a\n0,b\n", "line 2: found '0' again, after line 1; allowed: each object once"),
        ("id,who\n0,a\n", "found no line for '1' and 38 others; allowed: a line for each of"),
        ("0,a,b\n", "line 1: found 3 cells; allowed: two, an id and its value"),
        ("0\n", "line 1: found 1 cell; allowed: two, an id and its value"),
    ],
)
def test_bad_groups_are_told_with_their_line(lines: str, told: str, tmp_path: Path) -> None:
    file = write_npy(tmp_path / "points.npy", blobs(40, 2, seed=1, groups=2))
    groups = tmp_path / "groups.csv"
    groups.write_text(lines, encoding="utf-8")
    assert told in refused(["cluster", file, "--cannot-link-by", groups])


def test_groups_that_cannot_be_kept_apart_are_told_before_the_search(tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text("x,who\n1,a\n2,a\n3,b\n4,a\n", encoding="utf-8")
    told = refused(["cluster", file, "--cannot-link-by", "who", "-k", "2"])
    assert "found a group of 3 objects (0, 1, 3) of which no two may be together" in told
    assert "but at most 2 clusters" in told
    must = write_pairs(tmp_path / "must.txt", [(0, 2), (2, 1)])
    told = refused(["cluster", file, "--cannot-link-by", "who", "--must-link", must])
    assert "found 0 and 1 of one group, which --must-link puts together (0 and 2, 2 and 1)" in told
    told = refused(["cluster", file, "--cannot-link-by", "whom"])
    assert "--cannot-link-by: found no column 'whom'; allowed: 'x', 'who'" in told


def test_explain_names_who_is_in_the_way(tmp_path: Path) -> None:
    edges = tmp_path / "same.edges"
    edges.write_text("a b 0.9\na c 0.8\n", encoding="utf-8")
    groups = tmp_path / "groups.csv"
    groups.write_text("a,1\nb,2\nc,2\n", encoding="utf-8")
    args: list[Argument] = [edges, "--weights", "log-odds", "--cannot-link-by", groups]
    done = run(["explain", *args, "--object", "c"])
    assert "but b is there, and a cluster may hold only one of their group" in done.stdout
