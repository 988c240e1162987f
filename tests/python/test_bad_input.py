"""What makes no sense raises ValueError or TypeError, in words a scikit-learn user knows."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

from shiftcut import Feedback, ShiftedMinCut, metrics
from shiftcut.methods import CutSearch, PSpectral, cut_cost

from .data import blobs

POINTS = blobs(20, 3)


def with_value(value: float) -> Any:  # noqa: ANN401
    points = POINTS.copy()
    points[4, 1] = value
    return points


DATA: dict[str, tuple[Any, type[Exception], str]] = {
    "nan": (with_value(np.nan), ValueError, "Input X contains NaN"),
    "infinity": (with_value(np.inf), ValueError, "Input X contains infinity"),
    "too large": (with_value(1e200), ValueError, "allowed"),
    "sparse nan": (sparse.csr_array(with_value(np.nan)), ValueError, "Input X contains NaN"),
    "one dimension": (POINTS[0], ValueError, "Expected 2D array, got 1D array"),
    "three dimensions": (POINTS[None], ValueError, "dim 3"),
    "a number": (3.0, ValueError, "Expected 2D array"),
    "no rows": (np.empty((0, 3)), ValueError, r"Found array with 0 sample\(s\)"),
    "no columns": (np.empty((5, 0)), ValueError, r"0 feature\(s\)"),
    "complex": (POINTS + 1j, ValueError, "Complex data not supported"),
    "strings": (np.array([["a", "b"], ["c", "d"]]), ValueError, "could not convert string"),
    "objects": (np.array([[{}, 1], [2, 3]], dtype=object), TypeError, "argument must be"),
    "ragged": ([[1, 2], [3]], ValueError, "inhomogeneous"),
    "nothing": (None, ValueError, "Expected 2D array"),
}


@pytest.mark.parametrize("name", DATA)
def test_data(name: str) -> None:
    values, error, words = DATA[name]
    with pytest.raises(error, match=words):
        ShiftedMinCut(2).fit(values)


PRECOMPUTED: dict[str, tuple[Any, str]] = {
    "not square": (np.ones((3, 4)), "must be square"),
    "asymmetric": (np.arange(9.0).reshape(3, 3), "a symmetric matrix"),
    "asymmetric graph": (
        sparse.csr_array(np.triu(np.ones((4, 4)), 1)),
        "the same in both directions",
    ),
    "nan": (np.full((3, 3), np.nan), "contains NaN"),
}


@pytest.mark.parametrize("name", PRECOMPUTED)
def test_precomputed(name: str) -> None:
    values, words = PRECOMPUTED[name]
    with pytest.raises(ValueError, match=words):
        ShiftedMinCut(2, similarity="precomputed").fit(values)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (-np.ones((3, 3)) + np.eye(3), "found distance -1; allowed: 0 or more"),
        (np.ones((3, 3)), "of an object to itself; allowed: 0"),
        (sparse.csr_array(np.ones((3, 3))), "dense data is required"),
    ],
)
def test_precomputed_distances(values: object, words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        ShiftedMinCut(2, similarity="precomputed_distance").fit(values)


PARAMETERS: list[tuple[str, object, type[Exception], str]] = [
    ("n_clusters", 0, ValueError, r"int in the range \[1, inf\) or None. Got 0 instead"),
    ("n_clusters", -3, ValueError, "Got -3"),
    ("n_clusters", 21, ValueError, "n_samples=20 should be >= n_clusters=21"),
    ("n_clusters", 2.5, ValueError, "'n_clusters' parameter of ShiftedMinCut must be an int"),
    ("n_clusters", "3", ValueError, "'n_clusters' parameter of ShiftedMinCut must be an int"),
    ("n_clusters", [3], TypeError, "'n_clusters' parameter of ShiftedMinCut must be an int"),
    ("n_clusters", True, ValueError, "'n_clusters' parameter of ShiftedMinCut must be an int"),
    ("similarity", "euclid", ValueError, "a str among {'auto', 'neighbors', 'linear'"),
    ("similarity", None, ValueError, "a str among"),
    ("n_neighbors", 0, ValueError, r"range \[1, 1000\]"),
    ("n_neighbors", 1001, ValueError, r"range \[1, 1000\]"),
    ("weights", "none", ValueError, "'shared', 'binary', 'gaussian'"),
    ("scale", "max", ValueError, "'standard', 'minmax', 'none'"),
    ("distance", "cityblock", ValueError, "'sqeuclidean', 'euclidean'"),
    ("sigma", 0, ValueError, r"\(0, inf\) or None"),
    ("sigma", np.nan, ValueError, "finite float"),
    ("shift", "much", ValueError, "'auto', 'adaptive', 'degree', 'linkage', 'none'"),
    ("shift", np.inf, ValueError, "finite"),
    ("shift", np.ones((3, 3)), ValueError, r"shift has shape \(3, 3\), but there are 20 samples"),
    ("shift", np.full((20, 20), np.nan), ValueError, "Input shift contains NaN"),
    ("shift", np.triu(np.ones((20, 20))), ValueError, "shift must be a symmetric matrix"),
    ("shift", sparse.csr_array(np.triu(np.ones((20, 20)))), ValueError, "symmetric matrix"),
    ("shift", np.ones((20, 20)) * 1j, ValueError, "Complex data not supported"),
    ("shift", True, TypeError, "a str, a float, a square matrix or None"),
    ("shift", {}, TypeError, "a str, a float, a square matrix or None"),
    ("shift_strength", -1, ValueError, r"\[0, inf\)"),
    ("shift_strength", "1", ValueError, "finite float"),
    ("method", "magic", ValueError, "'local-search'"),
    ("n_init", 0, ValueError, "'n_init' parameter"),
    ("n_init", 2**31, ValueError, "'n_init' parameter"),
    ("max_seconds", 0, ValueError, "'max_seconds' parameter"),
    ("random_state", -1, ValueError, "seed"),
    ("random_state", 2**64, ValueError, "seed"),
    ("random_state", "x", ValueError, "cannot be used to seed"),
    ("learn_shift", "no", TypeError, "learn_shift: found 'no'; allowed: True or False"),
    ("learn_shift", 1, TypeError, "learn_shift: found 1; allowed: True or False"),
    ("verbose", "no", ValueError, "verbose: found 'no'; allowed: an int of 0 or more, or a bool"),
    ("verbose", -1, ValueError, "verbose: found -1"),
    ("n_jobs", 2.5, ValueError, "n_jobs: found 2.5; allowed: an int other than 0, or None"),
    ("n_jobs", "2", ValueError, "n_jobs: found '2'"),
    ("weights", "log-odds", ValueError, "only with similarity='precomputed' and a sparse matrix"),
]


@pytest.mark.parametrize(("name", "value", "error", "words"), PARAMETERS)
def test_parameters(name: str, value: object, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ShiftedMinCut().set_params(**{name: value}).fit(POINTS)


def test_sparse_rows_are_not_scaled_or_made_full() -> None:
    rows = sparse.csr_array(POINTS)
    with pytest.raises(ValueError, match="scaling would fill them"):
        ShiftedMinCut(2, scale="standard").fit(rows)
    with pytest.raises(TypeError, match="dense data is required"):
        ShiftedMinCut(2, similarity="rbf").fit(rows)


def test_a_chosen_shift_is_for_graphs_and_chooses_its_strength() -> None:
    with pytest.raises(ValueError, match="found auto for linear similarities"):
        ShiftedMinCut(2, similarity="linear", shift="auto").fit(POINTS)
    with pytest.raises(ValueError, match=r"1 with shift='auto', which chooses it. Got 2"):
        ShiftedMinCut(2, shift="auto", shift_strength=2).fit(POINTS)


def test_new_rows_must_fit_the_old() -> None:
    model = ShiftedMinCut(2, random_state=0)
    with pytest.raises(NotFittedError):
        model.predict(POINTS)
    model.fit(POINTS)
    with pytest.raises(ValueError, match="X has 2 features, but ShiftedMinCut is expecting 3"):
        model.predict(POINTS[:, :2])
    with pytest.raises(ValueError, match="contains NaN"):
        model.predict(with_value(np.nan))


def test_a_failed_fit_leaves_the_model_unfitted() -> None:
    model = ShiftedMinCut(2)
    with pytest.raises(ValueError, match="NaN"):
        model.fit(with_value(np.nan))
    assert not hasattr(model, "labels_")


def test_an_asymmetric_matrix_is_refused_with_what_makes_it_symmetric() -> None:
    half = np.triu(np.ones((4, 4)), 1)
    cases: list[tuple[str, Any, str]] = [
        ("precomputed", half, r"\(X \+ X.T\) / 2 is symmetric"),
        ("precomputed", sparse.csr_array(half), r"X.maximum\(X.T\) is symmetric"),
        ("precomputed_distance", half, r"\(X \+ X.T\) / 2 is symmetric"),
    ]
    for similarity, values, words in cases:
        model = ShiftedMinCut(2, similarity=similarity)
        with pytest.raises(ValueError, match=words):
            model.fit(values)
        with pytest.raises(ValueError, match=words):
            Feedback(model, values)
    with pytest.raises(ValueError, match=r"\(shift \+ shift.T\) / 2 is symmetric"):
        ShiftedMinCut(2, shift=np.triu(np.ones((20, 20)))).fit(POINTS)
    with pytest.raises(ValueError, match=r"X.maximum\(X.T\) is symmetric"):
        CutSearch(2, affinity="precomputed").fit(sparse.csr_array(half))


def test_a_matrix_asymmetric_by_rounding_alone_is_not_blamed() -> None:
    matrix = np.ones((4, 4))
    matrix[0, 1] += 1e-15
    links: dict[str, Any] = {"must_link": [[0, 1]], "cannot_link": [[0, 1]]}
    with pytest.raises(ValueError, match="puts together") as caught:
        ShiftedMinCut(2, similarity="precomputed", **links).fit(matrix)
    assert "symmetric" not in str(caught.value)


def test_probabilities_are_from_0_to_1() -> None:
    graph = sparse.csr_array(np.full((4, 4), 2.0))
    with pytest.raises(ValueError, match="probabilities from 0 to 1"):
        ShiftedMinCut(similarity="precomputed", weights="log-odds").fit(graph)
    with pytest.raises(ValueError, match="sparse matrix of probabilities"):
        ShiftedMinCut(similarity="precomputed", weights="log-odds").fit(np.full((4, 4), 0.5))


def test_an_index_is_no_bool() -> None:
    model = ShiftedMinCut(2, random_state=0).fit(POINTS)
    with pytest.raises(TypeError, match="sample must be an index"):
        model.explain(True)
    with pytest.raises(ValueError, match="n_ties must be 0 or more"):
        model.explain(0, n_ties=-1)


METHODS: list[tuple[Any, str]] = [
    (CutSearch(gamma=-1.0, affinity="rbf"), "gamma: found -1.0; allowed: a finite number above 0"),
    (CutSearch(gamma=True, affinity="rbf"), "gamma: found True"),
    (CutSearch(n_neighbors=0, affinity="neighbors"), "n_neighbors: found 0; allowed: an int of 1"),
    (CutSearch(n_neighbors=True, affinity="neighbors"), "n_neighbors: found True"),
    (CutSearch(cost="adaptive_ratio_cut", p=True), "p: found True"),
    (CutSearch().set_params(n_jobs=1.5), "n_jobs: found 1.5"),
    (PSpectral().set_params(normalized="no"), "normalized: found 'no'; allowed: True or False"),
]


@pytest.mark.parametrize(("model", "words"), METHODS)
def test_parameters_of_the_other_methods(model: Any, words: str) -> None:  # noqa: ANN401
    with pytest.raises((TypeError, ValueError), match=words):
        model.fit(POINTS)


def test_labels_that_are_no_ints_have_no_cost() -> None:
    with pytest.raises(TypeError, match="labels: found dtype float64; allowed: ints"):
        cut_cost(np.ones((2, 2)), [0.2, 0.9])


class AnnData:
    """As the real one: matrices by name."""

    obsm: ClassVar[dict[str, object]] = {}
    obsp: ClassVar[dict[str, object]] = {}
    shape = (20, 3)


def test_containers_of_several_matrices_are_refused_with_what_to_pass() -> None:
    for model in (ShiftedMinCut(2), CutSearch(2)):
        with pytest.raises(TypeError, match=r"adata.obsm\['X_pca'\] .* similarity='precomputed'"):
            model.fit(AnnData())


WRONG: dict[str, tuple[Any, str]] = {
    "a file's name": ("data.csv", "found 'data.csv'; allowed: the data, as"),
    "a dict": ({"a": [1, 2]}, r"found named columns \(dict\); allowed: pandas.DataFrame\(X\)"),
    "a structured array": (np.zeros(5, dtype=[("a", float), ("b", float)]), "named columns"),
    "masked cells": (np.ma.masked_greater(POINTS, 7.0), "found masked cells"),
    "missing cells": (with_value(np.nan), "Missing cells of a DataFrame are filled"),
    "text": ([["a", "b"], ["c", "d"]], "Text in the columns of a DataFrame is one-hot encoded"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_to_pass_instead_is_told(name: str) -> None:
    values, words = WRONG[name]
    with pytest.raises((TypeError, ValueError), match=words):
        ShiftedMinCut(2).fit(values)


def test_a_masked_array_without_masked_cells_is_an_array() -> None:
    labels = ShiftedMinCut(2, random_state=0).fit_predict(np.ma.masked_array(POINTS))
    np.testing.assert_array_equal(labels, ShiftedMinCut(2, random_state=0).fit_predict(POINTS))


def test_a_series_is_one_dimensional() -> None:
    series = pd.Series(POINTS[:, 0])
    with pytest.raises(ValueError, match="Expected a 2-dimensional container"):
        ShiftedMinCut(2).fit(series)


def test_a_shift_may_be_a_list_of_rows() -> None:
    shift = np.full((20, 20), 0.1)
    fits = [ShiftedMinCut(2, shift=s, random_state=0).fit(POINTS) for s in (shift, shift.tolist())]
    np.testing.assert_array_equal(fits[0].labels_, fits[1].labels_)


def test_feedback_is_about_a_model() -> None:
    with pytest.raises(TypeError, match="allowed: a ShiftedMinCut"):
        Feedback(ShiftedMinCut, POINTS)  # type: ignore[arg-type]


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_labels_with_holes_are_named(missing: object) -> None:
    with pytest.raises(ValueError, match="labels contain a missing value, at index 1"):
        metrics.ari(np.array(["a", missing, "b"], dtype=object), [0, 1, 2])
