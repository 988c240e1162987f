"""The size regularised cut."""

from __future__ import annotations

from typing import Self

from .. import _core
from .._arrays import Data, core_values
from .._parameters import threads_of
from ._non_negative import NonNegativeClusterer
from ._similarity import one_of
from ._spectral_parameters import clusters, number


class SizeRegularisedCut(NonNegativeClusterer):
    """Size regularised cut (Chen, Zhang and Ji, 2005).

    For two clusters, makes cut + alpha / 4 (size_1 - size_2)^2 small, by thresholding the
    eigenvector of the smallest eigenvalue of L + alpha v v', where L is the Laplacian of the
    similarities and v the size of each object. For more, it goes on splitting the cluster that
    lowers cut + alpha / 2 sum_k size_k^2 most.

    Parameters
    ----------
    n_clusters : int, default=2
        Clusters to make.
    alpha : float
        Above 0: how much equal sizes count against the cut. There is no value good for all data,
        so `fit` wants one.
    size : {"cardinality", "volume"}, default="cardinality"
        Of a cluster: its objects, or the sum of their row sums. The former is the constant shift of
        the similarities by alpha.
    threshold : {"sweep", "zero"}, default="sweep"
        "sweep": where the cost is least, of all places along the eigenvector; exactly `n_clusters`
        clusters. "zero": by sign; where all signs are equal the cluster stays whole, so there may
        be fewer.
    affinity : {"linear", "rbf", "neighbors", "precomputed"}, default="linear"
        Of the rows of X. "precomputed": X are the similarities, none negative, n_samples x
        n_samples, dense or sparse.
    distance : {"sqeuclidean", "euclidean"}, default="sqeuclidean"
        Under "linear".
    gamma : float or None, default=None
        Under "rbf". None: one over the number of features.
    n_neighbors : int, default=10
        Under "neighbors".
    n_jobs : int or None, default=None
        Threads, as joblib counts them. They do not change the result.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Clusters, numbered in the order of their first objects.
    n_clusters_ : int
        Their number.
    cost_ : float
        cut + alpha / 2 sum_k size_k^2 - alpha / 4 (sum_k size_k)^2, each pair counted once; for two
        clusters the cost above.
    eigenvalue_ : float
        The smallest of L + alpha v v'; 0 for one cluster, which needs none.
    eigenvector_ : ndarray of shape (n_samples,)
        Its vector, of length 1; empty for one cluster. It is constant while alpha is light: the
        relaxation would rather not cut. "sweep" then goes along the second eigenvector of L.
    n_features_in_ : int
        Number of features seen by `fit`.

    Notes
    -----
    Negative similarities are refused (ValueError); so, where volume is the size, is an object that
    has none above 0.

    References
    ----------
    Y. Chen, Y. Zhang, X. Ji: Size Regularized Cut for Data Clustering. NIPS 2005.

    Examples
    --------
    >>> from shiftcut.methods import SizeRegularisedCut
    >>> X = [[0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9]]
    >>> SizeRegularisedCut(2, alpha=50.0).fit_predict(X)
    array([0, 0, 0, 1, 1, 1], dtype=int32)
    """

    def __init__(
        self,
        n_clusters: int = 2,
        alpha: float | None = None,
        *,
        size: str = "cardinality",
        threshold: str = "sweep",
        affinity: str = "linear",
        distance: str = "sqeuclidean",
        gamma: float | None = None,
        n_neighbors: int = 10,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.alpha = alpha
        self.size = size
        self.threshold = threshold
        self.affinity = affinity
        self.distance = distance
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.n_jobs = n_jobs

    def fit(self, X: Data, y: object = None) -> Self:
        """Group the rows of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features; or, precomputed, n_samples x n_samples similarities.
        y : ignored

        Returns
        -------
        self
        """
        one_of("size", self.size, ("cardinality", "volume"))
        one_of("threshold", self.threshold, ("sweep", "zero"))
        similarities = self._similarities(X)
        self.labels_, self.cost_, self.eigenvalue_, self.eigenvector_ = _core.size_regularised_cut(
            core_values(similarities),
            clusters(self.n_clusters, similarities.shape[0]),
            number("alpha", self.alpha, "numbers above 0", 0, above=True),
            by_volume=self.size == "volume",
            by_sign=self.threshold == "zero",
            threads=threads_of(self.n_jobs),
        )
        self.n_clusters_ = int(self.labels_.max()) + 1
        return self
