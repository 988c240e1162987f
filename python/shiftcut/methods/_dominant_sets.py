"""Dominant sets: peeled one by one, as a hierarchy, and from trajectories."""

from __future__ import annotations

import math
import numbers
import warnings
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt
from joblib import effective_n_jobs
from sklearn.exceptions import ConvergenceWarning

from .. import _core
from .._arrays import Data, Floats, Labels, core_values
from ._similarity import SimilarityClusterer, one_of

DYNAMICS = ("replicator", "infection")
LEFTOVERS = ("assign", "extend", "none")


class DominantSet(NamedTuple):
    """One set: its members, how central each is, and how well they hang together."""

    members: npt.NDArray[np.intp]
    weights: Floats
    cohesiveness: float
    n_iter: int
    converged: bool


def _count(name: str, value: object, least: int = 1) -> int:
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name}: found {value!r}; allowed: whole numbers, {least} or more")
    return int(value)


def _number(name: str, value: object) -> float:
    if not isinstance(value, numbers.Real) or isinstance(value, bool) or math.isnan(value):
        raise ValueError(f"{name}: found {value!r}; allowed: numbers")
    return float(value)


def _clusters(n_clusters: int | None, n_samples: int) -> int:
    """The number wanted, 0 for None."""
    if n_clusters is None:
        return 0
    if _count("n_clusters", n_clusters) > n_samples:
        raise ValueError(
            f"n_clusters: found {n_clusters} for n_samples={n_samples}; allowed: no more than these"
        )
    return int(n_clusters)


def _shift(value: object) -> float | None:
    """None stands for the least similarity."""
    if isinstance(value, str):
        one_of("shift", value, ("auto",))
        return None
    return _number("shift", value)


def _warn_unfinished(unfinished: int, total: int, what: str) -> None:
    if unfinished:
        warnings.warn(
            f"{unfinished} of {total} {what} stopped at max_iter before tol was met",
            ConvergenceWarning,
            stacklevel=3,
        )


class DominantSets(SimilarityClusterer):
    """Dominant sets, peeled one by one (Pavan and Pelillo 2007).

    A dominant set is where x^T A x has a local maximum over non-negative weights x of sum 1, A
    being the similarities without their diagonal. A dynamics from equal weights leads to one; its
    members are taken away and the rest is searched again.

    Parameters
    ----------
    n_clusters : int or None, default=None
        At most so many sets. None: until no two objects with a positive similarity are left.
    dynamics : {"replicator", "infection"}, default="replicator"
        "replicator": x_i <- x_i (Ax)_i / x^T A x, all objects in each step. "infection": InImDyn
        (Rota Bulo, Pelillo and Bomze 2011), one object in each step; the same kind of sets, mostly
        much sooner on a matrix.
    leftovers : {"assign", "extend", "none"}, default="assign"
        Where objects in no set go, the sets staying as they are. "assign": to the set of the
        largest mean similarity. "extend": to the set of the largest (Ax)_i / x^T A x, the
        out-of-sample rule of Pavan and Pelillo (2004). "none": nowhere, label -1. Objects without a
        positive similarity to any set have label -1 in each case.
    shift : float or "auto", default=0.0
        Subtracted from the similarities of different objects within the dynamics (Chehreghani
        2016): sets come out sooner and smaller. At most the least such similarity, which is "auto".
    tol : float, default=1e-8
        For "replicator" a step that moves x by less is the last; for "infection" the conditions of
        a local maximum hold to so much.
    max_iter : int or None, default=None
        Steps a set. None: max(10000, 10 ** (ceil(log10(n)) + 1)), ten times that for
        "infection".
    support : float, default=1e-5
        Members are the objects whose weight is above so much of the largest.
    affinity : {"linear", "rbf", "neighbors", "precomputed"}, default="linear"
        Of the rows of X. "precomputed": X is a symmetric matrix of similarities, or, sparse, a
        graph; none may be negative.
    distance : {"sqeuclidean", "euclidean"}, default="sqeuclidean"
        Under "linear".
    gamma : float or None, default=None
        Under "rbf". None: one over the number of features.
    n_neighbors : int, default=10
        Under "neighbors".
    n_jobs : int or None, default=None
        Threads, as joblib counts them. They do not change the result.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The set of each object, in the order found; -1 for none.
    sets_ : list of DominantSet
        Tuples of `members`, `weights` (x; sum 1), `cohesiveness` (x^T A x), `n_iter`, `converged`.
    n_clusters_ : int
        Sets found.
    n_iter_ : int
        Steps, all sets together.
    assigned_before_, assigned_after_ : float
        The share of the objects that have a label, before and after the leftovers were given out.
    shift_ : float
        The shift used.
    n_features_in_ : int
        Number of features seen by `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X had string column names.

    Examples
    --------
    >>> from shiftcut.methods import DominantSets
    >>> X = [[0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9]]
    >>> model = DominantSets(affinity="rbf").fit(X)
    >>> model.labels_
    array([0, 0, 0, 1, 1, 1], dtype=int32)
    >>> model.sets_[0].members
    array([0, 1, 2])
    """

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        dynamics: str = "replicator",
        leftovers: str = "assign",
        shift: float | str = 0.0,
        tol: float = 1e-8,
        max_iter: int | None = None,
        support: float = 1e-5,
        affinity: str = "linear",
        distance: str = "sqeuclidean",
        gamma: float | None = None,
        n_neighbors: int = 10,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.dynamics = dynamics
        self.leftovers = leftovers
        self.shift = shift
        self.tol = tol
        self.max_iter = max_iter
        self.support = support
        self.affinity = affinity
        self.distance = distance
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.n_jobs = n_jobs

    def fit(self, X: Data, y: object = None) -> Self:
        """Find the sets.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Features; or, under "precomputed", n_samples x n_samples.
        y : ignored

        Returns
        -------
        self
        """
        one_of("dynamics", self.dynamics, DYNAMICS)
        one_of("leftovers", self.leftovers, LEFTOVERS)
        shift = _shift(self.shift)
        similarities = self._similarities(X)
        n_samples = similarities.shape[0]
        labels, sets, before, used = _core.dominant_sets(
            core_values(similarities),
            dynamics=self.dynamics,
            tolerance=_number("tol", self.tol),
            max_steps=0 if self.max_iter is None else _count("max_iter", self.max_iter),
            support=_number("support", self.support),
            sets=_clusters(self.n_clusters, n_samples),
            leftovers=self.leftovers,
            shift=shift,
            threads=effective_n_jobs(self.n_jobs),
        )
        self.labels_: Labels = labels
        self.sets_ = [DominantSet(found[0].astype(np.intp), *found[1:]) for found in sets]
        self.n_clusters_ = len(self.sets_)
        self.n_iter_ = max(1, sum(found.n_iter for found in self.sets_))
        self.assigned_before_ = before / n_samples
        self.assigned_after_ = float(np.mean(labels >= 0))
        self.shift_: float = used
        _warn_unfinished(sum(not found.converged for found in self.sets_), len(self.sets_), "sets")
        return self


