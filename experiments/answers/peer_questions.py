"""The peers' own choice of questions.

Explore-consolidate (Basu et al. 2004) and min-max (Mallapragada, Jin, Jain, ICPR 2008) do not use
the grouping; NPU (Xiong, Azimi, Fern, TKDE 2014) updates it after each object. All three come from
active-semi-supervised-clustering. With fewer questions they would ask a prefix of the same list, so
one dialogue serves the whole curve. Loops over all pairs of objects are replaced by array
operations that make the same choices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import pairwise_distances

from ..data.datasets import Floats
from .peers import QuickPCKMeans, spanning, weight_of
from .person import Answer, Person
from .tasks import Task

with np.errstate():
    from active_semi_clustering.active.pairwise_constraints import NPU, ExploreConsolidate, MinMax
    from active_semi_clustering.active.pairwise_constraints.example_oracle import (
        MaximumQueriesExceeded,
    )

TREES = 50  # of NPU's forest, as in the package


class Oracle:
    """The person, with the interface that the package expects."""

    def __init__(self, person: Person, limit: int) -> None:
        self._person = person
        self.max_queries_cnt = limit

    def query(self, i: int, j: int) -> bool:
        if self._person.asked >= self.max_queries_cnt or i == j:
            raise MaximumQueriesExceeded
        same = self._person.answer(i, j)
        if self._person.settled():
            raise MaximumQueriesExceeded
        return same


class QuickMinMax(MinMax):  # type: ignore[misc]
    def _consolidate(
        self,
        neighborhoods: list[list[int]],
        X: Floats,
        oracle: Oracle,
    ) -> list[list[int]]:
        distances = pairwise_distances(X)
        width = np.percentile(distances, 20)
        similar = np.exp(-(distances**2) / (2 * width**2))
        known = [i for group in neighborhoods for i in group]
        nearest = similar[:, known].max(axis=1)
        nearest[known] = np.inf
        try:
            while True:
                i = int(nearest.argmin())
                order = sorted(neighborhoods, key=lambda group: float(similar[i, group].max()))
                for group in reversed(order):
                    if oracle.query(i, group[0]):
                        group.append(i)
                        break
                nearest = np.maximum(nearest, similar[i])
                nearest[i] = np.inf
        except MaximumQueriesExceeded:
            return neighborhoods


class QuickNPU(NPU):  # type: ignore[misc]
    def _most_informative(
        self,
        X: Floats,
        clusterer: Any,  # noqa: ANN401
        neighborhoods: list[list[int]],
    ) -> tuple[int, Any]:
        known = [i for group in neighborhoods for i in group]
        free = np.setdiff1d(np.arange(len(X)), known)
        if len(neighborhoods) <= 1:
            return int(np.random.choice(free)), [1]
        forest = RandomForestClassifier(n_estimators=TREES).fit(X, clusterer.labels_)
        leaves = forest.apply(X)
        likely = np.column_stack(
            [
                (leaves[free, None, :] == leaves[None, group, :]).mean(axis=(1, 2))
                for group in neighborhoods
            ]
        )
        likely[likely.sum(axis=1) == 0] = 1
        likely /= likely.sum(axis=1, keepdims=True)
        positive = likely > 0
        surprise = -np.where(positive, likely * np.log2(np.where(positive, likely, 1)), 0).sum(1)
        questions = (likely * np.cumsum(positive, axis=1)).sum(axis=1)
        best = int((surprise / questions).argmax())
        return int(free[best]), likely[best]


class _Grouping:
    """What NPU calls: PCK-means on a minimal set of links."""

    def __init__(self, task: Task) -> None:
        self._model = QuickPCKMeans(task.k, w=weight_of(task.rows))

    def fit(self, X: Floats, ml: list[list[int]], cl: list[list[int]]) -> None:
        answers = [Answer(i, j, True) for i, j in ml] + [Answer(i, j, False) for i, j in cl]
        together, apart = spanning(answers, len(X))
        self._model.fit(X, ml=together, cl=apart)
        self.labels_ = self._model.labels_


def _dialogue(chooser: Any, task: Task, limit: int) -> list[Answer]:  # noqa: ANN401
    person = Person(task.classes, limit)
    chooser.fit(task.rows, oracle=Oracle(person, limit))
    return person.answers


CHOOSERS: dict[str, Callable[[Task], Any]] = {
    "explore-consolidate": lambda task: ExploreConsolidate(task.k),
    "min-max": lambda task: QuickMinMax(task.k),
    "NPU": lambda task: QuickNPU(_Grouping(task)),
}


def questions(name: str, task: Task, limit: int) -> list[Answer]:
    """The dialogue of the strategy of that name."""
    return _dialogue(CHOOSERS[name](task), task, limit)
