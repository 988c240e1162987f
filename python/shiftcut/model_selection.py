"""Parameter selection by the agreement between clusterings of two halves of the data.

Costs for different parameters have different units and cannot be compared. What can be compared is
how much a clustering depends on the sample: two halves of the data are clustered separately, and
the labels of each half are compared, by the adjusted Rand index, with those that the model of the
other half predicts (Tibshirani and Walther 2005; Lange, Roth, Braun and Buhmann 2004). Clusters
that the data do not support come out differently in each half.
"""

from __future__ import annotations

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
from ._checks import count, is_bool
from ._estimator import ShiftedMinCut
from ._graphs import matrix_model
from ._links import LINKS, link_options, links_within
from ._warnings import ShiftcutWarning
from .metrics import ari

__all__ = ["Selection", "agreement", "held_out_agreement", "select"]

_Rows = npt.NDArray[np.intp]
_LEAST_SAMPLES = 10


@dataclass(frozen=True)
class Selection:
    """The result of `select`.

    Attributes
    ----------
    best_params : dict
        Parameters of the selected candidate.
    best_estimator : estimator
        An estimator with these parameters, fitted to all of X.
    best_agreement : float
        Agreement of the selected candidate, from 0 (chance) to 1.
    results : list of dict
        For each candidate, `params`, `agreement`, `spread` (standard deviation over the halves) and
        `n_clusters` (median number found); `pandas.DataFrame(results)` is a table of them.
    """

    best_params: dict[str, Any]
    best_estimator: Any
    best_agreement: float
    results: list[dict[str, Any]]


def _rows_of(X: Data, rows: _Rows, columns: _Rows | None) -> Data:
    """Return some rows of X and, for a precomputed matrix, some columns."""
    if hasattr(X, "tocsr"):
        part = X.tocsr()[rows]
        return part if columns is None else part[:, columns]
    if columns is not None:
        return np.asarray(X)[np.ix_(rows, columns)]
    if hasattr(X, "column_names") and hasattr(X, "take"):
        return X.take(rows)  # an Arrow table
    return _safe_indexing(X, rows)


def _fitted(model: Any, X: Data, rows: _Rows, n: int) -> Any:  # noqa: ANN401
    """Fit to some of n rows, with the model's pairs that lie among them."""
    links: dict[str, Any] = {}
    if isinstance(model, ShiftedMinCut):
        given = {name: getattr(model, name) for name in LINKS}
        link_options(given, n)  # checks them
        links = links_within(given, rows)
        model.set_params(**dict.fromkeys(LINKS))
    return model.fit(X, **links)


def _labels_of(model: Any) -> Data:  # noqa: ANN401
    return model[-1].labels_ if hasattr(model, "steps") else model.labels_


def _agreement_of(one: Data, other: Data) -> float:
    """Return the adjusted Rand index, or 0 if either clustering is trivial."""
    says = all(1 < len(np.unique(labels)) < len(labels) for labels in (one, other))
    return ari(one, other) if says else 0.0


