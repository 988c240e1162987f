"""Local search over the classical cut costs."""

from __future__ import annotations

import warnings
from dataclasses import KW_ONLY, dataclass

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from .. import _core
from .._arrays import Data, Floats, Labels, Matrix, core_values
from .._parameters import seed_of
from .._warnings import Note
from ._checks import clusters_among, number, one_of, whole
from ._clusterer import SimilarityClusterer

_DEFAULT_P = 1.5
COSTS = ("min_cut", "ratio_association", "ratio_cut", "normalized_cut", "adaptive_ratio_cut")


def cut_cost(
    X: Data, labels: Data, cost: str = "normalized_cut", *, p: float = _DEFAULT_P
) -> float:
    """The cut cost of a grouping.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_samples)
        Symmetric similarities.
    labels : array-like of shape (n_samples,)
        Clusters 0 to K-1, none of them empty.
    cost : str, default="normalized_cut"
        As for `CutSearch`.
    p : float, default=1.5
        Exponent of "adaptive_ratio_cut".

    Returns
    -------
    float

    Examples
    --------
    >>> from shiftcut.methods import cut_cost
    >>> X = [[0, 3, 1, 0], [3, 0, 0, 1], [1, 0, 0, 2], [0, 1, 2, 0]]
    >>> cut_cost(X, [0, 0, 1, 1], "ratio_cut")
    2.0
    """
    one_of("cost", cost, COSTS)
    values = core_values(X)
    if isinstance(values, np.ndarray):
        values = values.astype(np.float64, copy=False)
    found = np.asarray(labels)
    if found.dtype.kind not in "iu":
        raise TypeError(f"labels: found dtype {found.dtype}; allowed: ints")
    return _core.cut_cost(values, np.ascontiguousarray(found, dtype=np.int32), cost, _power(p))


def _power(p: object) -> float:
    """As a float; the library checks whether the cost is defined for it."""
    return number("p", p, "numbers above 1")


@dataclass(eq=False, repr=False)
class CutSearch(SimilarityClusterer):
    """Local search over a classical cut cost.

    With cut(k) the similarity from cluster k to all others, vol(k) the sum of the degrees in k,
    W_kk the similarity inside k (over ordered pairs, the diagonal included) and n_k the number of
    objects, the cost is one of

    - "min_cut": sum of cut(k),
    - "ratio_association": minus the sum of W_kk / n_k,
    - "ratio_cut": sum of cut(k) / n_k,
    - "normalized_cut": sum of cut(k) / vol(k),
    - "adaptive_ratio_cut": sum over k < l of
      cut(k, l) (n_k^(-1/(p-1)) + n_l^(-1/(p-1)))^(p-1); p = 2 is the ratio cut.

    From random labels, objects move one at a time to the cluster that lowers the cost most, never
    leaving a cluster empty, until no move lowers the cost.

    Parameters
    ----------
    n_clusters : int, default=2
        Number of clusters, none of them empty.
    cost : {"min_cut", "ratio_association", "ratio_cut", "normalized_cut", "adaptive_ratio_cut"}, \
default="normalized_cut"
        Negative similarities are allowed for the first three. "normalized_cut" needs every row to
        have a sum above 0, "adaptive_ratio_cut" no negative similarity of different objects.
    p : float, default=1.5
        Exponent of "adaptive_ratio_cut", above 1.
    n_init : int, default=10
        Restarts; the one with the lowest cost wins.
    max_iter : int, default=1000
        Largest number of sweeps over the objects per restart.
    affinity : {"linear", "rbf", "neighbors", "precomputed"}, default="linear"
        Similarities of the rows of X. "precomputed": X is a symmetric similarity matrix, or,
        sparse, a graph.
    %(affinity_parameters)s
    random_state : int, RandomState instance or None, default=None
        The same seed gives the same labels, for any `n_jobs`.
    %(n_jobs)s
        Restarts run in parallel.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each object; 0 is the largest.
    cost_ : float
        Cost of the grouping.
    costs_ : ndarray of shape (n_init,)
        Cost of each restart.
    n_clusters_ : int
        The number of clusters.
    n_iter_ : int
        Sweeps of the best restart.
    %(n_features_in_)s

    Examples
    --------
    >>> from shiftcut.methods import CutSearch
    >>> X = [[0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9]]
    >>> CutSearch(2, cost="ratio_cut", random_state=0).fit_predict(X)
    array([0, 0, 0, 1, 1, 1], dtype=int32)
    """

    n_clusters: int = 2
    _: KW_ONLY
    cost: str = "normalized_cut"
    p: float = _DEFAULT_P
    n_init: int = 10
    max_iter: int = 1000
    random_state: int | np.random.RandomState | None = None

    def _check_parameters(self) -> None:
        super()._check_parameters()
        one_of("cost", self.cost, COSTS)
        whole("n_init", self.n_init)
        whole("max_iter", self.max_iter)

    def _ignored(self) -> list[Note]:
        found = super()._ignored()
        if self.p != _DEFAULT_P and self.cost != "adaptive_ratio_cut":
            found.append(
                Note(
                    "ignored_parameter",
                    "p",
                    f"p: found {self.p!r} with cost={self.cost!r}, where it is ignored; allowed: "
                    "only with cost='adaptive_ratio_cut'",
                )
            )
        return found

    def _cluster(self, similarities: Matrix) -> None:
        found = _core.cut_search(
            core_values(similarities),
            clusters=clusters_among(self.n_clusters, similarities.shape[0]),
            cost=self.cost,
            p=_power(self.p),
            restarts=int(self.n_init),
            max_sweeps=int(self.max_iter),
            seed=seed_of(self.random_state),
            threads=self._threads,
        )
        self.labels_: Labels
        self.costs_: Floats
        self.labels_, self.costs_, self.cost_, self.n_iter_, converged = found
        self.n_clusters_ = int(self.n_clusters)
        if not converged:
            warnings.warn(
                f"CutSearch did not converge in max_iter={self.max_iter} sweeps",
                ConvergenceWarning,
                stacklevel=3,
            )
