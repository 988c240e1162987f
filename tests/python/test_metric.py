"""Distances of neighbours, those of a given matrix, and the scale that is chosen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.datasets import load_digits, load_wine
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_mutual_info_score, pairwise_distances
from sklearn.preprocessing import StandardScaler

from shiftcut import ShiftcutWarning, ShiftedMinCut

from .data import Floats, blobs

pytestmark = pytest.mark.filterwarnings("ignore::shiftcut.ShiftcutWarning")

METRICS = (
    "euclidean",
    "cosine",
    "correlation",
    "manhattan",
    "chebyshev",
    "canberra",
    "braycurtis",
    "hamming",
    "jaccard",
)
K = 5


def rows_for(metric: str) -> Floats:
    rng = np.random.default_rng(3)
    if metric in ("hamming", "jaccard"):
        return np.asarray(rng.random((60, 80)) < 0.3, dtype=float)
    return np.asarray(rng.normal(size=(60, 6)) + 1)


def distances(rows: Floats, metric: str) -> Floats:
    values = rows != 0 if metric == "jaccard" else rows
    return np.asarray(pairwise_distances(values, metric=metric))


def neighbours_of(model: ShiftedMinCut, sample: int) -> set[int]:
    """Those joined to a sample, of a model with one cluster, binary weights and no shift."""
    ties = model.explain(sample, n_ties=1000)["own"]["ties"]
    return {tie["object"] for tie in ties}


@pytest.mark.parametrize("metric", METRICS)
def test_neighbours_are_those_of_scikit_learn(metric: str) -> None:
    rows = rows_for(metric)
    d = distances(rows, metric)
    np.fill_diagonal(d, np.inf)
    last = np.sort(d, axis=1)[:, K - 1]
    options: dict[str, Any] = {"metric": metric, "weights": "binary", "n_neighbors": K}
    model = ShiftedMinCut(1, scale="none", shift="none", **options).fit(rows)
    assert model.result_["metric"] == metric
    for sample in range(len(rows)):
        joined = neighbours_of(model, sample)
        limit = np.maximum(last[sample], last)
        assert all(d[sample, other] <= limit[other] + 1e-12 for other in joined)
        certain = np.flatnonzero(d[sample] < limit - 1e-12)  # ties may go either way
        assert set(certain.tolist()) <= joined


@pytest.mark.parametrize("metric", METRICS)
def test_labels_do_not_depend_on_threads(metric: str) -> None:
    rows = rows_for(metric)
    one, four = (
        ShiftedMinCut(4, metric=metric, random_state=0, n_jobs=jobs).fit(rows) for jobs in (1, 4)
    )
    assert np.array_equal(one.labels_, four.labels_)
    assert one.cost_ == four.cost_


@pytest.mark.parametrize("metric", METRICS)
def test_a_saved_model_predicts_by_its_metric(metric: str, tmp_path: Path) -> None:
    rows = rows_for(metric)
    model = ShiftedMinCut(3, metric=metric, scale="none", random_state=0).fit(rows[:45])
    expected = model.predict(rows[45:])
    model.save(tmp_path / "model")
    again = ShiftedMinCut.load(tmp_path / "model")
    assert again.get_params()["metric"] == metric
    assert np.array_equal(again.predict(rows[45:]), expected)
    assert np.array_equal(again.transform(rows[45:]), model.transform(rows[45:]))


def test_new_rows_are_near_by_the_metric_of_the_fit() -> None:
    rng = np.random.default_rng(1)
    codes = np.repeat(np.array([[0.0] * 8, [1.0] * 8]), 30, axis=0)
    codes[np.arange(60), rng.integers(0, 8, 60)] = rng.integers(2, 99, 60)
    model = ShiftedMinCut(2, metric="hamming", random_state=0).fit(codes)
    assert adjusted_mutual_info_score(np.repeat([0, 1], 30), model.labels_) == 1
    new = np.array([[0.0] * 7 + [1e6], [1.0] * 7 + [-1e6]])
    assert model.predict(new).tolist() == [model.labels_[0], model.labels_[-1]]


@pytest.mark.parametrize("metric", ["manhattan", "chebyshev", "euclidean"])
def test_a_distance_matrix_gives_what_its_features_give(metric: str) -> None:
    rows = blobs(150, 4, groups=3, seed=2)
    train, new = rows[:120], rows[120:]
    of_rows = ShiftedMinCut(3, metric=metric, scale="none", random_state=0).fit(train)
    given = ShiftedMinCut(3, metric="precomputed", random_state=0)
    given.fit(pairwise_distances(train, metric=metric))
    assert given.result_["similarity"] == "neighbors"
    # Clusters of one size are numbered by what their rows hold, which a matrix does not know.
    same = dict(zip(of_rows.labels_.tolist(), given.labels_.tolist(), strict=True))
    assert [same[k] for k in of_rows.labels_.tolist()] == given.labels_.tolist()
    name = {"manhattan": "cityblock"}.get(metric, metric)
    predicted = given.predict(cdist(new, train, name))
    assert [same[k] for k in of_rows.predict(new).tolist()] == predicted.tolist()
    assert given.explain(3)["own"]["cluster"] == given.labels_[3]


def test_a_model_of_a_distance_matrix_can_be_saved(tmp_path: Path) -> None:
    rows = blobs(90, 3, seed=4)
    model = ShiftedMinCut(3, metric="precomputed", random_state=0).fit(pairwise_distances(rows))
    model.save(tmp_path / "model")
    again = ShiftedMinCut.load(tmp_path / "model")
    assert again.get_params()["metric"] == "precomputed"
    assert np.array_equal(again.predict(pairwise_distances(rows)), model.labels_)


def test_digits_by_manhattan_distances() -> None:
    rows, classes = load_digits(return_X_y=True)
    d = pairwise_distances(rows, metric="manhattan")
    found = ShiftedMinCut(10, metric="precomputed", random_state=0).fit_predict(d)
    assert adjusted_mutual_info_score(classes, found) > 0.8  # 0.40 with precomputed_distance


def test_wine_is_standardised_and_components_are_not() -> None:
    rows = load_wine().data
    model = ShiftedMinCut(3, random_state=0).fit(rows)
    assert model.result_["scale"] == "standard"
    assert "halves of the columns agree more" in model.result_["scale_reason"]
    parts = PCA(6).fit_transform(StandardScaler().fit_transform(rows))
    model.fit(parts)
    assert model.result_["scale"] == "none"
    assert "principal components" in model.result_["scale_reason"]
    assert "scale_reason" not in model.set_params(scale="standard").fit(rows).result_


def test_the_choice_of_scale_depends_on_no_factor_and_no_order() -> None:
    rows = load_wine().data
    order = np.random.default_rng(0).permutation(len(rows))
    chosen = ShiftedMinCut(3, random_state=0).fit(rows).result_["scale_reason"]
    for other in (rows * 1e3, rows * 0.25, rows[order]):
        assert ShiftedMinCut(3, random_state=0).fit(other).result_["scale_reason"] == chosen


def test_rows_of_words_have_the_cosine_and_fall_back_to_neighbours() -> None:
    rng = np.random.default_rng(0)
    topics = rng.dirichlet(np.full(300, 0.02), size=4)
    classes = rng.integers(0, 4, 300)
    words = np.array([rng.multinomial(12, topics[own]) for own in classes]).astype(float)
    assert (words == 0).mean() > 0.9
    dense = ShiftedMinCut(4, random_state=0).fit(words)
    scattered = ShiftedMinCut(4, random_state=0).fit(sparse.csr_array(words))
    assert (dense.result_["similarity"], dense.result_["scale"]) == ("cosine", "none")
    assert scattered.result_["similarity"] == "cosine"
    assert adjusted_mutual_info_score(classes, dense.labels_) > 0.9
    many = ShiftedMinCut(60, random_state=0).fit(words)
    assert many.result_["similarity"] == "neighbors"
    assert many.result_["metric"] == "cosine"


def test_bad_combinations_are_refused() -> None:
    rows = blobs(30, 3)
    with pytest.raises(ValueError, match=r"The 'metric' parameter .* must be a str among"):
        ShiftedMinCut(metric="sqeuclidean").fit(rows)
    with pytest.raises(ValueError, match="neighbors in a distance matrix"):
        ShiftedMinCut(metric="precomputed", similarity="rbf").fit(rows)
    with pytest.raises(ValueError, match="must be square"):
        ShiftedMinCut(metric="precomputed").fit(rows)
    with pytest.raises(ValueError, match="symmetric"):
        ShiftedMinCut(metric="precomputed").fit(np.triu(np.ones((4, 4)), 1))
    with pytest.raises(ValueError, match="scale: found standard with metric jaccard"):
        ShiftedMinCut(metric="jaccard", scale="standard").fit(rows)
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        ShiftedMinCut(metric="manhattan").fit(sparse.csr_array(np.eye(5)))
    with pytest.warns(ShiftcutWarning, match="metric: found 'cosine'"):
        ShiftedMinCut(2, metric="cosine", similarity="linear").fit(rows)
