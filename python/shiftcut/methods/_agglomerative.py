"""Agglomerative clustering that merges all mutual nearest pairs at once."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import numpy as np
import numpy.typing as npt
from sklearn.metrics import pairwise_distances

from .. import _core
from .._arrays import Floats, Labels, Matrix
from ._checks import clusters_among, one_of
from ._clusterer import Clusterer

METRICS = ("euclidean", "sqeuclidean", "precomputed")


@dataclass(eq=False, repr=False)
class ReliableAgglomerative(Clusterer):
    """Agglomerative clustering in rounds of mutual nearest pairs.

    Every round merges all pairs of clusters that are each other's nearest neighbours. The linkages
    below are reducible, so the tree is the one that merging a single nearest pair at a time builds;
    the rounds show how early a cluster stood out from the rest.

    Parameters
    ----------
    n_clusters : int, default=2
        Number of clusters. In the round that would pass it, only the lowest merges are made, so
        cutting `linkage_matrix_` by height, as `scipy.cluster.hierarchy.fcluster` does, may give
        a different grouping.
    linkage : {"single", "complete", "average", "ward"}, default="average"
        Distance between clusters: the smallest, largest or mean distance of their objects, or the
        increase in the sum of squares caused by merging. "centroid" and "median" are rejected,
        because they are not reducible.
    metric : {"euclidean", "sqeuclidean", "precomputed"}, default="euclidean"
        Distance between the rows of X. "precomputed": X is a symmetric matrix of distances.
        "ward" squares the distances unless they are "sqeuclidean"; then its heights are squared.
    %(n_jobs)s

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each object; 0 is the largest.
    linkage_matrix_ : ndarray of shape (n_samples - 1, 4)
        The whole tree as `scipy.cluster.hierarchy.linkage` returns it.
    rounds_ : ndarray of shape (n_samples - 1,)
        The round, from 1, of each merge in `linkage_matrix_`.
    n_clusters_ : int
        The number of clusters.
    n_iter_ : int
        Rounds until one cluster is left.
    %(n_features_in_)s

    Examples
    --------
    >>> from shiftcut.methods import ReliableAgglomerative
    >>> X = [[0], [1], [10], [11.5], [30], [32]]
    >>> model = ReliableAgglomerative(3).fit(X)
    >>> model.labels_
    array([0, 0, 1, 1, 2, 2], dtype=int32)
    >>> model.rounds_
    array([1, 1, 1, 2, 3], dtype=int32)
    """

    n_clusters: int = 2
    _: KW_ONLY
    linkage: str = "average"
    metric: str = "euclidean"
    n_jobs: int | None = None

    _matrix_parameter = "metric"
    _entries = "distances"

    def _check_parameters(self) -> None:
        one_of("metric", self.metric, METRICS)

    def _computed(self, rows: Floats) -> Matrix:
        return np.ascontiguousarray(pairwise_distances(rows, metric=self.metric))

    def _cluster(self, distances: Matrix) -> None:
        self.linkage_matrix_: Floats
        self.rounds_: npt.NDArray[np.int32]
        self.labels_: Labels
        self.linkage_matrix_, self.rounds_, self.labels_ = _core.agglomerative(
            distances,
            linkage=str(self.linkage),
            squared=self.metric == "sqeuclidean",
            clusters=clusters_among(self.n_clusters, distances.shape[0]),
            threads=self._threads,
        )
        self.n_clusters_ = int(self.n_clusters)
        self.n_iter_ = int(self.rounds_.max(initial=1))
