"""Probabilities that two records are the same: the shift for pairs that blocking left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from shiftcut import ShiftedMinCut

from .command_line import cluster, write_mtx

PRIOR = 2 / 3  # at the ends of a certain path
ABSENT = 0.5

Floats = npt.NDArray[np.float64]


def records(n_entities: int, seed: int, n_false: int = 1, most: int = 5) -> tuple[Any, Any]:
    """A graph of probabilities with an eighth of the true pairs left out, and the entities."""
    rng = np.random.default_rng(seed)
    entities = np.repeat(np.arange(n_entities), rng.integers(1, most + 1, n_entities))
    n = len(entities)
    p = np.zeros((n, n))
    for i, j in zip(*np.nonzero(np.triu(entities[:, None] == entities, 1)), strict=True):
        p[i, j] = 1 / (1 + np.exp(-rng.normal(1.5, 2))) if rng.random() > 1 / 8 else 0
    for i, j in rng.integers(n, size=(n_false * n, 2)):
        if entities[i] != entities[j]:
            p[min(i, j), max(i, j)] = 1 / (1 + np.exp(-rng.normal(-4, 1.5)))
    return sparse.csr_array(p + p.T), entities


def logit(p: Any) -> Any:  # noqa: ANN401
    return np.log(p / (1 - p))


def shifted(p: Floats, strength: float = 1) -> Floats:
    """S by its definition, from a dense matrix of probabilities with 0 for absent pairs."""
    n = len(p)
    rate = p[np.triu_indices(n, 1)][p[np.triu_indices(n, 1)] > 0].mean()
    s = np.full((n, n), -strength * ABSENT)
    for i in range(n):
        for j in range(n):
            if p[i, j] == 0:
                continue
            s[i, j] = logit(p[i, j])
            path = max(
                (p[i, k] * p[k, j] for k in range(n) if min(p[i, k], p[k, j]) >= 0.5), default=0
            )
            if i != j and path > 0 and rate < PRIOR:
                s[i, j] += strength * (logit(rate + path * (PRIOR - rate)) - logit(rate))
    return s


def cost(s: Floats, labels: Any) -> float:  # noqa: ANN401
    return -float(s[labels[:, None] == labels].sum())


def fitted(graph: Any, **parameters: Any) -> ShiftedMinCut:  # noqa: ANN401
    parameters = {"random_state": 0, **parameters}
    return ShiftedMinCut(similarity="precomputed", weights="log-odds", **parameters).fit(graph)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), strength=st.sampled_from([1.0, 0.3, 2.0]))
def test_the_cost_is_that_of_the_definition(seed: int, strength: float) -> None:
    graph, _ = records(12, seed)
    model = fitted(graph, shift_strength=strength)
    s = shifted(graph.toarray(), strength)
    assert model.shift_["kind"] == "linkage"
    assert model.cost_ == pytest.approx(cost(s, model.labels_), rel=1e-9, abs=1e-9)
    assert model.result_["shift"]["value"] == ABSENT
    assert set(model.strength_ >= 0) == {True}


def test_what_it_does_to_pairs_paths_and_chains() -> None:
    def labels(*edges: tuple[int, int, float], **parameters: Any) -> list[int]:  # noqa: ANN401
        n = 1 + max(max(i, j) for i, j, _ in edges)
        p = np.zeros((n, n))
        for i, j, value in edges:
            p[i, j] = p[j, i] = value
        found: list[int] = fitted(sparse.csr_array(p), **parameters).labels_.tolist()
        return found

    # A pair on its own is joined above one half.
    assert labels((0, 1, 0.6)) == [0, 0]
    assert labels((0, 1, 0.4)) == [0, 1]
    # A long chain of pairs that are hardly likely falls apart; without a shift it does not.
    chain = [(i, i + 1, 0.6) for i in range(9)]
    assert max(np.bincount(labels(*chain))) == 2
    assert max(np.bincount(labels(*chain, shift="none"))) == 10
    # Where matches are rare, a low probability at the ends of a path says little.
    rare = [(i, i + 1, 0.01) for i in range(3, 60, 2)]
    path = [(0, 1, 0.9), (1, 2, 0.7), (0, 2, 0.1)]
    assert labels(*path, *rare)[:3] == [0, 0, 0]
    assert len(set(labels(*path, *rare, shift="none")[:3])) == 2
    # But strong evidence against it still divides it.
    assert len(set(labels((0, 2, 0.00001), *path[:2], *rare)[:3])) == 2


def test_it_is_better_than_components_and_log_odds_alone() -> None:
    from sklearn.metrics import pair_confusion_matrix

    def f1(entities: Any, labels: Any) -> float:  # noqa: ANN401
        (_, wrong), (missed, right) = pair_confusion_matrix(entities, labels)
        return float(2 * right / (2 * right + wrong + missed))

    gains = []
    for seed in range(6):
        graph, entities = records(150, seed, n_false=12)
        likely = graph.multiply(graph > 0.5)
        components = sparse.csgraph.connected_components(likely, directed=False)[1]
        ours = f1(entities, fitted(graph).labels_)
        alone = f1(entities, fitted(graph, shift="none").labels_)
        gains.append([ours - f1(entities, components), ours - alone])
    assert np.min(gains) > -0.01
    assert np.mean(gains, axis=0).min() > 0.02


def test_it_is_the_same_everywhere(tmp_path: Path) -> None:
    graph, entities = records(60, 3, n_false=4)
    model = fitted(graph)
    for parameters in ({"n_jobs": 3}, {"shift": "auto"}, {"shift": "linkage"}):
        same = fitted(graph, **parameters)
        assert same.labels_.tolist() == model.labels_.tolist()
        assert same.shift_ == model.shift_
    file = write_mtx(tmp_path / "records.mtx", graph)
    theirs = cluster(file, "--weights", "log-odds")
    assert theirs["labels"] == model.labels_.tolist()
    assert theirs["shift"] == model.result_["shift"]
    assert theirs["cost"] == model.cost_

    sources = np.arange(len(entities)) % 3
    grouped = fitted(graph, cannot_link_groups=sources)
    pairs = np.column_stack([grouped.labels_, sources])
    assert len(np.unique(pairs, axis=0)) == len(pairs)


def test_results_agree_with_what_is_explained_and_predicted(tmp_path: Path) -> None:
    graph, _ = records(60, 5, n_false=4)
    model = fitted(graph)
    s = shifted(graph.toarray())
    for i in (0, 7, 31):
        told = model.explain(i)
        own = model.labels_ == model.labels_[i]
        own[i] = False
        assert told["own"]["affinity"] == pytest.approx(s[i, own].sum(), abs=1e-9)
    probabilities = model.probabilities_.toarray()
    own = probabilities[np.arange(len(probabilities)), model.labels_]
    np.testing.assert_allclose(own, probabilities.max(axis=1))  # others may be as likely

    # A new record has log-odds without priors of paths; absent pairs count as in training.
    new = np.zeros((2, graph.shape[0]))
    new[0, :3], new[1, 5] = 0.9, 0.2
    members = np.eye(model.n_clusters_)[model.labels_]
    x = np.where(new > 0, logit(np.where(new > 0, new, 0.5)), -ABSENT)
    np.testing.assert_allclose(model.transform(sparse.csr_array(new)), x @ members, atol=1e-9)
    model.save(tmp_path / "model")
    loaded = ShiftedMinCut.load(tmp_path / "model")
    np.testing.assert_array_equal(
        loaded.transform(sparse.csr_array(new)), model.transform(sparse.csr_array(new))
    )


def test_it_is_for_log_odds_only() -> None:
    graph, _ = records(20, 1)
    with pytest.raises(ValueError, match=r"shift: found linkage for .*weights='log-odds'"):
        ShiftedMinCut(similarity="precomputed", shift="linkage").fit(graph)
    with pytest.raises(ValueError, match="found linkage for"):
        ShiftedMinCut(shift="linkage").fit(np.random.default_rng(0).normal(size=(30, 2)))
