"""The same labels whatever instructions the processor has: SHIFTCUT_SIMD forces older ones.

Data with many ties show every difference in rounding. SHIFTCUT_SWARM=2000 makes more runs.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from .conftest import Argument, Result, command, run, write_csv, write_edges, write_npy

RUNS = int(os.environ.get("SHIFTCUT_SWARM", "60"))
LEVELS = ("v2", "v3", "v4")
FEATURES: list[list[Argument]] = [
    [],
    ["--weights", "binary"],
    ["--weights", "gaussian"],
    ["--similarity", "linear"],
    ["--similarity", "linear", "--method", "annealing"],
    ["--similarity", "linear", "--shift", "constant=2"],
    ["--similarity", "linear", "--method", "frank-wolfe"],
    ["--similarity", "cosine"],
    ["--similarity", "rbf"],
    ["--sigma", "1.5"],
    ["--distance", "euclidean"],
    ["--shift-strength", "0.7", "--method", "multilevel"],
    ["--shift-strength", "1.3", "--method", "local-search"],
]
GRAPHS: list[list[Argument]] = [
    [],
    ["--shift", "auto"],
    ["--shift", "constant=0.3"],
    ["--shift-strength", "0.5"],
    ["--method", "annealing"],
    ["--method", "frank-wolfe"],
]


def run_at(level: str, args: list[Argument], glibc: str = "") -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "SHIFTCUT_SIMD": level}
    if glibc:
        environment["GLIBC_TUNABLES"] = glibc
    return subprocess.run(command(args), env=environment, capture_output=True, check=False)


def tie_prone(number: int, folder: Path) -> list[Argument]:
    """A small problem whose numbers repeat, and options for it."""
    rng = np.random.default_rng([number, 77])
    n = int(rng.integers(12, 160))
    clusters: list[Argument] = ["-k", int(rng.integers(2, 7))] if rng.uniform() < 0.6 else []
    if rng.uniform() < 0.3:
        pairs = rng.integers(n, size=(4 * n, 2))
        weights = rng.choice([1.0, 1.0, 0.5, 0.1, 1 / 3], len(pairs))
        edges = [(u, v, w) for (u, v), w in zip(pairs.tolist(), weights, strict=True) if u != v]
        file = write_edges(folder / "graph.edges", edges)
        return [file, *GRAPHS[rng.integers(len(GRAPHS))], *clusters, "--seed", number]
    columns = int(rng.integers(1, 40))
    steps = float(rng.choice([1, 2, 10, 3]))
    points = np.round(rng.normal(size=(n, columns)) * steps) / steps
    points[rng.integers(n, size=n // 4)] = points[rng.integers(n, size=n // 4)]
    points[0] += 1
    file = (
        write_npy(folder / "points.npy", points.astype(np.float32))
        if rng.uniform() < 0.5
        else write_csv(folder / "points.csv", points)
    )
    scale: list[Argument] = ["--scale", str(rng.choice(["none", "standard", "minmax"]))]
    options = FEATURES[rng.integers(len(FEATURES))]
    return [file, *scale, *options, *clusters, "--seed", number]


def grouping_at(level: str, args: list[Argument], glibc: str = "") -> tuple[object, ...]:
    done = run_at(level, ["cluster", *args, "--json", "-", "--quiet"], glibc)
    assert done.returncode == 0, done.stderr.decode()
    found: Result = json.loads(done.stdout)
    return found["labels"], found["cost"], found["shift"]


@pytest.mark.parametrize("number", range(RUNS))
def test_each_level_gives_the_same_labels_and_cost(number: int, tmp_path: Path) -> None:
    args = tie_prone(number, tmp_path)
    available = [level for level in LEVELS if level in supported()]
    first = grouping_at("v2", args, glibc="glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX")
    for level in available[1:]:
        assert grouping_at(level, args) == first, args


def supported() -> set[str]:
    flags = (
        Path("/proc/cpuinfo").read_text(encoding="utf-8") if Path("/proc/cpuinfo").exists() else ""
    )
    found = {"v2"}
    if " avx2 " in flags and " fma " in flags:
        found.add("v3")
    if " avx512vl " in flags and " avx512bw " in flags:
        found.add("v4")
    return found


@pytest.mark.parametrize("level", ["v9", "", "AVX2"])
def test_a_level_that_is_not_there_is_refused(level: str, tmp_path: Path) -> None:
    file = write_csv(tmp_path / "points.csv", np.arange(12.0).reshape(6, 2))
    done = run_at(level, ["cluster", file])
    assert done.returncode == 1
    assert b"SHIFTCUT_SIMD: found" in done.stderr
    assert b"allowed: v2, v3 or v4" in done.stderr


def test_without_the_variable_the_best_level_is_taken(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "points.csv", np.arange(12.0).reshape(6, 2))
    assert run(["cluster", file]).returncode == 0
