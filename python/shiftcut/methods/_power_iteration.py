"""Power iteration clustering."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.cluster import KMeans
from sklearn.utils import check_random_state

from .. import _core
from .._arrays import Data, Floats, core_values
from .._parameters import seed_of, threads_of
from ._non_negative import NonNegativeClusterer
from ._spectral_parameters import clusters, in_order_of_objects, number, whole


def _spread(columns: Floats) -> Floats:
    """Each column with mean 0 and deviation 1: the vectors vary in their last digits only."""
    centred: Floats = columns - columns.mean(axis=0)
    deviation = centred.std(axis=0)
    # What is left of a constant column is rounding.
    real = deviation > 1e-13 * np.abs(columns).max(axis=0)
    return np.where(real, centred / np.where(real, deviation, 1.0), 0.0)


class PowerIteration(NonNegativeClusterer):
    """Power iteration clustering (Lin and Cohen, 2010).

    Repeats v <- P v / |P v| with P = D^-1 W (W the similarities, D the row sums) and stops while v
    still differs between clusters, when its velocity no longer changes. The vectors, rescaled,
    go through K-means.

    Parameters
    ----------
    n_clusters : int, default=2
        Clusters for K-means to make.
    start : {"degree", "random"} or ndarray of shape (n_columns, n_samples), default="degree"
        The first vectors. "degree": row sums, further columns at random. Symmetric graphs, and such
        whose row sums are all equal, keep their clusters hidden from it; "random" starts do not.
    n_columns : int, default=1
        Vectors, each from a start of its own. One often holds few clusters apart; take more for
        many.
    tol : float, default=1e-5
        A vector is done when its velocity changes by at most `tol` / n_samples in a step.
    max_iter : int, default=1000
        Steps at most.
    n_init : int, default=10
        Restarts of K-means.
    affinity : {"linear", "rbf", "neighbors", "precomputed"}, default="linear"
        Of the rows of X. "precomputed": X are the similarities, none negative, n_samples x
        n_samples, dense or sparse. The diagonal counts as given.
    distance : {"sqeuclidean", "euclidean"}, default="sqeuclidean"
        Under "linear".
    gamma : float or None, default=None
        Under "rbf". None: one over the number of features.
    n_neighbors : int, default=10
        Under "neighbors".
    random_state : int, RandomState instance or None, default=None
        Of the random starts and of K-means.
    n_jobs : int or None, default=None
        Threads, as joblib counts them. They do not change the vectors.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Clusters, numbered in the order of their first objects.
    n_clusters_ : int
        Fewer than asked for where the vectors have fewer different entries.
    embedding_ : ndarray of shape (n_samples, n_columns)
        The vectors, each of sum 1.
    n_iter_ : int
        Steps of the vector that took the most.
    converged_ : bool
        Whether all vectors were done before `max_iter`.
    n_features_in_ : int
        Number of features seen by `fit`.

    Notes
    -----
    A step costs one pass over the similarities. An object that has none above 0 is refused
    (ValueError), as are negative ones.

    References
    ----------
    F. Lin, W. W. Cohen: Power Iteration Clustering. ICML 2010.

    Examples
    --------
    >>> from shiftcut.methods import PowerIteration
    >>> X = [[0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9]]
    >>> PowerIteration(2, start="random", random_state=0).fit_predict(X)
    array([0, 0, 0, 1, 1, 1], dtype=int32)
    """

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        start: str | npt.ArrayLike = "degree",
        n_columns: int = 1,
        tol: float = 1e-5,
        max_iter: int = 1000,
        n_init: int = 10,
        affinity: str = "linear",
        distance: str = "sqeuclidean",
        gamma: float | None = None,
        n_neighbors: int = 10,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.start = start
        self.n_columns = n_columns
        self.tol = tol
        self.max_iter = max_iter
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
        X : array-like of shape (n_samples, n_features)
            Features; or, precomputed, n_samples x n_samples similarities.
        y : ignored

        Returns
        -------
        self
        """
        similarities = self._similarities(X)
        n_samples = similarities.shape[0]
        n_clusters = clusters(self.n_clusters, n_samples)
        if n_samples == 1:
            raise ValueError("power iteration: found n_samples=1; allowed: 2 or more")
        random_state = check_random_state(self.random_state)
        self.embedding_, steps, self.converged_ = _core.power_iteration(
            core_values(similarities),
            columns=whole("n_columns", self.n_columns, 1),
            tolerance=number("tol", self.tol, "0 or more", 0, above=False),
            max_steps=whole("max_iter", self.max_iter, 1, 2**31 - 1),
            threads=threads_of(self.n_jobs),
            **self._start(n_samples),
        )
        self.n_iter_ = max(steps)
        means = KMeans(
            n_clusters,
            n_init=whole("n_init", self.n_init, 1),
            random_state=random_state,
        )
        self.labels_ = in_order_of_objects(means.fit(_spread(self.embedding_)).labels_)
        self.n_clusters_ = int(self.labels_.max()) + 1
        return self

    def _start(self, n_samples: int) -> dict[str, Any]:
        if isinstance(self.start, str):
            if self.start not in ("degree", "random"):
                raise ValueError(
                    f"start: found {self.start!r}; allowed: 'degree', 'random', an array"
                )
            return {"random": self.start == "random", "seed": seed_of(self.random_state)}
        starts = np.atleast_2d(np.asarray(self.start, dtype=np.float64))
        if starts.ndim != 2 or starts.shape[1] != n_samples or not np.isfinite(starts).all():
            raise ValueError(
                f"start: found shape {starts.shape}; allowed: rows of {n_samples} finite numbers"
            )
        return {"starts": np.ascontiguousarray(starts)}
