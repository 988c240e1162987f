"""How far clusters depend on which objects and seeds happened to be drawn.

The data are clustered again from subsamples, each with a seed of its own. Two figures compare the
solutions: the adjusted Rand index of each pair of subsamples on the objects they share, and for
each cluster of the whole data the Jaccard coefficient with the most similar cluster of a subsample
(Hennig 2007), the mean of which is its *recovery*.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import check_random_state

from ._arrays import Data, Floats, Labels, Matrix
from ._checks import count, is_bool
from ._estimator import ShiftedMinCut
from ._links import LINKS, links_of_fit, links_within
from ._warnings import Note, ShiftcutWarning, warn_all
from .metrics import ari

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_Rows = npt.NDArray[np.intp]
_LEAST_OBJECTS = 10
_SEEDS = 2**31 - 1
# Hennig's reading of the mean Jaccard coefficient: a cluster at 0.85 or more is highly stable, one
# below 0.6 should not be trusted.
HIGHLY_STABLE = 0.85
TRUSTED = 0.6
# How much mean recovery may be given up for more clusters, which are recovered less easily. Of 55
# data sets with K from 2 to 20, it was chosen on every other one and judged on the rest: mean
# adjusted Rand index 0.73 and 0.65, with 0 0.72 and 0.61 (python -m experiments.stability).
_TOLERANCE = 0.05
# On uniform and Gaussian noise (150 and 300 rows, 2 to 10 columns, 16 data sets), the agreement of
# the selected clusters was 0.12 to 0.78.
_UNSTABLE = 0.8
_MOST_LISTED = 8  # clusters in a warning


@dataclass(frozen=True)
class Candidate:
    """One number of clusters, judged.

    Attributes
    ----------
    asked : int or None
        `n_clusters` of the fits.
    estimator : ShiftedMinCut
        Fitted to all objects.
    agreement : float
        Mean adjusted Rand index between pairs of subsamples, on the objects they share. 0 for pairs
        in which either is a single cluster.
    spread : float
        Standard deviation of these.
    recovery : ndarray of shape (n_clusters,)
        For each cluster, its mean Jaccard coefficient with the most similar cluster of a subsample.
    support : ndarray of shape (n_samples,)
        For each object, the share of the subsamples with it that put it into the cluster most
        similar to its own. NaN for an object that none has.
    found : list of int
        Number of clusters of each subsample.
    """

    asked: int | None
    estimator: ShiftedMinCut
    agreement: float
    spread: float
    recovery: Floats
    support: Floats
    found: list[int]

    @property
    def n_clusters(self) -> int:
        """Number of clusters of all objects."""
        return self.estimator.n_clusters_

    @property
    def mean_recovery(self) -> float:
        """The mean recovery of the clusters, by which the number of clusters is selected."""
        return float(self.recovery.mean())

    @property
    def weakest(self) -> float:
        """The lowest recovery of a cluster."""
        return float(self.recovery.min())


@dataclass(frozen=True, repr=False)
class Stability:
    """The result of `stability`.

    Attributes
    ----------
    best : Candidate
        The selected candidate.
    candidates : list of Candidate
        All of them, in the order given.
    n_resamples : int
        Number of subsamples.
    fraction : float
        Share of the objects in each.
    """

    best: Candidate
    candidates: list[Candidate]
    n_resamples: int
    fraction: float

    @property
    def estimator(self) -> ShiftedMinCut:
        """The selected model, fitted to all objects."""
        return self.best.estimator

    @property
    def labels(self) -> Labels:
        """The labels of the selected model."""
        return self.best.estimator.labels_

    @property
    def n_clusters(self) -> int:
        """The number of clusters of the selected model."""
        return self.best.n_clusters

    @property
    def agreement(self) -> float:
        """The agreement of the selected model."""
        return self.best.agreement

    @property
    def recovery(self) -> Floats:
        """The recovery of each cluster of the selected model."""
        return self.best.recovery

    @property
    def support(self) -> Floats:
        """The support of each object in the selected model."""
        return self.best.support

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw it with `shiftcut.plot.stability`."""
        from . import plot

        return plot.stability(self, ax=ax)

    def __repr__(self) -> str:
        sizes = np.bincount(self.labels)
        lines = [
            f"Stability over {self.n_resamples} subsamples of {100 * self.fraction:g}% of "
            f"{len(self.labels)} objects"
        ]
        if len(self.candidates) > 1:
            lines.append("  n_clusters   found   agreement   recovery   weakest cluster")
            for one in self.candidates:
                mark = "  <- selected" if one is self.best else ""
                asked = "None" if one.asked is None else str(one.asked)
                lines.append(
                    f"  {asked:>10}   {one.n_clusters:>5}   {one.agreement:>9.2f}   "
                    f"{one.mean_recovery:>8.2f}   {one.weakest:>15.2f}{mark}"
                )
        else:
            lines.append(f"  agreement {self.agreement:.2f} (1: identical, 0: chance)")
        lines.append("  cluster   objects   recovery")
        lines += [
            f"  {k:>7}   {sizes[k]:>7}   {value:>8.2f}   {_in_words(value)}"
            for k, value in enumerate(self.recovery)
        ]
        return "\n".join(lines)


