"""`shiftcut.scanpy` with scanpy's own data and functions (`make scanpy`)."""

from __future__ import annotations

import re
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

sc: Any = pytest.importorskip("scanpy", reason="needs scanpy: run `make scanpy`")

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from experiments.cells import KINDS, METHODS, simulated  # noqa: E402
from experiments.pbmc import cells, rows  # noqa: E402
from shiftcut import ShiftcutWarning, ShiftedMinCut, metrics  # noqa: E402
from shiftcut.scanpy import cluster  # noqa: E402

PAGE = (ROOT / "docs" / "scanpy.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
TOLERANCE = 0.015


def test_the_default_is_at_least_as_good_as_leiden() -> None:
    adata = cells()
    cluster(adata)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        sc.tl.leiden(adata)
    known = adata.obs["bulk_labels"].cat.codes
    ours, theirs = (metrics.ami(known, adata.obs[key].cat.codes) for key in ("shiftcut", "leiden"))
    assert ours >= theirs
    assert ours >= 0.62


def test_simulated_cells_are_told_apart_as_well_as_by_leiden() -> None:
    ours, theirs = METHODS["`cluster(adata)`"], METHODS["`sc.tl.leiden(adata)`"]
    gains = []
    for kind in KINDS:
        adata = simulated(kind, 1)
        known = adata.obs["type"].to_numpy()
        gains.append(metrics.ami(known, ours(adata)) - metrics.ami(known, theirs(adata)))
    assert sum(gains) / len(gains) > 0


def test_it_stores_what_leiden_stores() -> None:
    adata = cells()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        sc.tl.leiden(adata, 2)
    cluster(adata, 14)
    ours, theirs = adata.obs["shiftcut"], adata.obs["leiden"]
    assert ours.dtype.name == theirs.dtype.name == "category"
    assert ours.cat.categories.dtype == theirs.cat.categories.dtype
    most = min(len(ours.cat.categories), len(theirs.cat.categories))
    assert most > 10
    assert list(ours.cat.categories[:most]) == list(theirs.cat.categories[:most])
    assert ours.cat.ordered == theirs.cat.ordered
    assert adata.uns["shiftcut"]["params"]["random_state"] == 0


def test_it_is_written_and_read(tmp_path: Path) -> None:
    adata = cells()
    cluster(adata, 5, n_neighbors=12, must_link=[[0, 1]])
    adata.write_h5ad(tmp_path / "cells.h5ad")
    again = sc.read_h5ad(tmp_path / "cells.h5ad")
    assert again.obs["shiftcut"].equals(adata.obs["shiftcut"])
    assert again.uns["shiftcut"]["params"]["n_neighbors"] == 12
    assert again.uns["shiftcut"]["cost"] == adata.uns["shiftcut"]["cost"]
    backed = sc.read_h5ad(tmp_path / "cells.h5ad", backed="r")
    cluster(backed, 4, use_rep="X", key_added="backed")
    assert backed.obs["backed"].nunique() == 4


def test_graphs_of_scanpy_are_clustered() -> None:
    adata = cells()
    sc.pp.neighbors(adata, n_neighbors=12, key_added="mine")
    cluster(adata, neighbors_key="mine")
    assert adata.uns["shiftcut"]["params"]["obsp"] == "mine_connectivities"
    graph = adata.obsp["mine_connectivities"]
    expected = ShiftedMinCut(similarity="precomputed", shift="degree", random_state=0).fit(graph)
    assert adata.obs["shiftcut"].cat.codes.tolist() == expected.labels_.tolist()
    with pytest.raises(ValueError, match="'mine_distances', which holds distances"):
        cluster(adata, obsp="mine_distances")


def test_views_and_plots_take_the_labels() -> None:
    some = cells()[:300]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the view becomes a copy
        cluster(some, 3)
    assert some.obs["shiftcut"].nunique() == 3
    import matplotlib as mpl

    mpl.use("Agg")
    sc.pl.umap(some, color="shiftcut", show=False)
    from shiftcut import plot

    ax: Any = plot.clusters(some.obsm["X_umap"], some.obs["shiftcut"].cat.codes)
    assert len(ax.collections) == 3


def test_components_match_those_of_scanpy() -> None:
    adata = cells()
    del adata.obsm["X_pca"]
    with pytest.warns(ShiftcutWarning, match="found no 'X_pca'"):
        cluster(adata, 6)
    sc.pp.pca(adata)
    cluster(adata, 6, key_added="with_pca")
    agreement = metrics.ari(adata.obs["shiftcut"].cat.codes, adata.obs["with_pca"].cat.codes)
    assert agreement > 0.95


def test_the_page_shows_the_table() -> None:
    lines = [line.strip("| ").split(" | ") for line in PAGE.splitlines()]
    shown = {
        line[0]: list(map(float, line[1:]))
        for line in lines
        if len(line) == 4 and line[0][0] == "`"
    }
    found = list(rows())
    assert list(shown) == [name for name, *_ in found]
    for name, clusters, ami, ari in found:
        cells_shown = shown[name]
        assert abs(cells_shown[0] - clusters) <= 1
        assert cells_shown[1:] == pytest.approx([ami, ari], abs=TOLERANCE)


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_the_page_runs(snippet: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert SNIPPETS
    monkeypatch.chdir(tmp_path)
    exec(compile(snippet, "docs/scanpy.md", "exec"), {})
