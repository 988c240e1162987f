"""Clusters from the trajectories of replicator dynamics."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from .. import _core
from .._arrays import Labels, Matrix, core_values
from ._checks import clusters_among, whole
from ._clusterer import SimilarityClusterer
from ._dominant_sets import shift_or_least


@dataclass(eq=False, repr=False)
class DominantSetTrajectories(SimilarityClusterer):
    """Clusters cut where replicator dynamics shows a gap (Chehreghani 2016).

    Starts with all objects in one cluster. In every cluster the dynamics makes a few steps from
    equal weights; the sorted weights are cut at their largest gap. The cut that most raises the sum
    over clusters of mean similarity times size is kept, until there are enough clusters. Clusters
    that are too small are dissolved at the end.

    Parameters
    ----------
    n_clusters : int, default=2
        Number of clusters with at least `min_size` objects; fewer if no cut is left to make.
    n_steps : int, default=40
        Steps of the dynamics per cluster.
    min_size : int, default=2
        Objects of smaller clusters move to the cluster of the largest mean similarity.
    max_cuts : int or None, default=None
        Largest number of cuts. None: ten times `n_clusters`.
    shift : float or "auto", default="auto"
        As for `DominantSets`: it makes the gap appear sooner.
    affinity, distance, gamma, n_neighbors
        As for `DominantSets`.
    %(n_jobs)s

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Clusters in the order of their first objects; -1 for objects of dissolved clusters without a
        positive similarity to the others.
    n_clusters_ : int
        Clusters found.
    n_cuts_ : int
        Cuts made.
    n_dissolved_ : int
        Clusters that were too small.
    shift_ : float
        The shift used.
    %(n_features_in_)s

    Examples
    --------
    >>> from shiftcut.methods import DominantSetTrajectories
    >>> X = [[0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9], [8, 8]]
    >>> DominantSetTrajectories(2).fit_predict(X)
    array([0, 0, 0, 1, 1, 1, 1], dtype=int32)
    """

    n_clusters: int = 2
    _: KW_ONLY
    n_steps: int = 40
    min_size: int = 2
    max_cuts: int | None = None
    shift: float | str = "auto"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        shift_or_least(self.shift)

    def _cluster(self, similarities: Matrix) -> None:
        labels, clusters, cuts, dissolved, used = _core.dominant_set_trajectories(
            core_values(similarities),
            clusters=clusters_among(self.n_clusters, similarities.shape[0]),
            steps=whole("n_steps", self.n_steps),
            min_size=whole("min_size", self.min_size),
            max_cuts=0 if self.max_cuts is None else whole("max_cuts", self.max_cuts),
            shift=shift_or_least(self.shift),
            threads=self._threads,
        )
        self.labels_: Labels = labels
        self.n_clusters_: int = clusters
        self.n_cuts_: int = cuts
        self.n_dissolved_: int = dissolved
        self.shift_: float = used
