"""Similarities without a shorter form: those of a new row to all training rows are computed."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from scipy import sparse

from .._arrays import Floats, Matrix, membership
from .grouping import Grouping, chunks
from .scaling import Scaling

_WIDTH_RANK = 7  # of the neighbour whose distance is an object's own width
_CHUNK = 256  # rows of n numbers
_NEARLY = 1e-12  # probabilities of 0 and 1 count as so near to them


def _distances(rows: Floats, training: Floats, metric: str) -> Floats:
    from scipy.spatial.distance import cdist

    return np.asarray(cdist(rows, training, metric), dtype=np.float64)


def _row_means(x: Matrix) -> Floats:
    return np.asarray(x.mean(axis=1), dtype=np.float64).ravel()


class PairSource(Protocol):
    def similarities(self, values: Matrix) -> Matrix:
        """Of new rows to the training ones."""

    def training_means(self) -> Floats:
        """The mean of each training object's similarities."""


class GivenSimilarities:
    def __init__(self, matrix: Matrix) -> None:
        self._means = _row_means(matrix)

    def similarities(self, values: Matrix) -> Matrix:
        return values

    def training_means(self) -> Floats:
        return self._means


class GivenProbabilities(GivenSimilarities):
    """x = log(p / (1 - p)) of the edges, as the library takes it; without an edge 0."""

    def __init__(self, graph: Matrix) -> None:
        super().__init__(self.similarities(graph))

    def similarities(self, values: Matrix) -> Matrix:
        odds = sparse.csr_array(values, dtype=np.float64, copy=True)
        if not ((odds.data >= 0) & (odds.data <= 1)).all():
            raise ValueError("weights: found 'log-odds' for values that are no probabilities")
        p = np.clip(odds.data, _NEARLY, 1 - _NEARLY)
        odds.data = np.log(p / (1 - p))
        return odds


class GivenDistances:
    """x = largest - distance."""

    def __init__(self, matrix: Matrix) -> None:
        self._largest = float(matrix.max())
        self._means = self._largest - _row_means(matrix)

    def similarities(self, values: Matrix) -> Matrix:
        return self._largest - values

    def training_means(self) -> Floats:
        return self._means


class DistanceRows:
    """x = largest - Euclidean distance of the scaled rows. Keeps the training rows."""

    def __init__(self, values: Matrix, scaling: Scaling) -> None:
        self._values = values
        self._scaling = scaling
        self._largest: float | None = None
        self._means: Floats | None = None

    def _to_training(self, values: Matrix) -> Floats:
        scaled = self._scaling.apply(values)
        return _distances(scaled, self._scaling.apply(self._values), "euclidean")

    def training_means(self) -> Floats:
        if self._means is None:
            n = self._values.shape[0]
            means, largest = np.empty(n), 0.0
            for rows in chunks(n, _CHUNK):
                block = self._to_training(self._values[rows])
                means[rows] = block.mean(axis=1)
                largest = max(largest, float(block.max()))
            self._largest, self._means = largest, largest - means
        return self._means

    def similarities(self, values: Matrix) -> Floats:
        self.training_means()
        assert self._largest is not None
        return self._largest - self._to_training(values)


class RbfRows:
    """x = exp(-d^2 / (s_o s_j)), s a given width or the distance to the 7th nearest training row
    that is elsewhere. Keeps the training rows."""

    def __init__(self, values: Matrix, scaling: Scaling, sigma: float | None) -> None:
        self._values = values
        self._scaling = scaling
        self._sigma = sigma
        self._training_widths: Floats | None = None
        self._means: Floats | None = None

    def _squared(self, values: Matrix) -> Floats:
        scaled = self._scaling.apply(values)
        return _distances(scaled, self._scaling.apply(self._values), "sqeuclidean")

    def _own_widths(self, squared: Floats) -> Floats:
        if self._sigma is not None:
            return np.full(len(squared), self._sigma)
        others = np.where(squared > 0, squared, np.inf)
        rank = np.minimum(_WIDTH_RANK, np.isfinite(others).sum(axis=1)) - 1
        few = min(_WIDTH_RANK, others.shape[1])
        nearest = np.sort(np.partition(others, few - 1)[:, :few])
        found = nearest[np.arange(len(squared)), np.maximum(rank, 0)]
        return np.where(rank >= 0, np.sqrt(found), 1.0)

    def _widths(self) -> Floats:
        if self._training_widths is None:
            n = self._values.shape[0]
            widths = np.empty(n)
            for rows in chunks(n, _CHUNK):
                widths[rows] = self._own_widths(self._squared(self._values[rows]))
            self._training_widths = widths
        return self._training_widths

    def similarities(self, values: Matrix) -> Floats:
        squared = self._squared(values)
        return np.asarray(np.exp(-squared / np.outer(self._own_widths(squared), self._widths())))

    def training_means(self) -> Floats:
        if self._means is None:
            n = self._values.shape[0]
            means = np.empty(n)
            for rows in chunks(n, _CHUNK):
                means[rows] = self.similarities(self._values[rows]).mean(axis=1)
            self._means = means
        return self._means


class PairAffinity:
    """Sums of x over the members, less the shift."""

    def __init__(self, grouping: Grouping, source: PairSource) -> None:
        self._grouping = grouping
        self._source = source

    def affinities(self, values: Matrix) -> Floats:
        sizes = self._grouping.sizes
        members = membership(self._grouping.labels, len(sizes))
        out = np.empty((values.shape[0], len(sizes)))
        for rows in chunks(values.shape[0], _CHUNK):
            x = self._source.similarities(values[rows])
            sums = x @ members
            out[rows] = sums.todense() if sparse.issparse(sums) else sums
            out[rows] -= self._shift(_row_means(x), members)
        return out

    def _shift(self, means: Floats, members: Matrix) -> Floats:
        grouping = self._grouping
        if not grouping.adaptive:
            return grouping.subtracted * grouping.sizes
        training = self._source.training_means()
        in_cluster = np.asarray(training @ members)
        between = np.outer(means, grouping.sizes) + in_cluster
        return np.asarray(grouping.strength * (between - grouping.sizes * training.mean()))
