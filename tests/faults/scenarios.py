"""Small runs that reach every reader, view, method, constraint, output and command."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse

from tests.cli.conftest import (
    blobs,
    random_graph,
    run,
    write_csv,
    write_edges,
    write_mtx_array,
    write_mtx_coordinate,
    write_npy,
)

ROWS = 18


@dataclass(frozen=True)
class Scenario:
    """A command line; words that begin with @ are input files, with > output files, or, with a / at
    the end, folders whose contents are the program's own."""

    name: str
    words: str
    stdin: str = ""
    loose: tuple[str, ...] = ()  # outputs that may differ: by time, or by how much could be read

    def arguments(self, inputs: Path, outputs: Path) -> list[str]:
        return [
            word.replace("@", f"{inputs}/")
            if "@" in word
            else str(outputs / word[1:])
            if word[0] == ">"
            else word
            for word in self.words.split()
        ]

    def outputs(self) -> list[str]:
        return [word[1:] for word in self.words.split() if word[0] == ">" and word[-1] != "/"]

    def folders(self) -> list[str]:
        return [word[1:-1] for word in self.words.split() if word[0] == ">" and word[-1] == "/"]


ALL_OUTPUTS = (
    "--labels >labels --json >json --levels >levels --layout >layout --strength >strength "
    "--model >model"
)


def cluster(
    name: str, words: str, outputs: str = "--labels >labels", loose: tuple[str, ...] = ()
) -> Scenario:
    words = f"cluster {words} --quiet --threads 1 --restarts 2 {outputs}"
    return Scenario(name, words, loose=loose)


SCENARIOS = [
    # Readers.
    cluster("csv", "@table.csv -k 3 --shift-strength 1"),
    cluster("mixed", "@mixed.csv -k 3 --similarity linear --label-column class"),
    cluster("gzip", "@table.csv.gz -k 3 --similarity linear"),
    cluster("npy", "@points.npy -k 3 --similarity linear"),
    cluster("npy in blocks", "@points.npy -k 3 --memory-limit 1GB"),
    cluster("npz", "@graph.npz -k 3"),
    cluster("mtx", "@graph.mtx --shift constant=0.3"),
    cluster("dense", "@alike.mtx --as similarity -k 3"),
    cluster("distances", "@far.mtx --as distance -k 3"),
    cluster("edges", "@graph.edges -k 3"),
    cluster("metis", "@graph.graph -k 3"),
    cluster("parquet", "@table.parquet -k 3 --similarity linear --label-column class"),
    cluster("stdin", "- --format csv -k 3 --similarity linear"),
    Scenario("info", "info @mixed.csv"),
    Scenario("evaluate", "evaluate @old_labels.csv @new_labels.csv"),
    # Similarities and methods.
    cluster("auto", "@table.csv"),
    cluster("rbf", "@table.csv -k 3 --similarity rbf"),
    cluster("cosine", "@table.csv -k 3 --similarity cosine"),
    cluster("manhattan", "@table.csv -k 3 --metric manhattan"),
    cluster("weights", "@weighted.csv -k 3 --weight-column w --scale minmax"),
    cluster("euclidean", "@table.csv -k 3 --distance euclidean"),
    cluster("gaussian", "@points.npy -k 3 --weights gaussian --neighbors 4"),
    cluster("linkage", "@chances.edges --weights log-odds"),
    cluster("local-search", "@graph.edges -k 3 --method local-search"),
    cluster("multilevel", "@graph.edges --method multilevel --shift degree"),
    cluster("annealing", "@points.npy -k 3 --similarity linear --method annealing"),
    cluster("frank-wolfe", "@points.npy -k 3 --similarity linear --method frank-wolfe"),
    cluster("paper", "@points.npy -k 3 --preset paper"),
    Scenario(
        "limited",
        "cluster @points.npy -k 3 --similarity linear --max-seconds 0.02 --threads 1 --quiet "
        "--labels >labels",
        loose=("stdout", "labels"),
    ),
    # Constraints.
    cluster("links", "@points.npy -k 3 --must-link @must.csv --cannot-link @cannot.csv"),
    cluster("learnt", "@points.npy -k 3 --pairs @answers.csv --learn"),
    cluster("groups", "@mixed.csv -k 9 --cannot-link-by class --drop name"),
    cluster("sizes", "@points.npy -k 3 --min-size 5 --max-size 7"),
    cluster("shift-matrix", "@alike.mtx --as similarity -k 3 --shift matrix=@alike.mtx"),
    # Outputs and the other commands.
    cluster("outputs", "@points.npy -k 3 --shift-strength 1", ALL_OUTPUTS),
    cluster("checkpoint", "@points.npy --checkpoint >kept/", loose=("stdout",)),  # which may warn
    cluster(
        "checkpoint of starts",
        "@points.npy -k 3 --similarity linear --checkpoint >kept/",
        loose=("stdout",),
    ),
    cluster("levels of a graph", "@graph.edges --shift auto", "--levels >levels --layout >layout"),
    cluster("report of a graph", "@graph.edges -k 3", "--report >report"),
    cluster("report", "@points.npy -k 3 --shift-strength 1", "--report >report"),
    Scenario("explain", "explain @points.npy -k 3 --similarity linear --object 4 --threads 1"),
    Scenario("describe", "describe @mixed.csv -k 3 --label-column class --threads 1"),
    Scenario("explain as JSON", "explain @mixed.csv -k 3 --object 4 --threads 1 --json >why"),
    Scenario("describe a graph", "describe @graph.edges -k 3 --threads 1"),
    Scenario("describe as JSON", "describe @mixed.csv -k 3 --threads 1 --json >description"),
    Scenario(
        "predict",
        "predict @old.model @points.npy --labels >labels --strength >strength --threads 1",
    ),
    Scenario(
        "explore",
        "explore @points.npy -k 3 --similarity linear --threads 1 --quiet --no-browser "
        "--answers >answers",
        loose=("stdout", "answers"),
    ),
    Scenario(
        "label",
        "label @points.npy -k 3 --similarity linear --questions 3 --threads 1 --quiet "
        "--answers >answers --labels >labels",
        stdin="y\nn\nb\nn\nu\n",
        loose=("stdout", "labels", "answers"),
    ),
    Scenario(
        "threads",
        "cluster @points.npy -k 3 --similarity linear --threads 3 --quiet --labels >labels",
        loose=("stdout",),
    ),
]


