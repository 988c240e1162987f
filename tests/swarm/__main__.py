"""`make swarm SECONDS=1200`: draws problems until the time is up, and says what does not hold.

A problem is known by the seed and its number: `python -m tests.swarm --seed S --only N` repeats it.
"""

from __future__ import annotations

import argparse
import secrets
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from .checks import check
from .problems import draw


def run_one(seed: int, number: int) -> str:
    """What is wrong about the problem of this number, or an empty text."""
    folder = Path(tempfile.mkdtemp(prefix="shiftcut-swarm-"))
    try:
        random = np.random.default_rng([seed, number])
        problem = draw(random, folder)
        try:
            check(problem, random, folder)
        except Exception as error:  # whatever it is, the swarm goes on
            words = " ".join(str(word) for word in problem.options)
            return f"problem {number}: {error}\n  {problem.files[0].name} {words}"
    finally:
        shutil.rmtree(folder)
    return ""


def swarm(seed: int, seconds: float, first: int = 0) -> tuple[int, list[str]]:
    """The number of problems, and what was wrong with them."""
    end = time.monotonic() + seconds
    wrong: list[str] = []
    number = first
    while time.monotonic() < end:
        if objection := run_one(seed, number):
            wrong.append(objection)
            print(objection, flush=True)
        number += 1
    return number - first, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--only", type=int, default=None, help="number of one problem")
    arguments = parser.parse_args()
    seed = secrets.randbelow(10**9) if arguments.seed is None else arguments.seed
    print(f"swarm: seed {seed}", flush=True)
    if arguments.only is not None:
        objection = run_one(seed, arguments.only)
        print(objection or "holds")
        return 1 if objection else 0
    count, wrong = swarm(seed, arguments.seconds)
    print(f"swarm: {count} problems, {len(wrong)} of them wrong; seed {seed}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
