"""Our method: `shiftcut.Feedback` asks, the person answers, the grouping is updated."""

from __future__ import annotations

import warnings
from typing import Any, Protocol

import shiftcut

from ..data.datasets import Labels
from ..paper.methods import NotBuiltError
from .person import Person, random_answers
from .tasks import Task

STRATEGIES = ("random", "uncertainty", "maxmin", "maxexp", "entropy")
BATCH = 10  # questions between two groupings
FEEDBACK = "Feedback"


class Feedback(Protocol):
    labels_: Labels

    def next_pairs(self, n_pairs: int, /) -> list[tuple[int, int]]: ...

    def answer_all(self, answers: list[tuple[int, int, bool]], /) -> Any: ...  # noqa: ANN401


def begin(task: Task, strategy: str, seed: int) -> Feedback:
    made = getattr(shiftcut, FEEDBACK, None)
    if made is None:
        raise NotBuiltError(f"not built: shiftcut {shiftcut.__version__} has no {FEEDBACK}")
    model = shiftcut.ShiftedMinCut(n_clusters=task.k, scale="none", random_state=seed)
    feedback: Feedback = made(model, task.rows, strategy=strategy, random_state=seed)
    return feedback


def converse(
    feedback: Feedback, task: Task, checkpoints: tuple[int, ...], batch: int = BATCH
) -> list[float | None]:
    """AMI at each checkpoint; when no questions are left, the grouping stays."""
    person = Person(task.classes, checkpoints[-1])
    found: list[float | None] = []
    for target in checkpoints:
        while person.asked < target:
            pairs = feedback.next_pairs(min(batch, target - person.asked))
            if not pairs:
                break
            feedback.answer_all([(i, j, person.answer(i, j)) for i, j in pairs])
        found.append(task.ami(feedback.labels_))
    return found


def asking(
    task: Task, seed: int, checkpoints: tuple[int, ...], strategy: str
) -> list[float | None]:
    """Feedback chooses the questions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return converse(begin(task, strategy, seed), task, checkpoints)


def with_random_pairs(task: Task, seed: int, checkpoints: tuple[int, ...]) -> list[float | None]:
    """AMI at each checkpoint with the same random pairs that the peers get."""
    answers = random_answers(task.classes, checkpoints[-1], seed)
    found: list[float | None] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        feedback, known = begin(task, "random", seed), 0
        for target in checkpoints:
            while known < target:
                more = answers[known : min(known + BATCH, target)]
                if not more:
                    break
                feedback.answer_all([(i, j, same) for i, j, same in more])
                known += len(more)
            found.append(task.ami(feedback.labels_))
    return found
