"""The table of docs/scanpy.md: blood cells of scanpy's `pbmc68k_reduced`, ours and Leiden.

    .venv-scanpy/bin/python -m experiments.pbmc

700 cells with the types that Zheng et al. (2017) assigned them by the correlation with sorted ones.
Prints Markdown. `make scanpy` compares it with the page.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import scanpy as sc

from shiftcut import ShiftcutWarning, metrics
from shiftcut.scanpy import cluster

RESOLUTIONS = (0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0)
OURS: dict[str, dict[str, Any]] = {
    "`cluster(adata)`": {},
    "`cluster(adata, resolution=0.5)`": {"resolution": 0.5},
    '`cluster(adata, shift="auto")`': {"shift": "auto"},
    "`cluster(adata, n_clusters=8)`": {"n_clusters": 8},
    "`cluster(adata, n_clusters=10)`": {"n_clusters": 10},
    '`cluster(adata, neighbors_key="neighbors")`': {"neighbors_key": "neighbors"},
    '`cluster(adata, 10, neighbors_key="neighbors")`': {
        "n_clusters": 10,
        "neighbors_key": "neighbors",
    },
}
Row = tuple[str, int, float, float]


def cells() -> Any:  # noqa: ANN401
    """The annotated data, with the graph that comes with them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sc.datasets.pbmc68k_reduced()


def row(name: str, adata: Any, key: str) -> Row:  # noqa: ANN401
    known, found = adata.obs["bulk_labels"].cat.codes, adata.obs[key].cat.codes
    return name, adata.obs[key].nunique(), metrics.ami(known, found), metrics.ari(known, found)


def rows() -> Iterator[Row]:
    """Yield each method with the number of clusters, AMI and ARI."""
    adata = cells()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ShiftcutWarning)
        for name, parameters in OURS.items():
            cluster(adata, key_added="ours", **parameters)
            yield row(name, adata, "ours")
    for resolution in RESOLUTIONS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of another default to come
            sc.tl.leiden(adata, resolution, key_added="leiden")
        yield row(f"`sc.tl.leiden(adata, {resolution:g})`", adata, "leiden")


def table() -> list[str]:
    lines = ["| | clusters | AMI | ARI |", "|---|---|---|---|"]
    return lines + [f"| {name} | {k} | {ami:.2f} | {ari:.2f} |" for name, k, ami, ari in rows()]


if __name__ == "__main__":
    print("\n".join(table()))
