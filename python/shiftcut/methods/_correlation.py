"""Correlation clustering: the search of the shifted min cut, without a shift."""

from __future__ import annotations

import json
from dataclasses import KW_ONLY, dataclass

import numpy as np
from scipy import sparse

from .. import _core
from .._arrays import Labels, Matrix, core_values
from .._parameters import seed_of
from ._checks import clusters_among, number, whole
from ._clusterer import SimilarityClusterer


def _mean_of_pairs(similarities: Matrix) -> float:
    """Over pairs of different objects."""
    n = similarities.shape[0]
    if n < 2:
        return 0.0
    return float((similarities.sum() - similarities.diagonal().sum()) / (n * (n - 1)))


@dataclass(eq=False, repr=False)
class CorrelationClustering(SimilarityClusterer):
    """Correlation clustering.

    Objects with a positive similarity belong together, those with a negative one apart. With X the
    similarities minus a threshold, the cost adds up the negative ones inside clusters and the
    positive ones between them,

        1/2 sum_intra (abs(X) - X) + 1/2 sum_inter (abs(X) + X)

    over ordered pairs. It differs only by constants from the min cut of X and from the cost of
    `ShiftedMinCut` with ``shift="none"``, whose search minimises it.

    Parameters
    ----------
    n_clusters : int or None, default=None
        Largest number of clusters. None: the cost decides.
    threshold : float or None, default=None
        Subtracted from all similarities. None: 0 for precomputed similarities, which are signed
        already; otherwise the mean similarity of different objects.
    n_init : int, default=10
        Restarts; the one with the lowest cost wins.
    affinity : {"linear", "rbf", "neighbors", "precomputed"}, default="linear"
        Similarities of the rows of X. "precomputed", the natural choice: X is a symmetric matrix of
        signed similarities, or, sparse, a graph.
    %(affinity_parameters)s
    random_state : int, RandomState instance or None, default=None
        The same seed gives the same labels, for any `n_jobs`.
    %(n_jobs)s

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each object; 0 is the largest.
    cost_ : float
        Cost of the grouping, as above.
    disagreements_ : float
        The same over unordered pairs of different objects: with similarities of 1 and -1, the
        number of pairs that disagree with the grouping.
    threshold_ : float
        The threshold used.
    n_clusters_ : int
        Number of non-empty clusters.
    n_iter_ : int
        Sweeps of the best restart.
    %(n_features_in_)s

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

    n_clusters: int | None = None
    _: KW_ONLY
    threshold: float | None = None
    n_init: int = 10
    random_state: int | np.random.RandomState | None = None

    def _check_parameters(self) -> None:
        super()._check_parameters()
        whole("n_init", self.n_init)

    def _cluster(self, similarities: Matrix) -> None:
        threshold = self._threshold(similarities)
        values = core_values(similarities)
        count = self.n_clusters
        labels, text, *_ = _core.run(
            values,
            "graph" if sparse.issparse(similarities) else "similarity",
            {
                "clusters": None if count is None else clusters_among(count, similarities.shape[0]),
                "shift": "none" if threshold == 0 else "constant",
                "shift_constant": threshold,
                "restarts": int(self.n_init),
                "seed": seed_of(self.random_state),
                "threads": self._threads,
            },
            checked=not self._is_precomputed,
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

    def _threshold(self, similarities: Matrix) -> float:
        given = self.threshold
        if given is None:
            return 0.0 if self._is_precomputed else _mean_of_pairs(similarities)
        return number("threshold", given, "a finite number or None")
