"""Local search is Frank-Wolfe on one object at a time."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.data.datasets import Floats
from experiments.paper.figures.convergence import cost_of, frank_wolfe, local_search
from experiments.paper.figures.exhaustive import adaptive_shift


def shifted(seed: int, n: int = 60) -> Floats:
    rows = np.random.default_rng(seed).normal(size=(n, 3))
    distances = np.sqrt(((rows[:, None] - rows[None, :]) ** 2).sum(axis=2))
    return adaptive_shift(distances.max() - distances)


@pytest.mark.parametrize("seed", range(5))
def test_local_search_ends_where_no_object_gains_and_tells_its_cost(seed: int) -> None:
    values = shifted(seed)
    trace = local_search(values, 4, seed)
    assert trace.gaps[-1] <= 1e-9 * abs(trace.values[-1])
    assert np.all(np.diff(trace.values) >= 0)
    assert -trace.values[-1] == pytest.approx(cost_of(values, trace.labels))


@pytest.mark.parametrize("seed", range(5))
def test_the_smallest_gap_stays_below_one_over_t(seed: int) -> None:
    values = shifted(seed)
    trace = frank_wolfe(values, 4, seed)
    gained = trace.values[-1] - trace.values[0]
    smallest = np.minimum.accumulate(trace.gaps[:-1])
    assert np.all(smallest <= gained / np.arange(1, len(smallest) + 1) * (1 + 1e-9))
    assert -trace.values[-1] == pytest.approx(cost_of(values, trace.labels))
