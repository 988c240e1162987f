"""`explain`: why a sample is in its cluster."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from shiftcut import ShiftedMinCut

from .data import blobs


@pytest.mark.parametrize("similarity", ["linear", "cosine", "rbf"])
def test_the_affinities_are_those_of_transform(similarity: str) -> None:
    points = blobs(90, 3)
    model = ShiftedMinCut(3, similarity=similarity, random_state=0).fit(points)
    affinities = model.transform(points)
    for i in (0, 40, 89):
        told = model.explain(i)
        own, following = told["own"], told["next"]
        assert own["cluster"] == model.labels_[i]
        if following is not None and following["cluster"] >= 0:
            expected = affinities[i, following["cluster"]]
            assert following["affinity"] == pytest.approx(expected, rel=1e-6, abs=1e-6)
        assert told["margin"] >= -1e-9 * abs(own["affinity"])
        assert len(own["ties"]) <= 5


def test_of_neighbours_a_graph_and_pairs() -> None:
    points = blobs(90, 3)
    pairs = {"must_link": [[0, 40]], "cannot_link": [[0, 1]]}
    model = ShiftedMinCut(3, random_state=0, **pairs).fit(points)  # type: ignore[arg-type]
    told = model.explain(0, points, n_ties=3)
    assert (told["must_link"], told["cannot_link"]) == ([40], [1])
    assert all(model.labels_[tie["object"]] == model.labels_[0] for tie in told["own"]["ties"])

    graph = sparse.random_array((50, 50), density=0.1, rng=np.random.default_rng(0))
    graph = sparse.csr_array(graph + graph.T)
    model = ShiftedMinCut(4, similarity="precomputed", random_state=0).fit(graph)
    assert model.explain(3, graph)["own"]["cluster"] == model.labels_[3]


def test_what_is_wrong_is_told() -> None:
    points = blobs(60, 3)
    model = ShiftedMinCut(3, random_state=0).fit(points)
    with pytest.raises(ValueError, match="60"):
        model.explain(3, points[:10])
    with pytest.raises(ValueError, match="index from 0 to 59"):
        model.explain(60)
