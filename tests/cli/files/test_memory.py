"""How much memory a large file takes: its numbers, and the float32 rows the search works on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ..conftest import program

ROWS, COLUMNS = 50_000, 500
PEAK = """
import json, resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(json.dumps(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024))
"""


@pytest.mark.parametrize("method", ["auto", "local-search"])
def test_features_take_twice_the_table_at_most(tmp_path: Path, method: str) -> None:
    path = tmp_path / "large.npy"
    rng = np.random.default_rng(1)
    table = rng.standard_normal((ROWS, COLUMNS), np.float32)
    table += 2 * rng.standard_normal((5, COLUMNS), np.float32)[rng.integers(5, size=ROWS)]
    np.save(path, table)
    options = ["--similarity", "linear", "-k", "5", "--restarts", "1", "--quiet"]
    command = [program(), "cluster", str(path), "--method", method, *options]
    # A process of its own, and a small one : a child 's peak counts from its parent' s size.
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PEAK, *command],
        capture_output=True,
        text=True,
        check=True,
    )
    program_itself = 24 * 2**20
    assert json.loads(ran.stdout) < 2 * 4 * ROWS * COLUMNS + program_itself
