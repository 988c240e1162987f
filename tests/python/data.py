"""Data sets of the tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

Floats = npt.NDArray[np.float64]


def blobs(rows: int = 120, columns: int = 4, groups: int = 3, seed: int = 0) -> Floats:
    """Rows around a few centres, columns on different scales."""
    rng = np.random.default_rng([seed, rows, columns])
    centres = rng.normal(size=(groups, columns)) * 4
    points = centres[np.arange(rows) % groups] + rng.normal(size=(rows, columns))
    return np.asarray(points * rng.uniform(0.5, 4, columns) + rng.normal(size=columns) * 5)


def random_sparse(rows: int, columns: int, density: float, seed: int) -> Any:  # noqa: ANN401
    rng = np.random.default_rng(seed)
    cells = rng.uniform(size=(rows, columns))
    return sparse.csr_array(np.where(rng.uniform(size=cells.shape) < density, cells, 0.0))
