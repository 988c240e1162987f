"""Parameters are chosen by the agreement of halves, not by costs in different units."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from shiftcut import ShiftedMinCut
from shiftcut.model_selection import agreement, held_out_agreement, select

COUNTS = [2, 3, 4, 5, 6, 7]


def five_blobs() -> tuple[Any, Any]:
    X, y = make_blobs(250, centers=5, n_features=3, cluster_std=1.3, random_state=5)
    return X, y


def test_costs_are_no_score_and_a_grid_search_says_so_at_once() -> None:
    X, _ = five_blobs()
    model = ShiftedMinCut(2, random_state=0).fit(X)
    assert not hasattr(model, "score")
    with pytest.raises(AttributeError, match=r"model_selection.select\(model, param_grid, X\)"):
        model.score(X)
    with pytest.raises(TypeError, match="'score' method"):
        GridSearchCV(model, {"n_clusters": COUNTS}).fit(X)
    assert not hasattr(make_pipeline(StandardScaler(), model), "score")


def test_five_blobs_are_five_clusters() -> None:
    X, y = five_blobs()
    grid = {"n_clusters": COUNTS, "n_neighbors": [5, 10]}
    found = select(ShiftedMinCut(random_state=0), grid, X)
    assert found.best_params["n_clusters"] == found.best_estimator.n_clusters_ == 5
    assert adjusted_rand_score(y, found.best_estimator.labels_) > 0.95
    assert len(found.results) == 12
    assert found.best_agreement > 0.9
    assert {row["n_clusters"] for row in pd.DataFrame(found.results).to_dict("records")} <= {
        *np.arange(1, 7.5, 0.5)
    }


def test_similarities_in_other_units_are_compared() -> None:
    X, y = make_moons(300, noise=0.05, random_state=0)
    grid: dict[str, Any] = {"similarity": ["linear", "neighbors"], "n_clusters": [2, 3, 4]}
    found = select(ShiftedMinCut(random_state=0), grid, X * 1000)
    assert found.best_params == {"similarity": "neighbors", "n_clusters": 2}
    assert adjusted_rand_score(y, found.best_estimator.labels_) > 0.95


def test_a_single_cluster_agrees_with_nothing() -> None:
    X, _ = five_blobs()
    assert agreement(ShiftedMinCut(1), X).tolist() == [0] * 6


def test_it_is_a_scorer_for_a_grid_search() -> None:
    X, _ = five_blobs()
    search = GridSearchCV(
        ShiftedMinCut(random_state=0),
        {"n_clusters": [5, 7]},
        scoring=held_out_agreement,
        cv=KFold(2, shuffle=True, random_state=0),
    ).fit(X)
    assert search.best_params_ == {"n_clusters": 5}
    assert 0 < search.best_score_ <= 1
    with pytest.raises(ValueError, match=r"shiftcut.model_selection.select"):
        held_out_agreement(ShiftedMinCut(similarity="precomputed"), X)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, sparse.coo_array])
def test_precomputed_similarities_are_halved_in_rows_and_columns(form: Any) -> None:  # noqa: ANN401
    X, _ = five_blobs()
    kernel = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 20)
    kernel[kernel < 0.01] = 0
    model = ShiftedMinCut(similarity="precomputed", random_state=0)
    found = select(model, {"n_clusters": [2, 5], "shift_strength": [0.5, 1.0]}, form(kernel))
    assert found.best_estimator.n_features_in_ == 250


def test_pairs_inside_a_half_hold_there() -> None:
    X, _ = five_blobs()
    pairs = [[i, i + 1] for i in range(0, 240, 2)]
    weights = np.full(len(pairs), 0.5)
    for links in (
        {"must_link": pairs},
        {"cannot_link": pairs[:20], "must_link": pairs[20:], "pair_weights": weights},
        {"cannot_link_groups": np.arange(250) // 2},
    ):
        model = ShiftedMinCut(5, random_state=0, **links)
        assert agreement(model, X, n_splits=1).shape == (2,)
        assert model.get_params()[next(iter(links))] is not None
    with pytest.raises(ValueError, match="holds 250, but there are 250 samples"):
        agreement(ShiftedMinCut(5, must_link=[[0, 250]]), X)


def test_pipelines_frames_and_other_clusterers_are_judged() -> None:
    X, _ = five_blobs()
    frame = pd.DataFrame(X, columns=list("abc")).assign(text=["u", "v"] * 125)
    pipeline = make_pipeline(StandardScaler(), ShiftedMinCut(random_state=0, scale="none"))
    found = select(pipeline, {"shiftedmincut__n_clusters": [3, 5]}, X)
    assert found.best_params == {"shiftedmincut__n_clusters": 5}
    assert select(ShiftedMinCut(random_state=0), {"n_clusters": [5]}, frame).best_agreement > 0
    assert select(KMeans(n_init=3), {"n_clusters": [2, 5]}, X).best_params == {"n_clusters": 5}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"n_splits": 0}, "n_splits: found 0"),
        ({"tolerance": 2}, "tolerance: found 2; allowed: from 0 to 1"),
        ({"tolerance": True}, "tolerance: found True"),
    ],
)
def test_what_makes_no_sense_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        select(ShiftedMinCut(), {"n_clusters": [2]}, five_blobs()[0], **given)
    with pytest.raises(ValueError, match="n_samples=4 should be >= 10"):
        agreement(ShiftedMinCut(2), five_blobs()[0][:4])
    with pytest.raises(ValueError, match="param_grid: found no candidates"):
        select(ShiftedMinCut(2), [], five_blobs()[0])
