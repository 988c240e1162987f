"""Power iteration, size regularised cut and p-spectral clustering, judged by NumPy and SciPy."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import sparse
from scipy.optimize import minimize_scalar
from scipy.sparse.linalg import eigsh
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

from shiftcut.methods import (
    PowerIteration,
    PSpectral,
    SizeRegularisedCut,
    p_eigenpair,
    p_functional,
)

Floats = npt.NDArray[np.float64]


def triangles() -> Floats:
    """Two triangles of weight 1, joined by an edge of weight 0.1."""
    w: Floats = np.kron(np.eye(2), np.ones((3, 3)) - np.eye(3)).astype(np.float64)
    w[2, 3] = w[3, 2] = 0.1
    return w


def graph(n: int, seed: int, groups: int = 3, across: float = 0.2) -> Floats:
    rng = np.random.default_rng(seed)
    w = rng.uniform(0.5, 1.5, (n, n))
    same = np.arange(n)[:, None] % groups == np.arange(n) % groups
    w = np.triu(np.where(same, w, across * w), 1)
    return np.asarray(w + w.T)


# Power iteration


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_vectors_of_power_iteration_are_those_of_a_numpy_loop(
    seed: int, form: Callable[[Floats], Any]
) -> None:
    w = graph(60, seed)
    starts = np.random.default_rng(seed).uniform(size=(2, 60))
    model = PowerIteration(3, affinity="precomputed", start=starts, random_state=0).fit(form(w))
    steps = []
    for column, start in enumerate(starts):
        v = start / start.sum()
        velocity = None
        step = 0
        while True:
            step += 1
            after = w @ v / w.sum(axis=1)
            after /= np.abs(after).sum()
            now = np.abs(after - v)
            v = after
            if velocity is not None and np.abs(now - velocity).max() <= 1e-5 / 60:
                break
            velocity = now
        steps.append(step)
        np.testing.assert_allclose(model.embedding_[:, column], v, rtol=0, atol=1e-12)
    assert model.n_iter_ == max(steps)
    assert model.converged_


def test_power_iteration_finds_two_triangles_from_unequal_starts_only() -> None:
    w = triangles()
    from_degrees = PowerIteration(2, affinity="precomputed", random_state=0).fit(w)
    assert from_degrees.n_iter_ == 12
    assert adjusted_rand_score([0, 0, 0, 1, 1, 1], from_degrees.labels_) < 0.5
    given = PowerIteration(
        2, affinity="precomputed", start=[[1, 2, 3, 4, 5, 6]], random_state=0
    ).fit(w)
    assert given.n_iter_ == 121
    np.testing.assert_array_equal(given.labels_, [0, 0, 0, 1, 1, 1])


def test_power_iteration_of_several_columns_finds_blobs() -> None:
    points, truth = make_blobs(
        200, centers=[[0, 0], [9, 0], [0, 9], [9, 9]], cluster_std=0.7, random_state=0
    )
    model = PowerIteration(4, affinity="rbf", start="random", n_columns=8, random_state=0)
    assert adjusted_rand_score(truth, model.fit(points).labels_) == 1
    again = PowerIteration(
        4, affinity="rbf", start="random", n_columns=8, random_state=0, n_jobs=2
    ).fit(points)
    np.testing.assert_array_equal(again.embedding_, model.embedding_)


def test_a_constant_vector_gives_one_cluster() -> None:
    ring = np.roll(np.eye(8), 1, axis=0)
    with pytest.warns(UserWarning, match="distinct clusters"):
        model = PowerIteration(3, affinity="precomputed").fit(ring + ring.T)
    assert model.n_clusters_ == 1


# p-spectral clustering


def plain_functional(w: Floats, u: Floats, p: float, g: Floats) -> float:
    above = (w * np.abs(u[:, None] - u) ** p).sum() / 2
    below = minimize_scalar(
        lambda c: (g * np.abs(u - c) ** p).sum(),
        bounds=(u.min(), u.max()),
        method="bounded",
        options={"xatol": 1e-13},
    ).fun
    return float(above / below)


@pytest.mark.parametrize("p", [1.05, 1.2, 1.5, 1.8, 2.0])
@pytest.mark.parametrize("normalized", [False, True])
def test_the_functional_is_that_of_numpy(p: float, normalized: bool) -> None:
    w = graph(40, 1)
    u = np.random.default_rng(2).normal(size=40)
    expected = plain_functional(w, u, p, w.sum(axis=1) if normalized else np.ones(40))
    for form in (w, sparse.csr_matrix(w)):
        assert p_functional(form, u, p, normalized=normalized) == pytest.approx(expected, rel=1e-9)
        moved = p_functional(form, 5 - 3 * u, p, normalized=normalized)
        assert moved == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("n", [20, 150])
def test_at_two_the_eigenpair_is_that_of_arpack(n: int) -> None:
    w = graph(n, 3, across=0.6)
    degree = w.sum(axis=1)
    laplacian = np.diag(degree) - w
    plain = eigsh(laplacian, k=2, sigma=-1e-3)[0]
    assert p_eigenpair(w, 2, normalized=False).value == pytest.approx(plain.max(), rel=1e-9)
    scaled = laplacian / np.sqrt(np.outer(degree, degree))
    normalised = eigsh(scaled, k=2, sigma=-1e-3)[0]
    assert p_eigenpair(w, 2).value == pytest.approx(normalised.max(), rel=1e-9)
    assert p_eigenpair(sparse.csr_matrix(w), 2).value == pytest.approx(normalised.max(), rel=1e-9)


@pytest.mark.parametrize("normalized", [False, True])
def test_the_functional_falls_along_the_way_to_a_point_without_slope(normalized: bool) -> None:
    w = graph(30, 5)
    g = w.sum(axis=1) if normalized else np.ones(30)
    found = p_eigenpair(w, 1.5, normalized=normalized)
    assert found.converged
    assert (np.diff(found.history) < 0).all()
    assert found.value == pytest.approx(plain_functional(w, found.vector, 1.5, g), rel=1e-9)
    rng = np.random.default_rng(0)
    for _ in range(20):
        nearby = found.vector + 1e-3 * rng.normal(size=30)
        assert plain_functional(w, nearby, 1.5, g) > found.value


@pytest.mark.parametrize("p", [1.1, 1.2, 1.5, 2.0])
def test_two_triangles_are_cut_at_the_worked_cost(p: float) -> None:
    for form in (triangles(), sparse.csr_matrix(triangles())):
        normalised = PSpectral(2, p=p, affinity="precomputed").fit(form)
        np.testing.assert_array_equal(normalised.labels_, [0, 0, 0, 1, 1, 1])
        assert normalised.cut_ == pytest.approx(0.0327869, abs=1e-7)
        ratio = PSpectral(2, p=p, normalized=False, affinity="precomputed").fit(form)
        assert ratio.cut_ == pytest.approx(0.0666667, abs=1e-7)


@pytest.mark.parametrize("seed", range(4))
def test_the_cut_is_the_least_of_all_bipartitions(seed: int) -> None:
    n = 7 + seed
    w = graph(n, seed, groups=2, across=0.05)
    degree = w.sum(axis=1)

    def normalised_cut(side: npt.NDArray[np.bool_]) -> float:
        cut = w[side][:, ~side].sum()
        return float(cut / degree[side].sum() + cut / degree[~side].sum())

    sides = (np.array((True, *rest)) for rest in itertools.product((True, False), repeat=n - 1))
    least = min(normalised_cut(side) for side in sides if not side.all())
    found = PSpectral(2, criterion="ratio", affinity="precomputed").fit(w)
    assert found.cut_ == pytest.approx(least)
    assert normalised_cut(found.labels_ == 0) == pytest.approx(least)


def test_p_spectral_finds_moons_of_neighbours_and_blobs() -> None:
    points, truth = make_blobs(300, centers=5, cluster_std=0.5, random_state=1)
    model = PSpectral(5, affinity="neighbors", n_jobs=2).fit(points)
    assert adjusted_rand_score(truth, model.labels_) == 1
    assert model.n_clusters_ == 5


# Size regularised cut


@pytest.mark.parametrize("size", ["cardinality", "volume"])
@pytest.mark.parametrize("alpha", [1e-4, 0.05, 2.0, 1e6])
def test_the_eigenpair_is_that_of_numpy(size: str, alpha: float) -> None:
    w = graph(90, 2)
    degree = w.sum(axis=1)
    v = degree if size == "volume" else np.ones(90)
    matrix = np.diag(degree) - w + alpha * np.outer(v, v)
    values = np.linalg.eigvalsh(matrix)
    found = SizeRegularisedCut(2, alpha, size=size, affinity="precomputed").fit(w)
    # A heavy alpha is taken at 1e5 times the rest.
    tolerance = 1e-4 if alpha > 1 else 1e-8
    assert found.eigenvalue_ == pytest.approx(values[0], rel=tolerance)
    if alpha <= 1:
        residual = matrix @ found.eigenvector_ - values[0] * found.eigenvector_
        assert np.abs(residual).max() < 1e-6


def test_the_cost_is_the_quadratic_form_and_the_sweep_beats_the_signs() -> None:
    for seed in range(10):
        w = graph(30, seed)
        degree = w.sum(axis=1)
        sweep = SizeRegularisedCut(2, 0.3, affinity="precomputed").fit(w)
        signs = SizeRegularisedCut(2, 0.3, threshold="zero", affinity="precomputed").fit(w)
        s = 1 - 2 * sweep.labels_
        form = s @ (np.diag(degree) - w + 0.3) @ s / 4
        assert sweep.cost_ == pytest.approx(form)
        assert sweep.cost_ <= signs.cost_ + 1e-9


def test_with_equal_sizes_it_is_the_constant_shift() -> None:
    w = graph(10, 4, groups=2, across=0.1)
    found = SizeRegularisedCut(2, 0.5, affinity="precomputed").fit(w)

    def shifted_cost(labels: npt.NDArray[np.int32]) -> float:
        return -float((w - 0.5)[labels[:, None] == labels].sum())

    all_labels = (
        np.array((0, *rest), dtype=np.int32) for rest in itertools.product((0, 1), repeat=9)
    )
    assert shifted_cost(found.labels_) == pytest.approx(min(map(shifted_cost, all_labels)))


# What all three have in common

ALL = [
    PowerIteration(2, affinity="precomputed", random_state=0),
    PSpectral(2, affinity="precomputed"),
    SizeRegularisedCut(2, 1.0, affinity="precomputed"),
]


def by_name(model: object) -> str:
    return type(model).__name__


@pytest.mark.parametrize("model", ALL, ids=by_name)
def test_one_cluster_is_possible_and_more_than_objects_are_not(model: Any) -> None:  # noqa: ANN401
    assert (model.set_params(n_clusters=1).fit(triangles()).labels_ == 0).all()
    for wrong in (0, 7, 2.5, "2", None, True):
        with pytest.raises(ValueError, match=r"n_clusters: found .* n_samples=6"):
            model.set_params(n_clusters=wrong).fit(triangles())
    model.set_params(n_clusters=2)


@pytest.mark.parametrize("model", ALL, ids=by_name)
def test_negative_similarities_are_refused(model: Any) -> None:  # noqa: ANN401
    with pytest.raises(ValueError, match="Negative values in data passed to"):
        model.fit(np.array([[0.0, -1.0], [-1.0, 0.0]]))


def test_an_object_without_similarities_is_refused_where_degrees_divide() -> None:
    w = np.zeros((3, 3))
    w[0, 1] = w[1, 0] = 1
    for model in (
        PowerIteration(2, affinity="precomputed"),
        PSpectral(2, affinity="precomputed"),
        SizeRegularisedCut(2, 1.0, size="volume", affinity="precomputed"),
    ):
        with pytest.raises(ValueError, match="found object 2 without a similarity above 0"):
            model.fit(w)
    np.testing.assert_array_equal(
        PSpectral(2, normalized=False, affinity="precomputed").fit(w).labels_, [0, 0, 1]
    )


@pytest.mark.parametrize(
    ("model", "found"),
    [
        (PowerIteration(start="middle"), "start: found 'middle'"),
        (PowerIteration(start=[[1.0, 2.0]]), r"start: found shape \(1, 2\)"),
        (PowerIteration(n_columns=0), "n_columns: found 0"),
        (PowerIteration(tol=-1.0), "tol: found -1.0"),
        (PowerIteration(max_iter=0), "max_iter: found 0"),
        (PowerIteration(n_init=0), "n_init: found 0"),
        (PSpectral(p=1.0), "p: found 1.0; allowed: above 1, up to 2"),
        (PSpectral(p=2.5), "p: found 2.5"),
        (PSpectral(p=float("nan")), "p: found nan"),
        (PSpectral(criterion="median"), "criterion: found 'median'"),
        (PSpectral(max_iter=0), "max_iter: found 0"),
        (SizeRegularisedCut(2), "alpha: found None; allowed: numbers above 0"),
        (SizeRegularisedCut(2, 0.0), "alpha: found 0.0"),
        (SizeRegularisedCut(2, 1.0, size="weight"), "size: found 'weight'"),
        (SizeRegularisedCut(2, 1.0, threshold="median"), "threshold: found 'median'"),
    ],
    ids=str,
)
def test_a_wrong_parameter_is_named(model: Any, found: str) -> None:  # noqa: ANN401
    with pytest.raises(ValueError, match=found):
        model.fit(np.arange(12.0).reshape(6, 2))


def test_functions_refuse_what_they_cannot_use() -> None:
    with pytest.raises(ValueError, match="p: found 1"):
        p_eigenpair(triangles(), 1)
    with pytest.raises(ValueError, match="max_iter: found 0"):
        p_eigenpair(triangles(), 1.5, max_iter=0)
    with pytest.raises(ValueError, match="found 6 equal entries"):
        p_functional(triangles(), np.ones(6), 1.5)
