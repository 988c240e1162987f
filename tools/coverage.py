#!/usr/bin/env python3
"""The lines of src/ that the tests run, by room, from out/coverage/ (`make coverage`).

Prints the lines that none runs, file by file, and the table. A line counts once, however often its
template is instantiated.
"""

from __future__ import annotations

import argparse
import itertools
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "out/coverage"
BUILD = ROOT / "build-coverage"

Lines = dict[str, dict[int, int]]  # of each file, how often each line was run


def run_lines() -> Lines:
    profile = str(OUT / "all.profdata")
    profiles = map(str, OUT.glob("*.profraw"))
    merge = ["llvm-profdata-19", "merge", "-sparse", *profiles, "-o", profile]
    subprocess.run(merge, check=True)
    programs = sorted(map(str, (BUILD / "tests").glob("*_test")))
    programs.append(str(BUILD / "shiftcut"))
    export = ["llvm-cov-19", "export", "-format=lcov", f"-instr-profile={profile}"]
    export += ["-ignore-filename-regex", "/(tests|usr|build[^/]*)/", programs[0]]
    for program in programs[1:]:
        export += ["-object", program]
    told = subprocess.run(export, capture_output=True, text=True, check=True)
    lines: Lines = defaultdict(dict)
    file = ""
    for record in told.stdout.splitlines():
        kind, _, rest = record.partition(":")
        if kind == "SF":
            file = str(Path(rest).relative_to(ROOT)) if Path(rest).is_relative_to(ROOT) else ""
        elif kind == "DA" and file.startswith("src/"):
            number, count = map(int, rest.split(",")[:2])
            lines[file][number] = max(lines[file].get(number, 0), count)
    return lines


def ranges(numbers: list[int]) -> Iterator[str]:
    for _, group in itertools.groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        of_group = [number for _, number in group]
        yield f"{of_group[0]}-{of_group[-1]}" if len(of_group) > 1 else str(of_group[0])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--least", type=float, default=95, help="percentage of the lines of src/")
    least = parser.parse_args().least
    lines = run_lines()
    count: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for file, of_file in sorted(lines.items()):
        missed = sorted(number for number, times in of_file.items() if times == 0)
        if missed:
            print(f"{file}: {', '.join(ranges(missed))}")
        for name in (file.split("/")[1], "all of src/"):
            count[name][0] += len(of_file) - len(missed)
            count[name][1] += len(of_file)
    everything = count.pop("all of src/")
    print(f"\n{'room':<14}{'lines':>8}{'not run':>9}{'run':>9}")
    for name, (done, whole) in [*sorted(count.items()), ("all of src/", everything)]:
        print(f"{name:<14}{whole:>8}{whole - done:>9}{100 * done / whole:>8.1f}%")
    return 0 if 100 * everything[0] >= least * everything[1] else 1


if __name__ == "__main__":
    sys.exit(main())
