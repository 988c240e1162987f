"""`layout_`: a place in the plane for each sample."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn import datasets
from sklearn.decomposition import PCA
from sklearn.manifold import trustworthiness
from sklearn.preprocessing import StandardScaler

from shiftcut import ShiftedMinCut

from .command_line import cluster, write_npy
from .data import blobs, random_sparse


@pytest.mark.parametrize(
    ("load", "wide", "near"),
    [  # UMAP has 0.988 and 0.989; 0.944 and 0.958; 0.922 and 0.940
        (datasets.load_digits, 0.975, 0.975),
        (datasets.load_wine, 0.93, 0.94),
        (datasets.load_breast_cancer, 0.91, 0.925),
    ],
)
def test_neighbours_of_the_map_are_neighbours_of_the_data(
    load: Any,  # noqa: ANN401
    wide: float,
    near: float,
) -> None:
    points = load().data
    if load is not datasets.load_digits:
        points = StandardScaler().fit_transform(points)
    layout = ShiftedMinCut(scale="none", random_state=0, n_jobs=2).fit(points).layout_
    assert layout.shape == (len(points), 2)
    assert trustworthiness(points, layout, n_neighbors=15) > wide
    assert trustworthiness(points, layout, n_neighbors=5) > near


def test_the_same_for_any_number_of_threads_and_on_the_command_line(tmp_path: Path) -> None:
    points = blobs(400, 6, 5)
    layouts = [
        ShiftedMinCut(random_state=0, n_jobs=threads).fit(points).layout_ for threads in (1, 2, 5)
    ]
    assert np.array_equal(layouts[0], layouts[1])
    assert np.array_equal(layouts[0], layouts[2])
    file = tmp_path / "map.csv"
    cluster(write_npy(tmp_path / "points.npy", points), "--layout", file)
    there = np.loadtxt(file, delimiter=",", skiprows=1)
    assert np.array_equal(there[:, 0], np.arange(400))
    assert there[:, 1:] == pytest.approx(layouts[0], rel=1e-6)


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_principal_components_under_the_linear_similarity(make: Any) -> None:  # noqa: ANN401
    points = np.where(blobs(150, 8) > 0, blobs(150, 8), 0)
    model = ShiftedMinCut(3, similarity="linear", scale="none", random_state=0)
    layout = model.fit(make(points)).layout_
    theirs = PCA(2).fit_transform(points)
    assert np.abs(layout) == pytest.approx(np.abs(theirs), abs=1e-5 * np.abs(theirs).max())


def test_of_every_kind_of_data() -> None:
    points = blobs(80, 5)
    distances = np.linalg.norm(points[:, None] - points[None], axis=2)
    words = random_sparse(80, 30, 0.2, 0)
    graph = sparse.csr_array(np.where(distances < np.quantile(distances, 0.2), 1.0, 0.0))
    fits: list[tuple[dict[str, Any], Any]] = [
        ({"similarity": "cosine"}, points),
        ({"similarity": "cosine"}, words),
        ({"similarity": "rbf"}, points),
        ({"metric": "manhattan"}, points),
        ({"metric": "precomputed"}, distances),
        ({"similarity": "precomputed_distance"}, distances),
        ({"similarity": "precomputed"}, distances.max() - distances),
        ({"similarity": "precomputed"}, graph),
    ]
    for parameters, data in fits:
        layout = ShiftedMinCut(3, random_state=0, **parameters).fit(data).layout_
        assert layout.shape == (80, 2)
        assert np.isfinite(layout).all()
        assert len(np.unique(layout, axis=0)) == 80


def test_weights_and_equal_rows() -> None:
    points = blobs(60, 4)
    points[10:20] = points[:10]
    weights = np.ones(60)
    weights[30] = 0
    model = ShiftedMinCut(3, random_state=0).fit(points, sample_weight=weights)
    assert np.array_equal(model.layout_[:10], model.layout_[10:20])
    assert np.isfinite(model.layout_).all()


def test_it_is_made_once_and_anew_for_each_fit() -> None:
    model = ShiftedMinCut(3, random_state=0)
    assert not hasattr(model, "layout_")
    model.fit(blobs(90, 4))
    layout = model.layout_
    assert model.layout_ is layout
    model.fit(blobs(60, 4))
    assert model.layout_.shape == (60, 2)


def test_copies_keep_it_if_it_was_computed() -> None:
    model = ShiftedMinCut(3, random_state=0).fit(blobs(90, 4))
    with pytest.raises(AttributeError, match="needs the data"):
        _ = pickle.loads(pickle.dumps(model)).layout_
    layout = model.layout_
    assert np.array_equal(pickle.loads(pickle.dumps(model)).layout_, layout)
    assert np.array_equal(copy.deepcopy(model).layout_, layout)