def _halves(X: Data, n_splits: int, random_state: object) -> list[tuple[_Rows, _Rows]]:
    n = _num_samples(X)
    if n < _LEAST_SAMPLES:
        raise ValueError(f"n_samples={n} should be >= {_LEAST_SAMPLES} to be grouped in halves")
    if count("n_splits", n_splits) < 1:
        raise ValueError(f"n_splits: found {n_splits!r}; allowed: 1 or more")
    random = check_random_state(random_state)
    orders = [random.permutation(n) for _ in range(n_splits)]
    return [(np.sort(order[: n // 2]), np.sort(order[n // 2 :])) for order in orders]


def _judged(
    estimator: BaseEstimator,
    X: Data,
    halves: Sequence[tuple[_Rows, _Rows]],
    params: Mapping[str, Any],
) -> tuple[Floats, float]:
    """Return the agreement on each half and the median number of clusters."""
    found, n_clusters = [], []
    for pair in halves:
        models = []
        pairwise = get_tags(clone(estimator).set_params(**params)).input_tags.pairwise
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ShiftcutWarning)
            for rows in pair:
                part = _rows_of(X, rows, rows if pairwise else None)
                model = clone(estimator).set_params(**params)
                models.append(_fitted(model, part, rows, _num_samples(X)))
            for model, own, other, rows in (
                (models[0], pair[0], models[1], pair[1]),
                (models[1], pair[1], models[0], pair[0]),
            ):
                sent = model.predict(_rows_of(X, rows, own if pairwise else None))
                found.append(_agreement_of(sent, _labels_of(other)))
                n_clusters.append(len(np.unique(_labels_of(model))))
    return np.array(found), float(np.median(n_clusters))


def agreement(
    estimator: BaseEstimator,
    X: Data,
    *,
    n_splits: int = 3,
    random_state: int | np.random.RandomState | None = 0,
) -> Floats:
    """Measure how well clusterings of two halves of the data agree.

    Parameters
    ----------
    estimator : estimator
        A clusterer with `predict`, or a pipeline that ends in one. It is not modified. Each half
        uses those pairs of a `ShiftedMinCut` that lie within it.
    X : as for its `fit`
    n_splits : int, default=3
        Number of times the data are split in half.
    random_state : int, RandomState instance or None, default=0
        Seed for the splits.

    Returns
    -------
    ndarray of shape (2 * n_splits,)
        For each half, the adjusted Rand index between its own labels and those predicted by the
        model of the other half: 1 means identical, 0 chance level. Also 0 if either is a single
        cluster.
    """
    estimator, X = matrix_model(estimator, X)
    return _judged(estimator, X, _halves(X, n_splits, random_state), {})[0]


def held_out_agreement(estimator: Any, X: Data, y: object = None) -> float:  # noqa: ANN401
    """A scorer for `GridSearchCV(..., scoring=held_out_agreement)`.

    Clusters the held-out rows separately and compares the labels with those that the fitted
    estimator predicts. GridSearchCV selects the highest score alone, and few clusters agree more
    easily than many, so prefer `select`. The held-out rows must show the clusters too: hold out
    half of them (`cv=2`, with the rows in random order).

    Parameters
    ----------
    estimator : estimator
        Fitted, with `predict`.
    X : as for its `fit`
        Held-out rows.
    y : ignored

    Returns
    -------
    float
        The adjusted Rand index; 0 if either clustering is a single cluster.
    """
    if get_tags(estimator).input_tags.pairwise:
        raise ValueError(
            "held_out_agreement: found a precomputed similarity, of which a fold holds rows "
            "without their own columns; allowed: features, or shiftcut.model_selection.select"
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ShiftcutWarning)
        return _agreement_of(estimator.predict(X), _labels_of(clone(estimator).fit(X)))


def select(
    estimator: BaseEstimator,
    param_grid: Mapping[str, Iterable[Any]] | Sequence[Mapping[str, Iterable[Any]]],
    X: Data,
    *,
    n_splits: int = 3,
    tolerance: float = 0.02,
    random_state: int | np.random.RandomState | None = 0,
    n_jobs: int | None = None,
) -> Selection:
    """Select the parameters whose clusterings of two halves of the data agree best.

    Few clusters agree more easily than many, so among the candidates within `tolerance` of the best
    agreement, the one with the most clusters is selected; ties go to the higher agreement.

    Parameters
    ----------
    estimator : estimator
        As for `agreement`.
    param_grid : dict or list of dicts
        As for scikit-learn's `GridSearchCV`.
    X : as for the estimator's `fit`
    n_splits, random_state
        As for `agreement`; all candidates see the same halves.
    tolerance : float, default=0.02
        How much agreement may be given up for more clusters.
    n_jobs : int or None, default=None
        Candidates evaluated in parallel, as in joblib.

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
    if is_bool(tolerance) or not 0 <= tolerance <= 1:
        raise ValueError(f"tolerance: found {tolerance!r}; allowed: from 0 to 1")
    candidates = list(ParameterGrid(param_grid))
    if not candidates:
        raise ValueError("param_grid: found no candidates; allowed: one or more")
    judged_model, values = matrix_model(estimator, X)
    halves = _halves(values, n_splits, random_state)
    judged = Parallel(n_jobs=n_jobs)(
        delayed(_judged)(judged_model, values, halves, params) for params in candidates
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
    """Select a candidate; ties in clusters and agreement go to the first."""
    most = max(result["agreement"] for result in results)
    near = [result for result in results if result["agreement"] >= most - tolerance]
    return max(near, key=lambda result: (result["n_clusters"], result["agreement"]))
