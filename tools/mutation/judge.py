"""Runs tests on each mutant until one fails.

Every test is run once without a mutant, which tells how long it takes and which mutants it reaches;
of each mutant only the tests that reach it are run, quick ones first.
"""

from __future__ import annotations

import csv
import json
import os
import resource
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from .mutants import EQUIVALENT, ROOMS, Mutant, load, save

MEMORY = 4 << 30
TIMES_LONGER = 4  # and as many seconds besides
QUICK = 0.3  # seconds
LONGEST = float(os.environ.get("LONGEST", "20"))  # seconds; longer tests are left out


@dataclass(frozen=True)
class Test:
    room: str
    name: str
    seconds: float
    reached: frozenset[int]


def limits(seconds: float) -> None:
    whole = int(seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def passes(program: Path, names: list[str], seconds: float, environment: dict[str, str]) -> bool:
    try:
        done = subprocess.run(
            [program, "--gtest_brief=1"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            env={
                **os.environ,
                "GTEST_FILTER": ":".join(names),
                "GTEST_FAIL_FAST": "1",
                **environment,
            },
            preexec_fn=lambda: limits(seconds),
            timeout=60 + 20 * seconds,  # that waits, and uses no processor time
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    if done.returncode == -signal.SIGINT:
        raise KeyboardInterrupt
    return done.returncode == 0


def test_names(program: Path) -> Iterator[str]:
    told = subprocess.run(
        [program, "--gtest_list_tests"], capture_output=True, text=True, check=True
    )
    suite = ""
    for line in told.stdout.splitlines():
        word = line.split("#")[0].rstrip()
        if word.startswith("  "):
            yield suite + word.strip()
        elif word.endswith("."):
            suite = word


def reach_of(program: Path, room: str, name: str) -> Test | None:
    """A test alone, without a mutant; None where it takes too long to be run often."""
    with tempfile.NamedTemporaryFile("r") as numbers:
        child = subprocess.Popen(
            [program, "--gtest_brief=1", f"--gtest_filter={name}"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "SHIFTCUT_REACHED": numbers.name},
            preexec_fn=lambda: limits(LONGEST),
        )
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return None
        if child.returncode != 0:
            raise SystemExit(f"{room}: {name} fails without a mutant")
        reached = frozenset(int(number) for number in numbers.read().split())
        return Test(room, name, used.ru_utime + used.ru_stime, reached)


def reach(programs: Path, rooms: list[str], pool: Executor) -> dict[str, list[Test]]:
    """Of all tests; what is known of a program is kept until it is built again."""
    found = {}
    for room in rooms:
        program = programs / f"{room}_test"
        file = program.with_suffix(".json")
        if not file.exists() or file.stat().st_mtime < program.stat().st_mtime:
            names = list(test_names(program))
            tests = list(pool.map(partial(reach_of, program, room), names))
            for name, test in zip(names, tests, strict=True):
                if test is None:
                    print(f"left out, longer than {LONGEST} s: {room}: {name}", flush=True)
            kept = [[t.name, t.seconds, sorted(t.reached)] for t in tests if t is not None]
            file.write_text(json.dumps(kept))
        found[room] = [
            Test(room, name, seconds, frozenset(reached))
            for name, seconds, reached in json.loads(file.read_text())
        ]
    return found


def stages(mutant: Mutant, tests: dict[str, list[Test]]) -> Iterator[list[Test]]:
    """The tests that reach a mutant: the quick ones of each program, then the others one by one."""
    slow = []
    for room in [mutant.room, *ROOMS[mutant.room][1]]:
        reaching = [test for test in tests[room] if mutant.number in test.reached]
        quick = [test for test in reaching if test.seconds <= QUICK]
        slow += [test for test in reaching if test.seconds > QUICK]
        if quick:
            yield quick
    for test in sorted(slow, key=lambda test: test.seconds):
        yield [test]


def run(programs: Path, jobs: int, only: list[str], most: int, *, again: bool) -> None:
    mutants = load()
    count = Counter[str]()
    todo = []
    for mutant in mutants:
        count[mutant.room] += 1
        if mutant.room in only and count[mutant.room] <= most:
            todo += [mutant] if not mutant.fate or (again and not mutant.is_killed) else []
    todo.sort(key=lambda mutant: only.index(mutant.room))
    asked = sorted({m.room for m in todo} | {room for m in todo for room in ROOMS[m.room][1]})

    def fate_of(mutant: Mutant) -> str:
        fate = "not reached"
        for stage in stages(mutant, tests):
            seconds = TIMES_LONGER * (1 + sum(test.seconds for test in stage))
            program = programs / f"{stage[0].room}_test"
            names = [test.name for test in stage]
            if not passes(program, names, seconds, {"SHIFTCUT_MUTANT": str(mutant.number)}):
                return stage[0].room
            fate = "lived"
        return fate

    with ThreadPoolExecutor(jobs) as pool:
        tests = reach(programs, asked, pool)
        try:
            for mutant, fate in zip(todo, pool.map(fate_of, todo), strict=True):
                mutant.fate = fate
                if not mutant.is_killed:
                    print(
                        f"{fate}: {mutant.file}:{mutant.line}: {mutant.change}: {mutant.text}",
                        flush=True,
                    )
        finally:
            save(mutants)  # what is known when it is interrupted, to go on from


def equivalents() -> set[tuple[str, str, str]]:
    with EQUIVALENT.open(encoding="utf-8", newline="") as lines:
        return {(row["file"], row["line"], row["change"]) for row in csv.DictReader(lines)}


def report(mutants: list[Mutant]) -> int:
    known = equivalents()
    total: Counter[str] = Counter()
    killed: Counter[str] = Counter()
    equivalent = 0
    for mutant in mutants:
        if not mutant.fate:
            continue
        if not mutant.is_killed and (mutant.file, mutant.text, mutant.change) in known:
            equivalent += 1
            continue
        total[mutant.room] += 1
        killed[mutant.room] += mutant.is_killed
        if not mutant.is_killed:
            print(f"{mutant.fate}: {mutant.file}:{mutant.line}: {mutant.change}: {mutant.text}")
    for room in total:
        print(f"{room}: {killed[room]} of {total[room]} killed")
    count, dead = sum(total.values()), sum(killed.values())
    share = 100 * dead / max(count, 1)
    print(f"mutants: {dead} of {count} killed ({share:.1f}%), {equivalent} equivalent")
    return 0 if dead >= 0.9 * count else 1
