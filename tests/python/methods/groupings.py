"""All groupings of a few objects, and objects whose groups anyone can see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ..data import Floats

Ints = npt.NDArray[np.signedinteger[Any]]


def groupings(n: int, k: int) -> Iterator[Ints]:
    """Every grouping of n objects into exactly k clusters."""

    def place(labels: list[int], used: int) -> Iterator[Ints]:
        if len(labels) == n:
            if used == k:
                yield np.array(labels)
            return
        for label in range(min(used + 1, k)):
            yield from place([*labels, label], max(used, label + 1))

    yield from place([], 0)


def separated_points() -> Floats:
    """Ninety points around the corners of a triangle, one corner after the other."""
    corners = np.array([[0.0, 0], [12, 0], [0, 12]])
    return np.asarray(corners[np.arange(90) % 3] + np.random.default_rng(0).normal(size=(90, 2)))
