"""A hierarchy of dominant sets."""

from __future__ import annotations

from typing import Self

from .. import _core
from .._arrays import Data, Labels, core_values
from .._parameters import threads_of
from ._dominant_set_parameters import (
    DYNAMICS,
    clusters_wanted,
    count,
    number,
    warn_unfinished,
)
from ._similarity import SimilarityClusterer, one_of


class HierarchicalDominantSets(SimilarityClusterer):
    """A hierarchy of dominant sets (Pavan and Pelillo 2003).

    Maximises x^T (A - alpha I) x instead: the larger alpha, the larger the sets. Above the largest
    eigenvalue of A all objects are one cluster; from level to level alpha falls, each cluster is
    peeled anew, and at alpha = 0 the clusters are plain dominant sets.

    Parameters
    ----------
    n_clusters : int or None, default=None
        The first level with so many clusters or more is the last. None: down to alpha = 0.
    factor : float, default=0.8
        What alpha is multiplied by from level to level.
    n_levels : int, default=20
        At most so many levels, the first (one cluster) and the last (alpha = 0) included.
    dynamics : {"infection", "replicator"}, default="infection"
        As of `DominantSets`. "replicator" is slow where alpha is large.
    tol : float, default=1e-8
        As of `DominantSets`.
    max_iter : int or None, default=None
        As of `DominantSets`.
    support : float, default=1e-5
        As of `DominantSets`.
    affinity, distance, gamma, n_neighbors
        As of `DominantSets`.
    n_jobs : int or None, default=None
        Threads, as joblib counts them. They do not change the result.

    Attributes
    ----------
    levels_ : list of tuple (float, ndarray of shape (n_samples,))
        Alpha and the labels, from one cluster to many. Each level divides the clusters of the one
        before; an object left alone is a cluster of its own.
    labels_ : ndarray of shape (n_samples,)
        Those of the last level, numbered by each cluster's first object.
    n_clusters_ : int
        Clusters of the last level.
    n_iter_ : int
        Steps, all levels together.
    n_features_in_ : int
        Number of features seen by `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X had string column names.

    Examples
    --------
    >>> from shiftcut.methods import HierarchicalDominantSets
    >>> X = [[0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9]]
    >>> model = HierarchicalDominantSets(2, affinity="rbf").fit(X)
    >>> model.labels_
    array([0, 0, 0, 1, 1, 1], dtype=int32)
    >>> [int(labels.max()) + 1 for alpha, labels in model.levels_]
    [1, 2]
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        factor: float = 0.8,
        n_levels: int = 20,
        dynamics: str = "infection",
        tol: float = 1e-8,
        max_iter: int | None = None,
        support: float = 1e-5,
        affinity: str = "linear",
        distance: str = "sqeuclidean",
        gamma: float | None = None,
        n_neighbors: int = 10,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.factor = factor
        self.n_levels = n_levels
        self.dynamics = dynamics
        self.tol = tol
        self.max_iter = max_iter
        self.support = support
        self.affinity = affinity
        self.distance = distance
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.n_jobs = n_jobs

    def fit(self, X: Data, y: object = None) -> Self:
        """Find the levels.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Features; or, under "precomputed", n_samples x n_samples.
        y : ignored

        Returns
        -------
        self
        """
        one_of("dynamics", self.dynamics, DYNAMICS)
        similarities = self._similarities(X)
        levels = _core.dominant_set_hierarchy(
            core_values(similarities),
            dynamics=self.dynamics,
            tolerance=number("tol", self.tol),
            max_steps=0 if self.max_iter is None else count("max_iter", self.max_iter),
            support=number("support", self.support),
            factor=number("factor", self.factor),
            levels=count("n_levels", self.n_levels, 2),
            enough=clusters_wanted(self.n_clusters, similarities.shape[0]),
            threads=threads_of(self.n_jobs),
        )
        self.levels_: list[tuple[float, Labels]] = [level[:2] for level in levels]
        self.labels_: Labels = self.levels_[-1][1].copy()
        self.n_clusters_: int = levels[-1][2]
        self.n_iter_ = max(1, sum(level[3] for level in levels))
        warn_unfinished(sum(not level[4] for level in levels), len(levels), "levels")
        return self
