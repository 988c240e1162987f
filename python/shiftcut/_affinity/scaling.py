"""The scaling of the features, as the library does it: y = (x - offset) * factor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from .._arrays import Floats, Matrix
from .grouping import chunks


@dataclass(frozen=True)
class Scaling:
    offset: Floats
    factor: Floats

    @classmethod
    def of(cls, values: Matrix, scale: str) -> Scaling:
        """A constant column becomes 0 under "standard" and "minmax". Reads chunks, copies none."""
        n, d = values.shape
        if scale == "none" or sparse.issparse(values):
            return cls(np.zeros(d), np.ones(d))
        if scale == "minmax":
            lowest = values.min(axis=0).astype(np.float64)
            return cls(lowest, _inverse(values.max(axis=0) - lowest))
        mean = np.zeros(d)
        for rows in chunks(n):
            mean += values[rows].sum(axis=0, dtype=np.float64) / n
        variance = np.zeros(d)
        for rows in chunks(n):
            away = values[rows] - mean
            variance += np.einsum("ij,ij->j", away, away) / n
        constant = values.min(axis=0) == values.max(axis=0)
        return cls(mean, _inverse(np.where(constant, 0.0, np.sqrt(variance))))

    def apply(self, values: Matrix) -> Matrix:
        """Sparse rows are never scaled."""
        if sparse.issparse(values):
            return values
        return (values - self.offset) * self.factor


def _inverse(width: Floats) -> Floats:
    return np.divide(1.0, width, out=np.zeros_like(width, dtype=np.float64), where=width > 0)
