"""Recompute the paper's tables and figures and compare them with the printed ones.

    python -m experiments [--quick] [--only tables,figures,section6,convergence,runtime]

Results: out/paper/paper.html (one page with everything), paper.md, cells.csv and csv/; a
quick run writes to out/paper-quick/. Ctrl-C writes the results so far; the next run continues from
there.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import shiftcut

from . import places
from .jobs.progress import Progress, spoken
from .paper.settings import FULL, QUICK, Settings
from .paper.stages import STAGES, Context
from .report.document import Report, Section

PACKAGES = ("numpy", "scipy", "scikit-learn")


def arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="experiments", description="The paper's tables and figures beside ours."
    )
    parser.add_argument("--quick", action="store_true", help="few runs and small sizes")
    parser.add_argument("--only", default=",".join(STAGES), help="parts, by comma (all)")
    parser.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--out", type=Path, help="folder (out/paper, quick: out/paper-quick)")
    chosen = parser.parse_args(given)
    if chosen.out is None:
        chosen.out = places.OUT.with_name("paper-quick") if chosen.quick else places.OUT
    chosen.only = chosen.only.split(",")
    if unknown := set(chosen.only) - set(STAGES):
        parser.error(f"--only: found {sorted(unknown)}; allowed: {','.join(STAGES)}")
    if chosen.workers < 1:
        parser.error(f"--workers: found {chosen.workers}; allowed: 1 or more")
    return chosen


def facts(settings: Settings, quick: bool) -> dict[str, str]:
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return {
        "kind": "quick: few runs, not for quoting" if quick else "full",
        "runs of a random method": str(settings.runs),
        "shiftcut": shiftcut.__version__,
        "with": f"Python {platform.python_version()}, {packages}",
        "data": str(places.SHARED) if places.SHARED.is_dir() else "none found: what needs none",
    }


def run(chosen: argparse.Namespace) -> int:
    settings = QUICK if chosen.quick else FULL
    stages: dict[str, Callable[[Context], Section]] = {
        name: STAGES[name] for name in STAGES if name in chosen.only
    }
    context = Context.load(settings, chosen.out, chosen.workers, list(stages))
    progress: Progress = context.progress
    for line in context.missing:
        progress.say(f"missing: {line}")
    report = Report(
        "Shift of Pairwise Similarities: printed and measured", facts(settings, chosen.quick)
    )
    begin, code = time.monotonic(), 0
    try:
        for name, stage in stages.items():
            report.sections.append(stage(context))
            context.write(report)
            progress.say(f"paper: {name} done after {spoken(time.monotonic() - begin)}")
    except KeyboardInterrupt:
        progress.say("paper: interrupted; what is done is kept, run again to go on")
        report.sections += context.unfinished
        code = 130
    context.write(report)
    progress.say(f"paper: {chosen.out / 'paper.html'}, {chosen.out / 'paper.md'}")
    return code


def main(given: list[str] | None = None) -> int:
    return run(arguments(given))


if __name__ == "__main__":
    sys.exit(main())
