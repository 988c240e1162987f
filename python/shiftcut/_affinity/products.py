"""Similarities that are products of rows: the clusters' sums of rows are all that is kept."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from .. import _core
from .._arrays import Floats, Matrix, cluster_sums
from .grouping import Grouping, chunks
from .scaling import Scaling


def _dot(rows: Matrix, matrix: Floats) -> Floats:
    return np.asarray(rows @ matrix, dtype=np.float64)


def _squared_lengths(rows: Matrix) -> Floats:
    if sparse.issparse(rows):
        return np.asarray(rows.multiply(rows).sum(axis=1), dtype=np.float64).ravel()
    return np.asarray(np.einsum("ij,ij->i", rows, rows))


class LinearAffinity:
    """S_oj = 2 y_o.y_j - w (q_o + q_j) + L, with y the scaled and centred rows and q = |y|^2.

    Under the adaptive shift w = 1 - strength and L = w M, else w = 1 and L = M less the shift, M
    the largest squared distance. L is taken from the cost, which is the sum of S.
    """

    def __init__(self, grouping: Grouping, values: Matrix, scaling: Scaling, threads: int) -> None:
        n, k = values.shape[0], len(grouping.sizes)
        self._scaling = scaling
        self._sizes = grouping.sizes
        self._weight = 1 - grouping.strength if grouping.adaptive else 1.0
        if sparse.issparse(values):
            sums = cluster_sums(grouping.labels, k, values)
        else:
            sums = _core.cluster_sums(values, grouping.labels, k, threads)
        sums = (sums - np.outer(self._sizes, scaling.offset)) * scaling.factor
        self._centre = sums.sum(axis=0) / n
        self._sums = sums - np.outer(self._sizes, self._centre)
        self._lengths, self._level = np.zeros(k), 0.0
        if self._weight != 0:
            for rows in chunks(n):
                q = self._centred_lengths(scaling.apply(values[rows]))
                self._lengths += cluster_sums(grouping.labels[rows], k, q)
            earned = 2 * _squared_lengths(self._sums)
            earned -= 2 * self._weight * self._sizes * self._lengths
            self._level = (-grouping.cost - earned.sum()) / (self._sizes**2).sum()

    def _centred_lengths(self, rows: Matrix) -> Floats:
        if sparse.issparse(rows):
            mixed = _dot(rows, self._centre)
            return _squared_lengths(rows) - 2 * mixed + float(self._centre @ self._centre)
        return _squared_lengths(rows - self._centre)

    def affinities(self, values: Matrix) -> Floats:
        if np.isnan(self._level):
            raise ValueError(
                "the fit was stopped before its cost was known, which new rows are judged by; fit "
                "again with a larger max_seconds"
            )
        out = np.empty((values.shape[0], len(self._sizes)))
        for rows in chunks(values.shape[0]):
            scaled = self._scaling.apply(values[rows])
            out[rows] = 2 * (_dot(scaled, self._sums.T) - self._sums @ self._centre)
            if self._weight != 0:
                q = self._centred_lengths(scaled)
                out[rows] -= self._weight * (np.outer(q, self._sizes) + self._lengths)
                out[rows] += self._level * self._sizes
        return out


class CosineAffinity:
    """x_oj = u_o.u_j, u the scaled rows at unit length (a zero row stays zero)."""

    def __init__(self, grouping: Grouping, values: Matrix, scaling: Scaling) -> None:
        n, k = values.shape[0], len(grouping.sizes)
        self._grouping = grouping
        self._scaling = scaling
        self._sums = np.zeros((k, values.shape[1]))
        for rows in chunks(n):
            self._sums += cluster_sums(grouping.labels[rows], k, self._unit(values[rows]))
        self._mean = self._sums.sum(axis=0) / n

    def _unit(self, values: Matrix) -> Matrix:
        scaled = self._scaling.apply(values)
        length = np.sqrt(_squared_lengths(scaled))
        inverse = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)
        if sparse.issparse(scaled):
            return sparse.diags_array(inverse) @ scaled
        return scaled * inverse[:, None]

    def affinities(self, values: Matrix) -> Floats:
        grouping, sizes = self._grouping, self._grouping.sizes
        out = np.empty((values.shape[0], len(sizes)))
        for rows in chunks(values.shape[0]):
            unit = self._unit(values[rows])
            out[rows] = _dot(unit, self._sums.T)
            if grouping.adaptive:
                shift = np.outer(_dot(unit, self._mean), sizes)
                shift += self._sums @ self._mean - sizes * float(self._mean @ self._mean)
                out[rows] -= grouping.strength * shift
            else:
                out[rows] -= grouping.subtracted * sizes
        return out
