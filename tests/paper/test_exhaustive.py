"""Optima by trying everything, and what a shift does to them."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.paper.figures import exhaustive
from experiments.paper.figures.shift_invariance import CLAIMS, measured, verdict

GRAPH = np.array([[0, 3, 1, 0], [3, 0, 0, 1], [1, 0, 0, 2], [0, 1, 2, 0]], dtype=np.float64)
TRIALS = 15
HALVES = np.array([[0, 0, 1, 1]], dtype=np.int8)


def test_partitions_are_counted_as_stirling_did() -> None:
    counts = [len(exhaustive.partitions(n, k)) for n, k in ((4, 2), (5, 3), (7, 3), (10, 4))]
    assert counts == [7, 25, 301, 34105]


@pytest.mark.parametrize(
    ("cost", "plain", "shifted"),
    [
        (exhaustive.ratio_cut, 2.0, 6.0),
        (exhaustive.normalized_cut, 0.5833333, 0.8035714),
        (exhaustive.ratio_association, -5.0, -9.0),
        (exhaustive.adaptive_ratio_cut, 1.4142136, 4.2426407),
    ],
)
def test_cut_costs_of_a_worked_graph(cost: exhaustive.Cost, plain: float, shifted: float) -> None:
    assert cost(GRAPH, HALVES)[0] == pytest.approx(plain, abs=1e-6)
    assert cost(GRAPH + 1, HALVES)[0] == pytest.approx(shifted, abs=1e-6)


def test_the_adaptive_shift_of_a_worked_line() -> None:
    y = np.array([0.0, 1.0, 4.0, 5.0])
    squared = (y[:, None] - y[None, :]) ** 2
    shifted = exhaustive.adaptive_shift(squared.max() - squared)
    assert shifted[0] == pytest.approx([12.5, 7.5, -7.5, -12.5])
    assert exhaustive.shifted_min_cut(shifted, HALVES)[0] == pytest.approx(-64)


def test_the_dominant_set_of_a_worked_graph() -> None:
    graph = np.full((5, 5), 0.1)
    graph[:3, :3] = 1.0
    graph[3, 4] = graph[4, 3] = 0.5
    np.fill_diagonal(graph, 0.0)
    assert exhaustive.dominant_support(graph) == {0, 1, 2}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"{claim.method}-{claim.shifted}")
def test_a_shift_does_what_the_algebra_says(claim: object) -> None:
    chosen = next(one for one in CLAIMS if one is claim)
    counts = measured(chosen, TRIALS)
    assert counts is not None, f"{chosen.method} is not built"
    assert verdict(counts, TRIALS) == chosen.expected
