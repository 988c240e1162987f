"""Power iteration clustering."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.cluster import KMeans
from sklearn.utils import check_random_state

from .. import _core
from .._arrays import Floats, Labels, Matrix, core_values
from .._parameters import seed_of
from ._checks import clusters_among, number, refuse, whole
from ._clusterer import NonNegativeClusterer


def _in_order_of_objects(labels: Labels) -> Labels:
    """Number the clusters 0, 1, ... in the order of their first objects."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int32)
    rank[np.argsort(first)] = np.arange(len(first), dtype=np.int32)
    ordered: Labels = rank[inverse]
    return ordered


def _standardised(columns: Floats) -> Floats:
    """Each column with mean 0 and deviation 1: the vectors vary in their last digits only."""
    centred: Floats = columns - columns.mean(axis=0)
    deviation = centred.std(axis=0)
    # What is left of a constant column is rounding.
    real = deviation > 1e-13 * np.abs(columns).max(axis=0)
    return np.where(real, centred / np.where(real, deviation, 1.0), 0.0)


@dataclass(eq=False, repr=False)
class PowerIteration(NonNegativeClusterer):
    """Power iteration clustering (Lin and Cohen, 2010).

    Repeats v <- P v / |P v| with P = D^-1 W (W the similarities, D the row sums) and stops as soon
    as the velocity of v no longer changes, while v still differs between clusters. K-means groups
    the standardised vectors.

    Parameters
    ----------
    n_clusters : int, default=2
        Number of clusters for K-means.
    start : {"degree", "random"} or ndarray of shape (n_columns, n_samples), default="degree"
        The first vectors. "degree": row sums, further columns at random; it cannot see the clusters
        of symmetric graphs, nor of graphs whose row sums are all equal. "random" starts can.
    n_columns : int, default=1
        Number of vectors, each from its own start. One vector often separates only a few clusters;
        use more for many.
    tol : float, default=1e-5
        A vector is done when its velocity changes by at most `tol` / n_samples in a step.
    max_iter : int, default=1000
        Largest number of steps.
    n_init : int, default=10
        Restarts of K-means.
    affinity : {"linear", "rbf", "neighbors", "precomputed"}, default="linear"
        Similarities of the rows of X. "precomputed": X holds the similarities, none negative,
        n_samples x n_samples, dense or sparse. The diagonal is used as given.
    %(affinity_parameters)s
    random_state : int, RandomState instance or None, default=None
        Seeds the random starts and K-means.
    %(n_jobs)s

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Clusters, numbered in the order of their first objects.
    n_clusters_ : int
        Fewer than `n_clusters` where the vectors have fewer distinct entries.
    embedding_ : ndarray of shape (n_samples, n_columns)
        The vectors, each of sum 1.
    n_iter_ : int
        Steps of the slowest vector.
    converged_ : bool
        Whether all vectors were done before `max_iter`.
    %(n_features_in_)s

    Notes
    -----
    A step costs one pass over the similarities. Negative similarities are rejected (ValueError),
    and so is an object without a positive one.

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

    n_clusters: int = 2
    _: KW_ONLY
    start: str | npt.ArrayLike = "degree"
    n_columns: int = 1
    tol: float = 1e-5
    max_iter: int = 1000
    n_init: int = 10
    random_state: int | np.random.RandomState | None = None

    def _cluster(self, similarities: Matrix) -> None:
        n_samples = similarities.shape[0]
        n_clusters = clusters_among(self.n_clusters, n_samples)
        if n_samples == 1:
            raise ValueError("power iteration: found n_samples=1; allowed: 2 or more")
        random_state = check_random_state(self.random_state)
        self.embedding_, steps, self.converged_ = _core.power_iteration(
            core_values(similarities),
            columns=whole("n_columns", self.n_columns, 1),
            tolerance=number("tol", self.tol, "0 or more", 0),
            max_steps=whole("max_iter", self.max_iter, 1, 2**31 - 1),
            threads=self._threads,
            **self._start(n_samples),
        )
        self.n_iter_ = max(steps)
        means = KMeans(
            n_clusters,
            n_init=whole("n_init", self.n_init, 1),
            random_state=random_state,
        )
        self.labels_ = _in_order_of_objects(means.fit(_standardised(self.embedding_)).labels_)
        self.n_clusters_ = int(self.labels_.max()) + 1

    def _start(self, n_samples: int) -> dict[str, Any]:
        if isinstance(self.start, str):
            if self.start not in ("degree", "random"):
                raise refuse("start", self.start, "'degree', 'random', an array")
            return {"random": self.start == "random", "seed": seed_of(self.random_state)}
        starts = np.atleast_2d(np.asarray(self.start, dtype=np.float64))
        if starts.ndim != 2 or starts.shape[1] != n_samples or not np.isfinite(starts).all():
            raise ValueError(
                f"start: found shape {starts.shape}; allowed: rows of {n_samples} finite numbers"
            )
        return {"starts": np.ascontiguousarray(starts)}
