"""`shiftcut.scanpy` on objects that look like AnnData; `make scanpy` tests it on scanpy's own."""

from __future__ import annotations

import copy
import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.decomposition import PCA
from sklearn.neighbors import kneighbors_graph

from shiftcut import ShiftcutWarning, ShiftedMinCut
from shiftcut.scanpy import cluster

from .data import blobs

pytestmark = pytest.mark.filterwarnings("ignore::shiftcut.ShiftcutWarning")

X = blobs(130, 6, groups=13)


class Cells:
    """What an AnnData object is here."""

    def __init__(self, values: Any = X, **obsm: Any) -> None:  # noqa: ANN401
        self.X = values
        self.n_vars = values.shape[1]
        self.obs = pd.DataFrame(index=[f"cell {i}" for i in range(values.shape[0])])
        self.var = pd.DataFrame(index=[f"gene {i}" for i in range(values.shape[1])])
        self.obsm: dict[str, Any] = obsm
        self.obsp: dict[str, Any] = {}
        self.uns: dict[str, Any] = {}

    def copy(self) -> Cells:
        return copy.deepcopy(self)


def cells_with_graph(**entry: object) -> Cells:
    cells = Cells(X_pca=X)
    directed = kneighbors_graph(X, 10)
    cells.obsp["connectivities"] = sparse.csr_matrix(directed.maximum(directed.T))
    cells.uns["neighbors"] = {"params": {"n_neighbors": 10}, **entry}
    return cells


def test_labels_are_strings_in_natural_order() -> None:
    cells = Cells(X_pca=X)
    assert cluster(cells, 13) is None
    found = cells.obs["shiftcut"]
    assert list(found.cat.categories) == [str(k) for k in range(13)]
    assert found.value_counts(sort=False).is_monotonic_decreasing
    expected = ShiftedMinCut(13, n_neighbors=15, random_state=0).fit(X)
    assert found.cat.codes.tolist() == expected.labels_.tolist()
    kept = cells.uns["shiftcut"]
    params = {"use_rep": "X_pca", "n_clusters": 13, "random_state": 0, "n_neighbors": 15}
    assert kept["params"] == params
    assert kept["cost"] == expected.cost_
    assert kept["shift_strength"] == expected.shift_["strength"]


def test_a_copy_leaves_the_original_alone() -> None:
    cells = Cells(X_pca=X)
    changed: Any = cluster(cells, 3, key_added="mine", copy=True, n_neighbors=7)
    assert list(changed.obs.columns) == ["mine"]
    assert changed.uns["mine"]["params"]["n_neighbors"] == 7
    assert cells.obs.columns.empty
    assert not cells.uns


@pytest.mark.parametrize("how", [{"obsp": "connectivities"}, {"neighbors_key": "neighbors"}])
@pytest.mark.parametrize("entry", [{}, {"connectivities_key": "connectivities"}])
def test_graphs_are_clustered_when_named(how: dict[str, Any], entry: dict[str, str]) -> None:
    cells = cells_with_graph(**entry)
    cluster(cells, **how)
    graph = sparse.csr_array(cells.obsp["connectivities"])
    expected = ShiftedMinCut(similarity="precomputed", shift="degree", random_state=0).fit(graph)
    assert cells.obs["shiftcut"].cat.codes.tolist() == expected.labels_.tolist()
    assert cells.uns["shiftcut"]["params"]["obsp"] == "connectivities"


def labels_of(cells: Cells, *given: Any, **parameters: Any) -> list[int]:  # noqa: ANN401
    cluster(cells, *given, **parameters)
    return [int(label) for label in cells.obs["shiftcut"]]


def test_without_k_the_cost_is_modularity_and_its_resolution_can_be_set() -> None:
    cells = Cells(X_pca=X)
    model = ShiftedMinCut(shift="degree", n_neighbors=15, random_state=0)
    for resolution in (None, 0.4, 2.0):
        model.set_params(shift_strength=resolution or 1.0)
        assert labels_of(cells, resolution=resolution) == model.fit_predict(X).tolist()
        assert cells.uns["shiftcut"]["params"]["shift"] == "degree"
    assert labels_of(cells, shift_strength=2.0) == model.labels_.tolist()
    numbers = [len(set(labels_of(cells, resolution=r))) for r in (0.1, 1, 4)]
    assert numbers[0] < numbers[1] < numbers[2]


def test_the_vote_decides_where_k_or_a_shift_is_given() -> None:
    cells = Cells(X_pca=X)
    free = ShiftedMinCut(n_neighbors=15, random_state=0).fit(X)
    assert labels_of(cells, shift="auto") == free.labels_.tolist()
    given = free.set_params(n_clusters=5).fit(X)
    assert labels_of(cells, 5) == given.labels_.tolist()
    other = given.set_params(n_neighbors=6).fit(X)
    assert labels_of(cells, 5, n_neighbors=6) == other.labels_.tolist()


