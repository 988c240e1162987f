"""The map next to UMAP's: how many of its neighbours are neighbours in the data, and the time.

    python -m experiments.layout [PICTURES]

Trustworthiness (scikit-learn's) with 15 and 5 neighbours, the mean of two seeds, in the space of
the rows as they are here. Both get the same rows; UMAP has its defaults. PICTURES is a folder for
drawings. Prints Markdown; takes a few minutes.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import umap
from scipy import sparse
from sklearn import datasets
from sklearn.decomposition import TruncatedSVD
from sklearn.manifold import trustworthiness
from sklearn.preprocessing import StandardScaler, normalize

from shiftcut import ShiftedMinCut

from .places import NEWS, SHARED

Rows = npt.NDArray[np.float64]
SEEDS = (0, 1)


def standardised(X: Rows) -> Rows:
    rows: Rows = StandardScaler().fit_transform(X)
    return rows


def news() -> Rows:
    """Articles in 50 dimensions of latent semantic analysis."""
    archive = np.load(NEWS)
    words = sparse.csr_array(
        (archive["data"], archive["indices"], archive["indptr"]), shape=archive["shape"]
    )
    rows: Rows = normalize(TruncatedSVD(50, random_state=0).fit_transform(words))
    return rows


def shape(name: str) -> Rows:
    return np.loadtxt(SHARED / "data" / "shapes" / f"{name}.data.gz")


def data_sets() -> dict[str, Rows]:
    sets = {
        "digits": datasets.load_digits().data,
        "wine": standardised(datasets.load_wine().data),
        "cancer": standardised(datasets.load_breast_cancer().data),
        "iris": standardised(datasets.load_iris().data),
        "blobs": datasets.make_blobs(3000, n_features=16, centers=12, random_state=0)[0],
        "swiss roll": datasets.make_swiss_roll(3000, random_state=0)[0],
        "normal, 10-D": np.random.default_rng(0).normal(size=(2000, 10)),
    }
    if (SHARED / "data").is_dir():
        sets["news"] = news()
        for name in ("chainlink", "atom", "hepta"):
            sets[name] = shape(f"fcps/{name}")
    else:
        print(f"no {SHARED / 'data'}: without its data sets\n")
    return sets


def ours(X: Rows, seed: int) -> Rows:
    model = ShiftedMinCut(similarity="neighbors", scale="none", random_state=seed)
    layout: Rows = model.fit(X).layout_
    return layout


def umaps(X: Rows, seed: int) -> Rows:
    places: Rows = umap.UMAP(random_state=seed, n_jobs=1).fit_transform(X)
    return places


def draw(path: Path, places: Rows, colours: Rows) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 5))
    figure.subplots().scatter(places[:, 0], places[:, 1], c=colours, s=3)
    figure.savefig(path)


def scores(
    X: Rows, made: Callable[[Rows, int], Rows], picture: Path | None
) -> tuple[float, float, float]:
    """The trustworthiness with 15 and 5 neighbours, and the seconds of one map."""
    start = time.perf_counter()
    maps = [made(X, seed) for seed in SEEDS]
    seconds = (time.perf_counter() - start) / len(maps)
    if picture is not None:
        draw(picture, maps[0], X[:, 0])
    wide, near = (
        float(np.mean([trustworthiness(X, places, n_neighbors=k) for places in maps]))
        for k in (15, 5)
    )
    return wide, near, seconds


def main(arguments: list[str]) -> None:
    warnings.simplefilter("ignore")
    folder = Path(arguments[0]) if arguments else None
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    umaps(np.random.default_rng(0).normal(size=(200, 5)), 0)  # compiles
    print(
        "| data | rows | UMAP, 15 | ours, 15 | UMAP, 5 | ours, 5 | UMAP, s | ours with labels, s |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for name, X in data_sets().items():
        rows: list[Any] = []
        for who, made in (("umap", umaps), ("ours", ours)):
            picture = None if folder is None else folder / f"{name} {who}.png"
            rows.append(scores(X, made, picture))
        cells = [f"{theirs:.4f} | {own:.4f}" for theirs, own in zip(*rows, strict=True)]
        print(f"| {name} | {len(X)} x {X.shape[1]} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
