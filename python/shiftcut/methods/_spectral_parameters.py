"""Checks of what the spectral methods are given, in one voice."""

from __future__ import annotations

import math
from numbers import Integral, Real

import numpy as np

from .._arrays import Labels


def whole(name: str, value: object, least: int, most: float = math.inf, more: str = "") -> int:
    """Return a whole number, or raise ValueError if it is none or out of bounds."""
    plain = isinstance(value, Integral) and not isinstance(value, bool | np.bool_)
    if not plain or not least <= int(value) <= most:  # type: ignore[call-overload]
        top = f"to {more or most}" if math.isfinite(most) else "or more"
        raise ValueError(f"{name}: found {value!r}; allowed: whole numbers, {least} {top}")
    return int(value)  # type: ignore[call-overload,no-any-return]


def clusters(value: object, n_samples: int) -> int:
    """Return a number of clusters that so many objects can make up."""
    return whole("n_clusters", value, 1, n_samples, f"n_samples={n_samples}")


def number(name: str, value: object, allowed: str, least: float, *, above: bool) -> float:
    """Return a finite number of at least, or above, a bound, or raise ValueError."""
    plain = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    x = float(value) if plain else math.nan  # type: ignore[arg-type]
    if not math.isfinite(x) or x < least or (above and x == least):
        raise ValueError(f"{name}: found {value!r}; allowed: {allowed}")
    return x


def in_order_of_objects(labels: Labels) -> Labels:
    """Number the clusters 0, 1, ... in the order of their first objects."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int32)
    rank[np.argsort(first)] = np.arange(len(first), dtype=np.int32)
    ordered: Labels = rank[inverse]
    return ordered
