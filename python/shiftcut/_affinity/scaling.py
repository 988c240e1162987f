"""The scaling of the features, as the library does it: y = (x - offset) * factor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from .. import _core
from .._arrays import Floats, Matrix


@dataclass(frozen=True)
class Scaling:
    offset: Floats
    factor: Floats

    @classmethod
    def of(cls, values: Matrix, options: Mapping[str, Any]) -> Scaling:
        """Sparse rows are never scaled."""
        if sparse.issparse(values):
            return cls(np.zeros(values.shape[1]), np.ones(values.shape[1]))
        return cls(*_core.scaling(values, {name: options[name] for name in ("scale", "threads")}))

    def apply(self, values: Matrix) -> Matrix:
        if sparse.issparse(values):
            return values
        return (values - self.offset) * self.factor
