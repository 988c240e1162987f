"""Graphs with K free, compared with the Leiden algorithm."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import linear_regression
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from bench import data
from bench.cases.features import Bench
from bench.measure import THREADS, attempts, full_result, peer
from bench.report import Row, Section


@dataclass(frozen=True)
class Kind:
    """Blocks of nodes, their mean number of edges per node, and the search settings."""

    block: int
    within: float
    between: float
    shift: float
    iterations: int  # of the peers; -1: until convergence


CLEAR = Kind(block=100, within=12, between=2.4, shift=0.02, iterations=2)
HARD = Kind(block=50, within=4, between=4, shift=0.05, iterations=-1)
NODES = 200_000  # about 1.44 million edges
GROWTH = [28_000, 280_000, 840_000, 2_800_000]  # 0.2 to 20 million edges
HARD_NODES = [1_000, 15_000]
BY_BLOCK, SHUFFLED = "by block", "at random"


@dataclass(frozen=True)
class Graph:
    kind: Kind
    path: Path
    nodes: int
    edges: int
    numbers: str  # of nodes

    @property
    def name(self) -> str:
        return f"{self.nodes} nodes, {self.edges} edges, numbered {self.numbers}"

    def read_edges(self) -> NDArray[np.int32]:
        edges: NDArray[np.int32] = np.load(self.path.with_suffix(".npy"))
        return edges


def graph_of(bench: Bench, nodes: int, kind: Kind = CLEAR, numbers: str = SHUFFLED) -> Graph:
    nodes = max(10, round(nodes * bench.scale / kind.block)) * kind.block
    shuffle = numbers == SHUFFLED
    path = bench.folder / f"planted-{kind.block}-{nodes}-{shuffle:d}.mtx"
    bench.say(f"making a graph of {nodes} nodes")
    mean = (kind.within, kind.between)
    edges = data.planted_graph(path, nodes, kind.block, *mean, shuffle=shuffle)
    return Graph(kind, path, nodes, edges, numbers)


def cost_of(edges: NDArray[np.int32], labels: NDArray[np.int32], shift: float) -> float:
    """Return minus the sum of S over ordered pairs within clusters, S_ij = X_ij - shift."""
    within = int((labels[edges[:, 0]] == labels[edges[:, 1]]).sum())
    sizes = np.bincount(labels).astype(float)
    return float(shift * (sizes**2).sum() - 2 * within)


def is_connected(edges: NDArray[np.int32], labels: NDArray[np.int32]) -> bool:
    """Return whether every cluster is connected."""
    inside = edges[labels[edges[:, 0]] == labels[edges[:, 1]]]
    shape = (len(labels), len(labels))
    graph = coo_array((np.ones(len(inside), np.int8), (inside[:, 0], inside[:, 1])), shape)
    parts, _ = connected_components(graph, directed=False)
    return bool(parts == len(np.unique(labels)))


def run_ours(bench: Bench, graph: Graph, threads: int = THREADS) -> Row:
    """Measure ours; a wrong cost or a disconnected cluster is an error."""
    options = ("--method", "auto", "--shift", f"constant={graph.kind.shift}")
    results = attempts(partial(full_result, graph.path, *options, threads=threads))
    result = min(results, key=lambda ran: float(ran["seconds"]["search"]))
    edges, labels = graph.read_edges(), np.asarray(result["labels"], np.int32)
    cost = cost_of(edges, labels, graph.kind.shift)
    if abs(cost - result["cost"]) > 1e-9 * abs(cost):
        bench.errors.append(f"{graph.name}: cost {result['cost']!r} is not {cost!r}")
    if not is_connected(edges, labels):
        bench.errors.append(f"{graph.name}: ours leaves a cluster disconnected")
    return row_of(graph, f"ours, {threads} threads", result["seconds"]["search"], labels, cost) | {
        "read_seconds": result["seconds"]["read"],
        "peak_mb": result["peak"] / 1e6,
        "edge_bytes": result["peak"] / graph.edges,
    }


def run_peer(bench: Bench, graph: Graph, name: str) -> Row:
    file = bench.folder / f"labels-{name}.npy"
    edges, kind = graph.path.with_suffix(".npy"), graph.kind
    given = (edges, graph.nodes, kind.shift, file, kind.iterations)
    found, peak = peer(name, *given, module="bench.peers.graphs")
    labels: NDArray[np.int32] = np.load(file)
    cost = cost_of(graph.read_edges(), labels, kind.shift)
    return row_of(graph, name, found["seconds"], labels, cost) | {"peak_mb": peak / 1e6}


def row_of(
    graph: Graph, name: str, seconds: float, labels: NDArray[np.int32], cost: float
) -> dict[str, Any]:
    return {
        "program": name,
        "nodes": graph.nodes,
        "numbers": graph.numbers,
        "edges": graph.edges,
        "seconds": seconds,
        "edge_ns": 1e9 * seconds / graph.edges,
        "clusters": len(np.unique(labels)),
        "cost": round(cost, 2),
    }


def exponent(rows: list[Row], key: str) -> float:
    """Return b in y = a edges^b, by least squares on the logarithms."""
    logs = [[math.log(float(row[name] or 1e-9)) for row in rows] for name in ("edges", key)]
    return linear_regression(*logs).slope


def graphs(bench: Bench) -> Section:
    section = Section(
        f"G. Planted graphs, blocks of {CLEAR.block}, constant shift {CLEAR.shift}, K free: "
        "the search alone",
        {
            "program": "program",
            "nodes": "nodes",
            "numbers": "numbered",
            "edges": "edges",
            "seconds": "seconds",
            "ratio": "/ ours",
            "edge_ns": "ns an edge",
            "clusters": "clusters",
            "cost": "cost",
            "above": "above lowest, %",
            "peak_mb": "peak, MB",
            "edge_bytes": "bytes an edge",
        },
        notes=[
            "igraph, leidenalg: the Leiden algorithm for CPM, 2 iterations, one thread.",
            "All costs are computed from the labels by one function. Peaks are those of whole",
            "processes, including reading and Python. Last line: b in y = a edges^b; 1 is linear.",
        ],
    )
    for numbers in (BY_BLOCK, SHUFFLED):
        section.rows += beside_peers(bench, "G", graph_of(bench, NODES, numbers=numbers))
    grown: list[Row] = []
    for nodes in GROWTH:
        larger = graph_of(bench, nodes)
        bench.say(f"G: {larger.name}")
        grown.append(run_ours(bench, larger))
    section.rows += grown
    timed = ("seconds", "peak_mb")
    section.rows.append({"program": "exponent", **{key: exponent(grown, key) for key in timed}})
    return section


def beside_peers(bench: Bench, letter: str, graph: Graph) -> list[Row]:
    bench.say(f"{letter}: {graph.name}")
    rows = [run_ours(bench, graph)]
    if THREADS > 1:
        rows.append(run_ours(bench, graph, threads=1))
    for name in ("igraph", "leidenalg"):
        bench.say(f"{letter}: {name}")
        rows.append(run_peer(bench, graph, name))
    lowest = min(float(row["cost"] or 0) for row in rows)
    for row in rows:
        row["above"] = 100 * (float(row["cost"] or 0) - lowest) / abs(lowest)
        row["ratio"] = float(row["seconds"] or 0) / float(rows[0]["seconds"] or 1)
    return rows


def hard_graphs(bench: Bench) -> Section:
    section = Section(
        f"K. Planted graphs that are hard to detect: blocks of {HARD.block}, as many edges "
        f"leaving a block as inside it, constant shift {HARD.shift}, K free: the search alone",
        {
            "program": "program",
            "nodes": "nodes",
            "numbers": "numbered",
            "edges": "edges",
            "seconds": "seconds",
            "ratio": "/ ours",
            "clusters": "clusters",
            "cost": "cost",
            "above": "above lowest, %",
        },
        notes=["igraph, leidenalg: as in G, but until convergence."],
    )
    for nodes in HARD_NODES:
        for numbers in (BY_BLOCK, SHUFFLED):
            section.rows += beside_peers(bench, "K", graph_of(bench, nodes, HARD, numbers))
    return section


GROUPS: dict[str, Callable[[Bench], Section]] = {"G": graphs, "K": hard_graphs}
