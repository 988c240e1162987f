"""Checks of the methods' parameters, all in the same words."""

from __future__ import annotations

import math
from numbers import Integral, Real

from .._checks import is_bool


class ParameterError(ValueError, TypeError):
    """A parameter that is not allowed, caught as either, like scikit-learn's own error."""


def refuse(name: str, value: object, allowed: str) -> ParameterError:
    """The error that names a parameter, its value and what is allowed."""
    return ParameterError(f"{name}: found {value!r}; allowed: {allowed}")


def one_of(name: str, value: object, allowed: tuple[str, ...]) -> None:
    """Raise ParameterError unless the value is one of the words."""
    if not isinstance(value, str) or value not in allowed:
        raise refuse(name, value, ", ".join(repr(word) for word in allowed))


def whole(name: str, value: object, least: int = 1, most: int | None = None, top: str = "") -> int:
    """The value as an int between the bounds; `top` describes the upper one."""
    plain = isinstance(value, Integral) and not is_bool(value)
    if plain and least <= int(value) <= (math.inf if most is None else most):  # type: ignore[call-overload]
        return int(value)  # type: ignore[call-overload,no-any-return]
    if most is None:
        raise refuse(name, value, f"an int of {least} or more")
    raise refuse(name, value, f"an int from {least} to {top or most}")


def clusters_among(n_clusters: object, n_samples: int) -> int:
    """The number of clusters, from 1 to the number of objects."""
    return whole("n_clusters", n_clusters, 1, n_samples, f"n_samples={n_samples}")


def number(
    name: str, value: object, allowed: str, least: float = -math.inf, *, above: bool = False
) -> float:
    """The value as a finite float of at least, or strictly above, a bound."""
    plain = isinstance(value, Real) and not is_bool(value)
    x = float(value) if plain else math.nan  # type: ignore[arg-type]
    if not math.isfinite(x) or x < least or (above and x == least):
        raise refuse(name, value, allowed)
    return x
