"""Dominant sets: against a plain NumPy implementation, and scikit-learn's contract."""

from __future__ import annotations

import doctest
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from shiftcut.methods import (
    DominantSets,
    DominantSetTrajectories,
    HierarchicalDominantSets,
)

from ..data import Floats, blobs

WORKED = np.full((5, 5), 0.1)
WORKED[:3, :3] = 1
WORKED[3:, 3:] = 0.5
np.fill_diagonal(WORKED, 0)


@parametrize_with_checks(
    [
        DominantSets(),
        DominantSets(dynamics="infection", leftovers="extend", shift="auto"),
        DominantSets(affinity="rbf"),
        HierarchicalDominantSets(),
        DominantSetTrajectories(),
    ]
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_scikit_learn_check(estimator: Any, check: Callable[[Any], None]) -> None:  # noqa: ANN401
    check(estimator)


@pytest.mark.parametrize(
    "estimator", [DominantSets, HierarchicalDominantSets, DominantSetTrajectories]
)
def test_the_examples_of_the_docstrings_are_true(estimator: type) -> None:
    result = doctest.testmod(sys.modules[estimator.__module__])
    assert result.attempted > 2
    assert result.failed == 0


# The judge: plain NumPy, no part of the library.


def replicated(a: Floats, tol: float, max_iter: int) -> Floats:
    x = np.full(len(a), 1 / len(a))
    for _ in range(max_iter):
        payoff = a @ x
        moved = x * payoff / (x @ payoff)
        done = np.linalg.norm(moved - x) < tol
        x = moved
        if done:
            break
    return x


def infected(a: Floats, tol: float, max_iter: int) -> Floats:
    x = np.full(len(a), 1 / len(a))
    for _ in range(max_iter):
        g = a @ x
        r = g - x @ g
        if np.linalg.norm(np.minimum(x, -r / a.max())) < tol:
            break
        i = int(r.argmax())
        j = int(np.where(x > 0, r, np.inf).argmin())
        i = i if r[i] >= -r[j] else j
        curvature = a[i, i] - 2 * g[i] + x @ g
        if r[i] >= 0:
            delta = min(1.0, -r[i] / curvature) if curvature < 0 else 1.0
        else:
            delta = x[i] / (x[i] - 1)
            delta = max(delta, -r[i] / curvature) if curvature < 0 else delta
        gone = r[i] < 0 and delta == x[i] / (x[i] - 1)
        x = (1 - delta) * x
        x[i] = 0.0 if gone else x[i] + delta
        x /= x.sum()
    return x


def peeled(a: Floats, dynamics: str, shift: float = 0.0) -> tuple[Any, list[Any]]:
    a = a.copy()
    np.fill_diagonal(a, 0)
    labels = np.full(len(a), -1)
    left = np.arange(len(a))
    sets: list[Any] = []
    while len(left) > 1 and a[np.ix_(left, left)].sum() > 0:
        b = a[np.ix_(left, left)] - shift * (1 - np.eye(len(left)))
        x = (replicated if dynamics == "replicator" else infected)(b, 1e-10, 200000)
        inside = x > 1e-5 * x.max()
        labels[left[inside]] = len(sets)
        sets.append(left[inside])
        left = left[~inside]
    return labels, sets


def random_matrix(n: int, seed: int) -> Floats:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, 2)) * 2
    d = ((points[:, None] - points) ** 2).sum(axis=2)
    return np.asarray(np.exp(-d))


@pytest.mark.parametrize("dynamics", ["replicator", "infection"])
@pytest.mark.parametrize("seed", range(5))
def test_the_sets_are_those_of_plain_numpy(dynamics: str, seed: int) -> None:
    a = random_matrix(40, seed)
    expected, sets = peeled(a, dynamics)
    model = DominantSets(
        affinity="precomputed", dynamics=dynamics, leftovers="none", tol=1e-10, max_iter=200000
    ).fit(a)
    np.testing.assert_array_equal(model.labels_, expected)
    for found, members in zip(model.sets_, sets, strict=True):
        np.testing.assert_array_equal(found.members, members)
    graph = DominantSets(
        affinity="precomputed", dynamics=dynamics, leftovers="none", tol=1e-10, max_iter=200000
    ).fit(sparse.csr_array(a))
    np.testing.assert_array_equal(graph.labels_, expected)


def test_the_shifted_sets_are_those_of_plain_numpy() -> None:
    a = 1 + random_matrix(30, 7)
    least = a[~np.eye(30, dtype=bool)].min()
    expected, _ = peeled(a, "replicator", least)
    model = DominantSets(
        affinity="precomputed", shift="auto", leftovers="none", tol=1e-10, max_iter=200000
    ).fit(a)
    assert model.shift_ == least
    np.testing.assert_array_equal(model.labels_, expected)


@pytest.mark.parametrize("leftovers", ["assign", "extend"])
def test_leftovers_go_where_plain_numpy_sends_them(leftovers: str) -> None:
    a = random_matrix(60, 3)
    np.fill_diagonal(a, 0)
    alone = DominantSets(3, affinity="precomputed", leftovers="none").fit(a)
    model = DominantSets(3, affinity="precomputed", leftovers=leftovers).fit(a)
    scores = np.stack(
        [
            a[:, s.members].mean(axis=1)
            if leftovers == "assign"
            else a[:, s.members] @ s.weights / s.cohesiveness
            for s in alone.sets_
        ]
    )
    expected = np.where(alone.labels_ >= 0, alone.labels_, scores.argmax(axis=0))
    np.testing.assert_array_equal(model.labels_, expected)
    assert model.assigned_before_ == pytest.approx(np.mean(alone.labels_ >= 0))
    assert model.assigned_before_ < model.assigned_after_ == 1


