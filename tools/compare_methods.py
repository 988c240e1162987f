#!/usr/bin/env python3
"""Compare with scikit-learn's clusterers and Leiden, and write the table into docs/comparison.md.

    tools/compare_methods.py [--only iris,wine] [--page FILE]

All methods get the same features (standardised, except the pixels of the digits) and, if they take
it, the true number of classes; other parameters keep their defaults. Leiden runs on the same
10-nearest-neighbour graph as SpectralClustering. `tools/setup.sh python bench` installs the
dependencies; without leidenalg, its rows are omitted.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import sklearn
from sklearn import cluster, datasets
from sklearn.neighbors import kneighbors_graph
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from shiftcut import ShiftedMinCut, __version__, metrics

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- table: tools/compare_methods.py -->", "<!-- end of table -->"
NEIGHBORS = 10
ATTEMPTS = 3  # of which the fastest counts

Labels = npt.NDArray[np.int32]
Method = Callable[[Any, int], Any]


@dataclass(frozen=True)
class Data:
    name: str
    rows: Any
    classes: Any


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


def leiden(rows: Any, resolution: str) -> Any:  # noqa: ANN401
    import igraph
    import leidenalg

    graph = kneighbors_graph(rows, NEIGHBORS)
    pairs = np.array(graph.maximum(graph.T).nonzero()).T
    network = igraph.Graph(len(rows), pairs[pairs[:, 0] < pairs[:, 1]].tolist())
    kind = getattr(leidenalg, resolution)
    return np.array(leidenalg.find_partition(network, kind, seed=0).membership)


def shifted(**parameters: Any) -> Method:  # noqa: ANN401
    def run(rows: Any, classes: int) -> Any:  # noqa: ANN401
        model = ShiftedMinCut(classes, scale="none", random_state=0, **parameters)
        return model.fit_predict(rows)

    return run


METHODS: dict[str, Method] = {
    "ShiftedMinCut": shifted(),
    'ShiftedMinCut, "linear"': shifted(similarity="linear"),
    'ShiftedMinCut, "rbf"': shifted(similarity="rbf"),
    "KMeans": lambda rows, k: cluster.KMeans(k, n_init=10, random_state=0).fit_predict(rows),
    "SpectralClustering": lambda rows, k: cluster.SpectralClustering(
        k, affinity="nearest_neighbors", n_neighbors=NEIGHBORS, random_state=0
    ).fit_predict(rows),
    "HDBSCAN": lambda rows, _: cluster.HDBSCAN(copy=True).fit_predict(rows),
    "Leiden, modularity": lambda rows, _: leiden(rows, "ModularityVertexPartition"),
    "Leiden, CPM": lambda rows, _: leiden(rows, "CPMVertexPartition"),
}


def measured(method: Method, data: Data) -> str:
    seconds, classes = np.inf, len(np.unique(data.classes))
    for _ in range(ATTEMPTS):
        begin = time.perf_counter()
        with warnings.catch_warnings(), threadpool_limits(1):
            warnings.simplefilter("ignore")
            labels = np.asarray(method(data.rows, classes))
        seconds = min(seconds, time.perf_counter() - begin)
    agreement = metrics.ami(data.classes, labels)
    groups = len(np.unique(labels[labels >= 0]))
    return f"{agreement:.2f} ({groups}; {seconds:.2f} s)"


def table(names: list[str]) -> str:
    every = [make() for name, make in all_data().items() if name in names]
    heads = [f"{data.name}, {len(data.rows)} in {len(np.unique(data.classes))}" for data in every]
    lines = [
        "| AMI (clusters; time) | " + " | ".join(heads) + " |",
        "|---" * (len(every) + 1) + "|",
    ]
    for name, method in METHODS.items():
        try:
            cells = [measured(method, data) for data in every]
        except ImportError as error:
            print(f"left out: {name} ({error})", file=sys.stderr)
            continue
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    versions = f"shiftcut {__version__}, scikit-learn {sklearn.__version__}"
    lines += ["", f"{versions}; one thread, the best of three."]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--only", default=",".join(all_data()))
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "comparison.md")
    given = parser.parse_args()
    text = given.page.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    new = f"{before}{BEGIN}\n\n{table(given.only.split(','))}\n\n{END}{after}"
    given.page.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
