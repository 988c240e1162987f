"""How features are prepared before a method sees them, as data.

`paper` reproduces the printed numbers: Shifted Min Cut on standardised features and plain
Euclidean distances (Pima: squared), k-means and mixtures on raw features, power iteration on the
similarities of plain distances. The input of the other methods is not known; they get the same
similarities.
`like-for-like` gives every method the same standardised features and plain distances.
`as written` follows the paper's text: squared distances, codes one-hot encoded, no scaling.

Pixels and tf-idf (the stand-ins) have a common unit and are never standardised.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from sklearn.metrics import pairwise_distances

from ..data.datasets import DataSet, Floats

METHODS = ("ShiftedMinCut", "DSC", "InImDyn", "PSC", "GMM", "KMeans", "PIC", "SC")
ON_FEATURES = ("GMM", "KMeans")


@dataclass(frozen=True)
class Preparation:
    scale: str = "standard"  # or "none"
    distance: str = "euclidean"  # or "sqeuclidean"
    encoding: str = "codes"  # or "one-hot"

    def __str__(self) -> str:
        return f"scale {self.scale}, {self.distance} distances, categories as {self.encoding}"


STANDARD = Preparation()
RAW = Preparation(scale="none")
PIPELINES: dict[str, dict[str, Preparation]] = {
    "paper": {method: RAW if method in ON_FEATURES else STANDARD for method in METHODS},
    "like-for-like": dict.fromkeys(METHODS, STANDARD),
    "as written": {"ShiftedMinCut": Preparation("none", "sqeuclidean", "one-hot")},
}
SQUARED_IN_PAPER = (("Pima Indians Diabetes", "ShiftedMinCut"),)


def preparation(pipeline: str, method: str, data: DataSet) -> Preparation:
    chosen = PIPELINES[pipeline][method]
    if data.stand_in:
        return replace(chosen, scale="none")
    if pipeline == "paper" and (data.name, method) in SQUARED_IN_PAPER:
        return replace(chosen, distance="sqeuclidean")
    return chosen


def encoded(data: DataSet, encoding: str) -> Floats:
    """The features with columns of codes kept as numbers, or one-hot encoded."""
    if encoding == "codes" or not data.codes:
        return data.rows
    parts = []
    for place in range(data.rows.shape[1]):
        column = data.rows[:, place]
        if place in data.codes:
            parts += [(column == code).astype(np.float64) for code in np.unique(column)]
        else:
            parts.append(column)
    return np.column_stack(parts)


def scaled(rows: Floats, scale: str) -> Floats:
    """Zero mean and unit variance for each column; constant columns become zero."""
    if scale == "none":
        return rows
    centred = rows - rows.mean(axis=0)
    spread = rows.std(axis=0)
    return np.asarray(centred / np.where(spread > 0, spread, 1.0))


class Problem:
    """A data set as a method sees it."""

    def __init__(self, data: DataSet, how: Preparation) -> None:
        self.data, self.how, self.k = data, how, data.k

    @cached_property
    def unscaled(self) -> Floats:
        return encoded(self.data, self.how.encoding)

    @cached_property
    def rows(self) -> Floats:
        return scaled(self.unscaled, self.how.scale)

    @cached_property
    def similarities(self) -> Floats:
        """X = max(D) - D + min(D), diagonal included."""
        distances: Floats = pairwise_distances(self.rows, metric=self.how.distance)
        np.fill_diagonal(distances, 0.0)
        distances = (distances + distances.T) / 2
        return np.asarray(distances.max() - distances)

    @cached_property
    def graph(self) -> Floats:
        """The similarities without self-loops."""
        graph = self.similarities.copy()
        np.fill_diagonal(graph, 0.0)
        return graph
