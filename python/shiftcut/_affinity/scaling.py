"""The scaling of the features, as the library does it: y = (x - offset) * factor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from .._arrays import Floats, Matrix
from .grouping import chunks

_CHUNK_NUMBERS = 2**16  # that stay near the processor
_GUESSED_FROM = 1000  # rows


@dataclass(frozen=True)
class Scaling:
    offset: Floats
    factor: Floats

    @classmethod
    def of(cls, values: Matrix, scale: str) -> Scaling:
        """A constant column becomes 0 under "standard" and "minmax". Reads chunks, copies none."""
        d = values.shape[1]
        if scale == "none" or sparse.issparse(values):
            return cls(np.zeros(d), np.ones(d))
        if scale == "minmax":
            lowest = values.min(axis=0).astype(np.float64)
            return cls(lowest, _inverse(values.max(axis=0) - lowest))
        mean, deviation = _moments(values)
        return cls(mean, _inverse(deviation))

    def apply(self, values: Matrix) -> Matrix:
        """Sparse rows are never scaled."""
        if sparse.issparse(values):
            return values
        return (values - self.offset) * self.factor


def _moments(values: Matrix) -> tuple[Floats, Floats]:
    """Mean and population deviation of the columns, in one pass around a first guess of the mean;
    the deviation is exactly 0 where all are equal."""
    n, d = values.shape
    guess = values[:_GUESSED_FROM].mean(axis=0, dtype=np.float64)
    sums, squares = np.zeros(d), np.zeros(d)
    size = min(n, max(256, _CHUNK_NUMBERS // d))
    space, ones = np.empty((size, d)), np.ones(size)
    for rows in chunks(n, size):
        few = rows.stop - rows.start
        away = np.subtract(values[rows], guess, out=space[:few])
        sums += ones[:few] @ away
        squares += ones[:few] @ np.square(away, out=away)
    off = sums / n
    deviation = np.sqrt(np.maximum(0.0, squares / n - off**2))
    for column in np.flatnonzero(deviation <= 1e-7 * (np.abs(guess) + np.abs(off))):
        # Too near to rounding: look again, around the mean itself.
        only = values[:, column]
        around = only - (guess[column] + off[column])
        constant = only.min() == only.max()
        deviation[column] = 0.0 if constant else np.sqrt((around**2).mean())
    return guess + off, deviation


def _inverse(width: Floats) -> Floats:
    return np.divide(1.0, width, out=np.zeros_like(width, dtype=np.float64), where=width > 0)
