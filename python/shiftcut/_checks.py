"""Strict checks of user input: nothing is decided by truthiness."""

from __future__ import annotations

import operator
from numbers import Real
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import _check_sample_weight

from ._arrays import Matrix

_ANSWERS = {
    **dict.fromkeys(("same", "yes", "y"), True),
    **dict.fromkeys(("different", "no", "n"), False),
    **dict.fromkeys(("unsure", "u"), None),
}
_ROWS = 256


def is_bool(value: object) -> bool:
    return isinstance(value, bool | np.bool_)


def is_missing(value: Any) -> bool:  # noqa: ANN401
    """Whether a value is None, NaN (which does not equal itself) or pandas' NA."""
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


def flag(name: str, value: object) -> bool:
    """Return a bool; TypeError for anything else."""
    if not is_bool(value):
        raise TypeError(f"{name}: found {value!r}; allowed: True or False")
    return bool(value)


def verbosity(value: object) -> bool:
    """Return whether to show progress, from a non-negative int or a bool."""
    if not is_bool(value) and not (isinstance(value, int | np.integer) and value >= 0):
        raise ValueError(f"verbose: found {value!r}; allowed: an int of 0 or more, or a bool")
    return bool(value)


def index(value: Any, n: int) -> int:  # noqa: ANN401
    """Return the index of one of `n` samples; TypeError or ValueError otherwise."""
    told = f"sample must be an index from 0 to {n - 1} (there are {n} samples), got {value!r}"
    if is_bool(value) or not hasattr(value, "__index__"):
        raise TypeError(told)
    if not 0 <= operator.index(value) < n:
        raise ValueError(told)
    return operator.index(value)


def count(name: str, value: Any) -> int:  # noqa: ANN401
    """Return a non-negative int; TypeError or ValueError otherwise."""
    if is_bool(value) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an int of 0 or more, got {value!r}")
    if operator.index(value) < 0:
        raise ValueError(f"{name} must be 0 or more, got {value!r}")
    return operator.index(value)


def answer_of(value: object) -> bool | None:
    """Return whether two samples belong together; None means unsure."""
    if value is None:
        return None
    if is_bool(value):
        return bool(value)
    if isinstance(value, str) and value in _ANSWERS:
        return _ANSWERS[value]
    kind = ValueError if isinstance(value, str | Real) else TypeError
    raise kind(
        f"an answer: found {value!r}; allowed: True, 'same', 'yes', 'y'; False, 'different', 'no', "
        "'n'; None, 'unsure', 'u'"
    )


def asymmetry(matrix: Matrix) -> tuple[float, float]:
    """Return the largest difference between an entry and its transpose, and the largest entry. Full
    matrices are processed in blocks of rows."""
    n = matrix.shape[0]
    if sparse.issparse(matrix):
        return float(abs(matrix - matrix.T).max()), float(abs(matrix).max())
    largest = max(matrix.max(), -matrix.min())
    parts = [slice(first, min(n, first + _ROWS)) for first in range(0, n, _ROWS)]
    return float(max(np.abs(matrix[p] - matrix[:, p].T).max() for p in parts)), float(largest)


def symmetric_hint(name: str, matrix: Matrix) -> str:
    """Suggest how to make the matrix symmetric."""
    a = name
    how = f"{a}.maximum({a}.T)" if sparse.issparse(matrix) else f"({a} + {a}.T) / 2"
    return f"{how} is symmetric"


def row_weights(given: Any, values: Matrix) -> Any:  # noqa: ANN401
    """Return the weights of the rows as an array, checked as scikit-learn does, or None."""
    if given is None:
        return None
    return _check_sample_weight(given, values, dtype=np.float64, ensure_non_negative=True)
