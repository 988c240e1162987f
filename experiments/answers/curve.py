"""AMI against answers: one run, and the mean of several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

GOAL = 0.95
SHOWN = (0, 25, 50, 100, 200, 300, 400, 500)  # the columns of the table


@dataclass(frozen=True)
class Settings:
    """The size of a full and of a quick run."""

    seeds: int
    checkpoints: tuple[int, ...]  # numbers of answers after which the grouping is scored

    @property
    def most(self) -> int:
        return self.checkpoints[-1]


FULL = Settings(5, (0, 10, 20, 25, *range(30, 100, 10), *range(100, 501, 25)))
QUICK = Settings(1, (0, 25, 50, 100))


@dataclass(frozen=True)
class Curve:
    """Mean AMI at each checkpoint over the runs that have a grouping there."""

    checkpoints: tuple[int, ...]
    means: tuple[float | None, ...]  # None: no run did
    runs: int
    failed: tuple[int, ...]  # runs without a grouping, at each checkpoint

    def at(self, answers: int) -> float | None:
        if answers not in self.checkpoints:
            return None
        return self.means[self.checkpoints.index(answers)]

    @property
    def start(self) -> float | None:
        return self.means[0]

    @property
    def end(self) -> float | None:
        return self.means[-1]

    def answers_needed(self, goal: float = GOAL) -> int | None:
        """The first checkpoint from which the mean stays at or above the goal."""
        found = None
        for count, mean in zip(self.checkpoints, self.means, strict=True):
            if mean is None or mean < goal:
                found = None
            elif found is None:
                found = count
        return found

    def ended_below_start(self) -> bool | None:
        """None if there is no start or no end."""
        if self.start is None or self.end is None:
            return None
        return round(self.end, 3) < round(self.start, 3)


def mean_curve(checkpoints: tuple[int, ...], runs: list[dict[str, Any]]) -> Curve:
    """The mean over the results of jobs, each with a list "ami"; None in it is a failure."""
    columns = list(zip(*(run["ami"] for run in runs), strict=True))
    found = [[value for value in column if value is not None] for column in columns]
    return Curve(
        checkpoints,
        tuple(sum(values) / len(values) if values else None for values in found),
        len(runs),
        tuple(len(runs) - len(values) for values in found),
    )
