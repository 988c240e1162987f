"""The size regularised cut."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from .. import _core
from .._arrays import Matrix, core_values
from ._checks import clusters_among, number, one_of
from ._clusterer import NonNegativeClusterer


@dataclass(eq=False, repr=False)
class SizeRegularisedCut(NonNegativeClusterer):
    """Size regularised cut (Chen, Zhang and Ji, 2005).

    For two clusters, minimises cut + alpha / 4 (size_1 - size_2)^2 by thresholding the eigenvector
    of the smallest eigenvalue of L + alpha v v', where L is the Laplacian of the similarities and v
    the size of each object. For more clusters, it keeps splitting the one whose split lowers
    cut + alpha / 2 sum_k size_k^2 most.

    Parameters
    ----------
    n_clusters : int, default=2
        Number of clusters.
    alpha : float
        Above 0: the weight of equal sizes against the cut. No value suits all data, so there is no
        default and `fit` requires one.
    size : {"cardinality", "volume"}, default="cardinality"
        Size of a cluster: the number of its objects, or the sum of their row sums. The former
        amounts to shifting the similarities by the constant alpha.
    threshold : {"sweep", "zero"}, default="sweep"
        "sweep": the threshold of the least cost along the eigenvector; gives exactly `n_clusters`
        clusters. "zero": by sign; a cluster stays whole where all signs are equal, so there may be
        fewer.
    affinity : {"linear", "rbf", "neighbors", "precomputed"}, default="linear"
        Similarities of the rows of X. "precomputed": X holds the similarities, none negative,
        n_samples x n_samples, dense or sparse.
    %(affinity_parameters)s
    %(n_jobs)s

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Clusters, numbered in the order of their first objects.
    n_clusters_ : int
        Number of clusters found.
    cost_ : float
        cut + alpha / 2 sum_k size_k^2 - alpha / 4 (sum_k size_k)^2, each pair counted once; for two
        clusters the cost above.
    eigenvalue_ : float
        The smallest of L + alpha v v'; 0 for one cluster, which needs none.
    eigenvector_ : ndarray of shape (n_samples,)
        Its eigenvector, of length 1; empty for one cluster. It is constant where alpha is small,
        because the relaxation prefers not to cut; "sweep" then uses the second eigenvector of L.
    %(n_features_in_)s

    Notes
    -----
    Negative similarities are rejected (ValueError); so, with size="volume", is an object without a
    positive similarity.

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

    n_clusters: int = 2
    alpha: float | None = None
    _: KW_ONLY
    size: str = "cardinality"
    threshold: str = "sweep"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        one_of("size", self.size, ("cardinality", "volume"))
        one_of("threshold", self.threshold, ("sweep", "zero"))

    def _cluster(self, similarities: Matrix) -> None:
        self.labels_, self.cost_, self.eigenvalue_, self.eigenvector_ = _core.size_regularised_cut(
            core_values(similarities),
            clusters_among(self.n_clusters, similarities.shape[0]),
            number("alpha", self.alpha, "numbers above 0", 0, above=True),
            by_volume=self.size == "volume",
            by_sign=self.threshold == "zero",
            threads=self._threads,
        )
        self.n_clusters_ = int(self.labels_.max()) + 1
