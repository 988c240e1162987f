"""Arrays in the form the library reads them, copied only where they are not in it already."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import sparse

Floats: TypeAlias = npt.NDArray[np.float64]
Labels: TypeAlias = npt.NDArray[np.int32]

# SciPy's sparse matrices and pandas' frames have no types that NumPy's arrays share.
Matrix: TypeAlias = Any  # a NumPy array or a SciPy sparse matrix
Data: TypeAlias = Any  # what `fit` takes: the above, lists, DataFrames
Shift: TypeAlias = Any  # a word, a number or a matrix


def _canonical(matrix: Matrix) -> Matrix:
    """CSR with sorted rows and each cell at most once; the caller's matrix stays as it is."""
    rows = matrix.tocsr()
    if not rows.has_canonical_format:
        rows = rows.copy() if rows is matrix else rows
        rows.sum_duplicates()
    return rows


def core_values(values: Data) -> Data:
    """What `_core` takes: a row-major array of floats, or the parts of a sparse matrix."""
    if not sparse.issparse(values):
        dense = np.asarray(values)
        kind = dense.dtype if dense.dtype in (np.float32, np.float64) else np.float64
        return np.ascontiguousarray(dense, dtype=kind)
    rows = _canonical(values)
    return (
        np.ascontiguousarray(rows.indptr, dtype=np.int64),
        np.ascontiguousarray(rows.indices),
        np.ascontiguousarray(rows.data, dtype=np.float64),
        tuple(int(length) for length in rows.shape),
    )
