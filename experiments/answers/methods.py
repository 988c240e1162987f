"""The methods of the study: from a task, a seed and checkpoints to the AMI at each checkpoint."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..data.datasets import Labels
from ..paper.methods import NotBuiltError
from . import ours
from .person import Answer, random_answers
from .tasks import Task

Method = Callable[[Task, int, tuple[int, ...]], list[float | None]]
Grouper = Callable[[Task, list[Answer]], Labels | None]


def _scores(
    group: Grouper, task: Task, answers: list[Answer], checkpoints: tuple[int, ...]
) -> list[float | None]:
    found: list[float | None] = []
    for at in checkpoints:
        if found and at > len(answers) and checkpoints[len(found) - 1] >= len(answers):
            found.append(found[-1])  # nothing was left to ask
            continue
        labels = group(task, answers[:at])
        found.append(None if labels is None else task.ami(labels))
    return found


def _random(name: str, task: Task, seed: int, checkpoints: tuple[int, ...]) -> list[float | None]:
    from . import peers

    np.random.seed(seed)
    answers = random_answers(task.classes, checkpoints[-1], seed)
    return _scores(getattr(peers, name), task, answers, checkpoints)


def _active(
    chooser: str, task: Task, seed: int, checkpoints: tuple[int, ...]
) -> list[float | None]:
    from . import peer_questions, peers

    np.random.seed(seed)
    answers = peer_questions.questions(chooser, task, checkpoints[-1])
    return _scores(peers.pck_means, task, answers, checkpoints)


def _cobras(task: Task, seed: int, checkpoints: tuple[int, ...]) -> list[float | None]:
    from .cobras import cobras

    return cobras(task, seed, checkpoints)


PEERS: dict[str, Method] = {
    "PCK-means, random pairs": partial(_random, "pck_means"),
    "COP-k-means, random pairs": partial(_random, "cop_k_means"),
    "PCK-means, explore-consolidate": partial(_active, "explore-consolidate"),
    "PCK-means, min-max": partial(_active, "min-max"),
    "PCK-means, NPU": partial(_active, "NPU"),
    "COBRAS": _cobras,
}
OURS: dict[str, Method] = {
    "Shiftcut, random pairs": ours.with_random_pairs,
    **{f"Shiftcut asks, {name}": partial(ours.asking, strategy=name) for name in ours.STRATEGIES},
}
METHODS = OURS | PEERS


def run(name: str, task: Task, seed: int, checkpoints: tuple[int, ...]) -> dict[str, Any]:
    """One job: the curve of one method with one seed."""
    begin = time.monotonic()
    try:
        scores = METHODS[name](task, seed, checkpoints)
    except (NotBuiltError, ModuleNotFoundError) as error:
        return {"missing": str(error), "lasting": False}
    return {"ami": scores, "seconds": time.monotonic() - begin}
