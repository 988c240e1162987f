"""CutSearch against costs written down in NumPy, and scikit-learn's contract."""

from __future__ import annotations

import doctest
from collections.abc import Callable

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from shiftcut.methods import CutSearch, _cut_search, cut_cost

from ..data import Floats, blobs
from .groupings import Ints, groupings, separated_points

COSTS = ["min_cut", "ratio_association", "ratio_cut", "normalized_cut", "adaptive_ratio_cut"]
FOUR = np.array([[0, 3, 1, 0], [3, 0, 0, 1], [1, 0, 0, 2], [0, 1, 2, 0]], dtype=float)


@parametrize_with_checks([CutSearch(), *(CutSearch(cost=cost, n_init=3) for cost in COSTS[1:])])
def test_scikit_learn_check(estimator: CutSearch, check: Callable[[CutSearch], None]) -> None:
    check(estimator)


@parametrize_with_checks([CutSearch(cost="min_cut", n_init=3)])
def test_scikit_learn_check_of_the_min_cut(
    estimator: CutSearch, check: Callable[[CutSearch], None]
) -> None:
    # It wants three blobs back; the min cut cuts off single objects.
    if check.func.__name__ != "check_clustering":  # type: ignore[attr-defined]
        check(estimator)


def plain_cost(x: Floats, labels: Ints, cost: str, p: float) -> float:
    """From the K x K matrix of similarities between clusters."""
    members = np.eye(labels.max() + 1)[labels]
    between, sizes = members.T @ x @ members, members.sum(axis=0)
    inside, volume = np.diag(between), between.sum(axis=1)
    if cost == "ratio_association":
        return float(-(inside / sizes).sum())
    if cost == "adaptive_ratio_cut":
        power = sizes ** (-1 / (p - 1))
        weights = (power[:, None] + power) ** (p - 1)
        return float(np.triu(between * weights, 1).sum())
    below = {"min_cut": np.ones_like(sizes), "ratio_cut": sizes, "normalized_cut": volume}[cost]
    return float(((volume - inside) / below).sum())


def random_similarities(n: int, rng: np.random.Generator) -> Floats:
    x = np.triu(rng.uniform(size=(n, n)))
    return np.asarray(x + x.T)


@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_the_best_of_many_restarts_is_the_best_grouping(
    cost: str, form: Callable[[Floats], object]
) -> None:
    rng = np.random.default_rng(3)
    for n, k in [(5, 2), (6, 3), (7, 4), (8, 3)]:
        x = random_similarities(n, rng)
        lowest = min(plain_cost(x, labels, cost, 1.4) for labels in groupings(n, k))
        model = CutSearch(k, cost=cost, n_init=100, affinity="precomputed", random_state=0)
        if cost == "adaptive_ratio_cut":
            model.set_params(p=1.4)
        model.fit(form(x))
        assert model.cost_ == pytest.approx(lowest, abs=1e-9)
        assert plain_cost(x, model.labels_, cost, 1.4) == pytest.approx(lowest, abs=1e-9)


@pytest.mark.parametrize("cost", COSTS)
def test_a_cost_is_as_written_down(cost: str) -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        x = random_similarities(9, rng)
        labels = rng.permutation(np.arange(9) % 4)
        for form in (x, sparse.csr_matrix(x), x.tolist()):
            assert cut_cost(form, labels, cost, p=1.3) == pytest.approx(
                plain_cost(x, labels, cost, 1.3)
            )


def test_worked_numbers() -> None:
    numbers = {"ratio_cut": (2, 6), "normalized_cut": (0.5833333, 0.8035714)}
    numbers |= {"ratio_association": (-5, -9)}
    for cost, expected in numbers.items():
        found = [cut_cost(FOUR + alpha, [0, 0, 1, 1], cost) for alpha in (0, 1)]
        assert found == pytest.approx(expected, abs=1e-6)
    adaptive = {2: (2, 6), 1.5: (1.4142136, 4.2426407), 1.2: (1.1486984, 3.4460951)}
    for p, expected in adaptive.items():
        found = [
            cut_cost(FOUR + alpha, [0, 0, 1, 1], "adaptive_ratio_cut", p=p) for alpha in (0, 1)
        ]
        assert found == pytest.approx(expected, abs=1e-6)


def optimum(x: Floats, cost: str) -> list[int]:
    best = min(groupings(6, 3), key=lambda labels: plain_cost(x, labels, cost, 1.5))
    return [int(label) for label in best]


