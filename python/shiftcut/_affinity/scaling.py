"""The scaling of the features, as the library does it: y = (x - offset) * factor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from .._arrays import Floats, Matrix


@dataclass(frozen=True)
class Scaling:
    offset: Floats
    factor: Floats

    @classmethod
    def none(cls, columns: int) -> Scaling:
        return cls(np.zeros(columns), np.ones(columns))

    def apply(self, values: Matrix) -> Matrix:
        if sparse.issparse(values):
            return values
        return (values - self.offset) * self.factor