def _in_words(recovery: float) -> str:
    if recovery >= HIGHLY_STABLE:
        return "highly stable"
    return "a pattern" if recovery >= TRUSTED else "not to be trusted"


def stability(
    X: Data,
    n_clusters: int | Iterable[int | None] | None = None,
    *,
    n_resamples: int = 20,
    fraction: float = 0.8,
    random_state: int | np.random.RandomState | None = 0,
    n_jobs: int | None = None,
    **parameters: Any,  # noqa: ANN401
) -> Stability:
    """Measure how well clusterings of subsamples agree, and choose the number of clusters by it.

    Parameters
    ----------
    X : as for `ShiftedMinCut.fit`
        Of matrices and graphs, subsamples take rows and columns.
    n_clusters : int, None or iterable of these, default=None
        Numbers of clusters to compare, such as `range(2, 11)`. None: estimated, from each
        subsample for itself.
    n_resamples : int, default=20
        Number of subsamples, 2 or more. Each is clustered with a seed of its own.
    fraction : float, default=0.8
        Share of the objects in each, above 0 and up to 1. With 1, only the seeds differ.
    random_state : int, RandomState instance or None, default=0
        Seed for the subsamples and for the fits.
    n_jobs : int or None, default=None
        Fits at a time, as in joblib. It does not change the result.
    **parameters
        Further parameters of `ShiftedMinCut`. Bounds on the sizes of clusters hold for all objects,
        and in proportion for subsamples.

    Returns
    -------
    Stability

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from shiftcut import stability
    >>> X, _ = make_blobs(200, centers=4, random_state=3)
    >>> stability(X, range(2, 7)).n_clusters
    4
    """
    asked = _asked(n_clusters)
    _check(n_resamples, fraction)
    random = check_random_state(random_state)
    seed = int(random.randint(_SEEDS))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ShiftcutWarning)
        whole = [ShiftedMinCut(k, random_state=seed, **parameters).fit(X) for k in asked]
    n = len(whole[0].labels_)
    size = round(fraction * n)
    if n < _LEAST_OBJECTS or size < 2:
        raise ValueError(f"X: found {n} objects, {size} in a subsample; allowed: 10 or more, and 2")
    samples = [np.sort(random.permutation(n)[:size]) for _ in range(n_resamples)]
    seeds = [int(random.randint(_SEEDS)) for _ in samples]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ShiftcutWarning)
        labels = Parallel(n_jobs=n_jobs, prefer="threads")(
            delayed(_labels_of)(model, rows, seed)
            for model in whole
            for rows, seed in zip(samples, seeds, strict=True)
        )
    candidates = [
        _judged(k, model, samples, labels[i * n_resamples : (i + 1) * n_resamples])
        for i, (k, model) in enumerate(zip(asked, whole, strict=True))
    ]
    found = Stability(_chosen(candidates), candidates, n_resamples, float(fraction))
    warn_all(_notes(found))
    return found


def _asked(n_clusters: Any) -> list[int | None]:  # noqa: ANN401
    allowed = "an int of 1 or more, None, or several of them"
    if isinstance(n_clusters, str | bytes | float):
        raise ValueError(f"n_clusters: found {n_clusters!r}; allowed: {allowed}")
    asked = list(n_clusters) if isinstance(n_clusters, Iterable) else [n_clusters]
    for value in asked:
        is_whole = isinstance(value, Integral) and not is_bool(value)
        if value is not None and not (is_whole and int(value) >= 1):
            raise ValueError(f"n_clusters: found {value!r}; allowed: {allowed}")
    if not asked:
        raise ValueError(f"n_clusters: found none; allowed: {allowed}")
    if len(set(asked)) < len(asked):
        raise ValueError(f"n_clusters: found {asked}; allowed: each number once")
    return [None if value is None else int(value) for value in asked]


def _check(n_resamples: object, fraction: Any) -> None:  # noqa: ANN401
    if count("n_resamples", n_resamples) < 2:
        raise ValueError(f"n_resamples: found {n_resamples!r}; allowed: 2 or more")
    if is_bool(fraction) or not isinstance(fraction, Real) or not 0 < float(fraction) <= 1:
        raise ValueError(f"fraction: found {fraction!r}; allowed: above 0 and up to 1")