class HierarchicalDominantSets(SimilarityClusterer):
    """A hierarchy of dominant sets (Pavan and Pelillo 2003).

    Maximises x^T (A - alpha I) x instead: the larger alpha, the larger the sets. Above the largest
    eigenvalue of A all objects are one cluster; from level to level alpha falls, each cluster is
    peeled anew, and at alpha = 0 the clusters are plain dominant sets.

    Parameters
    ----------
    n_clusters : int or None, default=None
        The first level with so many clusters or more is the last. None: down to alpha = 0.
    factor : float, default=0.8
        What alpha is multiplied by from level to level.
    n_levels : int, default=20
        At most so many levels, the first (one cluster) and the last (alpha = 0) included.
    dynamics : {"infection", "replicator"}, default="infection"
        As of `DominantSets`. "replicator" is slow where alpha is large.
    tol : float, default=1e-8
        As of `DominantSets`.
    max_iter : int or None, default=None
        As of `DominantSets`.
    support : float, default=1e-5
        As of `DominantSets`.
    affinity, distance, gamma, n_neighbors
        As of `DominantSets`.
    n_jobs : int or None, default=None
        Threads, as joblib counts them. They do not change the result.

    Attributes
    ----------
    levels_ : list of tuple (float, ndarray of shape (n_samples,))
        Alpha and the labels, from one cluster to many. Each level divides the clusters of the one
        before; an object left alone is a cluster of its own.
    labels_ : ndarray of shape (n_samples,)
        Those of the last level, numbered by each cluster's first object.
    n_clusters_ : int
        Clusters of the last level.
    n_iter_ : int
        Steps, all levels together.
    n_features_in_ : int
        Number of features seen by `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where X had string column names.

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

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        factor: float = 0.8,
        n_levels: int = 20,
        dynamics: str = "infection",
        tol: float = 1e-8,
        max_iter: int | None = None,
        support: float = 1e-5,
        affinity: str = "linear",
        distance: str = "sqeuclidean",
        gamma: float | None = None,
        n_neighbors: int = 10,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.factor = factor
        self.n_levels = n_levels
        self.dynamics = dynamics
        self.tol = tol
        self.max_iter = max_iter
        self.support = support
        self.affinity = affinity
        self.distance = distance
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.n_jobs = n_jobs

    def fit(self, X: Data, y: object = None) -> Self:
        """Find the levels.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Features; or, under "precomputed", n_samples x n_samples.
        y : ignored

        Returns
        -------
        self
        """
        one_of("dynamics", self.dynamics, DYNAMICS)
        similarities = self._similarities(X)
        levels = _core.dominant_set_hierarchy(
            core_values(similarities),
            dynamics=self.dynamics,
            tolerance=_number("tol", self.tol),
            max_steps=0 if self.max_iter is None else _count("max_iter", self.max_iter),
            support=_number("support", self.support),
            factor=_number("factor", self.factor),
            levels=_count("n_levels", self.n_levels, 2),
            enough=_clusters(self.n_clusters, similarities.shape[0]),
            threads=effective_n_jobs(self.n_jobs),
        )
        self.levels_: list[tuple[float, Labels]] = [level[:2] for level in levels]
        self.labels_: Labels = self.levels_[-1][1].copy()
        self.n_clusters_: int = levels[-1][2]
        self.n_iter_ = max(1, sum(level[3] for level in levels))
        _warn_unfinished(sum(not level[4] for level in levels), len(levels), "levels")
        return self


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
        shift = _shift(self.shift)
        _count("n_clusters", self.n_clusters)
        similarities = self._similarities(X)
        labels, clusters, cuts, dissolved, used = _core.dominant_set_trajectories(
            core_values(similarities),
            clusters=_clusters(self.n_clusters, similarities.shape[0]),
            steps=_count("n_steps", self.n_steps),
            min_size=_count("min_size", self.min_size),
            max_cuts=0 if self.max_cuts is None else _count("max_cuts", self.max_cuts),
            shift=shift,
            threads=effective_n_jobs(self.n_jobs),
        )
        self.labels_: Labels = labels
        self.n_clusters_: int = clusters
        self.n_cuts_: int = cuts
        self.n_dissolved_: int = dissolved
        self.shift_: float = used
        return self
