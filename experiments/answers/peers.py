"""PCK-means and COP-k-means from active-semi-supervised-clustering, fast enough for digits.

The package loops over objects and clusters in Python. Only the assignment step is replaced here, by
one that makes the same decisions: distances come from one matrix product, and only objects with
links are visited one by one, in the package's random order. Two things differ on purpose. The
package's COP-k-means tests `labels[j] > 0` and so ignores must-links into cluster 0; here they
hold. And each model has several starts, of which the lowest objective wins, as usual for k-means.

Basu, Banerjee, Mooney: Active semi-supervision for pairwise constrained clustering, SDM 2004.
Wagstaff, Cardie, Rogers, Schroedl: Constrained k-means clustering with background knowledge,
ICML 2001.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..data.datasets import Floats, Labels
from .person import Answer, groups_of
from .tasks import Task

with np.errstate():  # the package sets numpy to raise on every rounding to zero
    from active_semi_clustering.exceptions import (
        ClusteringNotFoundException,
        EmptyClustersException,
    )
    from active_semi_clustering.semi_supervised.pairwise_constraints import COPKMeans, PCKMeans

STARTS = 3
TRIES = 10  # starts that may fail before the model counts as failed
ASSIGNMENT_TRIES = 200  # orders in which COP-k-means tries to place the objects, each time

Pairs = list[tuple[int, int]]
Graph = dict[int, set[int]]


def half_squares(rows: Floats, centres: Floats) -> Floats:
    """Half the squared distances, which PCK-means uses."""
    product = rows @ centres.T
    ones = np.einsum("ij,ij->i", rows, rows)[:, None] / 2
    others = np.einsum("ij,ij->i", centres, centres)[None, :] / 2
    return np.asarray(ones - product + others)


def _arrays(graph: Graph) -> dict[int, Labels]:
    return {i: np.fromiter(near, np.int64, len(near)) for i, near in graph.items() if near}


class _Links:
    """The graphs of one fit as arrays, and the objects that have any link."""

    def __init__(self, together: Graph, apart: Graph) -> None:
        self.source = together
        self.together, self.apart = _arrays(together), _arrays(apart)
        self.linked = np.zeros(len(together), dtype=bool)
        self.linked[[*self.together, *self.apart]] = True


def _shuffled(n: int) -> list[int]:
    order = list(range(n))
    np.random.shuffle(order)
    return order


def _without_empty(labels: Labels, k: int) -> Labels:
    if np.bincount(labels, minlength=k).min() == 0:
        raise EmptyClustersException
    return labels


class QuickPCKMeans(PCKMeans):  # type: ignore[misc]
    """PCKMeans whose assignment keeps the penalties of all objects up to date."""

    _links: _Links | None = None

    def _assign_clusters(
        self,
        X: Floats,
        cluster_centers: Floats,
        ml_graph: Graph,
        cl_graph: Graph,
        w: float,
    ) -> Labels:
        if self._links is None or self._links.source is not ml_graph:
            self._links = _Links(ml_graph, cl_graph)
        links = self._links
        costs = half_squares(X, cluster_centers)
        labels = costs.argmin(axis=1)
        for i in _shuffled(len(X)):
            if not links.linked[i]:
                continue
            chosen = labels[i] = costs[i].argmin()
            if (near := links.together.get(i)) is not None:
                costs[near] += w
                costs[near, chosen] -= w
            if (near := links.apart.get(i)) is not None:
                costs[near, chosen] += w
        return _without_empty(labels, self.n_clusters)


class QuickCOPKMeans(COPKMeans):  # type: ignore[misc]
    """COPKMeans whose assignment keeps the clusters forbidden to each object up to date."""

    _links: _Links | None = None

    def _assign_clusters(
        self,
        X: Floats,
        cluster_centers: Floats,
        dist: Callable[[Floats, Floats], float],
        ml_graph: Graph,
        cl_graph: Graph,
    ) -> Labels:
        if self._links is None or self._links.source is not ml_graph:
            self._links = _Links(ml_graph, cl_graph)
        distances = half_squares(X, cluster_centers)
        for _ in range(ASSIGNMENT_TRIES):
            labels = self._placed(distances.copy(), self._links)
            if labels is not None:
                return _without_empty(labels, self.n_clusters)
        raise ClusteringNotFoundException

    def _placed(self, distances: Floats, links: _Links) -> Labels | None:
        labels = distances.argmin(axis=1)
        for i in _shuffled(len(distances)):
            if not links.linked[i]:
                continue
            chosen = labels[i] = distances[i].argmin()
            if distances[i, chosen] == np.inf:
                return None
            if (near := links.together.get(i)) is not None:
                kept = distances[near, chosen]
                distances[near] = np.inf
                distances[near, chosen] = kept
            if (near := links.apart.get(i)) is not None:
                distances[near, chosen] = np.inf
        return np.asarray(labels)


def spanning(answers: list[Answer], n: int) -> tuple[Pairs, Pairs]:
    """A minimal set of must-links and cannot-links with the same closure as the answers.

    The package computes the closure; given all pairs of two large groups, it would do so for each.
    """
    groups = groups_of(answers, n)
    first: dict[int, int] = {}
    for place, group in enumerate(groups.tolist()):
        first.setdefault(group, place)
    together = [
        (first[group], place)
        for place, group in enumerate(groups.tolist())
        if first[group] != place
    ]
    apart = {
        (min(a, b), max(a, b))
        for a, b in ((int(groups[i]), int(groups[j])) for i, j, same in answers if not same)
    }
    return together, [(first[a], first[b]) for a, b in sorted(apart)]


def weight_of(rows: Floats) -> float:
    """The penalty of a violated pair in PCK-means: the mean squared distance from the mean.

    The package's default, 1, is negligible beside squared distances of pixels.
    """
    return float(((rows - rows.mean(axis=0)) ** 2).sum(axis=1).mean())


def _objective(model: Any, task: Task, together: Pairs, apart: Pairs) -> float:  # noqa: ANN401
    labels, centres = model.labels_, model.cluster_centers_
    spread = float(((task.rows - centres[labels]) ** 2).sum() / 2)
    broken = sum(labels[i] != labels[j] for i, j in together)
    broken += sum(labels[i] == labels[j] for i, j in apart)
    return spread + weight_of(task.rows) * float(broken)


def _best_start(make: Callable[[], Any], task: Task, answers: list[Answer]) -> Labels | None:
    together, apart = spanning(answers, len(task.rows))
    best: tuple[float, Labels] | None = None
    done = 0
    for _ in range(TRIES):
        try:
            model = make().fit(task.rows, ml=together, cl=apart)
        except (ClusteringNotFoundException, EmptyClustersException):
            continue
        value = _objective(model, task, together, apart)
        if best is None or value < best[0]:
            best = value, model.labels_
        done += 1
        if done == STARTS:
            break
    return None if best is None else best[1]


def pck_means(task: Task, answers: list[Answer]) -> Labels | None:
    weight = weight_of(task.rows)
    return _best_start(lambda: QuickPCKMeans(task.k, w=weight), task, answers)


def cop_k_means(task: Task, answers: list[Answer]) -> Labels | None:
    return _best_start(lambda: QuickCOPKMeans(task.k), task, answers)
