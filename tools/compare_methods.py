#!/usr/bin/env python3
"""Compare with other clusterers, and write the tables into docs/comparison.md.

    tools/compare_methods.py [--only iris,wine] [--page FILE]

All methods get the same features, one thread and random state 0. Each is run with the settings that
its documentation starts with, and with a grid of those that it recommends to vary; "best" is the
setting that agrees most with the known classes, which a user does not have. `tools/setup.sh bench`
installs the peers outside scikit-learn; without them, their rows are omitted.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import sklearn
from sklearn import cluster, datasets, mixture
from sklearn.neighbors import NearestNeighbors, kneighbors_graph
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from shiftcut import ShiftedMinCut, __version__, metrics

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- table: tools/compare_methods.py -->", "<!-- end of table -->"
NEIGHBORS = [10, 5, 15, 20, 30]
TIMED = "digits"

Labels = npt.NDArray[np.int32]
Run = Callable[[Any, int], Any]


@dataclass(frozen=True)
class Data:
    name: str
    rows: Any
    classes: Any


@dataclass(frozen=True)
class Method:
    name: str
    knows_k: bool
    run: Run | None  # as its documentation starts; None: there is no such setting
    grid: list[Run]

    def settings(self) -> list[Run]:
        return ([self.run] if self.run else []) + self.grid


@dataclass(frozen=True)
class Found:
    ami: float
    clusters: int
    seconds: float


def standardised(name: str, given: Any) -> Data:  # noqa: ANN401
    return Data(name, StandardScaler().fit_transform(given.data), given.target)


def all_data() -> dict[str, Callable[[], Data]]:
    return {
        "iris": lambda: standardised("iris", datasets.load_iris()),
        "wine": lambda: standardised("wine", datasets.load_wine()),
        "cancer": lambda: standardised("cancer", datasets.load_breast_cancer()),
        "digits": lambda: Data("digits", *datasets.load_digits(return_X_y=True)),
        "moons": lambda: Data("moons", *datasets.make_moons(1000, noise=0.06, random_state=0)),
        "uneven blobs": lambda: Data(
            "uneven blobs",
            *datasets.make_blobs([700, 200, 100], cluster_std=[2.5, 1, 0.5], random_state=8),
        ),
    }


def ours(knows_k: bool = True, **parameters: Any) -> Run:  # noqa: ANN401
    def run(rows: Any, classes: int) -> Any:  # noqa: ANN401
        k = classes if knows_k else None
        return ShiftedMinCut(k, scale="none", random_state=0, **parameters).fit_predict(rows)

    return run


def kmeans(rows: Any, k: int) -> Any:  # noqa: ANN401
    return cluster.KMeans(k, n_init=10, random_state=0).fit_predict(rows)


def gaussians(kind: str) -> Run:
    return lambda rows, k: mixture.GaussianMixture(
        k, covariance_type=kind, n_init=3, random_state=0
    ).fit_predict(rows)


def spectral(neighbors: int) -> Run:
    return lambda rows, k: cluster.SpectralClustering(
        k, affinity="nearest_neighbors", n_neighbors=neighbors, random_state=0
    ).fit_predict(rows)


def agglomerative(linkage: str) -> Run:
    return lambda rows, k: cluster.AgglomerativeClustering(k, linkage=linkage).fit_predict(rows)


def genie(gini_threshold: float) -> Run:
    def run(rows: Any, k: int) -> Any:  # noqa: ANN401
        import genieclust

        return genieclust.Genie(k, gini_threshold=gini_threshold).fit_predict(rows)

    return run


def with_noise_joined(rows: Any, labels: Labels) -> Labels:  # noqa: ANN401
    """Objects that were left out join the cluster of the nearest object that was not."""
    kept = np.flatnonzero(labels >= 0)
    if len(kept) == 0:
        return labels
    nearest = NearestNeighbors(n_neighbors=1).fit(rows[kept]).kneighbors(rows)[1][:, 0]
    joined: Labels = np.where(labels >= 0, labels, labels[kept][nearest])
    return joined


def hdbscan(join: bool = False, **parameters: Any) -> Run:  # noqa: ANN401
    def run(rows: Any, _: int) -> Any:  # noqa: ANN401
        labels = cluster.HDBSCAN(copy=True, **parameters).fit_predict(rows)
        return with_noise_joined(rows, labels) if join else labels

    return run


def dbscan(quantile: float, join: bool) -> Run:
    """With a radius that is a quantile of the distances to the fifth neighbour."""

    def run(rows: Any, _: int) -> Any:  # noqa: ANN401
        far = NearestNeighbors(n_neighbors=6).fit(rows).kneighbors(rows)[0][:, 5]
        labels = cluster.DBSCAN(eps=np.quantile(far, quantile)).fit_predict(rows)
        return with_noise_joined(rows, labels) if join else labels

    return run


def leiden(quality: str, neighbors: int = 10, **parameters: Any) -> Run:  # noqa: ANN401
    def run(rows: Any, _: int) -> Any:  # noqa: ANN401
        import igraph
        import leidenalg

        graph = kneighbors_graph(rows, neighbors)
        pairs = np.array(graph.maximum(graph.T).nonzero()).T
        network = igraph.Graph(len(rows), pairs[pairs[:, 0] < pairs[:, 1]].tolist())
        kind = getattr(leidenalg, quality)
        found = leidenalg.find_partition(network, kind, n_iterations=-1, seed=0, **parameters)
        return np.array(found.membership)

    return run


def methods() -> Iterator[Method]:
    others = NEIGHBORS[1:]
    yield Method("ShiftedMinCut", True, ours(), [ours(n_neighbors=n) for n in others])
    yield Method('ShiftedMinCut, "linear"', True, ours(similarity="linear"), [])
    yield Method('ShiftedMinCut, "rbf"', True, ours(similarity="rbf"), [])
    yield Method("KMeans, 10 starts", True, kmeans, [])
    kinds = ("tied", "diag", "spherical")
    yield Method("GaussianMixture", True, gaussians("full"), [gaussians(kind) for kind in kinds])
    yield Method("SpectralClustering", True, spectral(10), [spectral(n) for n in others])
    linkages = ("average", "complete", "single")
    yield Method("Agglomerative", True, agglomerative("ward"), [*map(agglomerative, linkages)])
    yield Method("Genie", True, genie(0.3), [genie(g) for g in (0.1, 0.5, 0.7)])

    yield Method("ShiftedMinCut", False, ours(False), [ours(False, n_neighbors=n) for n in others])
    grid = product((5, 10, 20, 50), (None, 1, 5), (False, True))
    runs = [hdbscan(join, min_cluster_size=size, min_samples=n) for size, n, join in grid]
    yield Method("HDBSCAN", False, hdbscan(), runs)
    quantiles = product((0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99), (False, True))
    yield Method("DBSCAN", False, None, [dbscan(q, join) for q, join in quantiles])
    finer = product((0.05, 0.1, 0.25, 0.5, 1, 2), (10, 20))
    resolutions = [
        leiden("RBConfigurationVertexPartition", n, resolution_parameter=r) for r, n in finer
    ]
    modularity = leiden("ModularityVertexPartition")
    yield Method("Leiden, modularity", False, modularity, resolutions)
    densities = product((0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2), (10, 20))
    cpm = [leiden("CPMVertexPartition", n, resolution_parameter=r) for r, n in densities]
    yield Method("Leiden, CPM", False, None, cpm)


def tried(run: Run, data: Data) -> Found:
    begin = time.process_time()
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        labels = np.asarray(run(data.rows, len(np.unique(data.classes))))
    seconds = time.process_time() - begin
    groups = len(np.unique(labels[labels >= 0]))
    return Found(metrics.ami(data.classes, labels), groups, seconds)


def shown(found: Found, knows_k: bool) -> str:
    return f"{found.ami:.2f}" if knows_k else f"{found.ami:.2f} ({found.clusters})"


def row(method: Method, every: list[Data]) -> str:
    first, best, seconds = [], [], ""
    for data in every:
        results = [tried(run, data) for run in method.settings()]
        if method.run:
            first.append(results[0])
        if data.name == TIMED:
            seconds = f"{results[0].seconds:.2f}"
        best.append(max(results, key=lambda found: found.ami))
    cells = []
    for i in range(len(every)):
        start = shown(first[i], method.knows_k) if method.run else "-"
        cells.append(start + (f" / {shown(best[i], method.knows_k)}" if method.grid else ""))
    means = f"{np.mean([found.ami for found in first]):.2f}" if method.run else "-"
    if method.grid:
        means += f" / {np.mean([found.ami for found in best]):.2f}"
    return f"| {method.name} | " + " | ".join([*cells, means, seconds]) + " |"


def table(every: list[Data], knows_k: bool) -> list[str]:
    heads = [f"{data.name}, {len(data.rows)} in {len(np.unique(data.classes))}" for data in every]
    lines = [
        "| " + " | ".join(["method", *heads, "mean", f"s, {TIMED}"]) + " |",
        "|---" * (len(every) + 3) + "|",
    ]
    for method in methods():
        if method.knows_k == knows_k:
            try:
                lines.append(row(method, every))
                print(lines[-1], flush=True)
            except ImportError as error:
                print(f"left out: {method.name} ({error})", file=sys.stderr)
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", default=",".join(all_data()))
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "comparison.md")
    given = parser.parse_args()
    every = [make() for name, make in all_data().items() if name in given.only.split(",")]
    made = [
        "### The number of clusters is given",
        "",
        *table(every, True),
        "",
        "### The number of clusters is free",
        "",
        *table(every, False),
        "",
        f"shiftcut {__version__}, scikit-learn {sklearn.__version__}; one thread, CPU seconds.",
    ]
    text = given.page.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    new = "\n\n".join([before + BEGIN, "\n".join(made), END + after])
    given.page.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
