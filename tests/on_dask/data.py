"""Rows and fits of the tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import shiftcut
import shiftcut.dask

Floats = npt.NDArray[np.float64]


def blobs(rows: int, columns: int, groups: int = 5, seed: int = 0) -> Floats:
    random = np.random.default_rng([seed, rows])
    centres = random.normal(size=(groups, columns)) * 4
    noise = random.normal(size=(rows, columns))
    return np.asarray(centres[random.integers(groups, size=rows)] + noise)


def both(
    region_rows: int,
    **parameters: Any,  # noqa: ANN401
) -> tuple[shiftcut.ShiftedMinCut, shiftcut.dask.ShiftedMinCut]:
    """The estimator of one machine and of Dask; small regions and buckets, so that there are many
    tasks."""
    one = shiftcut.ShiftedMinCut(random_state=0, **parameters)
    many = shiftcut.dask.ShiftedMinCut(random_state=0, **parameters)
    one._region_rows = many._region_rows = region_rows
    many._bucket_bytes = 40_000
    return one, many
