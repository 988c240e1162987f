"""The cost by its definition, in plain numpy: what the program's answers are held against."""

from __future__ import annotations

import math

import numpy as np

from .conftest import FloatArray


def scaled(features: FloatArray, scale: str) -> FloatArray:
    if scale == "none":
        return features
    spread = np.ptp(features, axis=0)
    constant = spread == 0
    if scale == "standard":
        low, width = features.mean(axis=0), features.std(axis=0)
    else:
        low, width = features.min(axis=0), spread
    return np.asarray(np.where(constant, 0.0, (features - low) / np.where(constant, 1.0, width)))


def squared_distances(rows: FloatArray) -> FloatArray:
    matrix = np.empty((len(rows), len(rows)))
    for i, row in enumerate(rows):
        matrix[i] = ((rows - row) ** 2).sum(axis=1)
    return matrix


def from_distances(distances: FloatArray) -> FloatArray:
    return np.asarray(distances.max() - distances + distances.min())


def linear(rows: FloatArray, distance: str) -> FloatArray:
    squared = squared_distances(rows)
    return from_distances(squared if distance == "sqeuclidean" else np.sqrt(squared))


def cosine(rows: FloatArray) -> FloatArray:
    """A row of zeros has cosine 0 with every row, itself included."""
    norm = np.sqrt((rows**2).sum(axis=1, keepdims=True))
    unit = rows / np.where(norm > 0, norm, 1.0)
    return np.asarray(unit @ unit.T)


def rbf(rows: FloatArray, sigma: float | None) -> FloatArray:
    """exp(-d^2 / sigma^2), or with the distance to the 7th nearest distinct row as own width."""
    squared = squared_distances(rows)
    if sigma is not None:
        return np.asarray(np.exp(-squared / sigma**2))
    width = np.ones(len(rows))
    _, first = np.unique(rows, axis=0, return_index=True)
    for i, row in enumerate(squared):
        elsewhere = np.sort(row[first][row[first] > 0])
        if len(elsewhere) > 0:
            width[i] = math.sqrt(elsewhere[min(7, len(elsewhere)) - 1])
    return np.asarray(np.exp(-squared / np.outer(width, width)))


def neighbor_lists(rows: FloatArray, k: int) -> list[FloatArray]:
    """Each object's nearest others, nearest first.

    Of equal distances that of the next object counts first, counting up and round. Of equal rows
    two thirds of k are taken, at least one; more only where there are no others left.
    """
    n, most = len(rows), max(1, k - (k + 1) // 3)
    squared = squared_distances(rows)
    _, group = np.unique(rows, axis=0, return_inverse=True)
    lists = []
    for i in range(n):
        others = (i + np.arange(1, n)) % n
        order = others[np.argsort(squared[i, others], kind="stable")]
        copies = np.zeros(n, dtype=int)  # of the same row, nearer or as near
        seen: dict[int, int] = {}
        for place, own in enumerate(group[order].tolist()):
            copies[place] = seen[own] = seen.get(own, -1) + 1
        kept = copies[: n - 1] < most
        own_list = np.concatenate([order[kept], order[~kept]])[:k]
        lists.append(own_list[np.argsort(squared[i, own_list], kind="stable")])
    return lists


def usual_neighbors(n: int, *, repeat: bool) -> int:
    """How many there are unless told otherwise; `repeat`: some of the rows stand for several."""
    few = n // 2 if repeat else max(n // 4, min(n // 2, 3))
    return max(1, min(10, few))


def neighbors(rows: FloatArray, count: int | None, weights: str) -> FloatArray:
    """Neighbours are distinct rows; equal rows have weight 1, and 0 with themselves."""
    distinct, node = np.unique(rows, axis=0, return_inverse=True)
    node = node.reshape(-1)
    if count is None:
        count = usual_neighbors(len(distinct), repeat=len(distinct) < len(rows))
    x = neighbors_of_distinct(distinct, count, weights)[np.ix_(node, node)]
    x[np.equal.outer(node, node)] = 1.0
    np.fill_diagonal(x, 0.0)
    return x


def neighbors_of_distinct(rows: FloatArray, count: int, weights: str) -> FloatArray:
    """Weights between rows either of which is among the nearest of the other; 0 elsewhere."""
    n = len(rows)
    k = min(count, n - 1)
    squared = squared_distances(rows)
    lists = neighbor_lists(rows, k)
    near = np.zeros((n, n), dtype=bool)
    for i, own in enumerate(lists):
        near[i, own] = True
    joined = near | near.T
    if weights == "binary":
        return joined.astype(float)
    if weights == "gaussian":
        width = np.sqrt([squared[i, own[-1]] if k else 1.0 for i, own in enumerate(lists)])
        return np.asarray(np.where(joined, np.exp(-squared / np.outer(width, width)), 0.0))
    sets = (near | np.eye(n, dtype=bool)).astype(float)
    both = sets @ sets.T
    return np.asarray(np.where(joined, both / (2 * (k + 1) - both), 0.0))


def adaptive(x: FloatArray) -> FloatArray:
    mean = x.mean(axis=1)
    return np.asarray(mean[:, None] + mean[None, :] - mean.mean())


def cost(s: FloatArray, labels: list[int]) -> float:
    inside = np.equal.outer(labels, labels)
    return -math.fsum(s[inside])


def largest_gain(s: FloatArray, labels: list[int], may_open: bool) -> float:
    """How much affinity the best single move would win; 0 or less at a local optimum."""
    objects = np.arange(len(labels))
    own = np.asarray(labels)
    membership = np.eye(own.max() + 1)[own]
    affinities = s @ membership
    affinities[objects, own] -= np.diag(s)
    here = affinities[objects, own].copy()
    affinities[objects, own] = -np.inf
    best = affinities.max(axis=1)
    if may_open:
        best = np.maximum(best, 0.0)
    return float((best - here).max())
