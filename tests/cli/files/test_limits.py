"""Limits on threads and memory: slower, or a sentence that helps."""

from __future__ import annotations

import json
import resource
from pathlib import Path

import numpy as np
import pytest

from ..conftest import ROOT, Argument, blobs, result, write_npy
from ..outside import run_with

WINE: list[Argument] = [ROOT / "examples" / "wine.csv", "--label-column", "label", "-k", 3]
GB = 10**9


@pytest.mark.parametrize(
    ("stack", "space"),
    [(0.4, 1.5), (4, 2), (0.008, 0.25)],
    ids=["a few threads", "none", "as in a small container"],
)
def test_threads_that_cannot_be_started_change_nothing(stack: float, space: float) -> None:
    """Threads need room for their stacks, which are as large as the limit on the program's own."""
    limits = {resource.RLIMIT_STACK: int(stack * GB), resource.RLIMIT_AS: int(space * GB)}
    done = run_with(["cluster", *WINE, "--threads", 64, "--json", "-"], limits)
    assert (done.returncode, done.stderr) == (0, "")
    found, usual = json.loads(done.stdout), result([*WINE, "--threads", 2])
    assert found["labels"] == usual["labels"]
    assert found["cost"] == usual["cost"]
    assert 1 <= found["threads"] < 64
    told = f"Only {found['threads']} of 64 threads could be started"
    assert [warning for warning in found["warnings"] if warning.startswith(told)]


def test_threads_leave_room_for_the_work() -> None:
    """What the stacks of all threads that could be started take would be missing later."""
    digits = ROOT / "examples" / "digits.csv.gz"
    args: list[Argument] = [digits, "--label-column", "label", "-k", 10]
    limits = {resource.RLIMIT_STACK: 8 << 20, resource.RLIMIT_AS: 200 << 20}
    done = run_with(["cluster", *args, "--threads", 64, "--json", "-"], limits)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_matrix_beyond_the_limit_is_told_with_its_size(tmp_path: Path) -> None:
    file = write_npy(tmp_path / "points.npy", blobs(8000, 2, seed=1))
    args: list[Argument] = ["cluster", file, "--similarity", "rbf", "-k", 3, "--threads", 1]
    done = run_with(args, {resource.RLIMIT_AS: 300_000_000})
    assert (done.returncode, done.stdout) == (1, "")
    assert "needs a 8000 x 8000 matrix of 0.5 GB; found 0.3 GB of free memory" in done.stderr
    assert "--similarity linear" in done.stderr
    assert done.stderr.count("\n") == 1


def test_memory_that_runs_out_is_told_with_what_to_try(tmp_path: Path) -> None:
    points = np.random.default_rng(1).normal(size=(40_000, 200)).astype(np.float32)
    file = write_npy(tmp_path / "points.npy", points)
    args: list[Argument] = ["cluster", file, "--similarity", "linear", "-k", 3, "--threads", 1]
    done = run_with(args, {resource.RLIMIT_AS: 60_000_000})
    assert (done.returncode, done.stdout) == (1, "")
    told = "shiftcut: out of memory: found a limit of 0.06 GB (ulimit -v), and no room for an array"
    assert done.stderr.startswith(told)
    assert " GB; try fewer --threads, --similarity linear, or a sample of " in done.stderr
    assert done.stderr.count("\n") == 1
