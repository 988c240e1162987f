"""Any combination of parameters: a solution that keeps its promises, or an error that names one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import cdist

from shiftcut import ShiftedMinCut

pytestmark = pytest.mark.filterwarnings("ignore::shiftcut.ShiftcutWarning")

EXAMPLES = settings(
    max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
METRICS = [
    *("euclidean", "cosine", "correlation", "manhattan", "chebyshev", "canberra"),
    *("braycurtis", "hamming", "jaccard"),
]
METHODS = ("auto", "local-search", "multilevel", "annealing", "frank-wolfe")


@dataclass(frozen=True)
class Case:
    """What is clustered, how, and what must hold."""

    values: Any
    parameters: dict[str, Any]

    @property
    def n(self) -> int:
        return int(self.values.shape[0])

    def fitted(self) -> ShiftedMinCut:
        return ShiftedMinCut(random_state=0, **self.parameters).fit(self.values)


def rows(draw: st.DrawFn, n: int) -> Any:  # noqa: ANN401
    """Groups, noise, ties, equal rows, far outliers, columns of other units, mostly zeros."""
    random = np.random.default_rng(draw(st.integers(0, 999)))
    columns = draw(st.integers(1, 6))
    kind = draw(st.sampled_from(["groups", "noise", "ties", "equal", "units", "zeros", "outlier"]))
    values = random.normal(size=(n, columns))
    if kind == "groups":
        values += 8 * random.integers(0, 3, size=(n, 1))
    elif kind == "ties":
        values = np.round(values)
    elif kind == "equal":
        values = values[random.integers(0, max(1, n // 3), size=n)]
    elif kind == "units":
        values *= 10.0 ** random.integers(-6, 7, size=columns)
    elif kind == "zeros":
        values *= random.uniform(size=values.shape) < 0.2
    elif kind == "outlier":
        values[0] *= 1e6
    return values


@st.composite
def cases(draw: st.DrawFn) -> Case:
    n = draw(st.integers(3, 28))
    kind = draw(st.sampled_from(["rows", "rows", "sparse rows", "matrix", "graph", "distances"]))
    values = rows(draw, n)
    parameters: dict[str, Any] = {
        "n_clusters": draw(st.one_of(st.none(), st.integers(1, n))),
        "method": draw(st.sampled_from(METHODS)),
        "n_init": draw(st.integers(1, 3)),
    }
    few = st.one_of(st.none(), st.integers(1, 40))
    weights = st.sampled_from(["shared", "binary", "gaussian"])
    if kind in ("rows", "sparse rows"):
        parameters["scale"] = draw(st.sampled_from(["auto", "standard", "minmax", "none"]))
        of_rows = ["auto", "neighbors", "linear", "cosine"]
        if parameters["method"] == "multilevel":  # not for linear and cosine, which auto may be
            of_rows = ["neighbors"]
        if kind == "sparse rows":
            values = sparse.csr_array(values)
            parameters["scale"] = draw(st.sampled_from(["auto", "none"]))
            metrics = ["auto", "cosine", "jaccard"]
        else:
            of_rows, metrics = [*of_rows, "rbf"], ["auto", *METRICS]
        similarity = parameters["similarity"] = draw(st.sampled_from(of_rows))
        if similarity in ("auto", "neighbors"):
            parameters |= {"n_neighbors": draw(few), "weights": draw(weights)}
            parameters["metric"] = draw(st.sampled_from(metrics))
            if parameters["metric"] in ("hamming", "jaccard"):
                parameters["scale"] = draw(st.sampled_from(["auto", "none"]))
        elif similarity == "rbf":
            parameters["sigma"] = draw(st.sampled_from([None, 0.5, 20.0]))
        elif similarity == "linear" and kind == "rows":
            parameters["distance"] = draw(st.sampled_from(["sqeuclidean", "euclidean"]))
    elif kind == "distances":
        values = cdist(values, values)
        values = np.maximum(values, values.T)
        if draw(st.booleans()):
            parameters |= {"metric": "precomputed", "n_neighbors": draw(few)}
            parameters["weights"] = draw(weights)
        else:
            parameters["similarity"] = "precomputed_distance"
    else:
        parameters["similarity"] = "precomputed"
        values = np.exp(-cdist(values, values, "sqeuclidean") / values.var().clip(1e-12))
        values = np.maximum(values, values.T)
        if kind == "graph":
            values[values < 0.3] = 0
            np.fill_diagonal(values, 0)
            values = sparse.csr_array(values)
    parameters |= draw(shifts(parameters, kind, n, has_sum=bool(values.sum() > 0)))
    parameters |= draw(links(n, parameters["n_clusters"]))
    parameters |= draw(sizes(parameters, n))
    return Case(values, parameters)


@st.composite
def sizes(draw: st.DrawFn, given_so_far: dict[str, Any], n: int) -> dict[str, Any]:
    """Bounds on the sizes that n objects without pairs can keep."""
    if "must_link" in given_so_far or not draw(st.booleans()):
        return {}
    k = given_so_far["n_clusters"] or 1
    least, most = n // k, -(-n // k)
    return {
        "min_cluster_size": draw(st.one_of(st.none(), st.integers(1, least))),
        "max_cluster_size": draw(st.one_of(st.none(), st.integers(most, n))),
    }


@st.composite
def shifts(
    draw: st.DrawFn, given_so_far: dict[str, Any], kind: str, n: int, *, has_sum: bool
) -> dict[str, Any]:
    similarity = given_so_far.get("similarity", "auto")
    is_graph = similarity in ("auto", "neighbors") or kind == "graph"
    allowed = [None, "adaptive", 0.3, "none", "matrix"]
    if is_graph:
        allowed.append("auto")
    if similarity == "precomputed" and has_sum:
        allowed.append("degree")
    shift: Any = draw(st.sampled_from(allowed))
    if shift == "matrix":
        shift = np.full((n, n), 0.2)
    strength = draw(st.sampled_from([1.0, 1.0, 0.0, 0.4, 3.0]))
    if isinstance(shift, str) and shift == "auto":
        strength = 1.0
    return {"shift": shift, "shift_strength": strength}


@st.composite
def links(draw: st.DrawFn, n: int, n_clusters: int | None) -> dict[str, Any]:
    """Pairs that can be satisfied: must-links inside, cannot-links between two halves."""
    if n_clusters == 1 or not draw(st.booleans()):
        return {}
    low, high = st.integers(0, n // 2 - 1), st.integers(n // 2, n - 1)
    inside = st.one_of(st.tuples(low, low), st.tuples(high, high)).filter(lambda p: p[0] != p[1])
    must = draw(st.lists(inside, max_size=3)) if n >= 6 else []
    cannot = draw(st.lists(st.tuples(low, high), max_size=3))
    found: dict[str, Any] = {"must_link": must, "cannot_link": cannot}
    if draw(st.booleans()):
        count = len(must) + len(cannot)
        weight = st.sampled_from([0.1, 2.0, np.inf])
        found["pair_weights"] = draw(st.lists(weight, min_size=count, max_size=count))
    return found


def scaled(values: Any, scale: str) -> Any:  # noqa: ANN401
    dense = values.toarray() if sparse.issparse(values) else values
    if scale == "none":
        return dense
    low = dense.mean(axis=0) if scale == "standard" else dense.min(axis=0)
    width = dense.std(axis=0) if scale == "standard" else np.ptp(dense, axis=0)
    still = np.ptp(dense, axis=0) == 0
    return np.where(still, 0, (dense - low) / np.where(still, 1, width))


def similarity_of(case: Case, model: ShiftedMinCut) -> Any:  # noqa: ANN401
    """The similarities by their definition, or None where that takes more than a line."""
    similarity = model.result_["similarity"]
    if case.parameters.get("similarity") == "precomputed":
        return case.values.toarray() if sparse.issparse(case.values) else case.values
    if case.parameters.get("similarity") == "precomputed_distance":
        return case.values.max() - case.values
    if "metric" in case.parameters and case.parameters["metric"] == "precomputed":
        return None
    rows = scaled(case.values, model.result_["scale"])
    if similarity == "linear":
        far = cdist(rows, rows, case.parameters.get("distance", "sqeuclidean"))
        return far.max() - far
    if similarity == "cosine":
        length = np.sqrt((rows**2).sum(axis=1, keepdims=True))
        unit = rows / np.where(length > 0, length, 1)
        return unit @ unit.T
    if similarity == "rbf" and case.parameters["sigma"] is not None:
        return np.exp(-cdist(rows, rows, "sqeuclidean") / case.parameters["sigma"] ** 2)
    return None


def recomputed_cost(case: Case, model: ShiftedMinCut) -> tuple[float, float] | None:
    """The cost by its definition, and the size of its terms."""
    x = similarity_of(case, model)
    weights = case.parameters.get("pair_weights", [])
    if x is None or np.isfinite(weights).any():
        return None
    kind, strength = model.shift_["kind"], model.shift_["strength"]
    means = x.mean(axis=1)
    alpha: Any = 0.0
    if kind in ("auto", "adaptive"):
        alpha = means[:, None] + means - x.mean()
    elif kind == "degree":
        degree = x.sum(axis=1)
        alpha = np.outer(degree, degree) / (degree.sum() or 1)
    elif kind in ("constant", "matrix"):
        alpha = 0.3 if kind == "constant" else 0.2
    together = model.labels_[:, None] == model.labels_
    s = x - strength * alpha
    # What equal rows cancel leaves the roundings of the rows themselves.
    own = (scaled(case.values, model.result_.get("scale", "none")) ** 2).sum()
    return -float(s[together].sum()), float(np.abs(x).sum() + np.abs(s).sum() + case.n * own)


def check_solution(case: Case, model: ShiftedMinCut) -> None:
    labels = model.labels_
    found = np.bincount(labels)
    assert labels.shape == (case.n,)
    assert labels.min() == 0
    assert found.min() >= 1
    assert len(found) == model.n_clusters_ <= (case.parameters["n_clusters"] or case.n)
    assert found.tolist() == sorted(found, reverse=True) == model.result_["sizes"]
    assert np.isfinite(model.cost_)
    assert found.min() >= (case.parameters.get("min_cluster_size") or 1)
    assert found.max() <= (case.parameters.get("max_cluster_size") or case.n)
    weights = case.parameters.get("pair_weights")
    for name, is_same in (("must_link", True), ("cannot_link", False)):
        pairs = case.parameters.get(name, [])
        first = 0 if is_same else len(case.parameters.get("must_link", []))
        for place, (one, other) in enumerate(pairs, start=first):
            if weights is None or np.isinf(weights[place]):
                assert (labels[one] == labels[other]) == is_same


@EXAMPLES
@given(cases())
def test_valid_combinations_give_valid_solutions(case: Case) -> None:
    model = case.fitted()
    check_solution(case, model)
    expected = recomputed_cost(case, model)
    if expected is not None:
        assert abs(model.cost_ - expected[0]) <= 1e-9 * expected[1]


@settings(EXAMPLES, max_examples=25)
@given(cases(), st.integers(2, 4))
def test_threads_and_repetition_change_nothing(case: Case, n_jobs: int) -> None:
    model = case.fitted()
    again = ShiftedMinCut(random_state=0, n_jobs=n_jobs, **case.parameters).fit(case.values)
    np.testing.assert_array_equal(model.labels_, again.labels_)
    assert model.cost_ == again.cost_


Breaking = Callable[[Case], dict[str, Any]]
ODD = [0, -1, -(10**9), 2.5, float("nan"), "3", "many"]
BREAK: dict[str, Breaking | list[Any]] = {
    "n_clusters": [*ODD, 29, 10**12],
    "min_cluster_size": [*ODD, 29],
    "max_cluster_size": [*ODD],
    "n_neighbors": [*ODD, 1001],
    "n_init": [*ODD, 2**31, None],
    "shift_strength": [-1, -1e-300, float("nan"), float("inf"), "1", None],
    "sigma": [0, -1, float("nan"), float("inf"), "1"],
    "max_seconds": [0, -1, float("nan"), float("inf"), "1"],
    "similarity": ["euclidean", "", None, 3],
    "metric": ["minkowski", "AUTO", None, 1],
    "weights": ["uniform", None, 2],
    "scale": ["robust", None, True],
    "distance": ["cityblock", None],
    "method": ["kmeans", None],
    "shift": ["", "strong", float("nan"), float("-inf"), np.ones((2, 2)), np.ones(3)],
    "must_link": [[[0, 0]], [[0, 10**6]], [[-1, 0]], [[0, 1, 2]], [0, 1]],
    "cannot_link": [[[1, 1]], [[0, 10**6]], [[0, -1]], [[0]]],
    "cannot_link_groups": [[1], "one"],
    "pair_weights": [[1.0] * 50, [[1.0]]],
    "n_jobs": [0, 1.5, True],
}


@settings(EXAMPLES, max_examples=200)
@given(st.data())
def test_an_invalid_value_is_refused_by_name(data: st.DataObject) -> None:
    case = data.draw(cases())
    name = data.draw(st.sampled_from(sorted(BREAK)))
    value = data.draw(st.sampled_from(BREAK[name]))  # type: ignore[arg-type]
    parameters = {**case.parameters, name: value}
    with pytest.raises((ValueError, TypeError)) as refused:
        ShiftedMinCut(random_state=0, **parameters).fit(case.values)
    assert isinstance(refused.value, ValueError) or not isinstance(value, int | float | list)
    assert re.search(rf"\b{name}\b|holds .* but there are", str(refused.value)), refused.value


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("method", {"method": "multilevel", "similarity": "linear"}),
        ("scale", {"scale": "minmax", "metric": "jaccard"}),
        ("shift", {"shift": "degree", "similarity": "precomputed"}),
        ("shift", {"shift": "auto", "similarity": "cosine"}),
        ("shift_strength", {"shift": "auto", "shift_strength": 2.0}),
        ("weights", {"weights": "log-odds"}),
        ("metric", {"metric": "precomputed", "similarity": "linear"}),
    ],
)
def test_values_that_exclude_each_other_are_refused_by_name(
    name: str, parameters: dict[str, Any]
) -> None:
    values = np.zeros((6, 6)) if "precomputed" in parameters.values() else np.eye(6)
    with pytest.raises(ValueError, match=rf"\b{name}\b"):
        ShiftedMinCut(2, **parameters).fit(values)


@settings(EXAMPLES, max_examples=60)
@given(cases(), st.data())
def test_pairs_that_contradict_are_refused(case: Case, data: st.DataObject) -> None:
    one = data.draw(st.integers(0, case.n - 1))
    other = data.draw(st.integers(0, case.n - 1).filter(lambda place: place != one))
    parameters = {**case.parameters, "must_link": [[one, other]], "cannot_link": [[other, one]]}
    parameters.pop("pair_weights", None)
    with pytest.raises(ValueError, match=r"must.link|cannot.link|n_clusters"):
        ShiftedMinCut(random_state=0, **parameters).fit(case.values)
