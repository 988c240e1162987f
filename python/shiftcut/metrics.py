"""Agreement between two clusterings of the same objects.

The scores match those of `sklearn.metrics`; published tables for this method use `ami_max`.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_consistent_length, column_or_1d

from . import _core
from ._checks import is_missing

__all__ = ["ami", "ami_max", "ari", "completeness", "homogeneity", "scores", "v_measure"]


def _codes(labels: npt.ArrayLike) -> npt.NDArray[np.int32]:
    values = column_or_1d(np.asarray(labels))
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise ValueError("labels contain NaN or infinity")
    if values.dtype.kind == "O":
        missing = [i for i, value in enumerate(values) if is_missing(value)]
        if missing:
            raise ValueError(f"labels contain a missing value, at index {missing[0]}")
    return np.unique(values, return_inverse=True)[1].astype(np.int32)


def scores(labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike) -> dict[str, float]:
    """Return all scores of `labels_pred` against `labels_true`, by name.

    Parameters
    ----------
    labels_true, labels_pred : array-like of shape (n_samples,)
        Class and cluster of each object; numbers or strings.

    Returns
    -------
    dict
        `ami`, `ami_max`, `ari`, `v_measure`, `homogeneity`, `completeness`.
    """
    truth, pred = _codes(labels_true), _codes(labels_pred)
    check_consistent_length(truth, pred)
    found: dict[str, Any] = json.loads(_core.score(truth, pred))
    return {name: float(value) for name, value in found.items()}


def ami(labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike) -> float:
    """Adjusted mutual information, normalised by the arithmetic mean of the entropies."""
    return scores(labels_true, labels_pred)["ami"]


def ami_max(labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike) -> float:
    """Adjusted mutual information, normalised by the larger entropy."""
    return scores(labels_true, labels_pred)["ami_max"]


def ari(labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike) -> float:
    """Adjusted Rand index."""
    return scores(labels_true, labels_pred)["ari"]


def v_measure(labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike) -> float:
    """Harmonic mean of homogeneity and completeness."""
    return scores(labels_true, labels_pred)["v_measure"]


def homogeneity(labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike) -> float:
    """Homogeneity: 1 if every cluster contains objects of one class only."""
    return scores(labels_true, labels_pred)["homogeneity"]


def completeness(labels_true: npt.ArrayLike, labels_pred: npt.ArrayLike) -> float:
    """Completeness: 1 if all objects of each class are in one cluster."""
    return scores(labels_true, labels_pred)["completeness"]
