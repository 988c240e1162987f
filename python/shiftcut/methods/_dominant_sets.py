"""Dominant sets, peeled one by one."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from .. import _core
from .._arrays import Data, Floats, Labels, core_values
from .._parameters import threads_of
from ._dominant_set_parameters import (
    DYNAMICS,
    clusters_wanted,
    count,
    number,
    shift_wanted,
    warn_unfinished,
)
from ._similarity import SimilarityClusterer, one_of

LEFTOVERS = ("assign", "extend", "none")


class DominantSet(NamedTuple):
    """One set: its members, how central each is, and how well they hang together."""

    members: npt.NDArray[np.intp]
    weights: Floats
    cohesiveness: float
    n_iter: int
    converged: bool


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
        sooner on a matrix: all sets of a full one of 10,000 objects take it under a minute
        and "replicator" about 100 seconds of one core.
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
        shift = shift_wanted(self.shift)
        similarities = self._similarities(X)
        n_samples = similarities.shape[0]
        labels, sets, before, used = _core.dominant_sets(
            core_values(similarities),
            dynamics=self.dynamics,
            tolerance=number("tol", self.tol),
            max_steps=0 if self.max_iter is None else count("max_iter", self.max_iter),
            support=number("support", self.support),
            sets=clusters_wanted(self.n_clusters, n_samples),
            leftovers=self.leftovers,
            shift=shift,
            threads=threads_of(self.n_jobs),
        )
        self.labels_: Labels = labels
        self.sets_ = [DominantSet(found[0].astype(np.intp), *found[1:]) for found in sets]
        self.n_clusters_ = len(self.sets_)
        self.n_iter_ = max(1, sum(found.n_iter for found in self.sets_))
        self.assigned_before_ = before / n_samples
        self.assigned_after_ = float(np.mean(labels >= 0))
        self.shift_: float = used
        warn_unfinished(sum(not found.converged for found in self.sets_), len(self.sets_), "sets")
        return self
