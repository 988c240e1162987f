"""Run the program and its peers in separate processes, with the same number of threads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("SHIFTCUT_PROGRAM", str(ROOT / "build" / "shiftcut"))
PLAIN_LOOP = str(ROOT / "build" / "bench" / "plain_loop")
SWEEP_TIMES = str(ROOT / "build" / "bench" / "sweep_times")
NEIGHBORS = str(ROOT / "build" / "bench" / "neighbors")
THREADS = len(os.sched_getaffinity(0))
ATTEMPTS = 3
PATIENCE = 30.0  # seconds after which no further attempt is started

T = TypeVar("T")


class BenchError(Exception):
    """A command failed or returned a wrong result."""


@dataclass(frozen=True)
class Ran:
    output: str
    peak: int  # bytes resident


def attempts(attempt: Callable[[], T]) -> list[T]:
    """Return the results of three attempts, or fewer if they take long."""
    start = time.monotonic()
    found = [attempt()]
    while len(found) < ATTEMPTS and time.monotonic() - start < PATIENCE:
        found.append(attempt())
    return found


def best(attempt: Callable[[], T], seconds: Callable[[T], float]) -> T:
    return min(attempts(attempt), key=seconds)


def environment() -> dict[str, str]:
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return {**os.environ, **dict.fromkeys(names, str(THREADS))}


def run(command: list[str]) -> Ran:
    if not Path(command[0]).is_file():
        raise BenchError(f"{command[0]} is not there; `make bench` builds it")
    reader, writer = os.pipe()
    launcher = [sys.executable, "-I", "-S", str(ROOT / "bench" / "launch.py"), str(writer)]
    try:
        ran = subprocess.run(
            launcher + command,
            capture_output=True,
            text=True,
            check=False,
            pass_fds=[writer],
            cwd=ROOT,
            env=environment(),
        )
    finally:
        os.close(writer)
        with os.fdopen(reader) as pipe:
            peak = pipe.read()
    if ran.returncode != 0:
        raise BenchError(f"`{' '.join(command)}` ended with {ran.returncode}: {ran.stderr[-2000:]}")
    return Ran(ran.stdout, int(peak) * 1024)


def shiftcut(*arguments: object) -> Ran:
    return run([PROGRAM, *map(str, arguments)])


def full_result(path: Path, *arguments: object, threads: int = THREADS) -> dict[str, Any]:
    """Return the result of `shiftcut cluster`, with the `peak` of its memory."""
    common = ("--threads", threads, "--quiet", "--json", "-")
    ran = shiftcut("cluster", path, *arguments, *common)
    result: dict[str, Any] = json.loads(ran.output)
    result["peak"] = ran.peak
    return result


def cluster(path: Path, *arguments: object, threads: int = THREADS) -> dict[str, Any]:
    """Return the result of one restart of plain local search, without its labels."""
    search = ("--method", "local-search", "--restarts", 1)
    result = full_result(path, *arguments, *search, threads=threads)
    del result["labels"]
    return result


def best_restart(path: Path, *arguments: object, threads: int = THREADS) -> dict[str, Any]:
    """Return the single restart of the fastest run, with its number of non-empty clusters."""

    def once() -> dict[str, Any]:
        found = cluster(path, *arguments, threads=threads)
        return {**found["restarts"][0], "clusters_found": found["clusters_found"]}

    restart: dict[str, Any] = best(
        once,
        lambda restart: float(restart["seconds"]),
    )
    return restart


def sweep_times(path: Path, clusters: int) -> dict[str, Any]:
    """Return the fastest of a few restarts over features, and its time per sweep."""
    command = [SWEEP_TIMES, str(path), str(clusters), str(THREADS)]
    found: dict[str, Any] = best(
        lambda: json.loads(run(command).output), lambda found: float(found["seconds"])
    )
    return found


def peer(*arguments: object, module: str = "bench.peers.features") -> tuple[dict[str, Any], int]:
    """Return the measurement of a peer module and the peak memory of its process."""
    ran = run([sys.executable, "-m", module, *map(str, arguments)])
    return json.loads(ran.output), ran.peak


def neighbors(path: Path, count: int, how: str) -> dict[str, Any]:
    """Return seconds and recall of our neighbour search alone, the fastest of a few runs."""
    command = [NEIGHBORS, str(path), str(count), str(THREADS), how]
    found: dict[str, Any] = best(
        lambda: json.loads(run(command).output), lambda found: float(found["seconds"])
    )
    return found


def plain_loop(path: Path, clusters: int) -> dict[str, Any]:
    found: dict[str, Any] = best(
        lambda: json.loads(run([PLAIN_LOOP, str(path), str(clusters), "0"]).output),
        lambda found: float(found["seconds"]),
    )
    return found
