"""What must hold for every problem, whoever is asked and however."""

from __future__ import annotations

import json
import os
import subprocess
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from shiftcut import ShiftedMinCut
from tests.cli import definition
from tests.cli.conftest import Argument, Result, check_consistent, command, groups, write_npy
from tests.cli.test_processors import supported

from .problems import Problem, Random


class BrokenError(AssertionError):
    """Something that must hold does not."""


def require(holds: bool, what: str) -> None:
    if not holds:
        raise BrokenError(what)


def cluster(args: Sequence[Argument], level: str = "") -> Result:
    environment = {**os.environ, "SHIFTCUT_SIMD": level} if level else dict(os.environ)
    done = subprocess.run(
        command(["cluster", *args, "--json", "-", "--quiet"]),
        capture_output=True,
        env=environment,
        timeout=120,
        check=False,
    )
    require(done.returncode == 0, f"exit {done.returncode}: {done.stderr.decode()}")
    found: Result = json.loads(done.stdout)
    check_consistent(found)
    return found


def check_cost(problem: Problem, found: Result) -> None:
    s = problem.s
    if s is None:
        return
    expected = definition.cost(s, found["labels"])
    slack = 1e-9 * abs(expected) + 1e-14 * float(np.abs(s).sum())
    require(abs(found["cost"] - expected) <= slack, f"cost {found['cost']}, not {expected}")


def check_optimum(problem: Problem, found: Result) -> None:
    s = problem.s
    if s is None or not problem.is_free() or found["stop_reason"] != "converged":
        return
    asked = found["clusters_asked"]
    may_open = asked == "auto" or found["clusters_found"] < asked
    labels = np.asarray(found["labels"])
    if problem.nodes is not None:
        belongs = np.eye(problem.nodes.max() + 1)[problem.nodes]
        s = belongs.T @ s @ belongs
        labels = labels[np.unique(problem.nodes, return_index=True)[1]]
    gain = definition.largest_gain(s, labels.tolist(), may_open)
    require(gain <= 1e-10 * np.abs(s).max() * len(s), f"a single move gains {gain}")


def check_constraints(problem: Problem, found: Result) -> None:
    labels = found["labels"]
    for a, b in problem.must:
        require(labels[a] == labels[b], f"must-link {a}, {b}")
    for a, b in problem.cannot:
        require(labels[a] != labels[b], f"cannot-link {a}, {b}")
    if problem.sizes is not None:
        low, high = problem.sizes
        require(low <= min(found["sizes"]), f"sizes {found['sizes']}, at least {low}")
        require(max(found["sizes"]) <= high, f"sizes {found['sizes']}, at most {high}")


def same(a: Result, b: Result) -> bool:
    return bool(a["labels"] == b["labels"] and a["cost"] == b["cost"])


def check_python(problem: Problem, found: Result) -> None:
    if problem.python is None:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = ShiftedMinCut(**problem.python).fit(problem.values)
    require(model.labels_.tolist() == found["labels"], "Python gives other labels")
    require(model.cost_ == found["cost"], "Python gives another cost")


def check_planted(problem: Problem, found: Result, random: Random, folder: Path) -> None:
    if problem.planted is None:
        return
    expected: Result = {"labels": problem.planted.tolist()}
    require(groups(found) == groups(expected), "not the planted groups")
    order = random.permutation(len(problem.values))
    moved = write_npy(folder / "moved.npy", problem.values[order])
    other = cluster([moved, *problem.options])
    by_object: Any = np.empty(len(order), dtype=int)
    by_object[order] = other["labels"]
    require(groups({"labels": by_object.tolist()}) == groups(found), "depends on the rows' order")


def check(problem: Problem, random: Random, folder: Path) -> None:
    first, *others = problem.files
    found = cluster([first, *problem.options, "--threads", 1])
    check_cost(problem, found)
    check_optimum(problem, found)
    check_constraints(problem, found)
    threads = int(random.integers(2, 6))
    again = cluster([first, *problem.options, "--threads", threads])
    require(same(found, again), f"{threads} threads give another result")
    levels = sorted(supported())
    level = str(levels[random.integers(len(levels))])
    require(same(found, cluster([first, *problem.options], level)), f"{level} differs")
    for file in others:
        require(same(found, cluster([file, *problem.options])), f"{file.name} differs")
    check_python(problem, found)
    check_planted(problem, found, random, folder)
