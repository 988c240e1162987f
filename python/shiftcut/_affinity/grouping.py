"""What a fit found, as the affinities need it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from .._arrays import Floats, Labels, Matrix

CHUNK = 4096  # rows looked at together, so that no copy of all of them is made


class Affinity(Protocol):
    def affinities(self, values: Matrix) -> Floats:
        """Of each row of `values` to each cluster."""


@dataclass(frozen=True)
class Grouping:
    labels: Labels
    sizes: Floats
    cost: float
    shift: str  # "adaptive", "constant", "none", "matrix"
    strength: float
    constant: float

    @property
    def adaptive(self) -> bool:
        return self.shift not in ("constant", "none", "matrix")

    @property
    def subtracted(self) -> float:
        """From each pair, where the shift is the same for all."""
        return self.strength * self.constant if self.shift == "constant" else 0.0


def chunks(n: int, size: int = CHUNK) -> Iterator[slice]:
    for begin in range(0, n, size):
        yield slice(begin, min(n, begin + size))
