"""Plot AMI against the number of answers for our method and its peers.

    python -m experiments.answers [--quick] [--only digits,ecoli] [--methods "COBRAS;..."]

Results: out/answers/answers.md, answers.csv and one picture per data set; a quick run writes
to out/answers-quick/. Ctrl-C writes the results so far; the next run continues from there.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from pathlib import Path

import shiftcut

from .. import places
from . import report
from .curve import FULL, QUICK
from .methods import METHODS
from .running import ASKED_FOR, PACKAGES, Study, installed
from .tasks import NAMES, missing, tasks


def arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="experiments.answers", description="AMI against the number of answers."
    )
    parser.add_argument("--quick", action="store_true", help="one seed, 100 answers")
    parser.add_argument("--only", default=",".join(NAMES), help="data sets, by comma (all)")
    usual = ";".join(name for name in METHODS if name not in ASKED_FOR)
    parser.add_argument("--methods", default=usual, help="by semicolon (all but the slow)")
    parser.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--out", type=Path, help="folder (out/answers, quick: out/answers-quick)")
    chosen = parser.parse_args(given)
    if chosen.out is None:
        chosen.out = places.OUT.with_name("answers-quick" if chosen.quick else "answers")
    chosen.only = chosen.only.split(",")
    if unknown := set(chosen.only) - set(NAMES):
        parser.error(f"--only: found {sorted(unknown)}; allowed: {','.join(NAMES)}")
    chosen.methods = chosen.methods.split(";")
    if unknown := set(chosen.methods) - set(METHODS):
        parser.error(f"--methods: found {sorted(unknown)}; allowed: {';'.join(METHODS)}")
    if chosen.workers < 1:
        parser.error(f"--workers: found {chosen.workers}; allowed: 1 or more")
    return chosen


def main(given: list[str] | None = None) -> int:
    chosen = arguments(given)
    settings = QUICK if chosen.quick else FULL
    for line in missing(chosen.only):
        print(f"missing: {line}", file=sys.stderr)
    study = Study(tasks(chosen.only), settings, chosen.out)
    code = 0
    try:
        study.run(chosen.methods, chosen.workers)
    except KeyboardInterrupt:
        print("answers: interrupted; run again to go on", file=sys.stderr)
        code = 130
    facts = {
        "kind": "quick: one seed, not for quoting" if chosen.quick else "full",
        "shiftcut": shiftcut.__version__,
        "with": f"Python {platform.python_version()}, {', '.join(map(installed, PACKAGES))}",
    }
    report.write(study.tasks, *study.curves(), facts, settings, chosen.out)
    print(f"answers: {chosen.out / 'answers.md'}, {chosen.out / 'answers.csv'}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
