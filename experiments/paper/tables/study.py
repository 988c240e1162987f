"""One cell of the study: a method on a data set, run many times, scored against the classes.

It has two results, as in the paper: the scores of the run of lowest cost, and the mean and
standard deviation of the scores over all runs.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from shiftcut import metrics

from ...data.datasets import DataSet, Labels
from ..methods import DETERMINISTIC, NotBuiltError, Run, best_shifted_min_cut, runner
from ..pipelines import Problem, preparation

SCORES = ("ami_max", "ari", "v_measure")


def scores_of(classes: Labels, labels: Labels) -> dict[str, float]:
    found = metrics.scores(classes, labels)
    return {name: found[name] for name in SCORES}


def sizes_of(labels: Labels) -> list[int]:
    return sorted((int(size) for size in np.unique(labels, return_counts=True)[1]), reverse=True)


def cell(data: DataSet, method: str, pipeline: str, runs: int, budget: float) -> dict[str, Any]:
    """Run the method up to `runs` times, starting no run after `budget` seconds."""
    begin = time.monotonic()
    problem = Problem(data, preparation(pipeline, method, data))
    wanted = 1 if method in DETERMINISTIC else runs
    try:
        run = runner(method, problem)
        results: list[Run] = []
        scored: list[dict[str, float]] = []
        while len(results) < wanted and (not results or time.monotonic() - begin < budget):
            results.append(run(len(results)))
            scored.append(scores_of(data.classes, results[-1].labels))
    except NotBuiltError as error:
        return {"missing": str(error), "lasting": False}
    if method == "ShiftedMinCut":
        results.append(best_shifted_min_cut(problem))
    best = min(results, key=lambda result: result.cost)
    table = {name: np.array([one[name] for one in scored]) for name in SCORES}
    return {
        "best": scores_of(data.classes, best.labels),
        "mean": {name: float(values.mean()) for name, values in table.items()},
        "deviation": {name: float(values.std()) for name, values in table.items()},
        "sizes": sizes_of(best.labels),
        "cost": best.cost,
        "runs": len(scored),
        "runs_wanted": wanted,
        "preparation": str(problem.how),
        "seconds": time.monotonic() - begin,
    }
