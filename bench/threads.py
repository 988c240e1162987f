#!/usr/bin/env python3
"""Time the search on 1, 2, 4, ... threads, on a shuffled graph of 7.5 million edges.

python bench/threads.py [THREADS ...]        numpy is all it needs; the program is build/shiftcut
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.networks import network, write_mtx

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("SHIFTCUT_PROGRAM", str(ROOT / "build" / "shiftcut"))
GRAPHS = {"planted": (1_000_000, 7_500_000, 0.02), "lfr": (800_000, 7_500_000, 0.01)}
ATTEMPTS = 3


def search(path: Path, shift: float, threads: int) -> tuple[float, float, str]:
    """Return the seconds of the fastest search, its cost and a hash of its labels."""
    command = [PROGRAM, "cluster", str(path), "--shift", f"constant={shift}", "--quiet"]
    command += ["--json", "-", "--threads", str(threads)]
    found = []
    for _ in range(ATTEMPTS):
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
        result = json.loads(ran.stdout)
        labels = hashlib.sha256(json.dumps(result["labels"]).encode()).hexdigest()
        found.append((float(result["seconds"]["search"]), float(result["cost"]), labels[:12]))
    return min(found)


def main() -> None:
    cores = len(os.sched_getaffinity(0))
    counts = [int(word) for word in sys.argv[1:]] or [1 << i for i in range(cores.bit_length())]
    with tempfile.TemporaryDirectory() as folder:
        for kind, (nodes, edges, shift) in GRAPHS.items():
            path = Path(folder) / f"{kind}.mtx"
            made = network(kind, nodes, edges, seed=7)
            write_mtx(path, made, nodes)
            print(f"{kind}: {nodes} nodes, {len(made)} edges, constant shift {shift}")
            before = 0.0
            for threads in counts:
                seconds, cost, labels = search(path, shift, threads)
                factor = f"  factor {before / seconds:.2f}" if before else ""
                print(f"  {threads:3} threads  {seconds:7.3f} s  {cost:.2f}  {labels}{factor}")
                before = seconds


if __name__ == "__main__":
    main()
