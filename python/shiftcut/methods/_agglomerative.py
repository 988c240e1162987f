"""Agglomerative clustering that merges all mutual nearest pairs at once."""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.metrics import pairwise_distances
from sklearn.utils import Tags
from sklearn.utils.validation import validate_data

from .. import _core
from .._arrays import Data, Floats, Labels
from .._parameters import threads_of
from ._cut_search import clusters_of
from ._similarity import check_symmetric, one_of

METRICS = ("euclidean", "sqeuclidean", "precomputed")


class ReliableAgglomerative(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Agglomerative clustering, a round for all mutual nearest pairs.

    In every round all pairs of clusters that are each other's nearest are merged. For the linkages
    below, which are reducible, the tree is that of merging one nearest pair at a time; the rounds
    tell how early a cluster could be told from the rest.

    Parameters
    ----------
    n_clusters : int, default=2
        Where the rounds stop: of the last one only the lowest merges are made. Cutting
        `linkage_matrix_` by height, as `scipy.cluster.hierarchy.fcluster` does, may give another
        grouping.
    linkage : {"single", "complete", "average", "ward"}, default="average"
        The distance of clusters: the smallest, the largest, the mean distance of their objects, or
        by how much merging raises the sum of squares. "centroid" and "median" are not reducible and
        refused.
    metric : {"euclidean", "sqeuclidean", "precomputed"}, default="euclidean"
        Of the rows of X. "precomputed": X is a symmetric matrix of distances. "ward" squares
        distances unless they are "sqeuclidean" already; then its heights are squared too.
    n_jobs : int or None, default=None
        Threads, as joblib counts them: None is 1, -1 all.

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
        Rounds of the whole tree.
    n_features_in_ : int
        Number of features seen by `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X had string column names.

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

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        linkage: str = "average",
        metric: str = "euclidean",
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.linkage = linkage
        self.metric = metric
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Tags:
        tags: Tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags

    def fit(self, X: Data, y: object = None) -> Self:
        """Build the tree of the rows of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features; or distances, n_samples x n_samples, with metric="precomputed".
        y : ignored

        Returns
        -------
        self
        """
        one_of("metric", self.metric, METRICS)
        distances = self._distances(X)
        self.linkage_matrix_: Floats
        self.rounds_: npt.NDArray[np.int32]
        self.labels_: Labels
        self.linkage_matrix_, self.rounds_, self.labels_ = _core.agglomerative(
            distances,
            linkage=str(self.linkage),
            squared=self.metric == "sqeuclidean",
            clusters=clusters_of(self.n_clusters, distances.shape[0]),
            threads=threads_of(self.n_jobs),
        )
        self.n_clusters_ = int(self.n_clusters)
        self.n_iter_ = int(self.rounds_.max(initial=1))
        return self

    def _distances(self, X: Data) -> Floats:
        rows: Floats = validate_data(self, X, dtype=np.float64, order="C")
        if self.metric != "precomputed":
            return np.ascontiguousarray(pairwise_distances(rows, metric=self.metric))
        if rows.shape[0] != rows.shape[1]:
            raise ValueError(
                f"Precomputed matrix must be square: expected shape (n_samples, n_samples), got "
                f"{rows.shape}"
            )
        check_symmetric(rows, "distances")
        return rows
