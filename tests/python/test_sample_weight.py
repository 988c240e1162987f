"""Rows that repeat, and rows with weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import adjusted_rand_score

from shiftcut import Feedback, ShiftedMinCut

from .data import Floats, blobs

pytestmark = pytest.mark.filterwarnings("ignore::shiftcut.ShiftcutWarning")

VIEWS: list[dict[str, Any]] = [
    {},
    {"similarity": "linear"},
    {"similarity": "linear", "distance": "euclidean"},
    {"similarity": "cosine"},
    {"similarity": "rbf"},
]


def rounded(n: int, seed: int) -> Floats:
    return np.round(blobs(n, 3, seed=seed))


@pytest.mark.parametrize("view", VIEWS)
def test_a_weight_of_2_equals_a_row_given_twice(view: dict[str, Any]) -> None:
    rows = rounded(80, seed=1)
    weights = np.random.default_rng(2).integers(0, 4, len(rows))
    model = ShiftedMinCut(3, random_state=0, **view)
    weighted = model.fit(rows, sample_weight=weights)
    labels, cost = weighted.labels_, weighted.cost_
    repeated = ShiftedMinCut(3, random_state=0, **view).fit(np.repeat(rows, weights, axis=0))
    assert repeated.cost_ == cost
    assert np.array_equal(repeated.labels_, np.repeat(labels, weights))
    assert np.array_equal(repeated.predict(rows), weighted.predict(rows))


def test_sparse_rows_have_weights_too() -> None:
    rows = sparse.random(60, 20, 0.2, format="csr", random_state=3)
    weights = np.random.default_rng(4).integers(1, 4, 60)
    for similarity in ("neighbors", "linear", "cosine"):
        weighted = ShiftedMinCut(3, similarity=similarity, random_state=0)
        weighted.fit(rows, sample_weight=weights)
        repeated = ShiftedMinCut(3, similarity=similarity, random_state=0)
        repeated.fit(rows[np.repeat(np.arange(60), weights)])
        assert repeated.cost_ == weighted.cost_
        assert np.array_equal(repeated.labels_, np.repeat(weighted.labels_, weights))


def test_repeated_rows_are_the_clusters() -> None:
    found = ShiftedMinCut(random_state=0).fit(np.repeat(np.eye(4), 100, axis=0))
    assert found.n_clusters_ == 4
    cities = np.random.default_rng(5).uniform(0, 100, (5, 2))
    where = np.random.default_rng(6).integers(0, 5, 500)
    assert adjusted_rand_score(where, ShiftedMinCut().fit_predict(cities[where])) == 1
    assert adjusted_rand_score(where, ShiftedMinCut().fit_predict(np.eye(5)[where])) == 1


@pytest.mark.parametrize("seed", range(3))
def test_answers_on_a_scale_of_5_fall_into_their_two_groups(seed: int) -> None:
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 2, 3000)
    means = np.where(groups == 0, 2.0, 4.0)[:, None]
    answers = np.clip(np.rint(means + rng.normal(0, 0.8, (3000, 4))), 1, 5)
    assert adjusted_rand_score(groups, ShiftedMinCut(2, random_state=0).fit_predict(answers)) >= 0.9


@pytest.mark.parametrize("clusters", [3, None])
def test_the_order_of_rows_does_not_matter(clusters: int | None) -> None:
    rows = rounded(300, seed=7)
    expected = ShiftedMinCut(clusters, random_state=0).fit_predict(rows)
    for seed in range(10):
        order = np.random.default_rng(seed).permutation(len(rows))
        found = ShiftedMinCut(clusters, random_state=0).fit_predict(rows[order])
        assert adjusted_rand_score(expected[order], found) == 1


def test_weights_survive_saving_and_reach_explain_and_feedback(tmp_path: Any) -> None:  # noqa: ANN401
    rows = rounded(60, seed=8)
    weights = np.random.default_rng(9).uniform(0.5, 2, len(rows))
    model = ShiftedMinCut(3, random_state=0).fit(rows, sample_weight=weights)
    model.save(tmp_path / "model")
    loaded = ShiftedMinCut.load(tmp_path / "model")
    assert np.array_equal(loaded.predict(rows), model.predict(rows))
    own = model.explain(0)["own"]["affinity"]
    assert loaded.explain(0, rows)["own"]["affinity"] == pytest.approx(own)
    assert ShiftedMinCut(3, random_state=0).fit(rows).explain(0)["own"]["affinity"] != own
    assert np.array_equal(Feedback(model).labels_, model.labels_)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1, 2], "sample_weight"),
        ([1, -1, 1], "Negative values"),
        ([1, np.nan, 1], "NaN"),
        ([0, 0, 0], "at least one non-zero"),
    ],
)
def test_bad_weights_are_refused(weights: list[float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        ShiftedMinCut(2).fit([[0.0, 0], [1, 1], [5, 5]], sample_weight=weights)


def test_weights_are_of_features_only() -> None:
    with pytest.raises(ValueError, match="sample_weight: found with X, which is no table"):
        ShiftedMinCut(2, similarity="precomputed").fit(np.eye(3), sample_weight=[1, 2, 1])
    with pytest.raises(ValueError, match="sample_weight: found with shift"):
        ShiftedMinCut(2, shift=np.zeros((3, 3))).fit(np.eye(3), sample_weight=[1, 2, 1])
