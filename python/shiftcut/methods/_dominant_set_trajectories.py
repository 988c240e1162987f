"""Clusters from the trajectories of replicator dynamics."""

from __future__ import annotations

from typing import Self

from .. import _core
from .._arrays import Data, Labels, core_values
from .._parameters import threads_of
from ._dominant_set_parameters import clusters_wanted, count, shift_wanted
from ._similarity import SimilarityClusterer


class DominantSetTrajectories(SimilarityClusterer):
    """Clusters cut where replicator dynamics shows a gap (Chehreghani 2016).

    Begins with all objects in one cluster. In every cluster a few steps of the dynamics from equal
    weights are made, the weights sorted and cut at their largest gap; the cut is kept that raises
    the sum over clusters of their mean similarity times their size the most, until there are
    enough clusters. Clusters that are too small are dissolved in the end.

    Parameters
    ----------
    n_clusters : int, default=2
        So many of `min_size` or more. Fewer come out where no cut is left to make.
    n_steps : int, default=40
        Of the dynamics, a cluster.
    min_size : int, default=2
        The objects of smaller clusters go to the cluster of the largest mean similarity.
    max_cuts : int or None, default=None
        At most so many. None: ten times `n_clusters`.
    shift : float or "auto", default="auto"
        As of `DominantSets`: it makes the gap come sooner.
    affinity, distance, gamma, n_neighbors
        As of `DominantSets`.
    n_jobs : int or None, default=None
        Threads, as joblib counts them. They do not change the result.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Numbered by each cluster's first object; -1 for objects of dissolved clusters that have no
        positive similarity to the others.
    n_clusters_ : int
        Clusters found.
    n_cuts_ : int
        Cuts made.
    n_dissolved_ : int
        Clusters that were too small.
    shift_ : float
        The shift used.
    n_features_in_ : int
        Number of features seen by `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X had string column names.

    Examples
    --------
    >>> from shiftcut.methods import DominantSetTrajectories
    >>> X = [[0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9], [8, 8]]
    >>> DominantSetTrajectories(2).fit_predict(X)
    array([0, 0, 0, 1, 1, 1, 1], dtype=int32)
    """

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        n_steps: int = 40,
        min_size: int = 2,
        max_cuts: int | None = None,
        shift: float | str = "auto",
        affinity: str = "linear",
        distance: str = "sqeuclidean",
        gamma: float | None = None,
        n_neighbors: int = 10,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_steps = n_steps
        self.min_size = min_size
        self.max_cuts = max_cuts
        self.shift = shift
        self.affinity = affinity
        self.distance = distance
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.n_jobs = n_jobs

    def fit(self, X: Data, y: object = None) -> Self:
        """Cut the rows of X into clusters.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Features; or, under "precomputed", n_samples x n_samples.
        y : ignored

        Returns
        -------
        self
        """
        shift = shift_wanted(self.shift)
        count("n_clusters", self.n_clusters)
        similarities = self._similarities(X)
        labels, clusters, cuts, dissolved, used = _core.dominant_set_trajectories(
            core_values(similarities),
            clusters=clusters_wanted(self.n_clusters, similarities.shape[0]),
            steps=count("n_steps", self.n_steps),
            min_size=count("min_size", self.min_size),
            max_cuts=0 if self.max_cuts is None else count("max_cuts", self.max_cuts),
            shift=shift,
            threads=threads_of(self.n_jobs),
        )
        self.labels_: Labels = labels
        self.n_clusters_: int = clusters
        self.n_cuts_: int = cuts
        self.n_dissolved_: int = dissolved
        self.shift_: float = used
        return self
