"""Parameters chosen by how well groupings of parts of the data agree.

Costs of different parameters are in different units, so they can't be compared. What can be is how
much a grouping depends on the sample: two random parts of the data are grouped each on its own,
and the labels of the objects in both are compared by the adjusted Rand index (Ben-Hur, Elisseeff
and Guyon 2002; Lange, Roth, Braun and Buhmann 2004). A number of clusters that the data do not have
is cut here in one part and there in another.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import ParameterGrid
from sklearn.utils import _safe_indexing, check_random_state, get_tags
from sklearn.utils.validation import _num_samples

from ._arrays import Data, Floats
from ._checks import count
from ._estimator import ShiftedMinCut
from ._links import LINKS, link_options, links_within
from ._warnings import ShiftcutWarning
from .metrics import ari

__all__ = ["Selection", "agreement", "held_out_agreement", "select"]

_Rows = npt.NDArray[np.intp]
_LEAST_SAMPLES = 10


@dataclass(frozen=True)
class Selection:
    """What `select` found.

    Attributes
    ----------
    best_params : dict
        Of the candidate chosen.
    best_estimator : estimator
        With these, fitted to all of X.
    best_agreement : float
        Its agreement, from 0 (chance) to 1.
    results : list of dict
        For each candidate `params`, `agreement`, its `spread` (standard deviation over the pairs)
        and `n_clusters`, the median number found; `pandas.DataFrame(results)` is a table of them.
    """

    best_params: dict[str, Any]
    best_estimator: Any
    best_agreement: float
    results: list[dict[str, Any]]


def _rows_of(X: Data, rows: _Rows, *, pairwise: bool) -> Data:
    if pairwise:
        return np.asarray(X)[np.ix_(rows, rows)] if _is_dense(X) else X.tocsr()[rows][:, rows]
    if hasattr(X, "column_names") and hasattr(X, "take"):
        return X.take(rows)  # an Arrow table
    return _safe_indexing(X.tocsr() if hasattr(X, "tocsr") else X, rows)


def _is_dense(X: Data) -> bool:
    return not hasattr(X, "tocsr")


def _labels(model: Any, X: Data, rows: _Rows | None = None) -> Data:  # noqa: ANN401
    """Of a part of X; pairs of the model that lie in it hold there."""
    fit_params: dict[str, Any] = {}
    part = X
    if rows is not None:
        part = _rows_of(X, rows, pairwise=get_tags(model).input_tags.pairwise)
        if isinstance(model, ShiftedMinCut):
            links = {name: getattr(model, name) for name in LINKS}
            link_options(links, _num_samples(X))  # refuses bad ones
            fit_params = links_within(links, rows)
            model.set_params(**dict.fromkeys(LINKS))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ShiftcutWarning)
        return np.asarray(model.fit_predict(part, **fit_params))


def _agreement_of(one: Data, other: Data) -> float:
    """The adjusted Rand index; 0 where one of them says nothing."""
    says = all(1 < len(np.unique(labels)) < len(labels) for labels in (one, other))
    return ari(one, other) if says else 0.0


def _parts(n: int, n_parts: int, fraction: float, random_state: object) -> list[_Rows]:
    if n < _LEAST_SAMPLES:
        raise ValueError(f"n_samples={n} should be >= {_LEAST_SAMPLES} to be grouped in parts")
    if not 0.5 <= fraction < 1:
        raise ValueError(f"fraction: found {fraction!r}; allowed: from 0.5 to below 1")
    if count("n_parts", n_parts) < 2:
        raise ValueError(f"n_parts: found {n_parts!r}; allowed: 2 or more")
    random = check_random_state(random_state)
    size = max(2, round(fraction * n))
    return [np.sort(random.permutation(n)[:size]) for _ in range(n_parts)]


def _pairwise_agreement(labels: Sequence[Data], parts: Sequence[_Rows], n: int) -> Floats:
    whole = np.full((len(parts), n), -1)
    for row, rows, found in zip(whole, parts, labels, strict=True):
        row[rows] = np.unique(found, return_inverse=True)[1]
    found = []
    for one, other in itertools.combinations(whole, 2):
        both = (one >= 0) & (other >= 0)
        found.append(_agreement_of(one[both], other[both]))
    return np.array(found)


def _judged(
    estimator: BaseEstimator, X: Data, parts: Sequence[_Rows], params: Mapping[str, Any]
) -> tuple[Floats, float]:
    """The agreement of each pair of parts, and the median number of clusters."""
    labels = [_labels(clone(estimator).set_params(**params), X, rows) for rows in parts]
    n_clusters = float(np.median([len(np.unique(found)) for found in labels]))
    return _pairwise_agreement(labels, parts, _num_samples(X)), n_clusters


def agreement(
    estimator: BaseEstimator,
    X: Data,
    *,
    n_parts: int = 6,
    fraction: float = 0.8,
    random_state: int | np.random.RandomState | None = 0,
) -> Floats:
    """How well groupings of random parts of the data agree.

    Parameters
    ----------
    estimator : estimator
        A clusterer, or a pipeline that ends in one. It is not changed. Of the pairs of a
        `ShiftedMinCut` those inside a part hold there.
    X : as for its `fit`
    n_parts : int, default=6
        Parts drawn; each is grouped on its own.
    fraction : float, default=0.8
        Of the samples in a part.
    random_state : int, RandomState instance or None, default=0
        Of the parts.

    Returns
    -------
    ndarray of shape (n_parts * (n_parts - 1) / 2,)
        For each pair of parts the adjusted Rand index of the labels of the samples in both: 1 is
        the same grouping, 0 as much as chance. 0 also where either is a single cluster.
    """
    parts = _parts(_num_samples(X), n_parts, fraction, random_state)
    return _judged(estimator, X, parts, {})[0]


def held_out_agreement(estimator: Any, X: Data, y: object = None) -> float:  # noqa: ANN401
    """A scorer for `GridSearchCV(..., scoring=held_out_agreement)`.

    Groups the held-out rows on their own, and compares with where the fitted estimator sends them.
    `select` compares groupings of larger parts, and minds how many clusters there are; prefer it.
    With GridSearchCV take few folds (`cv=2`, or `ShuffleSplit` with half of the rows held out), for
    the held-out rows must show the clusters, too.

    Parameters
    ----------
    estimator : estimator
        Fitted, with `predict`.
    X : as for its `fit`
        Rows that it was not fitted to.
    y : ignored

    Returns
    -------
    float
        The adjusted Rand index; 0 where either grouping is a single cluster.
    """
    if get_tags(estimator).input_tags.pairwise:
        raise ValueError(
            "held_out_agreement: found a precomputed similarity, of which a fold holds the rows "
            "without their own columns; allowed: features, or shiftcut.model_selection.select"
        )
    return _agreement_of(estimator.predict(X), _labels(clone(estimator), X))


def select(
    estimator: BaseEstimator,
    param_grid: Mapping[str, Iterable[Any]] | Sequence[Mapping[str, Iterable[Any]]],
    X: Data,
    *,
    n_parts: int = 6,
    fraction: float = 0.8,
    tolerance: float = 0.05,
    random_state: int | np.random.RandomState | None = 0,
    n_jobs: int | None = None,
) -> Selection:
    """The parameters whose groupings of random parts of the data agree best.

    Few clusters agree more easily than many, so of all candidates within `tolerance` of the best
    agreement that with the most clusters is taken, and of these that which agrees best.

    Parameters
    ----------
    estimator : estimator
        As for `agreement`.
    param_grid : dict or list of dicts
        As for scikit-learn's `GridSearchCV`.
    X : as for the estimator's `fit`
    n_parts, fraction, random_state
        As for `agreement`; all candidates see the same parts.
    tolerance : float, default=0.05
        How much less agreement a larger number of clusters may have.
    n_jobs : int or None, default=None
        Candidates judged at the same time, as joblib counts.

    Returns
    -------
    Selection

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from shiftcut import ShiftedMinCut
    >>> from shiftcut.model_selection import select
    >>> X, _ = make_blobs(200, centers=4, random_state=3)
    >>> found = select(ShiftedMinCut(random_state=0), {"n_clusters": [2, 3, 4, 5, 6]}, X)
    >>> found.best_params
    {'n_clusters': 4}
    """
    candidates = list(ParameterGrid(param_grid))
    parts = _parts(_num_samples(X), n_parts, fraction, random_state)
    judged = Parallel(n_jobs=n_jobs)(
        delayed(_judged)(estimator, X, parts, params) for params in candidates
    )
    results = [
        {
            "params": params,
            "agreement": float(found.mean()),
            "spread": float(found.std()),
            "n_clusters": n_clusters,
        }
        for params, (found, n_clusters) in zip(candidates, judged, strict=True)
    ]
    best = _chosen(results, tolerance)
    model = clone(estimator).set_params(**best["params"]).fit(X)
    return Selection(best["params"], model, best["agreement"], results)


def _chosen(results: Sequence[dict[str, Any]], tolerance: float) -> dict[str, Any]:
    """Ties in clusters and agreement go to the first."""
    most = max(result["agreement"] for result in results)
    near = [result for result in results if result["agreement"] >= most - tolerance]
    return max(near, key=lambda result: (result["n_clusters"], result["agreement"]))
