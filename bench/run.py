#!/usr/bin/env python3
"""Measure Shiftcut against other programs and print the tables; also out/bench.md and .json.

Times apply to this machine and this run only; compare ratios.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.cases import (
    answers,
    cost,
    features,
    graph,
    neighbor,
    network,
    python_package,
    quality,
    scaling,
    size,
    stop,
)
from bench.cases.features import Bench
from bench.measure import PROGRAM, ROOT, THREADS, BenchError, shiftcut
from bench.report import Section, facts_lines, text_of, write_files

QUICK = 0.02
GROUPS = {
    **features.GROUPS,
    **neighbor.GROUPS,
    **graph.GROUPS,
    **network.GROUPS,
    **quality.GROUPS,
    **size.GROUPS,
    **cost.GROUPS,
    **stop.GROUPS,
    **python_package.GROUPS,
    **scaling.GROUPS,
    **answers.GROUPS,
}
PEERS = (
    "scikit-learn",
    "faiss-cpu",
    "genieclust",
    "igraph",
    "leidenalg",
    "numpy",
    "scipy",
)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="tiny sizes: a smoke test")
    parser.add_argument("--scale", type=float, default=1.0, help="factor for all sizes (1)")
    parser.add_argument("--only", default=",".join(GROUPS), help="tables to run: A,B (all)")
    parser.add_argument("--keep", action="store_true", help="keep the generated data")
    given = parser.parse_args()
    given.only = given.only.upper().split(",")
    if unknown := set(given.only) - set(GROUPS):
        parser.error(f"--only: found {sorted(unknown)}; allowed: {','.join(GROUPS)}")
    if given.quick:
        given.scale = min(given.scale, QUICK)
    if not 0 < given.scale <= 1:
        parser.error(f"--scale: found {given.scale}; allowed: above 0, at most 1")
    return given


def cpu_name() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown"


def machine(scale: float) -> dict[str, Any]:
    return {
        "processor": cpu_name(),
        "threads": THREADS,
        "load before": round(os.getloadavg()[0], 2),
        "sizes": "full" if scale == 1 else f"{scale:g} of the full ones: not for comparison",
        "program": f"{PROGRAM} {shiftcut('--version').output.strip()}",
        "python": platform.python_version(),
        **{name: version(name) for name in PEERS},
    }


def run_groups(bench: Bench, letters: list[str]) -> dict[str, Section]:
    sections: dict[str, Section] = {}
    for letter in letters:
        try:
            sections[letter] = GROUPS[letter](bench)
            print(text_of(sections[letter]), flush=True)
        except BenchError as error:
            bench.errors.append(f"{letter}: {error}")
    return sections


def measure(given: argparse.Namespace) -> list[str]:
    """Print and write the tables; return the errors."""
    facts = machine(given.scale)
    print("\n".join(facts_lines(facts)) + "\n", flush=True)
    bench = Bench(Path(tempfile.mkdtemp(prefix="shiftcut-bench-")), given.scale)
    if given.quick:
        bench.iterations = 20
    try:
        sections = run_groups(bench, given.only)
    finally:
        if given.keep:
            print(f"kept: {bench.folder}")
        else:
            shutil.rmtree(bench.folder)
    write_files(ROOT / "out", facts, sections, bench.errors)
    return bench.errors


def main() -> int:
    given = arguments()
    try:
        errors = measure(given)
    except BenchError as error:
        errors = [str(error)]
    for message in errors:
        print(f"error: {message}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
