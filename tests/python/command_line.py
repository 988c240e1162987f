"""The program that the package installs, and files for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import io, sparse

PROGRAM = os.environ.get("SHIFTCUT_PROGRAM") or str(Path(sys.executable).parent / "shiftcut")


def cluster(*args: object) -> dict[str, Any]:
    """`shiftcut cluster ARGS`: its JSON result."""
    command = [PROGRAM, "cluster", *map(str, args), "--json", "-", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def write_npy(path: Path, values: npt.ArrayLike) -> Path:
    np.save(path, np.ascontiguousarray(values))
    return path


def write_mtx(path: Path, values: Any) -> Path:  # noqa: ANN401
    """A sparse matrix in coordinates, all digits."""
    io.mmwrite(path, sparse.coo_array(values), precision=17, symmetry="general")
    return path
