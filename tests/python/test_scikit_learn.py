"""The estimator keeps scikit-learn's contract: every check, none expected to fail."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from shiftcut import ShiftedMinCut
from shiftcut.model_selection import held_out_agreement

from .data import blobs

CHECKED = [
    ShiftedMinCut(),
    ShiftedMinCut(similarity="linear"),
    ShiftedMinCut(similarity="cosine"),
    ShiftedMinCut(similarity="rbf"),
]


@parametrize_with_checks(CHECKED)
def test_scikit_learn_check(
    estimator: ShiftedMinCut, check: Callable[[ShiftedMinCut], None]
) -> None:
    check(estimator)


@parametrize_with_checks([ShiftedMinCut(similarity="precomputed")])
def test_scikit_learn_check_of_a_precomputed_similarity(
    estimator: ShiftedMinCut, check: Callable[[ShiftedMinCut], None]
) -> None:
    # It hands 50 rows of 2 features to every clusterer, which no precomputed matrix can be.
    name = check.func.__name__  # type: ignore[attr-defined]
    # Weights are of rows of features: what two copies of an object have in common is not known.
    if name != "check_clustering" and not name.startswith("check_sample_weights"):
        check(estimator)


def test_nothing_is_expected_to_fail() -> None:
    assert not hasattr(ShiftedMinCut, "_xfail_checks")


def test_tags_tell_what_it_takes() -> None:
    tags = get_tags(ShiftedMinCut())
    assert tags.estimator_type == "clusterer"
    assert tags.input_tags.sparse
    assert not tags.input_tags.pairwise
    assert get_tags(ShiftedMinCut(similarity="precomputed")).input_tags.pairwise
    assert not get_tags(ShiftedMinCut(similarity="rbf")).input_tags.sparse


@pytest.mark.parametrize("similarity", ["neighbors", "linear", "cosine", "rbf"])
def test_a_copy_predicts_the_same(similarity: str) -> None:
    points = blobs()
    model = ShiftedMinCut(3, similarity=similarity, random_state=0).fit(points)
    before = model.predict(points)
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        np.testing.assert_array_equal(other.predict(points), before)
        np.testing.assert_array_equal(other.labels_, model.labels_)
        assert other.result_ == model.result_


def test_a_clone_has_the_parameters_and_nothing_else() -> None:
    model = ShiftedMinCut(3, similarity="linear", shift=0.5, random_state=1).fit(blobs())
    again = clone(model)
    assert again.get_params() == model.get_params()
    assert not hasattr(again, "labels_")


def test_it_stands_in_a_pipeline() -> None:
    points = blobs()
    pipeline = make_pipeline(StandardScaler(), ShiftedMinCut(3, scale="none", random_state=0))
    alone = ShiftedMinCut(3, random_state=0).fit(points)
    np.testing.assert_array_equal(pipeline.fit_predict(points), alone.labels_)
    np.testing.assert_array_equal(pipeline.predict(points), alone.predict(points))


def test_it_stands_in_a_grid_search() -> None:
    search = GridSearchCV(
        make_pipeline(MinMaxScaler(), ShiftedMinCut(similarity="linear", random_state=0)),
        {"shiftedmincut__n_clusters": [2, 3]},
        scoring=held_out_agreement,
        cv=2,
    ).fit(blobs())
    assert search.best_params_["shiftedmincut__n_clusters"] in (2, 3)


def test_a_precomputed_matrix_is_split_in_rows_and_columns() -> None:
    points = blobs()
    kernel = np.exp(-((points[:, None] - points) ** 2).sum(axis=2) / 50)
    model = ShiftedMinCut(similarity="precomputed", shift="adaptive", random_state=0)
    search = GridSearchCV(
        model, {"n_clusters": [2, 3]}, cv=3, scoring=lambda *_: 0.0, error_score="raise"
    ).fit(kernel)
    assert search.best_estimator_.n_features_in_ == len(points)


def test_set_output_makes_a_data_frame_of_affinities() -> None:
    pandas = pytest.importorskip("pandas")
    points = blobs()
    model = ShiftedMinCut(3, random_state=0).set_output(transform="pandas").fit(points)
    table = model.transform(points)
    assert isinstance(table, pandas.DataFrame)
    assert list(table.columns) == ["shiftedmincut0", "shiftedmincut1", "shiftedmincut2"]
    np.testing.assert_array_equal(table.to_numpy().argmax(axis=1), model.predict(points))


@pytest.mark.parametrize("state", [0, 7, np.int64(7)])
def test_an_int_is_the_seed(state: int) -> None:
    assert ShiftedMinCut(2, random_state=state).fit(blobs()).result_["seed"] == state


def test_random_states_draw_seeds() -> None:
    seeds = [
        ShiftedMinCut(2, random_state=np.random.RandomState(5)).fit(blobs(30)).result_["seed"]
        for _ in range(2)
    ]
    assert seeds[0] == seeds[1]
    np.random.seed(3)
    first = ShiftedMinCut(2).fit(blobs(30)).result_["seed"]
    assert first != ShiftedMinCut(2).fit(blobs(30)).result_["seed"]


def test_names_of_features_are_kept_and_checked() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(blobs(), columns=list("abcd"))
    model = ShiftedMinCut(3, random_state=0).fit(frame)
    assert list(model.feature_names_in_) == list("abcd")
    assert model.n_features_in_ == 4
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame[list("abdc")])