def write_inputs(folder: Path) -> None:
    points = np.round(blobs(ROWS, 3, seed=5, groups=3, apart=5), 3)
    graph = np.round(random_graph(ROWS, 3, seed=5), 3)
    write_csv(folder / "table.csv", points)
    (folder / "table.csv.gz").write_bytes(gzip.compress((folder / "table.csv").read_bytes()))
    write_npy(folder / "points.npy", points)
    mixed = ["name,x1,x2,class"]
    mixed += [
        f'"{"ab"[i % 2]}, {i}",{abs(row[0])},{row[1]},c{i % 3}' for i, row in enumerate(points)
    ]
    mixed[3] = "plain,,?,c1"
    (folder / "mixed.csv").write_text("\n".join(mixed) + "\n", encoding="utf-8")
    weighted = ["w,x,y"] + [f"{1 + i % 3},{row[0]},{row[1]}" for i, row in enumerate(points)]
    (folder / "weighted.csv").write_text("\n".join(weighted) + "\n", encoding="utf-8")
    scipy.sparse.save_npz(folder / "graph.npz", scipy.sparse.csr_matrix(graph))
    write_mtx_coordinate(folder / "graph.mtx", graph, symmetric=True)
    edges = [(f"n{i}", f"n{j}", graph[i, j]) for i, j in np.argwhere(np.triu(graph))]
    write_edges(folder / "graph.edges", edges)
    count = int((graph != 0).sum() // 2)
    rows = [" ".join(str(j + 1) for j in np.flatnonzero(row)) for row in graph]
    (folder / "graph.graph").write_text(f"{ROWS} {count}\n" + "\n".join(rows) + "\n")
    distances = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))
    write_mtx_array(folder / "far.mtx", distances)
    write_mtx_array(folder / "alike.mtx", distances.max() - distances)
    chances = [(a, b, round(float(1 / (1 + np.exp(2 - 4 * weight))), 3)) for a, b, weight in edges]
    write_edges(folder / "chances.edges", chances)
    # Stands in for a Python with pyarrow, and says what that would, whatever it is given.
    (folder / "table.parquet").write_bytes(b"PAR1")
    rows = [f"{row[0]},{row[1]},c{i % 3}" for i, row in enumerate(points)]
    said = ["version 1", "python python3", "", "x,y,class", *rows]
    (folder / "said").write_text("\n".join(said) + "\n", encoding="utf-8")
    (folder / "python").write_text(f"#!/bin/sh\ncat >/dev/null\ncat '{folder}/said'\n")
    (folder / "python").chmod(0o755)
    (folder / "must.csv").write_text("0,5\n1,6,0.5\n")
    (folder / "cannot.csv").write_text("0,1\n2,3\n")
    (folder / "answers.csv").write_text("a,b,answer\n0,5,same\n0,1,different\n4,7,unsure\n")
    for name, count in (("old", 3), ("new", 2)):
        labels = [f"{i},{i % count}" for i in range(ROWS)]
        (folder / f"{name}_labels.csv").write_text("id,label\n" + "\n".join(labels) + "\n")
    done = run(["cluster", folder / "points.npy", "-k", "3", "--model", folder / "old.model"])
    assert done.returncode == 0, done.stderr
