"""COBRAS, from cobras_ts: splits the data into super-instances and merges them by the answers.

Van Craenendonck, Dumancic, Van Wolputte, Blockeel: COBRAS, IDA 2018. It is not given the
number of clusters, and without answers it returns a single one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from cobras_ts.cobras_kmeans import COBRAS_kmeans

from .person import Person
from .tasks import Task

ALIAS = "int"  # numpy.int, which numpy 1.24 removed and the package uses


@contextmanager
def _old_alias() -> Iterator[None]:
    setattr(np, ALIAS, int)
    try:
        yield
    finally:
        delattr(np, ALIAS)


class Querier:
    """The person, with the interface that the package expects."""

    def __init__(self, person: Person) -> None:
        self._person = person

    def query_points(self, i: int, j: int) -> bool:
        return self._person.answer(i, j)

    def update_clustering(self, clustering: object) -> None:
        """Called by the package with each grouping; not needed."""

    def continue_cluster_process(self) -> bool:
        return True


def cobras(task: Task, seed: int, checkpoints: tuple[int, ...]) -> list[float | None]:
    """AMI at each checkpoint, of the last complete grouping before it."""
    np.random.seed(seed)
    person = Person(task.classes, checkpoints[-1])
    with _old_alias():
        model = COBRAS_kmeans(task.rows, Querier(person), checkpoints[-1])
        _, labels, *_ = model.cluster()
    labels = [[0] * len(task.rows), *labels]
    return [task.ami(np.asarray(labels[min(at, len(labels) - 1)])) for at in checkpoints]
