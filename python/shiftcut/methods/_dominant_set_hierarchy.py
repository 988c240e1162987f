"""A hierarchy of dominant sets."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from .. import _core
from .._arrays import Labels, Matrix, core_values
from ._checks import number, whole
from ._dominant_sets import DynamicsClusterer, clusters_or_all, warn_unfinished


@dataclass(eq=False, repr=False)
class HierarchicalDominantSets(DynamicsClusterer):
    """A hierarchy of dominant sets (Pavan and Pelillo 2003).

    Maximises x^T (A - alpha I) x: the larger alpha, the larger the sets. Above the largest
    eigenvalue of A all objects form one cluster; alpha falls from level to level, each cluster is
    split into its dominant sets, and at alpha = 0 the clusters are plain dominant sets.

    Parameters
    ----------
    n_clusters : int or None, default=None
        Stop at the first level with at least this many clusters. None: go on to alpha = 0.
    factor : float, default=0.8
        Ratio of alpha between a level and the one before.
    n_levels : int, default=20
        Largest number of levels, the first (one cluster) and the last (alpha = 0) included.
    dynamics : {"infection", "replicator"}, default="infection"
        As for `DominantSets`. "replicator" is slow where alpha is large.
    tol : float, default=1e-8
        As for `DominantSets`.
    max_iter : int or None, default=None
        As for `DominantSets`.
    support : float, default=1e-5
        As for `DominantSets`.
    affinity, distance, gamma, n_neighbors
        As for `DominantSets`.
    %(n_jobs)s

    Attributes
    ----------
    levels_ : list of tuple (float, ndarray of shape (n_samples,))
        Alpha and the labels, from one cluster to many. Each level subdivides the clusters of the
        one before; an object left over is a cluster of its own.
    labels_ : ndarray of shape (n_samples,)
        Labels of the last level, in the order of the clusters' first objects.
    n_clusters_ : int
        Clusters of the last level.
    n_iter_ : int
        Steps of all levels together.
    %(n_features_in_)s

    Examples
    --------
    >>> from shiftcut.methods import HierarchicalDominantSets
    >>> X = [[0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9]]
    >>> model = HierarchicalDominantSets(2, affinity="rbf").fit(X)
    >>> model.labels_
    array([0, 0, 0, 1, 1, 1], dtype=int32)
    >>> [int(labels.max()) + 1 for alpha, labels in model.levels_]
    [1, 2]
    """

    n_clusters: int | None = None
    _: KW_ONLY
    factor: float = 0.8
    n_levels: int = 20
    dynamics: str = "infection"

    def _cluster(self, similarities: Matrix) -> None:
        levels = _core.dominant_set_hierarchy(
            core_values(similarities),
            **self._dynamics_options(),
            factor=number("factor", self.factor, "numbers"),
            levels=whole("n_levels", self.n_levels, 2),
            enough=clusters_or_all(self.n_clusters, similarities.shape[0]),
            threads=self._threads,
        )
        self.levels_: list[tuple[float, Labels]] = [level[:2] for level in levels]
        self.labels_: Labels = self.levels_[-1][1].copy()
        self.n_clusters_: int = levels[-1][2]
        self.n_iter_ = max(1, sum(level[3] for level in levels))
        warn_unfinished(sum(not level[4] for level in levels), len(levels), "levels")
