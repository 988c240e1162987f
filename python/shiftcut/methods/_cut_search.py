"""Local search over the classical cut costs."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from .. import _core
from .._arrays import Data, Floats, Labels, core_values
from .._checks import is_bool
from .._parameters import seed_of, threads_of
from .._warnings import Note, warn_all
from ._similarity import SimilarityClusterer, one_of

_USUAL_P = 1.5
COSTS = ("min_cut", "ratio_association", "ratio_cut", "normalized_cut", "adaptive_ratio_cut")


def cut_cost(X: Data, labels: Data, cost: str = "normalized_cut", *, p: float = _USUAL_P) -> float:
    """A cut cost of a grouping.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_samples)
        Symmetric similarities.
    labels : array-like of shape (n_samples,)
        Of clusters 0 to K-1, none of them empty.
    cost : str, default="normalized_cut"
        As for `CutSearch`.
    p : float, default=1.5
        Of "adaptive_ratio_cut".

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
    return _core.cut_cost(values, np.ascontiguousarray(found, dtype=np.int32), cost, power(p))


def power(p: object) -> float:
    """`p` as a float, or ValueError; whether it suits the cost the library says."""
    if is_bool(p) or not isinstance(p, Real):
        raise ValueError(f"p: found {p!r}; allowed: numbers above 1")
    return float(p)


def whole(name: str, value: object, least: int = 1) -> int:
    """`value` as an int, or ValueError or TypeError."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Integral):
        kind = ValueError if isinstance(value, Real) else TypeError
        raise kind(f"{name}: found {value!r}; allowed: an int of {least} or more")
    if int(value) < least:
        raise ValueError(f"{name}: found {value!r}; allowed: an int of {least} or more")
    return int(value)


def clusters_of(n_clusters: object, n_samples: int) -> int:
    """The number of clusters, or ValueError if there are fewer objects."""
    count = whole("n_clusters", n_clusters)
    if count > n_samples:
        raise ValueError(f"n_samples={n_samples} should be >= n_clusters={count}.")
    return count


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

    From random labels, objects move one at a time to where the cost falls most, and never leave a
    cluster empty, until no move lowers the cost.

    Parameters
    ----------
    n_clusters : int, default=2
        Exactly so many: none is empty.
    cost : {"min_cut", "ratio_association", "ratio_cut", "normalized_cut", "adaptive_ratio_cut"}, \
default="normalized_cut"
        Negative similarities are allowed for the first three. "normalized_cut" needs every row to
        have a sum above 0, "adaptive_ratio_cut" no negative similarity of different objects.
    p : float, default=1.5
        Of "adaptive_ratio_cut", above 1.
    n_init : int, default=10
        Restarts, of which the lowest cost wins.
    max_iter : int, default=1000
        Sweeps over the objects a restart, at most.
    affinity : {"linear", "rbf", "neighbors", "precomputed"}, default="linear"
        Similarities of the rows of X. "precomputed": X is a symmetric similarity matrix, or,
        sparse, a graph.
    distance : {"sqeuclidean", "euclidean"}, default="sqeuclidean"
        Under "linear".
    gamma : float or None, default=None
        Under "rbf". None: one over the number of features.
    n_neighbors : int, default=10
        Under "neighbors".
    random_state : int, RandomState instance or None, default=None
        The same seed gives the same labels, for any `n_jobs`.
    n_jobs : int or None, default=None
        Threads, as joblib counts them: None is 1, -1 all. Restarts run side by side.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each object; 0 is the largest.
    cost_ : float
        Of the grouping.
    costs_ : ndarray of shape (n_init,)
        Of each restart.
    n_clusters_ : int
        The number of clusters.
    n_iter_ : int
        Sweeps of the best restart.
    n_features_in_ : int
        Number of features seen by `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X had string column names.

    Examples
    --------
    >>> from shiftcut.methods import CutSearch
    >>> X = [[0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9]]
    >>> CutSearch(2, cost="ratio_cut", random_state=0).fit_predict(X)
    array([0, 0, 0, 1, 1, 1], dtype=int32)
    """

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        cost: str = "normalized_cut",
        p: float = _USUAL_P,
        n_init: int = 10,
        max_iter: int = 1000,
        affinity: str = "linear",
        distance: str = "sqeuclidean",
        gamma: float | None = None,
        n_neighbors: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.cost = cost
        self.p = p
        self.n_init = n_init
        self.max_iter = max_iter
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
        one_of("cost", self.cost, COSTS)
        n_init = whole("n_init", self.n_init)
        max_iter = whole("max_iter", self.max_iter)
        similarities = self._similarities(X)
        if self.p != _USUAL_P and self.cost != "adaptive_ratio_cut":
            warn_all(
                [
                    Note(
                        "ignored_parameter",
                        "p",
                        f"p: found {self.p!r} with cost={self.cost!r}, where it is ignored; "
                        "allowed: only with cost='adaptive_ratio_cut'",
                    )
                ]
            )
        found = _core.cut_search(
            core_values(similarities),
            clusters=clusters_of(self.n_clusters, similarities.shape[0]),
            cost=self.cost,
            p=power(self.p),
            restarts=n_init,
            max_sweeps=max_iter,
            seed=seed_of(self.random_state),
            threads=threads_of(self.n_jobs),
        )
        self.labels_: Labels
        self.costs_: Floats
        self.labels_, self.costs_, self.cost_, self.n_iter_, converged = found
        self.n_clusters_ = int(self.n_clusters)
        if not converged:
            warnings.warn(
                f"CutSearch did not converge in max_iter={max_iter} sweeps",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self
