"""Pairs that are known, through the estimator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from shiftcut import Feedback, ShiftedMinCut

from .data import blobs

SIMILARITIES = ["neighbors", "linear", "cosine", "rbf"]


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_pairs_hold_and_new_rows_are_judged(similarity: str) -> None:
    points = blobs(200, 4)
    must = [[0, 1], [1, 2], [10, 20]]
    cannot = np.array([[0, 3], [20, 30]])
    model = ShiftedMinCut(
        4, similarity=similarity, must_link=must, cannot_link=cannot, random_state=0
    )
    labels = model.fit_predict(points)
    assert all(labels[a] == labels[b] for a, b in must)
    assert all(labels[a] != labels[b] for a, b in cannot)
    assert model.result_["links"]["must_link"] == 3
    assert model.transform(points).shape == (200, model.n_clusters_)
    assert np.array_equal(clone(model).fit_predict(points), labels)


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_evidence_is_no_part_of_the_affinities(similarity: str) -> None:
    points = blobs(100, 3)
    model = ShiftedMinCut(
        3, similarity=similarity, shift=0.3, must_link=[[0, 50]], pair_weights=[3.0], random_state=0
    ).fit(points)
    members = np.eye(model.n_clusters_)[model.labels_]
    within = float((model.transform(points) * members).sum())
    if similarity != "neighbors":  # a new row's neighbours are not those of the fit
        assert within == pytest.approx(-(model.cost_ - model.result_["links"]["cost"]), rel=1e-6)


@pytest.mark.parametrize(
    ("given", "kind", "told"),
    [
        ({"must_link": [[0, 1, 2]]}, ValueError, r"shape \(n_pairs, 2\)"),
        ({"must_link": [[0.5, 1.0]]}, TypeError, "indices of samples"),
        ({"cannot_link": [[0, 60]]}, ValueError, "holds 60, but there are 60 samples"),
        ({"cannot_link": [[-1, 2]]}, ValueError, "holds -1"),
        ({"must_link": [[4, 4]]}, ValueError, "4 with itself"),
        ({"must_link": [[0, 1]], "pair_weights": [1, 2]}, ValueError, "one weight for each"),
        ({"must_link": [[0, 1]], "pair_weights": [0]}, ValueError, "above 0"),
        ({"must_link": [[0, 1]], "cannot_link": [[1, 0]]}, ValueError, "puts together"),
        ({"cannot_link_groups": [1, 2, 3]}, ValueError, "each of the 60 samples, got 3"),
        ({"cannot_link_groups": [[1]] * 60}, TypeError, "one value per sample"),
        ({"cannot_link_groups": [7] * 60}, ValueError, "group of 60 objects"),
        (
            {"must_link": [[0, 1]], "cannot_link_groups": [7, 7] + [None] * 58},
            ValueError,
            "0 and 1 of one group",
        ),
    ],
)
def test_bad_pairs(given: dict[str, Any], kind: type[Exception], told: str) -> None:
    with pytest.raises(kind, match=told):
        ShiftedMinCut(2, **given).fit(blobs(60, 2))


def test_no_pairs_change_nothing() -> None:
    points = blobs(150, 3)
    plain = ShiftedMinCut(3, random_state=1).fit(points)
    empty = ShiftedMinCut(3, must_link=[], cannot_link=[], random_state=1).fit(points)
    assert np.array_equal(plain.labels_, empty.labels_)
    assert "links" not in empty.result_


@pytest.mark.parametrize("similarity", SIMILARITIES)
@pytest.mark.parametrize("n_clusters", [None, 60])
def test_no_two_of_a_group_share_a_cluster(similarity: str, n_clusters: int | None) -> None:
    points = blobs(180, 4)
    sources = np.array(["a", "b", "c"] * 60)
    model = ShiftedMinCut(
        n_clusters, similarity=similarity, cannot_link_groups=sources, random_state=0
    )
    labels = model.fit_predict(points)
    assert len({*zip(sources.tolist(), labels.tolist(), strict=True)}) == 180
    assert model.result_["links"]["groups"] == 3
    assert model.result_["links"]["in_groups"] == 180
    assert "rival" in model.explain(3)
    assert np.array_equal(clone(model).fit_predict(points), labels)


@pytest.mark.parametrize("none", [None, np.nan, -1])
def test_some_samples_may_be_in_no_group(none: object) -> None:
    points = blobs(60, 2)
    given = [none] * 58 + ["x", "x"]
    model = ShiftedMinCut(2, cannot_link_groups=given, random_state=0).fit(points)
    assert model.labels_[58] != model.labels_[59]
    assert model.result_["links"]["in_groups"] == 2


def test_groups_are_what_their_values_are_not_how_they_are_given() -> None:
    points = blobs(60, 2)
    as_ints = np.arange(60) // 2
    as_text = pd.Series([f"g{i}" for i in as_ints])
    fits = [
        ShiftedMinCut(4, cannot_link_groups=given, random_state=0).fit_predict(points)
        for given in (as_ints, as_ints.tolist(), as_text, as_ints.astype(float))
    ]
    assert all(np.array_equal(fits[0], labels) for labels in fits)


def test_pairs_given_to_fit_take_the_place_of_those_of_the_constructor() -> None:
    points = blobs(120, 4)
    pairs: dict[str, Any] = {
        "must_link": [[0, 1]],
        "cannot_link": [[0, 3]],
        "pair_weights": [2.0, np.inf],
    }
    of_constructor = ShiftedMinCut(3, random_state=0, **pairs).fit(points)
    in_fit = ShiftedMinCut(3, random_state=0).fit(points, **pairs)
    np.testing.assert_array_equal(in_fit.labels_, of_constructor.labels_)
    assert in_fit.result_["links"] == of_constructor.result_["links"]
    assert in_fit.must_link is None
    assert in_fit.explain(0)["cannot_link"] == of_constructor.explain(0)["cannot_link"] == [3]
    model = ShiftedMinCut(3, must_link=[[0, 1]], cannot_link=[[0, 3]], random_state=0)
    labels = model.fit_predict(points, must_link=[[0, 3]], cannot_link=[[0, 1]])
    assert labels[0] == labels[3] != labels[1]
    assert np.array_equal(Feedback(model).labels_, labels)
    groups = ["a", "a"] + [None] * 118
    labels = ShiftedMinCut(3, random_state=0).fit_predict(points, cannot_link_groups=groups)
    assert labels[0] != labels[1]


def test_weights_of_the_constructor_are_not_those_of_other_pairs() -> None:
    model = ShiftedMinCut(2, must_link=[[0, 1]], pair_weights=[1.0])
    with pytest.raises(ValueError, match="weights where the pairs are"):
        model.fit(blobs(60, 2), must_link=[[2, 3]])


def test_indices_that_a_part_of_the_data_lacks_tell_to_pass_pairs_to_fit() -> None:
    points = blobs(60, 2)
    for links in ({"must_link": [[0, 59]]}, {"cannot_link_groups": list(range(60))}):
        with pytest.raises(ValueError, match="as in cross-validation, pass them to `fit`"):
            ShiftedMinCut(2, **links).fit(points[:40])
        with pytest.raises(ValueError, match=r"40 samples") as caught:
            ShiftedMinCut(2).fit(points[:40], **links)
        assert "cross-validation" not in str(caught.value)


def test_groups_given_to_fit_are_split_with_the_rows_in_cross_validation() -> None:
    points = blobs(60, 2)
    seen: list[int] = []

    def score(model: ShiftedMinCut, X: object, y: object = None) -> float:
        seen.append(model.result_["links"]["in_groups"])
        return 0.0

    search = GridSearchCV(ShiftedMinCut(random_state=0), {"n_clusters": [6]}, cv=3, scoring=score)
    search.fit(points, cannot_link_groups=np.arange(60) // 2)
    assert seen == [40, 40, 40]


@pytest.mark.parametrize("pairs", [{(0, 1)}, "01", iter([(0, 1)]), {0: 1}])
def test_pairs_without_an_order_or_to_be_read_once_are_refused(pairs: Any) -> None:  # noqa: ANN401
    with pytest.raises(TypeError, match=r"must_link must be array-like of shape \(n_pairs, 2\)"):
        ShiftedMinCut(2, must_link=pairs).fit(blobs(60, 2))


@pytest.mark.parametrize("groups", ["ab" * 30, pd.DataFrame({"a": range(60)}), 7, {1: 2}])
def test_groups_that_are_no_list_of_values_are_refused(groups: Any) -> None:  # noqa: ANN401
    with pytest.raises((TypeError, ValueError), match=r"array-like of shape \(n_samples,\)"):
        ShiftedMinCut(2, cannot_link_groups=groups).fit(blobs(60, 2))


@pytest.mark.parametrize("weights", [["2"], [True]])
def test_weights_that_are_no_numbers_are_refused(weights: Any) -> None:  # noqa: ANN401
    with pytest.raises(TypeError, match="pair_weights must be numbers"):
        ShiftedMinCut(2, must_link=[[0, 1]], pair_weights=weights).fit(blobs(60, 2))
