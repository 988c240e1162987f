"""Conversion of arrays to the library's layout, copying only if necessary."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import sparse

Floats: TypeAlias = npt.NDArray[np.float64]
Labels: TypeAlias = npt.NDArray[np.int32]

# SciPy sparse matrices and pandas frames share no static type with NumPy arrays.
Matrix: TypeAlias = Any  # a NumPy array or a SciPy sparse matrix
Data: TypeAlias = Any  # what `fit` takes: the above, lists, DataFrames
Shift: TypeAlias = Any  # a word, a number or a matrix


def _canonical(matrix: Matrix) -> Matrix:
    """Return CSR with sorted rows and no duplicates; the caller's matrix is not modified."""
    rows = matrix.tocsr()
    if not rows.has_canonical_format:
        rows = rows.copy() if rows is matrix else rows
        rows.sum_duplicates()
    return rows


def core_values(values: Data) -> Data:
    """Convert to what `_core` accepts: a row-major float array or the parts of a CSR matrix."""
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
