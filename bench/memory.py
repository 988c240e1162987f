#!/usr/bin/env python3
"""Time and peak memory of a search on RMAT graphs of 1 to 100 million edges, numbered at random.

python bench/memory.py [MILLIONS ...]        numpy is all it needs; the program is build/shiftcut

CSR is the size of the graph as 4 bytes for the column and 8 for the weight of every entry, and 8
for each row. 100 million edges take 6 GB to generate, and 2 GB of disk in TMPDIR.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.measure import full_result

MILLIONS = [1.0, 3.0, 10.0, 30.0, 100.0]
EDGES_PER_NODE = 12
SHIFT = 0.01
SEED = 7
MASK = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)


def ends(bits: int, edges: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Draw edges with the parameters of Graph 500, their ends numbered at random."""
    rng = np.random.default_rng(SEED)
    first = np.zeros(edges, np.uint32)
    second = np.zeros(edges, np.uint32)
    for _ in range(bits):
        draw = rng.random(edges, dtype=np.float32)
        first *= 2
        first += draw >= 0.76
        second *= 2
        second += ((draw >= 0.57) & (draw < 0.76)) | (draw >= 0.95)
    numbers = rng.permutation(1 << bits).astype(np.uint32)
    return numbers[first], numbers[second]


def write_rmat(path: Path, bits: int, edges: int) -> tuple[int, int]:
    """Write the graph as SciPy's .npz; return its nodes and its entries, two for each edge."""
    first, second = ends(bits, edges)
    codes = np.minimum(first, second).astype(np.uint64) << HALF
    codes |= np.maximum(first, second)
    codes = codes[first != second]
    del first, second
    codes.sort()
    codes = codes[np.concatenate([[True], codes[1:] != codes[:-1]])]
    codes = np.concatenate([codes, (codes << HALF) | (codes >> HALF)])
    codes.sort()
    nodes = 1 << bits
    rows = np.zeros(nodes + 1, np.int64)
    rows[1:] = np.cumsum(np.bincount((codes >> HALF).astype(np.int64), minlength=nodes))
    columns = (codes & MASK).astype(np.int32)
    entries = len(codes)
    del codes
    np.savez(
        path,
        indices=columns,
        indptr=rows,
        data=np.ones(entries, np.float32),
        shape=np.array([nodes, nodes]),
        format=np.array(b"csr"),
    )
    return nodes, entries


def measure(folder: Path, millions: float) -> None:
    edges = round(millions * 1e6)
    path = folder / "rmat.npz"
    nodes, entries = write_rmat(path, (edges // EDGES_PER_NODE).bit_length(), edges)
    found = full_result(path, "--as", "graph", "--shift", f"constant={SHIFT}")
    csr = 12 * entries + 8 * (nodes + 1)
    seconds = found["seconds"]
    print(
        f"{nodes:9} nodes {entries // 2:10} edges  CSR {csr / 1e9:6.3f} GB  peak "
        f"{found['peak'] / 1e9:6.3f} GB, {found['peak'] / csr:5.2f} of it  read "
        f"{seconds['read']:7.2f} s  search {seconds['search']:7.2f} s, "
        f"{seconds['search'] / entries * 2e6:5.2f} s a million  cost {found['cost']:.1f}",
        flush=True,
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for millions in [float(word) for word in sys.argv[1:]] or MILLIONS:
            measure(Path(folder), millions)


if __name__ == "__main__":
    main()