def test_few_cells_have_fewer_neighbours() -> None:
    few = X[:59]
    expected = ShiftedMinCut(shift="degree", random_state=0).fit(few)
    assert labels_of(Cells(few, X_pca=few)) == expected.labels_.tolist()


@pytest.mark.parametrize("more", [{"shift": "adaptive"}, {"shift_strength": 2.0}])
def test_a_resolution_is_one_of_modularity(more: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"resolution: found 0\.5 with another shift"):
        cluster(Cells(X_pca=X), resolution=0.5, **more)


def test_directions_of_an_edge_are_averaged() -> None:
    cells = cells_with_graph()
    graph = cells.obsp["connectivities"]
    cells.obsp["upper"] = 2 * sparse.triu(graph).tocsr()
    cluster(cells, 5, obsp="connectivities", key_added="whole")
    cluster(cells, 5, obsp="upper", key_added="upper")
    assert cells.obs["whole"].tolist() == cells.obs["upper"].tolist()


def test_representations_are_chosen_as_scanpy_chooses_them() -> None:
    few = Cells()
    cluster(few, 3)
    assert few.uns["shiftcut"]["params"]["use_rep"] == "X"
    other = Cells(X_other=pd.DataFrame(X, index=few.obs.index))
    cluster(other, 3, use_rep="X_other", n_pcs=2)
    expected = ShiftedMinCut(3, n_neighbors=15, random_state=0).fit(X[:, :2])
    assert other.obs["shiftcut"].cat.codes.tolist() == expected.labels_.tolist()


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_components_of_wide_data_are_computed_with_a_warning(form: Any) -> None:  # noqa: ANN401
    wide = np.maximum(blobs(150, 80, groups=4), 0)
    cells = Cells(form(wide))
    cells.var["highly_variable"] = np.arange(80) < 70
    with pytest.warns(ShiftcutWarning, match="the first 50 principal components of 70") as told:
        cluster(cells, 4)
    assert told[0].message.code == "computed_components"  # type: ignore[union-attr]
    components = PCA(50, svd_solver="arpack", random_state=0).fit_transform(wide[:, :70])
    expected = ShiftedMinCut(4, n_neighbors=15, random_state=0).fit(components)
    assert cells.obs["shiftcut"].cat.codes.tolist() == expected.labels_.tolist()
    with pytest.raises(ValueError, match="n_pcs: found 0; allowed: 1 to 69"):
        cluster(cells, n_pcs=0)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"use_rep": "X_umap"}, "use_rep: found 'X_umap', .*obsm; allowed: 'X', 'X_pca'"),
        ({"obsp": "graph"}, "obsp: found 'graph', .*allowed: 'connectivities'"),
        ({"neighbors_key": "mine"}, "neighbors_key: found 'mine', .*allowed: 'neighbors'"),
        ({"obsp": "a", "use_rep": "X"}, "found use_rep and obsp; allowed: one of"),
        ({"obsp": "connectivities", "n_pcs": 3}, "n_pcs: found 3 with a graph"),
        ({"n_pcs": 7}, "n_pcs: found 7; allowed: 1 to 6"),
        ({"n_pcs": True}, "n_pcs: found True; allowed: 1 to 6"),
        ({"n_clusters": 0}, "n_clusters"),
    ],
)
def test_what_is_wrong_is_named(given: dict[str, Any], words: str) -> None:
    cells = cells_with_graph()
    with pytest.raises(ValueError, match=words):
        cluster(cells, **given)
    assert cells.obs.columns.empty


def test_distances_are_no_graph() -> None:
    cells = cells_with_graph(distances_key="far")
    cells.obsp["far"] = cells.obsp["distances"] = cells.obsp["connectivities"]
    for key in ("far", "distances"):
        with pytest.raises(ValueError, match=f"found '{key}', which holds distances"):
            cluster(cells, obsp=key)


def test_parameters_of_leiden_are_translated() -> None:
    cells = cells_with_graph()
    for given in ({"adjacency": X}, {"similarity": "linear"}):
        with pytest.raises(TypeError, match=rf"{next(iter(given))}: this is no .*allowed:"):
            cluster(cells, **given)
    with pytest.raises(TypeError, match="adata: found ndarray, which has no 'obs'"):
        cluster(X)


def test_parameters_can_be_stored() -> None:
    cells = Cells(X_pca=X)
    cluster(cells, 3, random_state=np.random.RandomState(0), must_link=[[0, 1]], n_jobs=1)
    kept = cells.uns["shiftcut"]["params"]
    assert "random_state" not in kept
    assert kept["must_link"].tolist() == [[0, 1]]


def test_neither_scanpy_nor_anndata_is_imported() -> None:
    check = "import shiftcut.scanpy, sys; print({'scanpy', 'anndata'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