@pytest.mark.parametrize(
    ("cost", "fewest", "most"),
    [
        ("ratio_association", 0, 0),
        ("ratio_cut", 0, 0),
        ("normalized_cut", 2, 30),
        ("adaptive_ratio_cut", 10, 30),
    ],
)
def test_whether_a_shift_changes_the_best_grouping(cost: str, fewest: int, most: int) -> None:
    rng = np.random.default_rng(5)
    graphs = [random_similarities(6, rng) * (1 - np.eye(6)) for _ in range(30)]
    changed = sum(optimum(x, cost) != optimum(x + 2, cost) for x in graphs)
    assert fewest <= changed <= most


@pytest.mark.parametrize("alpha", [-1.5, 0.3, 2.0])
def test_by_how_much_a_shift_changes_the_costs(alpha: float) -> None:
    x = random_similarities(7, np.random.default_rng(6))
    for k in range(1, 5):
        for labels in groupings(7, k):
            association, cut = (
                cut_cost(x + alpha, labels, cost) - cut_cost(x, labels, cost)
                for cost in ("ratio_association", "ratio_cut")
            )
            assert association == pytest.approx(-alpha * 7)
            assert cut == pytest.approx(alpha * 7 * (k - 1))


@pytest.mark.parametrize("affinity", ["linear", "rbf", "neighbors"])
def test_blobs_are_found(affinity: str) -> None:
    points = separated_points()
    model = CutSearch(
        3, affinity=affinity, gamma=0.05 if affinity == "rbf" else None, random_state=0
    ).fit(points)
    assert adjusted_rand_score(np.arange(90) % 3, model.labels_) > 0.9
    assert model.n_clusters_ == 3
    assert model.cost_ == model.costs_.min()
    assert len(model.costs_) == 10


def test_threads_do_not_change_the_answer() -> None:
    points = blobs(90)
    models = [
        CutSearch(4, cost="ratio_cut", random_state=1, n_jobs=jobs).fit(points)
        for jobs in (1, 2, 7)
    ]
    for model in models[1:]:
        np.testing.assert_array_equal(model.labels_, models[0].labels_)
        np.testing.assert_array_equal(model.costs_, models[0].costs_)


def test_too_few_sweeps_warn() -> None:
    with pytest.warns(ConvergenceWarning, match="max_iter=1"):
        CutSearch(4, max_iter=1, random_state=0).fit(blobs())


@pytest.mark.parametrize(
    ("parameters", "error", "words"),
    [
        ({"cost": "conductance"}, ValueError, "cost: found 'conductance'; allowed: 'min_cut'"),
        ({"n_clusters": 0}, ValueError, "n_clusters: found 0; allowed: an int from 1"),
        ({"n_clusters": 2.5}, ValueError, "n_clusters: found 2.5"),
        ({"n_clusters": "2"}, TypeError, "n_clusters: found '2'"),
        (
            {"n_clusters": 5},
            ValueError,
            "n_clusters: found 5; allowed: an int from 1 to n_samples=4",
        ),
        ({"n_init": 0}, ValueError, "n_init: found 0"),
        ({"max_iter": 0}, ValueError, "max_iter: found 0"),
        ({"cost": "adaptive_ratio_cut", "p": 1}, ValueError, "found p = 1; allowed: above 1"),
        ({"affinity": "cosine"}, ValueError, "affinity: found 'cosine'"),
    ],
)
def test_parameters_that_make_no_sense(
    parameters: dict[str, object], error: type[Exception], words: str
) -> None:
    model = CutSearch(affinity="precomputed").set_params(**parameters)
    with pytest.raises(error, match=words):
        model.fit(FOUR)


def test_similarities_a_cost_is_not_defined_for() -> None:
    model = CutSearch(affinity="precomputed", cost="adaptive_ratio_cut")
    with pytest.raises(ValueError, match="found the similarity -1 of objects 0 and 3"):
        model.fit(FOUR - np.eye(4)[::-1])
    with pytest.raises(ValueError, match="found 0 as the sum of the similarities of object 2"):
        CutSearch(affinity="precomputed").fit(np.diag([1.0, 1, 0]))
    negative = CutSearch(affinity="precomputed", cost="ratio_cut", random_state=0).fit(FOUR - 2)
    assert negative.labels_.tolist() in ([0, 0, 1, 1], [1, 1, 0, 0])


def test_the_examples_are_true() -> None:
    found = doctest.testmod(_cut_search)
    assert (found.failed, found.attempted > 0) == (0, True)
