"""A nested hierarchy of clusterings, with that of the fit as one of its levels."""

from __future__ import annotations

import numpy as np
from scipy.cluster import hierarchy
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._arrays import Data, Floats, Labels, core_values
from ._checks import count
from ._results import HasResults

_STEP = 2 * np.finfo(np.float64).eps  # tells heights of one strength apart, up to 1 + 4.4e-16 n


class HasLevels(HasResults):
    """Levels of a fit whose similarities are a graph."""

    _linkage: Floats | None = None

    @property
    def linkage_(self) -> Floats:
        """The hierarchy as a linkage matrix of SciPy, computed on first use.

        Of shape (n_samples - 1, 4), for `scipy.cluster.hierarchy`. Two clusters merge at the shift
        strength s at which their similarity no longer exceeds the shift between them; the height
        is 1 / (1 + s). Cut into `n_clusters_` clusters, it is `labels_`.
        """
        return self._merges(None)

    def labels_at(self, n: int, X: Data = None) -> Labels:
        """Labels at the level of `n` clusters.

        Each level divides the clusters of the level before it, and at `n_clusters_` clusters the
        labels are `labels_`. Clusters in `must_link` stay together at every level.

        Parameters
        ----------
        n : int
            Number of clusters, 1 to n_samples.
        X : as for `fit`, or None, default=None
            The training data. None: the data passed to `fit`, which are not available after
            copying or unpickling unless levels were asked for before.

        Returns
        -------
        ndarray of shape (n_samples,)
            Cluster 0 is the largest.
        """
        check_is_fitted(self)
        n_samples = len(self.labels_)
        if not 1 <= count("n", n) <= n_samples:
            raise ValueError(f"n: found {n}; allowed: 1 to {n_samples}, the number of samples")
        if n == self.n_clusters_:
            return self.labels_.copy()
        if n == n_samples:
            return np.arange(n_samples, dtype=np.int32)
        merges = self._merges(X)
        height = merges[n_samples - n - 1, 2]
        found = hierarchy.fcluster(merges, height, criterion="distance")
        _, first, labels, sizes = np.unique(
            found, return_index=True, return_inverse=True, return_counts=True
        )
        rank = np.empty(n, dtype=np.int32)
        rank[np.lexsort((first, -sizes))] = np.arange(n, dtype=np.int32)
        return rank[labels]

    def _merges(self, X: Data) -> Floats:
        check_is_fitted(self)
        if self._linkage is None:
            values, options = self._asked_again(X)
            shift = self.shift_
            pairs, strengths = _core.levels(
                core_values(values),
                self._shape(values),
                options,
                self.labels_,
                shift["kind"],
                float(shift["strength"]),
                self._fitted.run,
            )
            self._linkage = _linkage(np.asarray(pairs), np.asarray(strengths))
        return self._linkage


def _linkage(pairs: Labels, strengths: Floats) -> Floats:
    """SciPy's format, with heights that grow strictly, so that every number can be cut at."""
    n = len(strengths) + 1
    sizes = np.ones(2 * n - 1)
    for merge, (left, right) in enumerate(pairs.tolist()):
        sizes[n + merge] = sizes[left] + sizes[right]
    heights = 1 / (1 + strengths) + _STEP * np.arange(n - 1)
    return np.column_stack([pairs, heights, sizes[n:]])
