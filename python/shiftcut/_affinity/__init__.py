"""Affinities of new rows to the clusters of a fit.

The affinity of a new object o to cluster C is the sum of S_oj over the members j, with
S_oj = x_oj - strength * alpha_oj. Under the adaptive shift alpha_oj = m_o + m_j - m: m_o is the
mean of the new object's similarities to the training objects, m_j and m are those of the fit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scipy import sparse

from .._arrays import Matrix
from .grouping import Affinity, Grouping
from .neighbors import NeighborAffinity
from .pairs import (
    DistanceRows,
    GivenDistances,
    GivenProbabilities,
    GivenSimilarities,
    PairAffinity,
    RbfRows,
)
from .products import CosineAffinity, LinearAffinity
from .scaling import Scaling

__all__ = ["Affinity", "Grouping", "Scaling", "affinity_of"]


class _UnknownShift:
    """A shift matrix says nothing of objects that were not there."""

    def affinities(self, values: Matrix) -> Matrix:
        raise ValueError(
            "A shift matrix holds no shift for new rows: predict and transform need another shift."
        )


def affinity_of(
    grouping: Grouping,
    values: Matrix,
    similarity: str,
    options: Mapping[str, Any],
    result: Mapping[str, Any],
    scaling: Scaling,
) -> Affinity:
    """What `predict` needs to keep of a fit: `values` are the training data, `options` the
    library's; `scaling` is that of dense features."""
    if grouping.shift == "matrix":
        return _UnknownShift()
    if similarity == "precomputed":
        is_log_odds = options.get("weights") == "log-odds"
        source = GivenProbabilities(values) if is_log_odds else GivenSimilarities(values)
        return PairAffinity(grouping, source)
    if similarity == "precomputed_distance":
        return PairAffinity(grouping, GivenDistances(values))
    if sparse.issparse(values):
        scaling = Scaling.none(values.shape[1])
    if similarity == "neighbors":
        return NeighborAffinity(grouping, values, scaling, options)
    if similarity == "rbf":
        return PairAffinity(grouping, RbfRows(values, scaling, options["sigma"]))
    if similarity == "cosine":
        return CosineAffinity(grouping, values, scaling)
    if result["distance"] == "euclidean":
        return PairAffinity(grouping, DistanceRows(values, scaling))
    return LinearAffinity(grouping, values, scaling, options["threads"])
