"""Costs of all partitions of a few objects, so that optima are exact."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...data.datasets import Floats

Partitions = npt.NDArray[np.int8]  # one partition per row
TIE = 1e-9  # relative to the range of the costs


@lru_cache(maxsize=16)
def partitions(n: int, k: int) -> Partitions:
    """All partitions of n objects into exactly k clusters, each once.

    Labels first appear in the order 0, 1, ..., so each partition has exactly one row.
    """
    rows = np.zeros((1, 1), dtype=np.int8)
    for place in range(1, n):
        highest = rows.max(axis=1)
        parts = []
        for label in range(min(k, place + 1)):
            chosen = rows[highest >= label - 1]
            parts.append(np.column_stack([chosen, np.full(len(chosen), label, dtype=np.int8)]))
        rows = np.concatenate(parts).astype(np.int8)
        rows = rows[k - 1 - rows.max(axis=1) <= n - 1 - place]
    return rows


class Clusters(NamedTuple):
    """One row per partition, one column per cluster."""

    size: Floats
    inside: Floats  # sum of the similarities within, ordered pairs and diagonal
    degree: Floats


def clusters_of(similarities: Floats, labels: Partitions) -> Clusters:
    k = int(labels.max()) + 1
    degrees = similarities.sum(axis=1)
    columns = []
    for label in range(k):
        member = (labels == label).astype(np.float64)
        inside = np.einsum("ij,ij->i", member @ similarities, member)
        columns.append((member.sum(axis=1), inside, member @ degrees))
    return Clusters(*(np.column_stack(part) for part in zip(*columns, strict=True)))


Cost = Callable[[Floats, Partitions], Floats]


def min_cut(similarities: Floats, labels: Partitions) -> Floats:
    of = clusters_of(similarities, labels)
    return np.asarray((of.degree - of.inside).sum(axis=1))


def shifted_min_cut(shifted: Floats, labels: Partitions) -> Floats:
    return np.asarray(-clusters_of(shifted, labels).inside.sum(axis=1))


def ratio_association(similarities: Floats, labels: Partitions) -> Floats:
    of = clusters_of(similarities, labels)
    return np.asarray(-(of.inside / of.size).sum(axis=1))


def ratio_cut(similarities: Floats, labels: Partitions) -> Floats:
    of = clusters_of(similarities, labels)
    return np.asarray(((of.degree - of.inside) / of.size).sum(axis=1))


def normalized_cut(similarities: Floats, labels: Partitions) -> Floats:
    of = clusters_of(similarities, labels)
    return np.asarray(((of.degree - of.inside) / of.degree).sum(axis=1))


def _cut_between(similarities: Floats, labels: Partitions, one: int, other: int) -> Floats:
    first = (labels == one).astype(np.float64)
    second = (labels == other).astype(np.float64)
    return np.asarray(np.einsum("ij,ij->i", first @ similarities, second))


def adaptive_ratio_cut(similarities: Floats, labels: Partitions, p: float = 1.5) -> Floats:
    size = clusters_of(similarities, labels).size
    total = np.zeros(len(labels))
    for one, other in combinations(range(size.shape[1]), 2):
        weight = (size[:, one] ** (-1 / (p - 1)) + size[:, other] ** (-1 / (p - 1))) ** (p - 1)
        total += _cut_between(similarities, labels, one, other) * weight
    return total


def cheeger_cut(similarities: Floats, labels: Partitions) -> Floats:
    """The limit of the adaptive ratio cut as p approaches 1: cut / smaller size."""
    size = clusters_of(similarities, labels).size
    total = np.zeros(len(labels))
    for one, other in combinations(range(size.shape[1]), 2):
        smaller = np.minimum(size[:, one], size[:, other])
        total += _cut_between(similarities, labels, one, other) / smaller
    return total


def within_squares(rows: Floats, labels: Partitions) -> Floats:
    """The cost of k-means."""
    total = np.full(len(labels), float((rows**2).sum()))
    for label in range(int(labels.max()) + 1):
        member = (labels == label).astype(np.float64)
        total -= ((member @ rows) ** 2).sum(axis=1) / member.sum(axis=1)
    return total


def optima(cost: Cost, values: Floats, labels: Partitions) -> Partitions:
    """The partitions of lowest cost, including ties."""
    costs = cost(values, labels)
    low = float(costs.min())
    return labels[costs <= low + TIE * max(float(np.ptp(costs)), abs(low) * 1e-3)]


def adaptive_shift(similarities: Floats) -> Floats:
    """S = T X T: rows and columns sum to zero."""
    means = similarities.mean(axis=1)
    return np.asarray(similarities - means[:, None] - means[None, :] + means.mean())


def dominant_support(similarities: Floats) -> frozenset[int]:
    """The support of the maximum of x'Ax over the simplex, by trying every support.

    On the support of a maximum all payoffs are equal: A_S x is constant, x > 0.
    """
    best, support = -np.inf, frozenset[int]()
    for size in range(1, len(similarities) + 1):
        for chosen in combinations(range(len(similarities)), size):
            part = similarities[np.ix_(chosen, chosen)]
            try:
                x = np.linalg.solve(part, np.ones(size))
            except np.linalg.LinAlgError:
                continue
            if abs(x.sum()) < 1e-12 or np.any(x / x.sum() <= 1e-12):
                continue
            x = x / x.sum()
            value = float(x @ part @ x)
            if value > best + 1e-12:
                best, support = value, frozenset(chosen)
    return support
