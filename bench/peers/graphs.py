"""One measurement of another search for neighbours or communities, in its own process, as JSON.

    python -m bench.peers.graphs brute X.npy K           scikit-learn; likewise kd_tree
    python -m bench.peers.graphs hnsw X.npy K            faiss
    python -m bench.peers.graphs igraph EDGES.npy NODES RESOLUTION LABELS.npy ITERATIONS
    python -m bench.peers.graphs leidenalg EDGES.npy NODES RESOLUTION LABELS.npy ITERATIONS
    python -m bench.peers.graphs igraph-curve EDGES.npy NODES RESOLUTION SECONDS
    python -m bench.peers.graphs leidenalg-curve EDGES.npy NODES RESOLUTION SECONDS

ITERATIONS of the Leiden algorithm; -1: until convergence. A curve is the cost after each iteration,
with the seconds so far, until one brings nothing or the time is up.

Times exclude starting Python, loading the file and, for communities, building the graph.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.measure import THREADS, best

Measured = dict[str, Any]

CHECKED = 500  # rows whose neighbours are checked


def recall(rows: NDArray[np.float32], neighbors: NDArray[np.int64]) -> float:
    """Compute recall as bench/programs/neighbors.cpp does, in double precision."""
    count = neighbors.shape[1]
    checked = min(len(rows), CHECKED)
    hits = 0
    wide = rows.astype(float)
    for i in (step * len(rows) // checked for step in range(checked)):
        squared = ((wide - wide[i]) ** 2).sum(axis=1)
        found = squared[neighbors[i]]
        squared[i] = np.inf
        hits += int((found <= np.partition(squared, count - 1)[count - 1]).sum())
    return float(hits / (checked * count))


def without_own(ids: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Drop each row from its own neighbours or, if absent, the last neighbour."""
    own = ids == np.arange(len(ids))[:, None]
    own[~own.any(axis=1), -1] = True
    own &= own.cumsum(axis=1) == 1
    return np.asarray(ids[~own].reshape(len(ids), count), np.int64)


def timed(search: Callable[[], NDArray[np.int64]]) -> tuple[float, NDArray[np.int64]]:
    start = time.perf_counter()
    found = search()
    return time.perf_counter() - start, found


def nearest(path: Path, count: int, search: Callable[..., NDArray[np.int64]]) -> Measured:
    rows = np.load(path)
    seconds, found = best(lambda: timed(lambda: search(rows, count)), lambda ran: ran[0])
    return {"seconds": seconds, "recall": recall(rows, found)}


def sklearn_search(algorithm: str) -> Callable[..., NDArray[np.int64]]:
    from sklearn.neighbors import NearestNeighbors

    def search(rows: NDArray[np.float32], count: int) -> NDArray[np.int64]:
        model = NearestNeighbors(n_neighbors=count, algorithm=algorithm, n_jobs=THREADS)
        found: NDArray[np.int64] = model.fit(rows).kneighbors(return_distance=False)
        return found

    return search


def hnsw_search(rows: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    import faiss

    faiss.omp_set_num_threads(THREADS)
    index = faiss.IndexHNSWFlat(rows.shape[1], 16)
    index.add(rows)
    index.hnsw.efSearch = 64
    return without_own(index.search(rows, count + 1)[1], count)


def igraph_communities(
    edges: NDArray[np.int32], nodes: int, resolution: float, iterations: int
) -> Measured:
    import igraph

    random.seed(0)  # igraph's source of random numbers
    graph = igraph.Graph(n=nodes, edges=edges)

    def once() -> Measured:
        start = time.perf_counter()
        found = graph.community_leiden("CPM", resolution=resolution, n_iterations=iterations)
        return {"seconds": time.perf_counter() - start, "labels": found.membership}

    return best(once, lambda ran: float(ran["seconds"]))


def leidenalg_communities(
    edges: NDArray[np.int32], nodes: int, resolution: float, iterations: int
) -> Measured:
    import igraph
    import leidenalg

    graph = igraph.Graph(n=nodes, edges=edges)

    def once() -> Measured:
        start = time.perf_counter()
        found = leidenalg.find_partition(
            graph,
            leidenalg.CPMVertexPartition,
            resolution_parameter=resolution,
            n_iterations=iterations,
            seed=1,
        )
        return {"seconds": time.perf_counter() - start, "labels": found.membership}

    return best(once, lambda ran: float(ran["seconds"]))


def igraph_iterations(
    edges: NDArray[np.int32], nodes: int, resolution: float
) -> Iterator[tuple[float, list[int]]]:
    import igraph

    random.seed(0)
    graph = igraph.Graph(n=nodes, edges=edges)
    labels: list[int] | None = None
    while True:
        start = time.perf_counter()
        found = graph.community_leiden(
            "CPM", resolution=resolution, n_iterations=1, initial_membership=labels
        )
        seconds = time.perf_counter() - start
        labels = list(found.membership)
        yield seconds, labels


def leidenalg_iterations(
    edges: NDArray[np.int32], nodes: int, resolution: float
) -> Iterator[tuple[float, list[int]]]:
    import igraph
    import leidenalg

    graph = igraph.Graph(n=nodes, edges=edges)
    partition = leidenalg.CPMVertexPartition(graph, resolution_parameter=resolution)
    optimiser = leidenalg.Optimiser()
    optimiser.set_rng_seed(1)
    while True:
        start = time.perf_counter()
        optimiser.optimise_partition(partition, n_iterations=1)
        yield time.perf_counter() - start, partition.membership


def curve(
    iterations: Callable[..., Iterator[tuple[float, list[int]]]],
    path: Path,
    nodes: str,
    resolution: str,
    limit: str,
) -> Measured:
    edges, shift = np.load(path), float(resolution)
    points: list[tuple[float, float]] = []
    elapsed = 0.0
    for seconds, membership in iterations(edges, int(nodes), shift):
        elapsed += seconds
        labels = np.asarray(membership)
        within = int((labels[edges[:, 0]] == labels[edges[:, 1]]).sum())
        cost = float(shift * (np.bincount(labels).astype(float) ** 2).sum() - 2 * within)
        if points and cost > points[-1][1] - 1e-6 * abs(cost):
            break
        points.append((elapsed, cost))
        if elapsed > float(limit):
            break
    return {"points": points}


def communities(
    search: Callable[..., Measured],
    path: Path,
    nodes: str,
    resolution: str,
    labels: str,
    iterations: str,
) -> Measured:
    found = search(np.load(path), int(nodes), float(resolution), int(iterations))
    np.save(labels, np.asarray(found.pop("labels"), np.int32))
    return found


def main() -> None:
    work, path, *rest = sys.argv[1:]
    if work in ("brute", "kd_tree"):
        found = nearest(Path(path), int(rest[0]), sklearn_search(work))
    elif work == "hnsw":
        found = nearest(Path(path), int(rest[0]), hnsw_search)
    elif work == "igraph-curve":
        found = curve(igraph_iterations, Path(path), *rest)
    elif work == "leidenalg-curve":
        found = curve(leidenalg_iterations, Path(path), *rest)
    elif work == "igraph":
        found = communities(igraph_communities, Path(path), *rest)
    else:
        found = communities(leidenalg_communities, Path(path), *rest)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