@pytest.mark.parametrize("dynamics", ["replicator", "infection"])
def test_the_worked_example(dynamics: str) -> None:
    model = DominantSets(affinity="precomputed", dynamics=dynamics).fit(WORKED)
    assert model.labels_.tolist() == [0, 0, 0, 1, 1]
    assert model.n_clusters_ == 2
    np.testing.assert_allclose(model.sets_[0].weights, 1 / 3, atol=1e-6)
    assert model.sets_[0].cohesiveness == pytest.approx(2 / 3)
    one = DominantSets(1, affinity="precomputed", dynamics=dynamics, leftovers="none").fit(WORKED)
    assert one.labels_.tolist() == [0, 0, 0, -1, -1]
    assert one.assigned_before_ == one.assigned_after_ == pytest.approx(0.6)


def test_steps_are_those_worked_out() -> None:
    model = DominantSets(1, affinity="precomputed", tol=1e-10)
    assert model.fit(WORKED).n_iter_ == 13
    assert model.set_params(shift=0.1).fit(WORKED).n_iter_ == 4
    assert model.set_params(shift=0.0, dynamics="infection").fit(WORKED).n_iter_ == 2


def test_blobs_are_found_by_all() -> None:
    points = blobs(90, groups=3, seed=1)
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    truth = np.arange(90) % 3
    for model in (
        DominantSets(3),
        DominantSets(3, dynamics="infection"),
        DominantSetTrajectories(3),
    ):
        labels = model.fit_predict(points)
        assert adjusted_rand_score(truth, labels) > 0.95, model


def test_the_hierarchy_goes_from_one_cluster_to_dominant_sets() -> None:
    a = random_matrix(40, 1)
    model = HierarchicalDominantSets(affinity="precomputed").fit(a)
    alphas = [alpha for alpha, _ in model.levels_]
    counts = [len(np.unique(labels)) for _, labels in model.levels_]
    largest = float(np.linalg.eigvalsh(a - np.diag(np.diag(a)))[-1])
    assert largest <= alphas[0] <= 1.01 * largest
    assert alphas[-1] == 0
    assert counts == sorted(counts)
    assert counts[0] == 1
    assert counts[-1] == model.n_clusters_
    five = HierarchicalDominantSets(5, affinity="precomputed").fit(a)
    assert five.n_clusters_ >= 5
    assert len(np.unique(five.levels_[-2][1])) < 5


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_threads_change_nothing() -> None:
    points = blobs(400, seed=1)
    for model in (DominantSets(), HierarchicalDominantSets(n_levels=4), DominantSetTrajectories(3)):
        one = model.fit_predict(points)
        np.testing.assert_array_equal(model.set_params(n_jobs=2).fit_predict(points), one)


def test_a_set_that_did_not_converge_is_reported() -> None:
    with pytest.warns(ConvergenceWarning, match="1 of 2 sets stopped at max_iter"):
        DominantSets(affinity="precomputed", max_iter=8, dynamics="replicator").fit(WORKED)
    with pytest.warns(ConvergenceWarning, match="1 of 2 levels stopped at max_iter"):
        HierarchicalDominantSets(affinity="precomputed", max_iter=1, n_levels=2).fit(WORKED)


@pytest.mark.parametrize("estimator", [DominantSets, HierarchicalDominantSets])
def test_one_object_is_allowed(estimator: Any) -> None:  # noqa: ANN401
    labels = estimator(affinity="precomputed").fit_predict([[0.0]])
    assert labels.tolist() in ([-1], [0])


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (DominantSets(6), "n_clusters: found 6; allowed: an int from 1 to n_samples=5"),
        (DominantSets(0), "n_clusters: found 0"),
        (DominantSets(dynamics="best"), "dynamics: found 'best'"),
        (DominantSets(leftovers="drop"), "leftovers: found 'drop'"),
        (DominantSets(shift=0.2), "found the shift 0.2; allowed: 0 to the least similarity, 0.1"),
        (DominantSets(shift="least"), "shift: found 'least'"),
        (DominantSets(tol=0), "found the tolerance 0"),
        (DominantSets(max_iter=0), "max_iter: found 0"),
        (HierarchicalDominantSets(factor=1), "found the factor 1"),
        (HierarchicalDominantSets(n_levels=1), "n_levels: found 1"),
        (DominantSetTrajectories(6), "n_clusters: found 6"),
        (DominantSetTrajectories(n_steps=0), "n_steps: found 0"),
    ],
)
def test_what_is_not_allowed_is_named(model: Any, message: str) -> None:  # noqa: ANN401
    with pytest.raises(ValueError, match=message):
        model.set_params(affinity="precomputed").fit(WORKED)


@pytest.mark.parametrize(
    "model", [DominantSets(), HierarchicalDominantSets(), DominantSetTrajectories()]
)
def test_negative_similarities_are_refused(model: Any) -> None:  # noqa: ANN401
    with pytest.raises(ValueError, match=r"similarity -1\.?0? of objects 0 and 1; allowed: 0 or"):
        model.set_params(affinity="precomputed").fit([[0.0, -1.0], [-1.0, 0.0]])
