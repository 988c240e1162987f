"""The default of `shiftcut.scanpy.cluster`: simulated cells with known types, ours and Leiden.

    .venv-scanpy/bin/python -m experiments.cells            # the table of docs/scanpy.md, minutes
    .venv-scanpy/bin/python -m experiments.cells --half 0   # every other data set, to choose on
    .venv-scanpy/bin/python -m experiments.cells --all      # every data set

Counts are drawn from negative binomial distributions whose means differ between types, as in
Splatter (Zappia, Phipson, Oshlack 2017), and go through scanpy's usual steps: normalised,
logarithms, variable genes, scaled, 50 principal components. Four kinds:

- apart: types have genes of their own;
- tree: types are the leaves of a tree, and near relatives share genes;
- path: cells lie between two neighbouring states, and the type is the nearer one;
- rare: one or two types hold most of the cells, others a few percent.

Tables of other subjects that have known classes stand in for real cells.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import anndata
import numpy as np
import scanpy as sc
from sklearn import datasets

from shiftcut import ShiftcutWarning, metrics
from shiftcut.scanpy import cluster

Array = np.ndarray[Any, Any]
KINDS = ("apart", "tree", "path", "rare")
SETS_OF_A_KIND = 6
STAND_INS = ("wine", "digits", "breast_cancer", "iris")


def _shares(kind: str, types: int, rng: np.random.Generator) -> Array:
    if kind == "rare":
        shares = np.full(types, 0.03) * rng.uniform(0.5, 2, types)
        shares[: rng.integers(1, 3)] = 0.5
    else:
        shares = rng.dirichlet(np.full(types, rng.choice([2.0, 5.0, 50.0]))) + 0.01
    return np.asarray(shares / shares.sum())


def _changes(genes: int, share: float, size: float, rng: np.random.Generator) -> Array:
    """Log fold changes of a share of the genes."""
    return np.where(rng.random(genes) < share, rng.normal(0, size, genes), 0.0)


def simulated(kind: str, number: int) -> anndata.AnnData:
    """Cells with `obs["type"]` and `obsm["X_pca"]`."""
    rng = np.random.default_rng([KINDS.index(kind), number])
    cells = int(rng.choice([500, 1000, 2000]))
    genes, types = 1500, int(rng.integers(4, 13))
    share, size = rng.uniform(0.02, 0.08), rng.uniform(0.4, 1.0)
    states = [_changes(genes, share, size, rng) for _ in range(types)]
    if kind == "tree":
        for of_type in range(1, types):
            parent = int(rng.integers(of_type))
            states[of_type] += states[parent]
    if kind == "path":
        for of_type in range(1, types):
            states[of_type] += states[of_type - 1 if rng.random() < 0.7 else 0]
    label = rng.choice(types, cells, p=_shares(kind, types, rng))
    profile = np.array(states)[label]
    if kind == "path":  # towards the state before it, up to half of the way
        before = np.array(states)[np.maximum(label - 1, 0)]
        profile += (before - profile) * rng.uniform(0, 0.5, (cells, 1))
    base = rng.normal(0, 1.2, genes)
    means = np.exp(base + profile)
    depth = rng.lognormal(np.log(rng.choice([1000.0, 2000.0, 5000.0])), 0.3, (cells, 1))
    means *= depth / means.sum(axis=1, keepdims=True)
    dispersion = rng.uniform(0.1, 0.5)
    counts = rng.poisson(means * rng.gamma(1 / dispersion, dispersion, means.shape))
    adata = anndata.AnnData(counts[:, counts.any(axis=0)].astype(np.float32))
    adata.obs["type"] = label.astype(str)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sc.pp.normalize_total(adata)
        sc.pp.log1p(adata)
        sc.pp.highly_variable_genes(adata, n_top_genes=1000, subset=True)
        sc.pp.scale(adata, max_value=10)
        sc.pp.pca(adata, n_comps=50, random_state=0)
        sc.pp.neighbors(adata, random_state=0)
    return adata


def stand_in(name: str) -> anndata.AnnData:
    """A table of scikit-learn's, standardised, with up to 50 principal components."""
    data = getattr(datasets, f"load_{name}")()
    adata = anndata.AnnData(np.asarray(data.data, dtype=np.float32))
    adata.obs["type"] = data.target.astype(str)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if name != "digits":
            sc.pp.scale(adata)
        sc.pp.pca(adata, n_comps=min(50, *(size - 1 for size in adata.shape)), random_state=0)
        sc.pp.neighbors(adata, random_state=0)
    return adata


def leiden(resolution: float) -> Callable[[anndata.AnnData], Array]:
    def labels(adata: anndata.AnnData) -> Array:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of another default to come
            sc.tl.leiden(adata, resolution, key_added="found")
        return np.asarray(adata.obs["found"].cat.codes)

    return labels


def ours(**parameters: Any) -> Callable[[anndata.AnnData], Array]:  # noqa: ANN401
    def labels(adata: anndata.AnnData) -> Array:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ShiftcutWarning)
            cluster(adata, key_added="found", **parameters)
        return np.asarray(adata.obs["found"].cat.codes)

    return labels


METHODS: dict[str, Callable[[anndata.AnnData], Array]] = {
    "`cluster(adata)`": ours(),
    "`cluster(adata, n_neighbors=10)`": ours(n_neighbors=10),
    "`cluster(adata, resolution=0.5)`": ours(resolution=0.5),
    '`cluster(adata, neighbors_key="neighbors")`': ours(neighbors_key="neighbors"),
    '`cluster(adata, shift="auto")`': ours(shift="auto"),
    "`sc.tl.leiden(adata, 0.5)`": leiden(0.5),
    "`sc.tl.leiden(adata)`": leiden(1),
}
Score = tuple[float, int]  # AMI, clusters beyond the number of types


def problems(half: int | None = None) -> Iterator[tuple[str, anndata.AnnData]]:
    """Yield kinds and data sets; `half` leaves out every other one, and the stand-ins from 0."""
    for number in range(SETS_OF_A_KIND):
        if half is None or number % 2 == half:
            yield from ((kind, simulated(kind, number)) for kind in KINDS)
    if half != 0:
        yield from (("stand-ins", stand_in(name)) for name in STAND_INS)


def scored(adata: anndata.AnnData) -> dict[str, Score]:
    known = adata.obs["type"].to_numpy()
    found = {name: method(adata) for name, method in METHODS.items()}
    types = len(set(known))
    return {
        name: (metrics.ami(known, f), len(set(f.tolist())) - types) for name, f in found.items()
    }


def table(scores: dict[str, list[dict[str, Score]]]) -> list[str]:
    kinds = list(scores)
    lines = ["| | " + " | ".join(kinds) + " |", "|---" * (len(kinds) + 1) + "|"]
    for name in METHODS:
        cells = [np.mean([of_set[name] for of_set in scores[kind]], axis=0) for kind in kinds]
        lines.append(f"| {name} | " + " | ".join(f"{a:.2f} ({d:+.1f})" for a, d in cells) + " |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--all", action="store_true", help="print every data set")
    parser.add_argument("--half", type=int, choices=(0, 1), help="only every other data set")
    options = parser.parse_args()
    scores: dict[str, list[dict[str, Score]]] = {}
    for kind, adata in problems(options.half):
        scores.setdefault(kind, []).append(scored(adata))
        if options.all:
            print(kind, *(f"{n}: {a:.3f} ({d:+d})" for n, (a, d) in scores[kind][-1].items()))
    print("\n".join(table(scores)))


if __name__ == "__main__":
    main()
