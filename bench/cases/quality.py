"""Agreement of the default command with known classes, compared with scikit-learn."""

from __future__ import annotations

import csv
import os
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bench.cases.features import Bench
from bench.measure import ROOT, full_result
from bench.report import Row, Section

UCI = Path(os.environ.get("SHIFTCUT_DATA") or ROOT.parent / "shared" / "data" / "uci")
BUILT_IN = ("iris", "wine", "breast_cancer", "digits")
QUICK_ROWS = 400  # larger data sets are skipped in a scaled-down run
FULL_MATRIX_ROWS = 5_000  # above this, skip n x n matrices and full covariances
METHODS = ("ours", "kmeans", "mixture", "spectral", "spectral_neighbors")


@dataclass(frozen=True)
class Known:
    """Numeric rows without missing cells, and their classes."""

    name: str
    rows: NDArray[np.float64]
    classes: NDArray[np.int64]
    score: str  # ami or ari

    @property
    def clusters(self) -> int:
        return len(np.unique(self.classes))


def known(name: str, rows: ArrayLike, classes: ArrayLike, score: str = "ami") -> Known:
    _, codes = np.unique(np.asarray(classes), return_inverse=True)
    return Known(name, np.asarray(rows, float), codes.astype(np.int64), score)


def read_uci(path: Path) -> Known:
    """Fill empty cells with the column's median and drop empty columns, as the program does."""
    with path.open(newline="", encoding="utf-8") as file:
        _, *lines = csv.reader(file)
    rows = np.array([[float(cell) if cell else np.nan for cell in line[:-1]] for line in lines])
    rows = rows[:, ~np.isnan(rows).all(axis=0)]
    rows = np.where(np.isnan(rows), np.nanmedian(rows, axis=0), rows)
    return known(path.stem, rows, [line[-1] for line in lines])


def real_sets(bench: Bench) -> Iterator[Known]:
    from sklearn import datasets

    for name in BUILT_IN:
        loaded = getattr(datasets, f"load_{name}")()
        yield known(name, loaded.data, loaded.target)
    if not UCI.is_dir():
        bench.say(f"H: no UCI sets in {UCI}, left out; SHIFTCUT_DATA names their folder")
        return
    for path in sorted(UCI.glob("*.csv")):
        yield read_uci(path)


def made_sets(bench: Bench) -> Iterator[Known]:
    from sklearn.datasets import make_blobs, make_circles, make_moons

    few, many = max(400, round(2_000 * bench.scale)), max(2_000, round(50_000 * bench.scale))
    rows, classes = make_moons(few, noise=0.05, random_state=0)
    yield known("moons", rows, classes, "ari")
    rows, classes = make_circles(few, noise=0.05, factor=0.5, random_state=0)
    yield known("circles, half as wide", rows, classes, "ari")
    rows, classes = make_blobs(many, 32, centers=100, random_state=0)
    yield known("blobs", rows, classes, "ari")


def write_table(path: Path, data: Known) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*(f"x{j}" for j in range(data.rows.shape[1])), "label"])
        for row, own in zip(data.rows.tolist(), data.classes.tolist(), strict=True):
            writer.writerow([*row, f"class {own}"])


def run_ours(bench: Bench, data: Known) -> tuple[float, dict[str, Any]]:
    """Score the default command; a score that differs from scikit-learn's is an error."""
    from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score

    path = bench.folder / "known.csv"
    write_table(path, data)
    result = full_result(path, "--label-column", "label", "-k", data.clusters)
    judge = {"ami": adjusted_mutual_info_score, "ari": adjusted_rand_score}[data.score]
    expected = float(judge(data.classes, result["labels"]))
    if abs(expected - result["scores"][data.score]) > 1e-6:
        bench.errors.append(
            f"H {data.name}: {data.score} {result['scores'][data.score]!r} is not {expected!r}"
        )
    return expected, result


def run_peers(data: Known) -> dict[str, float]:
    from sklearn.cluster import KMeans, SpectralClustering
    from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score
    from sklearn.mixture import GaussianMixture
    from sklearn.preprocessing import StandardScaler

    judge = {"ami": adjusted_mutual_info_score, "ari": adjusted_rand_score}[data.score]
    scaled = StandardScaler().fit_transform(data.rows)
    clusters = data.clusters
    models: dict[str, Any] = {"kmeans": KMeans(clusters, n_init=10, random_state=0)}
    if len(scaled) <= FULL_MATRIX_ROWS:
        models |= {
            "mixture": GaussianMixture(clusters, random_state=0),
            "spectral": SpectralClustering(clusters, random_state=0),
            "spectral_neighbors": SpectralClustering(
                clusters, affinity="nearest_neighbors", random_state=0
            ),
        }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about disconnected graphs and slow convergence
        return {
            name: float(judge(data.classes, model.fit_predict(scaled)))
            for name, model in models.items()
        }


def row_of(bench: Bench, data: Known) -> Row:
    bench.say(f"H: {data.name}")
    score, result = run_ours(bench, data)
    return {
        "data": data.name,
        "score": data.score,
        "rows": len(data.rows),
        "columns": data.rows.shape[1],
        "clusters": data.clusters,
        "clusters_found": result["clusters_found"],
        "ours": score,
        **run_peers(data),
        "seconds": result["seconds"]["total"],
    }


def quality(bench: Bench) -> Section:
    section = Section(
        "H. Agreement with known classes: `shiftcut cluster -k K`, no other options",
        {
            "data": "data",
            "score": "score",
            "rows": "rows",
            "columns": "columns",
            "clusters": "K",
            "clusters_found": "found",
            "ours": "ours",
            "kmeans": "k-means",
            "mixture": "mixture",
            "spectral": "spectral",
            "spectral_neighbors": "spectral, neighbours",
            "seconds": "ours, s",
        },
        notes=[
            "All on standardised columns. mixture: GaussianMixture. spectral: with its default,",
            "exp(-d^2), and on its graph of 10 neighbours. The mean covers the data sets with AMI.",
        ],
    )
    for data in real_sets(bench):
        if bench.scale == 1 or len(data.rows) <= QUICK_ROWS:
            section.rows.append(row_of(bench, data))
    mean: Row = {"data": "mean", "score": "ami"}
    for name in METHODS:
        mean[name] = float(np.mean([float(row[name] or 0) for row in section.rows]))
    section.rows.append(mean)
    section.rows += [row_of(bench, data) for data in made_sets(bench)]
    return section


GROUPS: dict[str, Callable[[Bench], Section]] = {"H": quality}
