"""Correlation clustering: the search of the shifted min cut, without a shift."""

from __future__ import annotations

import json
import math
from numbers import Real
from typing import Self

import numpy as np
from scipy import sparse

from .. import _core
from .._arrays import Data, Labels, Matrix, core_values
from .._parameters import seed_of, threads_of
from ._cut_search import clusters_of, whole
from ._similarity import SimilarityClusterer


def _mean_of_pairs(similarities: Matrix) -> float:
    """Over pairs of different objects."""
    n = similarities.shape[0]
    if n < 2:
        return 0.0
    return float((similarities.sum() - similarities.diagonal().sum()) / (n * (n - 1)))


class CorrelationClustering(SimilarityClusterer):
    """Correlation clustering.

    Objects with positive similarities want to be together, those with negative ones apart. With X
    the similarities minus a threshold, the cost is the sum of the negative ones inside clusters and
    the positive ones between them,

        1/2 sum_intra (abs(X) - X) + 1/2 sum_inter (abs(X) + X)

    over ordered pairs. It differs by constants from the min cut of X and from the cost of
    `ShiftedMinCut` with ``shift="none"``, whose search lowers it.

    Parameters
    ----------
    n_clusters : int or None, default=None
        At most so many clusters. None: the cost decides.
    threshold : float or None, default=None
        Subtracted from all similarities. None: 0 for precomputed ones, which are signed already;
        for those of rows, which are not, the mean similarity of different objects.
    n_init : int, default=10
        Restarts, of which the lowest cost wins.
    affinity : {"linear", "rbf", "neighbors", "precomputed"}, default="linear"
        Similarities of the rows of X. "precomputed", the natural choice: X is a symmetric matrix of
        signed similarities, or, sparse, a graph.
    distance : {"sqeuclidean", "euclidean"}, default="sqeuclidean"
        Under "linear".
    gamma : float or None, default=None
        Under "rbf". None: one over the number of features.
    n_neighbors : int, default=10
        Under "neighbors".
    random_state : int, RandomState instance or None, default=None
        The same seed gives the same labels, for any `n_jobs`.
    n_jobs : int or None, default=None
        Threads, as joblib counts them: None is 1, -1 all.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each object; 0 is the largest.
    cost_ : float
        Of the grouping, as above.
    disagreements_ : float
        The same over unordered pairs of different objects: with similarities of 1 and -1, the
        number of pairs that are not as they want.
    threshold_ : float
        What was subtracted.
    n_clusters_ : int
        Clusters that are not empty.
    n_iter_ : int
        Sweeps of the best restart.
    n_features_in_ : int
        Number of features seen by `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X had string column names.

    Examples
    --------
    >>> from shiftcut.methods import CorrelationClustering
    >>> X = [[0, 2, -1], [2, 0, -3], [-1, -3, 0]]
    >>> model = CorrelationClustering(affinity="precomputed", random_state=0).fit(X)
    >>> model.labels_
    array([0, 0, 1], dtype=int32)
    >>> model.cost_
    0.0
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        threshold: float | None = None,
        n_init: int = 10,
        affinity: str = "linear",
        distance: str = "sqeuclidean",
        gamma: float | None = None,
        n_neighbors: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.threshold = threshold
        self.n_init = n_init
        self.affinity = affinity
        self.distance = distance
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Data, y: object = None) -> Self:
        """Group the rows of X.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Features; or, with a precomputed affinity, n_samples x n_samples.
        y : ignored

        Returns
        -------
        self
        """
        n_init = whole("n_init", self.n_init)
        similarities = self._similarities(X)
        threshold = self._threshold(similarities)
        values = core_values(similarities)
        count = self.n_clusters
        labels, text, *_ = _core.run(
            values,
            "graph" if sparse.issparse(similarities) else "similarity",
            {
                "clusters": None if count is None else clusters_of(count, similarities.shape[0]),
                "shift": "none" if threshold == 0 else "constant",
                "shift_constant": threshold,
                "restarts": n_init,
                "seed": seed_of(self.random_state),
                "threads": threads_of(self.n_jobs),
            },
            checked=self.affinity != "precomputed",
            notes=[],
        )
        result = json.loads(text)
        self.labels_: Labels = labels
        self.threshold_ = threshold
        self.cost_: float
        self.disagreements_: float
        self.cost_, self.disagreements_ = _core.correlation_cost(values, labels, threshold)
        self.n_clusters_: int = result["clusters_found"]
        best = min(result["restarts"], key=lambda restart: restart["cost"])
        self.n_iter_: int = max(1, best["sweeps"])
        return self

    def _threshold(self, similarities: Matrix) -> float:
        given = self.threshold
        if given is None:
            return 0.0 if self.affinity == "precomputed" else _mean_of_pairs(similarities)
        is_number = isinstance(given, Real) and not isinstance(given, bool | np.bool_)
        if not is_number or not math.isfinite(given):
            raise ValueError(f"threshold: found {given!r}; allowed: a finite number or None")
        return float(given)
