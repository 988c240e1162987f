"""Pairs that are known, through the estimator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from shiftcut import ShiftedMinCut

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
        ({"cannot_link_groups": [[1]] * 60}, TypeError, "one value a sample"),
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
