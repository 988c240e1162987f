"""The simulated person, who answers by the true classes, and the questions asked at random."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from ..data.datasets import Labels


class Answer(NamedTuple):
    i: int
    j: int
    same: bool


class TiredError(Exception):
    """The person has answered as many questions as agreed."""


class Person:
    def __init__(self, classes: Labels, limit: int) -> None:
        self._classes = classes
        self._limit = limit
        self.answers: list[Answer] = []  # in the order given; a question asked twice counts twice

    @property
    def asked(self) -> int:
        return len(self.answers)

    def answer(self, i: int, j: int) -> bool:
        """Whether i and j belong together."""
        if self.asked >= self._limit:
            raise TiredError(f"all {self._limit} questions are answered")
        same = bool(self._classes[i] == self._classes[j])
        self.answers.append(Answer(int(i), int(j), same))
        return same

    def settled(self) -> bool:
        """Whether the answers determine the classes, so that nothing is left to ask."""
        groups = groups_of(self.answers, len(self._classes))
        return int(groups.max()) + 1 == len(np.unique(self._classes))


def groups_of(answers: list[Answer], n: int) -> Labels:
    """The groups connected by must-links; an object without any is its own group."""
    together = [(i, j) for i, j, same in answers if same]
    ends = np.array(together, dtype=np.int64).reshape(-1, 2)
    graph = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(n, n))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)


def random_pairs(n: int, count: int, seed: int) -> list[tuple[int, int]]:
    """Distinct random pairs, all equally likely; a longer list starts with the shorter one."""
    rng = np.random.default_rng([seed, n])
    found: dict[tuple[int, int], None] = {}
    while len(found) < min(count, n * (n - 1) // 2):
        i, j = (int(one) for one in rng.integers(0, n, 2))
        if i != j:
            found[min(i, j), max(i, j)] = None
    return list(found)


def random_answers(classes: Labels, count: int, seed: int) -> list[Answer]:
    person = Person(classes, count)
    for i, j in random_pairs(len(classes), count, seed):
        person.answer(i, j)
    return person.answers
