"""Parameters of the dominant set estimators as the library takes them."""

from __future__ import annotations

import math
import numbers
import warnings

from sklearn.exceptions import ConvergenceWarning

from ._similarity import one_of

DYNAMICS = ("replicator", "infection")


def count(name: str, value: object, least: int = 1) -> int:
    """`value` as an int, or ValueError."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name}: found {value!r}; allowed: whole numbers, {least} or more")
    return int(value)


def number(name: str, value: object) -> float:
    """`value` as a float, or ValueError."""
    if not isinstance(value, numbers.Real) or isinstance(value, bool) or math.isnan(value):
        raise ValueError(f"{name}: found {value!r}; allowed: numbers")
    return float(value)


def clusters_wanted(n_clusters: int | None, n_samples: int) -> int:
    """The number, 0 for None."""
    if n_clusters is None:
        return 0
    if count("n_clusters", n_clusters) > n_samples:
        raise ValueError(
            f"n_clusters: found {n_clusters} for n_samples={n_samples}; allowed: no more than these"
        )
    return int(n_clusters)


def shift_wanted(value: object) -> float | None:
    """The shift; None, for "auto", is the least similarity."""
    if isinstance(value, str):
        one_of("shift", value, ("auto",))
        return None
    return number("shift", value)


def warn_unfinished(unfinished: int, total: int, what: str) -> None:
    """A ConvergenceWarning where there are any."""
    if unfinished:
        warnings.warn(
            f"{unfinished} of {total} {what} stopped at max_iter before tol was met",
            ConvergenceWarning,
            stacklevel=3,
        )
