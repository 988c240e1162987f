"""The size of a full and of a quick run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    runs: int  # of each random method on each UCI data set
    stand_in_runs: int  # on the stand-ins; 0 leaves them out
    budget: float  # seconds after which a cell starts no further run
    grace: float  # seconds a run may take beyond that
    trials: int  # random problems for each claim of section 6
    sizes: tuple[int, ...]  # of the run times
    time_limit: float  # of one timed run, seconds


FULL = Settings(
    runs=100,
    stand_in_runs=20,
    budget=40.0,
    grace=110.0,
    trials=100,
    sizes=(500, 1000, 2000, 5000, 10000, 20000),
    time_limit=100.0,
)
QUICK = Settings(
    runs=10,
    stand_in_runs=0,
    budget=2.0,
    grace=2.0,
    trials=10,
    sizes=(200, 400, 800),
    time_limit=2.0,
)
