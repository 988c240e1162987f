"""p-spectral clustering, and the functional it minimises."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .. import _core
from .._arrays import Floats, Matrix, core_values
from .._checks import flag
from .._parameters import threads_of
from ._checks import clusters_among, number, one_of, refuse, whole
from ._clusterer import NonNegativeClusterer


def _power(p: object) -> float:
    x = number("p", p, "above 1, up to 2", 1, above=True)
    if x > 2:
        raise refuse("p", p, "above 1, up to 2")
    return x


class PEigenpair(NamedTuple):
    """The second eigenpair of a graph p-Laplacian."""

    value: float
    vector: Floats
    history: list[float]
    converged: bool


def p_eigenpair(
    similarities: Matrix,
    p: float = 1.2,
    *,
    normalized: bool = True,
    max_iter: int = 100,
    n_jobs: int | None = None,
) -> PEigenpair:
    """The second eigenpair of the p-Laplacian: a minimum of `p_functional`.

    Parameters
    ----------
    similarities : {ndarray, sparse matrix} of shape (n_samples, n_samples)
        Symmetric, none negative.
    p : float, default=1.2
        Above 1, up to 2. At 2 it is the second eigenpair of L y = lambda y, or, normalised, of
        L y = lambda D y.
    normalized : bool, default=True
        Whether objects are weighted by their row sums.
    max_iter : int, default=100
        Largest number of steps for each p on the way down from 2.
    n_jobs : int or None, default=None
        Threads, as joblib counts them; they do not change the result.

    Returns
    -------
    PEigenpair
        `value`; `vector`, its largest entry 1 or -1; `history`, the functional at the start and
        after each step at the final p; `converged`.

    Examples
    --------
    >>> from shiftcut.methods import p_eigenpair
    >>> round(p_eigenpair([[0, 1, 0], [1, 0, 1], [0, 1, 0]], 2, normalized=False).value, 6)
    1.0
    """
    value, vector, history, converged = _core.p_eigenpair(
        core_values(_doubles(similarities)),
        p=_power(p),
        normalized=flag("normalized", normalized),
        max_steps=whole("max_iter", max_iter, 1, 2**31 - 1),
        threads=threads_of(n_jobs),
    )
    return PEigenpair(value, vector, history, converged)


def p_functional(
    similarities: Matrix,
    u: npt.ArrayLike,
    p: float = 1.2,
    *,
    normalized: bool = True,
    n_jobs: int | None = None,
) -> float:
    """sum_{i<j} w_ij |u_i - u_j|^p / min_c sum_i g_i |u_i - c|^p.

    Parameters
    ----------
    similarities : {ndarray, sparse matrix} of shape (n_samples, n_samples)
        w: symmetric, none negative.
    u : array-like of shape (n_samples,)
        Not constant.
    p : float, default=1.2
        Above 1, up to 2.
    normalized : bool, default=True
        Whether g are the row sums of w; else they are 1.
    n_jobs : int or None, default=None
        Threads, as joblib counts them; they do not change the result.

    Returns
    -------
    float

    Examples
    --------
    >>> from shiftcut.methods import p_functional
    >>> p_functional([[0, 1, 0], [1, 0, 1], [0, 1, 0]], [1, 0, -1], 2, normalized=False)
    1.0
    """
    return _core.p_functional(
        core_values(_doubles(similarities)),
        np.ascontiguousarray(u, dtype=np.float64),
        p=_power(p),
        normalized=flag("normalized", normalized),
        threads=threads_of(n_jobs),
    )


def _doubles(similarities: Matrix) -> Matrix:
    if hasattr(similarities, "tocsr"):
        return similarities
    return np.asarray(similarities, dtype=np.float64)


@dataclass(eq=False, repr=False)
class PSpectral(NonNegativeClusterer):
    """p-spectral clustering (Buehler and Hein, 2009).

    Splits clusters in two along the second eigenvector of the graph p-Laplacian, the minimum of

        F_p(u) = sum_{i<j} w_ij |u_i - u_j|^p / min_c sum_i g_i |u_i - c|^p,

    at the threshold of the least Cheeger cut. At p = 2 it is spectral bipartitioning; as p
    approaches 1, the cut approaches the best there is. p decreases from 2 by factors of 0.9, and
    each minimum is the start of the next. The cluster to split is the one whose split gives the
    least total ratio or normalised cut; a disconnected cluster is split into its components.

    Parameters
    ----------
    n_clusters : int, default=2
        Number of clusters.
    p : float, default=1.2
        Above 1, up to 2.
    normalized : bool, default=True
        Normalised cuts, g the row sums of w; else ratio cuts, g = 1.
    criterion : {"cheeger", "ratio"}, default="cheeger"
        Of the best threshold: the cut divided by the smaller side, or by each side, summed.
    max_iter : int, default=100
        Largest number of steps for each p and split.
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
        Number of clusters.
    cut_ : float
        Sum over the clusters of cut / g: the normalised cut or the ratio cut.
    n_iter_ : int
        Steps of all splits together.
    %(n_features_in_)s

    Notes
    -----
    Every step computes a power for each pair of objects several times and solves a linear system.
    That is fast for graphs and slow for large matrices: expect some minutes for each split of
    10,000 objects with a full matrix, and half as much memory again as the matrix takes.

    Negative similarities are rejected (ValueError); so, for normalised cuts, is an object without
    a positive similarity.

    References
    ----------
    T. Buehler, M. Hein: Spectral Clustering based on the Graph p-Laplacian. ICML 2009.

    Examples
    --------
    >>> from shiftcut.methods import PSpectral
    >>> X = [[0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9]]
    >>> PSpectral(2).fit_predict(X)
    array([0, 0, 0, 1, 1, 1], dtype=int32)
    """

    n_clusters: int = 2
    _: KW_ONLY
    p: float = 1.2
    normalized: bool = True
    criterion: str = "cheeger"
    max_iter: int = 100

    def _check_parameters(self) -> None:
        super()._check_parameters()
        one_of("criterion", self.criterion, ("cheeger", "ratio"))

    def _cluster(self, similarities: Matrix) -> None:
        self.labels_, self.cut_, self.n_iter_ = _core.p_spectral(
            core_values(similarities),
            clusters_among(self.n_clusters, similarities.shape[0]),
            p=_power(self.p),
            normalized=flag("normalized", self.normalized),
            by_ratio=self.criterion == "ratio",
            max_steps=whole("max_iter", self.max_iter, 1, 2**31 - 1),
            threads=self._threads,
        )
        self.n_clusters_ = int(self.labels_.max()) + 1
