"""Do the tests bite? Changes operators, constants and conditions, and runs the tests of the rooms.

    python3 -m tools.mutation make    writes out/mutants/tree: the sources with all mutants in them,
                                      each behind a number, and out/mutants/mutants.json, their list
    python3 -m tools.mutation build   compiles the rooms of the tree, and links the tests in build/
                                      with them
    python3 -m tools.mutation run     runs the tests of a mutant's room, and of the rooms above it,
                                      for each mutant (SHIFTCUT_MUTANT=N), until one fails
    python3 -m tools.mutation report  what lived

All mutants of a room are compiled at once, as one source, so that one costs no more than running
the tests that reach it. They are drawn evenly from the files of each room, never one inside
another; --seed draws others. A test that fails, crashes, breaks an assertion of the standard
library or takes several times the processor time it usually does kills a mutant. Those that change
nothing a test could see are listed with the reason in tools/equivalent_mutants.csv, and counted
apart.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from .build import build
from .judge import report, run
from .mutants import PROGRAMS, ROOMS, load
from .tree import make


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="tools.mutation", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("step", choices=["make", "build", "run", "report"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("JOBS", "2")))
    parser.add_argument("--rooms", nargs="+", choices=list(ROOMS), default=list(ROOMS))
    parser.add_argument("--programs", type=Path, default=PROGRAMS)
    parser.add_argument("--most", type=int, default=60, help="the first of each room")
    parser.add_argument("--again", action="store_true", help="run those that lived again")
    arguments = parser.parse_args()
    if arguments.step == "make":
        make(arguments.seed, arguments.rooms)
    elif arguments.step == "build":
        build(arguments.rooms, arguments.jobs)
    elif arguments.step == "run":
        run(
            arguments.programs,
            arguments.jobs,
            arguments.rooms,
            arguments.most,
            again=arguments.again,
        )
    return report(load()) if arguments.step in ("run", "report") else 0


if __name__ == "__main__":
    sys.exit(main())