def _labels_of(whole: ShiftedMinCut, rows: _Rows, seed: int) -> Labels:
    """Cluster some of the objects of a fitted model under its parameters."""
    values, is_matrix = whole._data, whole._matrix_shape() is not None
    model: ShiftedMinCut = clone(whole).set_params(**dict.fromkeys(LINKS), random_state=seed)
    if whole._node_names is not None:
        model.set_params(similarity="precomputed")
    if model.n_clusters is not None:
        model.set_params(n_clusters=min(model.n_clusters, len(rows)))
    share = len(rows) / len(whole.labels_)
    if model.min_cluster_size is not None:
        model.set_params(min_cluster_size=max(1, math.floor(share * model.min_cluster_size)))
    if model.max_cluster_size is not None:
        model.set_params(max_cluster_size=math.ceil(share * model.max_cluster_size))
    if np.ndim(model.shift) == 2 or sparse.issparse(model.shift):
        model.set_params(shift=_part(_matrix(model.shift), rows, True))
    links = links_within(links_of_fit(whole.get_params(deep=False), {}), rows)
    return model.fit(_part(values, rows, is_matrix), **links).labels_


def _matrix(given: Data) -> Matrix:
    return given.tocsr() if sparse.issparse(given) else np.asarray(given)


def _part(values: Matrix, rows: _Rows, is_matrix: bool) -> Matrix:
    return values[rows][:, rows] if is_matrix else values[rows]


def _judged(
    asked: int | None, whole: ShiftedMinCut, samples: Sequence[_Rows], labels: Sequence[Labels]
) -> Candidate:
    n = len(whole.labels_)
    place = np.full((len(samples), n), -1)  # label of each object in each subsample
    for row, rows, found in zip(place, samples, labels, strict=True):
        row[rows] = found
    agreements = np.array([_agreement(one, other) for one, other in combinations(place, 2)])
    recovery = np.empty((len(samples), whole.n_clusters_))
    supported = np.zeros(n)
    for i, row in enumerate(place):
        drawn = row >= 0
        recovery[i], nearest = _jaccard(whole.labels_[drawn], row[drawn], whole.n_clusters_)
        supported[drawn] += nearest[whole.labels_[drawn]] == row[drawn]
    times = (place >= 0).sum(axis=0)
    # A cluster of which a subsample has no object says nothing there.
    said = np.where(np.isnan(recovery).all(axis=0), 0.0, recovery)
    return Candidate(
        asked,
        whole,
        float(agreements.mean()),
        float(agreements.std()),
        np.nanmean(said, axis=0),
        np.where(times > 0, supported / np.maximum(times, 1), np.nan),
        [len(np.unique(found)) for found in labels],
    )


def _agreement(one: Labels, other: Labels) -> float:
    both = (one >= 0) & (other >= 0)
    says = all(len(np.unique(labels[both])) > 1 for labels in (one, other))
    return ari(one[both], other[both]) if says else 0.0


def _jaccard(labels: Labels, found: Labels, n_clusters: int) -> tuple[Floats, Labels]:
    """Return for each cluster the Jaccard coefficient with the most similar one of `found`, and
    which that is; NaN and -1 for clusters without objects here."""
    shape = (n_clusters, int(found.max()) + 1)
    both = np.zeros(shape)
    np.add.at(both, (labels, found), 1)
    either = both.sum(axis=1)[:, None] + both.sum(axis=0) - both
    values = both / np.maximum(either, 1)
    is_here = both.sum(axis=1) > 0
    nearest = np.where(is_here, values.argmax(axis=1), -1).astype(np.int32)
    return np.where(is_here, values.max(axis=1), np.nan), nearest


def _chosen(candidates: Sequence[Candidate]) -> Candidate:
    """Select the most clusters among those whose mean recovery is near the best; ties go to the
    higher one. A single cluster, which every subsample recovers, counts only if there is no other.
    """
    several = [one for one in candidates if one.n_clusters > 1] or candidates
    most = max(one.mean_recovery for one in several)
    near = [one for one in several if one.mean_recovery >= most - _TOLERANCE]
    return max(near, key=lambda one: (one.n_clusters, one.mean_recovery))


def _notes(found: Stability) -> list[Note]:
    """What the selected fit warned of, and whether its clusters are unstable."""
    result = found.estimator.result_
    notes = [
        Note(code, "", text)
        for code, text in zip(result["warning_codes"], result["warnings"], strict=True)
    ]
    if found.n_clusters == 1:
        return notes
    if found.agreement < _UNSTABLE:
        notes.append(
            Note(
                "unstable",
                "n_clusters",
                f"the {found.n_clusters} clusters are unstable: subsamples agree by "
                f"{found.agreement:.2f} (adjusted Rand index; 1: identical, 0: chance), which data "
                "without clusters reach too",
            )
        )
    weak = np.flatnonzero(found.recovery < TRUSTED)
    if len(weak) > 0:
        listed = ", ".join(f"{k} ({found.recovery[k]:.2f})" for k in weak[:_MOST_LISTED])
        more = f" and {len(weak) - _MOST_LISTED} more" if len(weak) > _MOST_LISTED else ""
        notes.append(
            Note(
                "unstable",
                "n_clusters",
                f"subsamples do not recover {len(weak)} of the {found.n_clusters} clusters (mean "
                f"Jaccard coefficient below {TRUSTED}): {listed}{more}",
            )
        )
    return notes
