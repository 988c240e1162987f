"""Run time of every method against the number of objects, on the same data, one thread.

Each time is of one run from features to labels, in its own process. Methods that need an n x n
matrix stop where their matrices would take too much memory; all methods stop where one run exceeds
the time limit.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.cluster import DBSCAN, KMeans, SpectralClustering
from sklearn.mixture import GaussianMixture

from shiftcut import ShiftedMinCut

from ...data.datasets import Floats
from ...jobs.workers import Job, run_all
from ...report.document import Entry, Grid, Mark, Picture
from ...report.drawing import COLORS, new_figure, save
from ..methods import NotBuiltError, method_class

FEATURES, GROUPS = 16, 5
MEMORY_SHARE = 0.3  # of the machine's
GIB = 2.0**30


def points(n: int) -> Floats:
    """Overlapping groups, so that no method is done after one step."""
    rng = np.random.default_rng([n, 7])
    centres = rng.normal(size=(GROUPS, FEATURES)) * 1.2
    return np.asarray(centres[np.arange(n) % GROUPS] + rng.normal(size=(n, FEATURES)))


def _linear(rows: Floats) -> Floats:
    from shiftcut.methods._clusterer import linear

    return linear(rows, "euclidean")


def _ours(name: str, *arguments: Any, **parameters: Any) -> Callable[[Floats], Any]:  # noqa: ANN401
    return lambda rows: method_class(name)(*arguments, **parameters).fit(rows)


def _shifted(distance: str) -> Callable[[Floats], Any]:
    return lambda rows: ShiftedMinCut(
        GROUPS,
        similarity="linear",
        distance=distance,
        method="local-search",
        n_init=1,
        random_state=0,
    ).fit(rows)


def _spectral(rows: Floats) -> None:
    SpectralClustering(GROUPS, affinity="precomputed", n_init=1, random_state=0).fit(_linear(rows))


@dataclass(frozen=True)
class Timed:
    fit: Callable[[Floats], Any]
    matrices: float  # of n x n doubles in memory at once; 0: none


ON_MATRIX: dict[str, Any] = {"affinity": "linear", "distance": "euclidean"}
METHODS: dict[str, Timed] = {
    "Shifted Min Cut, squared distances": Timed(_shifted("sqeuclidean"), 0),
    "Shifted Min Cut, plain distances": Timed(_shifted("euclidean"), 1),
    "DSC": Timed(_ours("DominantSets", None, dynamics="replicator", **ON_MATRIX), 2),
    "InImDyn": Timed(_ours("DominantSets", None, dynamics="infection", **ON_MATRIX), 2),
    "PSC": Timed(_ours("PSpectral", GROUPS, **ON_MATRIX), 3),
    "GMM": Timed(lambda rows: GaussianMixture(GROUPS, random_state=0).fit(rows), 0),
    "KMeans": Timed(lambda rows: KMeans(GROUPS, n_init=1, random_state=0).fit(rows), 0),
    "PIC": Timed(_ours("PowerIteration", GROUPS, n_init=1, random_state=0, **ON_MATRIX), 2),
    "SC": Timed(_spectral, 3),
    "normalised cut search": Timed(
        _ours("CutSearch", GROUPS, cost="normalized_cut", n_init=1, random_state=0, **ON_MATRIX), 2
    ),
    "size regularised cut": Timed(_ours("SizeRegularisedCut", GROUPS, alpha=1.0, **ON_MATRIX), 2),
    "reliable agglomerative": Timed(_ours("ReliableAgglomerative", GROUPS), 1),
    "average linkage": Timed(
        lambda rows: fcluster(linkage(rows, "average"), GROUPS, "maxclust"), 1
    ),
    "single linkage": Timed(lambda rows: fcluster(linkage(rows, "single"), GROUPS, "maxclust"), 1),
    "DBSCAN": Timed(lambda rows: DBSCAN(eps=3.0).fit(rows), 0),
}


def timing(method: str, n: int) -> dict[str, Any]:
    """Seconds of one run, without making the data."""
    rows = points(n)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        begin = time.perf_counter()
        try:
            METHODS[method].fit(rows)
        except NotBuiltError as error:
            return {"missing": str(error), "lasting": False}
        return {"seconds": time.perf_counter() - begin}


def memory_limit() -> float:
    """Bytes that the matrices of a method may take."""
    return MEMORY_SHARE * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def measured(
    method: str, sizes: tuple[int, ...], limit: float, ask: Callable[[Job], dict[str, Any]]
) -> list[dict[str, Any]]:
    """One result per size; after the first missing one, larger sizes are not tried."""
    answers: list[dict[str, Any]] = []
    for n in sizes:
        need = METHODS[method].matrices * 8.0 * n * n
        if answers and "missing" in answers[-1]:
            answers.append({"missing": answers[-1]["missing"]})
        elif need > memory_limit():
            answers.append({"missing": f"n x n: {need / GIB:.1f} GiB"})
        else:
            answers.append(ask(Job(f"time {method}, n = {n}", timing, (method, n), limit)))
    return answers


def ask_alone(job: Job) -> dict[str, Any]:
    """Run one job with no other job running."""
    found: list[dict[str, Any]] = []
    run_all([job], 1, lambda _, answer: found.append(answer))
    return found[0]


def runtime_grid(
    sizes: tuple[int, ...], limit: float, times: dict[str, list[dict[str, Any]]]
) -> Grid:
    grid = Grid(
        "run-time",
        f"Seconds of one run on n objects with {FEATURES} features, {GROUPS} clusters, one thread",
        ["method", "n x n matrices", *(f"n = {n:,}" for n in sizes)],
    )
    for method, answers in times.items():
        matrices = METHODS[method].matrices
        row: list[Entry] = [method, "none" if matrices == 0 else f"{matrices:g}"]
        for answer in answers:
            if "missing" in answer:
                row.append(Mark(answer["missing"].split(":")[0] if "not built" in answer["missing"]
                                else answer["missing"], "missing"))  # fmt: skip
            else:
                row.append(f"{answer['seconds']:.3g}")
        grid.rows.append(row)
    grid.remarks = [
        f"Limit {limit:g} s a run and {memory_limit() / GIB:.1f} GiB for matrices; after the first "
        "miss larger sizes are not tried. DBSCAN has a radius of 3 and no number of clusters."
    ]
    return grid


def runtime_picture(
    sizes: tuple[int, ...], times: dict[str, list[dict[str, Any]]], folder: Path
) -> Picture:
    figure = new_figure(8, 4.2)
    axes = figure.subplots()
    styles = ("-", "--", ":")
    for place, (method, answers) in enumerate(times.items()):
        known = [(n, a["seconds"]) for n, a in zip(sizes, answers, strict=True) if "seconds" in a]
        if known:
            style = styles[place // len(COLORS)]
            axes.loglog(*zip(*known, strict=True), style, marker="o", ms=3,
                        color=COLORS[place % len(COLORS)], label=method)  # fmt: skip
    axes.set_xlabel("objects")
    axes.set_ylabel("seconds")
    axes.legend(fontsize=7, bbox_to_anchor=(1.01, 1), loc="upper left")
    return Picture(
        save(figure, folder / "run-time.svg"),
        "Run time",
        "One run from features to labels on one thread; lines end where memory or time does.",
    )
