"""The scores that two clusters can have, given two classes: all 2 x 2 tables.

A printed triple (AMI by the larger entropy, ARI, V-measure) on two classes of known sizes comes
from two clusters only if some table of counts [[x, y], [a - x, b - y]] rounds to it. There are
(a + 1)(b + 1) such tables; all are tried.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln, xlogy

from ...data.datasets import Floats

ROUNDING = 0.5e-4 + 1e-9  # four printed digits


class Scores(NamedTuple):
    """Of all tables; in [x, y], cluster one has x objects of class one and y of class two."""

    ami_max: Floats
    ari: Floats
    v_measure: Floats


def expected_information(classes: tuple[int, int], cluster: int) -> float:
    """The mean mutual information of two clusters, one of this size, drawn at random.

    The hypergeometric sum of Vinh, Epps and Bailey (2010).
    """
    n = sum(classes)
    total = 0.0
    for a in classes:
        for b in (cluster, n - cluster):
            counts = np.arange(max(1, a + b - n), min(a, b) + 1)
            if len(counts) == 0:
                continue
            log_chance = (
                gammaln(a + 1) + gammaln(b + 1) + gammaln(n - a + 1) + gammaln(n - b + 1)
            ) - (
                gammaln(n + 1)
                + gammaln(counts + 1)
                + gammaln(a - counts + 1)
                + gammaln(b - counts + 1)
                + gammaln(n - a - b + counts + 1)
            )
            information = counts / n * np.log(n * counts / (a * b))
            total += float(np.sum(information * np.exp(log_chance)))
    return total


def _pairs(counts: Floats) -> Floats:
    return counts * (counts - 1) / 2


@lru_cache(maxsize=8)
def all_scores(a: int, b: int) -> Scores:
    """The scores of every table with class sizes a and b."""
    n = a + b
    x, y = np.meshgrid(np.arange(a + 1.0), np.arange(b + 1.0), indexing="ij")
    cluster = x + y
    cells = (x, y, a - x, b - y)
    class_entropy = -(xlogy(a / n, a / n) + xlogy(b / n, b / n))
    cluster_entropy = -(xlogy(cluster / n, cluster / n) + xlogy(1 - cluster / n, 1 - cluster / n))
    joint = -np.sum([xlogy(cell / n, cell / n) for cell in cells], axis=0)
    information = np.maximum(class_entropy + cluster_entropy - joint, 0.0)
    by_size = np.array([expected_information((a, b), size) for size in range(n + 1)])
    expected = by_size[cluster.astype(int)]
    with np.errstate(divide="ignore", invalid="ignore"):
        larger = np.maximum(class_entropy, cluster_entropy)
        ami = (information - expected) / (larger - expected)
        v_measure = 2 * information / (class_entropy + cluster_entropy)
        together = np.sum([_pairs(cell) for cell in cells], axis=0)
        in_classes = (a * (a - 1) + b * (b - 1)) / 2
        in_clusters = _pairs(cluster) + _pairs(n - cluster)
        chance = in_classes * in_clusters / (n * (n - 1) / 2)
        ari = (together - chance) / ((in_classes + in_clusters) / 2 - chance)
    one_cluster = (cluster == 0) | (cluster == n)
    return Scores(*(np.where(one_cluster, 0.0, score) for score in (ami, ari, v_measure)))


def tables_with(
    classes: tuple[int, int], ami_max: float | None, ari: float | None, v_measure: float | None
) -> list[tuple[int, int]]:
    """The tables (x, y) whose scores round to those given (None: any)."""
    scores = all_scores(*classes)
    fits = np.ones(scores.ari.shape, dtype=bool)
    for values, wanted in zip(scores, (ami_max, ari, v_measure), strict=True):
        if wanted is not None:
            fits &= np.abs(values - wanted) <= ROUNDING
    return [(int(x), int(y)) for x, y in np.argwhere(fits)]
