"""Dominant sets, peeled one by one."""

from __future__ import annotations

import warnings
from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from .. import _core
from .._arrays import Floats, Labels, Matrix, core_values
from ._checks import clusters_among, number, one_of, whole
from ._clusterer import SimilarityClusterer

DYNAMICS = ("replicator", "infection")
LEFTOVERS = ("assign", "extend", "none")


def clusters_or_all(n_clusters: int | None, n_samples: int) -> int:
    """The number of clusters; 0, for None, is as many as there are."""
    return 0 if n_clusters is None else clusters_among(n_clusters, n_samples)


def shift_or_least(shift: float | str) -> float | None:
    """The shift; None, for "auto", is the least similarity."""
    if isinstance(shift, str):
        one_of("shift", shift, ("auto",))
        return None
    return number("shift", shift, "numbers")


def warn_unfinished(unfinished: int, total: int, what: str) -> None:
    """A ConvergenceWarning, at the line that called `fit`, where anything is unfinished."""
    if unfinished:
        warnings.warn(
            f"{unfinished} of {total} {what} stopped at max_iter before tol was met",
            ConvergenceWarning,
            stacklevel=4,
        )


class DominantSet(NamedTuple):
    """One set: its members, how central each is, and how cohesive they are."""

    members: npt.NDArray[np.intp]
    weights: Floats
    cohesiveness: float
    n_iter: int
    converged: bool


@dataclass(eq=False, repr=False)
class DynamicsClusterer(SimilarityClusterer):
    """Has the parameters of a dynamics that is run until it rests."""

    _: KW_ONLY
    dynamics: str = "replicator"
    tol: float = 1e-8
    max_iter: int | None = None
    support: float = 1e-5

    def _check_parameters(self) -> None:
        super()._check_parameters()
        one_of("dynamics", self.dynamics, DYNAMICS)

    def _dynamics_options(self) -> dict[str, Any]:
        return {
            "dynamics": self.dynamics,
            "tolerance": number("tol", self.tol, "numbers"),
            "max_steps": 0 if self.max_iter is None else whole("max_iter", self.max_iter),
            "support": number("support", self.support, "numbers"),
        }


@dataclass(eq=False, repr=False)
class DominantSets(DynamicsClusterer):
    """Dominant sets, peeled one by one (Pavan and Pelillo 2007).

    A dominant set is where x^T A x has a local maximum over non-negative weights x of sum 1, A
    being the similarities without their diagonal. Dynamics that start from equal weights lead to
    one; its members are removed, and the search continues among the rest.

    Parameters
    ----------
    n_clusters : int or None, default=None
        Largest number of sets. None: until no two objects with a positive similarity are left.
    dynamics : {"replicator", "infection"}, default="replicator"
        "replicator": x_i <- x_i (Ax)_i / x^T A x, all objects in each step. "infection": InImDyn
        (Rota Bulo, Pelillo and Bomze 2011), one object in each step; the same kind of sets, mostly
        faster on a full matrix: for all sets of 10,000 objects it needs less than a minute on one
        core, and "replicator" a few minutes.
    leftovers : {"assign", "extend", "none"}, default="assign"
        Which set an object outside all sets joins; the sets themselves stay as they are. "assign":
        the one with the largest mean similarity. "extend": the one with the largest
        (Ax)_i / x^T A x, the out-of-sample rule of Pavan and Pelillo (2004). "none": no set, label
        -1. An object without a positive similarity to any set always has label -1.
    shift : float or "auto", default=0.0
        Subtracted from the similarities of different objects within the dynamics (Chehreghani
        2016): sets are found sooner and are smaller. At most the least such similarity ("auto").
    tol : float, default=1e-8
        "replicator" stops at a step that moves x by less; for "infection", how closely the
        conditions of a local maximum hold.
    max_iter : int or None, default=None
        Largest number of steps per set. None: max(10000, 10 ** (ceil(log10(n)) + 1)), ten
        times that for "infection".
    support : float, default=1e-5
        Members are the objects whose weight is above this fraction of the largest.
    affinity : {"linear", "rbf", "neighbors", "precomputed"}, default="linear"
        Similarities of the rows of X. "precomputed": X is a symmetric matrix of
        similarities, or, sparse, a graph; none may be negative.
    %(affinity_parameters)s
    %(n_jobs)s

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The set of each object, in the order found; -1 for none.
    sets_ : list of DominantSet
        Tuples of `members`, `weights` (x; sum 1), `cohesiveness` (x^T A x), `n_iter`, `converged`.
    n_clusters_ : int
        Number of sets found.
    n_iter_ : int
        Steps of all sets together.
    assigned_before_, assigned_after_ : float
        Fraction of the objects with a label before and after the leftovers were assigned.
    shift_ : float
        The shift used.
    %(n_features_in_)s

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

    n_clusters: int | None = None
    _: KW_ONLY
    leftovers: str = "assign"
    shift: float | str = 0.0

    def _check_parameters(self) -> None:
        super()._check_parameters()
        one_of("leftovers", self.leftovers, LEFTOVERS)
        shift_or_least(self.shift)

    def _cluster(self, similarities: Matrix) -> None:
        n_samples = similarities.shape[0]
        labels, sets, before, used = _core.dominant_sets(
            core_values(similarities),
            **self._dynamics_options(),
            sets=clusters_or_all(self.n_clusters, n_samples),
            leftovers=self.leftovers,
            shift=shift_or_least(self.shift),
            threads=self._threads,
        )
        self.labels_: Labels = labels
        self.sets_ = [DominantSet(found[0].astype(np.intp), *found[1:]) for found in sets]
        self.n_clusters_ = len(self.sets_)
        self.n_iter_ = max(1, sum(found.n_iter for found in self.sets_))
        self.assigned_before_ = before / n_samples
        self.assigned_after_ = float(np.mean(labels >= 0))
        self.shift_: float = used
        warn_unfinished(sum(not found.converged for found in self.sets_), len(self.sets_), "sets")
