"""`make soak MINUTES=30`: random actions on `shiftcut explore` and on `Feedback`, for a long time.

What must hold: every answer that was accepted is on disk, the file of answers holds no other, and
the memory does not grow once every kind of action has been taken often.
"""

from __future__ import annotations

import argparse
import csv
import gc
import os
import secrets
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

import numpy as np

from shiftcut import Feedback, ShiftedMinCut
from tests.cli.conftest import blobs, write_npy
from tests.cli.explore.exploring import Explorer

ROWS = 300
GROWTH = 1.2  # of the resident memory after a third of the time
MOST_ANSWERS = 60  # then some are taken back
Random = np.random.Generator


def resident(pid: int) -> int:
    """Kilobytes."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.partition("VmRSS:")[2].split()[0])


def answers_in(file: Path) -> list[tuple[str, ...]]:
    if not file.exists():
        return []
    with file.open(newline="", encoding="utf-8") as lines:
        return [tuple(row) for row in csv.reader(lines) if row and row != ["a", "b", "answer"]]


class Memory:
    """Compares the most of the last third with the most of the second, after the first."""

    def __init__(self, pid: int, seconds: float) -> None:
        self.pid, self.begin, self.seconds = pid, time.monotonic(), seconds
        self.most = [0, 0, 0]
        self.actions = 0

    def look(self) -> bool:
        """False when the time is up."""
        self.actions += 1
        passed = (time.monotonic() - self.begin) / self.seconds
        if passed < 1:
            third = int(3 * passed)
            self.most[third] = max(self.most[third], resident(self.pid))
        return passed < 1

    def check(self, name: str) -> None:
        _, second, last = self.most
        print(f"{name}: {self.actions} actions, resident {self.most} kB by thirds", flush=True)
        if last > GROWTH * second + 4000:
            raise AssertionError(f"{name}: memory grew from {second} to {last} kB")


def lesson(random: Random, labels: list[int]) -> tuple[str, dict[str, object]]:
    """Something to teach the explorer that is not about one pair."""
    objects = random.choice(ROWS, size=random.integers(1, 4), replace=False).tolist()
    clusters = random.choice(sorted(set(labels)), size=2, replace=len(set(labels)) < 2).tolist()
    return [
        ("api/merge", {"clusters": clusters}),
        ("api/move", {"objects": objects, "cluster": clusters[0]}),
        ("api/split", {"objects": objects}),
        ("api/pin", {"object": objects[0]}),
    ][random.integers(4)]


def look_around(random: Random, explorer: Explorer) -> None:
    """Asks for something that changes nothing."""
    text = quote(str(random.choice(["1", "é", "<", ""])))
    kind = random.integers(7)
    if kind == 0:
        explorer.get(f"api/explain?object={random.integers(ROWS)}")
    elif kind == 1:
        explorer.get(f"api/search?text={text}")
    elif kind == 2:
        explorer.labels()
    elif kind == 3:
        explorer.places()
    elif kind == 4:
        explorer.post("api/rows", {"objects": [int(random.integers(ROWS))]})
    elif kind == 5 and random.integers(10) == 0:  # takes a while
        explorer.get("api/sections")
    else:
        response = explorer.request("GET", f"/{explorer.token}/api/nothing-of-that-name")
        assert response.status == 404


def soak_explorer(random: Random, seconds: float, folder: Path) -> None:
    data = write_npy(folder / "points.npy", blobs(ROWS, 4, seed=3, groups=5))
    file = folder / "answers.csv"
    with Explorer(folder, data, "-k", 5, "--answers", file, "--threads", 1) as explorer:
        memory = Memory(explorer.process.pid, seconds)
        steps: list[int] = []  # the answers that each gave
        while memory.look():
            action = random.integers(8)
            if action <= 2 and sum(steps) < MOST_ANSWERS:
                says = str(random.choice(["same", "different", "unsure"]))
                asked = explorer.get("api/question")
                if asked.get("a") is None:
                    continue
                pair = {name: asked[name] for name in ("a", "b", "version")}
                status, _ = explorer.post("api/answer", {**pair, "says": says})
                if status == 200:  # else it contradicts others
                    steps.append(1)
                    assert (str(asked["a"]), str(asked["b"]), says) in answers_in(file)
            elif action == 3 and sum(steps) < MOST_ANSWERS:
                path, body = lesson(random, explorer.labels())
                version = explorer.get("api/state")["version"]
                status, told = explorer.post(path, {**body, "version": version})
                assert status in (200, 400), told  # it contradicts others, or holds already
                if status == 200:
                    steps.append(told["links"])
            elif action <= 5 and steps:
                version = explorer.get("api/state")["version"]
                status, told = explorer.post("api/undo", {"version": version})
                assert status == 200, told
                steps.pop()
            else:
                look_around(random, explorer)
            assert len(answers_in(file)) == sum(steps), "answers are not on disk"
        memory.check("explore")
        assert explorer.end() in (0, 130)


def soak_feedback(random: Random, seconds: float, folder: Path) -> None:
    points = blobs(ROWS, 4, seed=4, groups=5)
    feedback = Feedback(ShiftedMinCut(5, random_state=0, n_jobs=1), points)
    file = folder / "feedback.csv"
    memory = Memory(os.getpid(), seconds)
    while memory.look():
        action = random.integers(7)
        if action <= 2 and len(feedback.answers_) < MOST_ANSWERS:
            for i, j in feedback.next_pairs(1):
                try:
                    feedback.answer(i, j, [True, False, None][random.integers(3)])
                except ValueError:  # it contradicts others
                    continue
        elif action <= 4 and feedback.answers_:
            feedback.undo()
        elif action == 5:
            feedback.refit()
        feedback.save(file)
        assert len(answers_in(file)) == len(feedback.answers_)
        if memory.actions % 100 == 0:
            gc.collect()
    memory.check("Feedback")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=None)
    arguments = parser.parse_args()
    seed = secrets.randbelow(10**9) if arguments.seed is None else arguments.seed
    print(f"soak: seed {seed}", flush=True)
    random = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory() as folder:
        soak_explorer(random, 30 * arguments.minutes, Path(folder))
        soak_feedback(random, 30 * arguments.minutes, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
