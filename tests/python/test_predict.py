"""New rows go where their affinity, computed by the definition, is largest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from shiftcut import ShiftedMinCut

from .data import Floats, blobs, random_sparse

pytestmark = pytest.mark.filterwarnings("ignore::shiftcut.ShiftcutWarning")

TRAINING = blobs(90, 4, seed=1)
NEW = blobs(40, 4, seed=1) + np.random.default_rng(8).normal(size=(40, 4))
SHIFTS: dict[str, dict[str, Any]] = {
    "adaptive": {"shift": "adaptive"},
    "weaker": {"shift": "adaptive", "shift_strength": 0.7},
    "stronger": {"shift": "adaptive", "shift_strength": 1.2},
    "constant": {"shift": 0.4},
    "none": {"shift": "none"},
}


def standardised(rows: Floats) -> Floats:
    return np.asarray((rows - TRAINING.mean(axis=0)) / TRAINING.std(axis=0))


def squared(a: Floats, b: Floats) -> Floats:
    return np.asarray(((a[:, None] - b) ** 2).sum(axis=2))


def similarities(view: str, rows: Floats) -> Floats:
    """x of each row to each training row, by its definition."""
    y, t = standardised(rows), standardised(TRAINING)
    if view == "cosine":
        unit = [z / np.linalg.norm(z, axis=1, keepdims=True) for z in (y, t)]
        return np.asarray(unit[0] @ unit[1].T)
    if view == "rbf":
        return np.asarray(np.exp(-squared(y, t) / 1.5**2))
    if view == "self-tuned":
        widths = [
            np.sqrt(np.sort(np.where(d > 0, d, np.inf), axis=1)[:, 6])
            for d in (squared(y, t), squared(t, t))
        ]
        return np.asarray(np.exp(-squared(y, t) / np.outer(*widths)))
    power = 0.5 if view == "euclidean" else 1.0
    return np.asarray((squared(t, t) ** power).max() - squared(y, t) ** power)


VIEWS: dict[str, dict[str, Any]] = {
    "linear": {"similarity": "linear"},
    "euclidean": {"similarity": "linear", "distance": "euclidean"},
    "cosine": {"similarity": "cosine"},
    "rbf": {"similarity": "rbf", "sigma": 1.5},
    "self-tuned": {"similarity": "rbf"},
}


def affinities(x: Floats, x_training: Floats, model: ShiftedMinCut) -> Floats:
    """The definition: sums over members of x - strength * alpha, one pair at a time."""
    shift = model.shift_
    if shift["kind"] == "adaptive":
        rows, columns = x.mean(axis=1)[:, None], x_training.mean(axis=1)
        alpha = rows + columns - x_training.mean()
    else:
        alpha = np.full(x.shape, shift.get("value", 0.0))
    s = x - shift["strength"] * alpha
    members = np.eye(model.n_clusters_)[model.labels_]
    return np.asarray(s @ members)


@pytest.mark.parametrize("shift", SHIFTS)
@pytest.mark.parametrize("view", VIEWS)
def test_features_by_the_definition(view: str, shift: str) -> None:
    options: dict[str, Any] = {"scale": "standard", **VIEWS[view], **SHIFTS[shift]}
    model = ShiftedMinCut(3, random_state=0, **options).fit(TRAINING)
    training = similarities(view, TRAINING)
    expected = affinities(similarities(view, NEW), training, model)
    np.testing.assert_allclose(model.transform(NEW), expected, rtol=1e-7, atol=1e-7)
    np.testing.assert_array_equal(model.predict(NEW), expected.argmax(axis=1))
    own = affinities(training, training, model)
    np.testing.assert_allclose(model.transform(TRAINING), own, rtol=1e-7, atol=1e-7)
    picked = own[np.arange(len(own)), model.labels_].sum()
    assert picked == pytest.approx(-model.cost_, rel=1e-7)


@pytest.mark.parametrize("view", VIEWS)
def test_training_rows_stay_and_their_affinities_sum_to_minus_the_cost(view: str) -> None:
    model = ShiftedMinCut(3, random_state=0, **VIEWS[view]).fit(TRAINING)
    np.testing.assert_array_equal(model.predict(TRAINING), model.labels_)
    assert model.transform(TRAINING).max(axis=1).sum() == pytest.approx(-model.cost_, rel=1e-7)


@pytest.mark.parametrize("shift", SHIFTS)
@pytest.mark.parametrize("as_sparse", [False, True])
def test_precomputed_similarities_by_the_definition(shift: str, as_sparse: bool) -> None:
    x = np.exp(-squared(standardised(TRAINING), standardised(TRAINING)))
    new = np.exp(-squared(standardised(NEW), standardised(TRAINING)))
    x[x < 0.05], new[new < 0.05] = 0, 0
    form = sparse.csr_array if as_sparse else np.asarray
    model = ShiftedMinCut(3, similarity="precomputed", random_state=0, **SHIFTS[shift])
    model.fit(form(x))
    expected = affinities(new, x, model)
    np.testing.assert_allclose(model.transform(form(new)), expected, rtol=1e-9, atol=1e-9)


def test_precomputed_distances_by_the_definition() -> None:
    d = np.sqrt(squared(TRAINING, TRAINING))
    new = np.sqrt(squared(NEW, TRAINING))
    model = ShiftedMinCut(3, similarity="precomputed_distance", random_state=0).fit(d)
    expected = affinities(d.max() - new, d.max() - d, model)
    np.testing.assert_allclose(model.transform(new), expected, rtol=1e-9, atol=1e-9)


def neighbor_lists(rows: Floats, own: bool, k: int) -> list[list[int]]:
    """The nearest training rows of each row; of a training row without itself."""
    d = squared(standardised(rows), standardised(TRAINING))
    if own:
        np.fill_diagonal(d, np.inf)
    return [np.argsort(row, kind="stable")[:k].tolist() for row in d]


def neighbor_weight(kind: str, one: set[int], other: set[int], d: float, widths: float) -> float:
    if kind == "binary":
        return 1.0
    if kind == "shared":
        return len(one & other) / len(one | other)
    return float(np.exp(-d / widths))


@pytest.mark.parametrize("shift", SHIFTS)
@pytest.mark.parametrize("weights", ["shared", "binary", "gaussian"])
def test_neighbors_by_the_definition(weights: str, shift: str) -> None:
    k, n = 6, len(TRAINING)
    options: dict[str, Any] = {"weights": weights, "scale": "standard", **SHIFTS[shift]}
    model = ShiftedMinCut(3, n_neighbors=k, random_state=0, **options).fit(TRAINING)
    lists = neighbor_lists(TRAINING, True, k)
    sets = [set(own) | {i} for i, own in enumerate(lists)]
    d = squared(standardised(TRAINING), standardised(TRAINING))
    width = [np.sqrt(d[i, own[-1]]) for i, own in enumerate(lists)]
    x = np.zeros((n, n))
    for i, own in enumerate(lists):
        for j in own:
            weight = neighbor_weight(weights, sets[i], sets[j], d[i, j], width[i] * width[j])
            x[i, j] = x[j, i] = weight
    to_new = squared(standardised(NEW), standardised(TRAINING))
    new = np.zeros((len(NEW), n))
    for i, own in enumerate(neighbor_lists(NEW, False, k)):
        last = np.sqrt(to_new[i, own[-1]])
        for j in own:
            mine = set(own) | {-1}
            new[i, j] = neighbor_weight(weights, mine, sets[j], to_new[i, j], last * width[j])
    expected = affinities(new, x, model)
    np.testing.assert_allclose(model.transform(NEW), expected, rtol=1e-7, atol=1e-9)
    # Rows of the training data have the edges they had.
    np.testing.assert_allclose(
        model.transform(TRAINING), affinities(x, x, model), rtol=1e-7, atol=1e-9
    )
    if shift == "adaptive":
        assert model.transform(TRAINING).max(axis=1).sum() == pytest.approx(-model.cost_, rel=1e-7)


@pytest.mark.parametrize("weights", ["shared", "binary", "gaussian"])
@pytest.mark.parametrize("as_sparse", [False, True])
def test_equal_rows_are_taken_for_the_first_of_them(weights: str, as_sparse: bool) -> None:
    points = np.abs(np.round(TRAINING / 4))[np.arange(150) % len(TRAINING)]
    values: Any = sparse.csr_array(points) if as_sparse else points
    model = ShiftedMinCut(3, weights=weights, shift="adaptive", random_state=0).fit(values)
    found = model.transform(values)
    _, first, group = np.unique(points, axis=0, return_index=True, return_inverse=True)
    np.testing.assert_array_equal(found, found[first][group.ravel()])


@pytest.mark.parametrize("n_jobs", [1, 4])
def test_predict_is_the_largest_affinity_for_any_number_of_threads(n_jobs: int) -> None:
    for view in ({}, *VIEWS.values()):
        model = ShiftedMinCut(3, random_state=0, n_jobs=n_jobs, **view).fit(TRAINING)
        single = ShiftedMinCut(3, random_state=0, **view).fit(TRAINING)
        np.testing.assert_array_equal(model.transform(NEW), single.transform(NEW))
        np.testing.assert_array_equal(model.predict(NEW), model.transform(NEW).argmax(axis=1))


def texts(topic: Any) -> Floats:  # noqa: ANN401
    """Rows that use the words of their topic alone."""
    rng = np.random.default_rng(0)
    words = np.zeros((len(topic), 60))
    for i, t in enumerate(topic):
        words[i, 20 * t + rng.choice(20, 8, replace=False)] = rng.uniform(1, 2, 8)
    return words


@pytest.mark.parametrize("shift", [name for name in SHIFTS if name != "none"])  # that has ties
@pytest.mark.parametrize("kind", ["linear", "cosine"])
def test_sparse_and_dense_rows_agree(kind: str, shift: str) -> None:
    rows = texts([0] * 40 + [1] * 30 + [2] * 20)
    new = random_sparse(15, 60, 0.2, seed=1)
    options: dict[str, Any] = {"similarity": kind, "scale": "none", **SHIFTS[shift]}
    dense = ShiftedMinCut(3, random_state=0, **options).fit(rows)
    thin = ShiftedMinCut(3, random_state=0, **options).fit(sparse.csr_array(rows))
    np.testing.assert_array_equal(dense.labels_, thin.labels_)
    np.testing.assert_allclose(
        thin.transform(new), dense.transform(new.toarray()), rtol=1e-8, atol=1e-8
    )


def test_sparse_neighbors_find_planted_topics() -> None:
    topic = np.arange(120) % 3
    words = texts(topic)
    model = ShiftedMinCut(3, random_state=0).fit(sparse.csr_array(words[:90]))
    predicted = model.predict(sparse.csr_array(words[90:]))
    for group in range(3):
        assert set(predicted[topic[90:] == group]) == set(model.labels_[topic[:90] == group])


def test_sparse_training_rows_have_the_edges_they_had() -> None:
    rows = sparse.csr_array(texts(np.arange(90) % 3))
    model = ShiftedMinCut(3, shift="adaptive", random_state=0).fit(rows)
    assert model.transform(rows).max(axis=1).sum() == pytest.approx(-model.cost_, rel=1e-9)
    np.testing.assert_array_equal(model.predict(rows), model.labels_)


def test_equal_rows_are_equal_whatever_float_they_are() -> None:
    points = np.round(TRAINING).astype(np.float32)
    model = ShiftedMinCut(3, shift="adaptive", random_state=0).fit(points)
    expected = model.transform(points)
    np.testing.assert_array_equal(model.transform(points.astype(np.float64)), expected)
    np.testing.assert_array_equal(model.transform(np.where(points == 0, -0.0, points)), expected)


def test_a_shift_matrix_has_no_shift_for_new_rows() -> None:
    model = ShiftedMinCut(2, similarity="linear", shift=np.ones((90, 90)), random_state=0)
    model.fit(TRAINING)
    with pytest.raises(ValueError, match="no shift for new rows"):
        model.predict(NEW)


def test_few_training_rows_are_enough() -> None:
    for n in (1, 2, 3):
        model = ShiftedMinCut(random_state=0).fit(TRAINING[:n])
        assert model.predict(NEW).shape == (len(NEW),)
