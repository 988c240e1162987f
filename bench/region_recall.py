#!/usr/bin/env python3
"""Recall of the neighbours found region by region, and how often rows are searched.

python bench/region_recall.py
"""

from __future__ import annotations

import argparse

import numpy as np
import numpy.typing as npt

from shiftcut import _core

Rows = npt.NDArray[np.float32]
NEIGHBORS = 10
QUERIES = 500


def mixture(random: np.random.Generator, rows: int, columns: int) -> Rows:
    centres = random.normal(size=(10, columns)) * 4
    noise = random.normal(size=(rows, columns))
    return (centres[random.integers(10, size=rows)] + noise).astype(np.float32)


def noise(random: np.random.Generator, rows: int, columns: int) -> Rows:
    return random.normal(size=(rows, columns)).astype(np.float32)


def surface(random: np.random.Generator, rows: int, columns: int) -> Rows:
    bent = np.sin(random.uniform(size=(rows, 3)) @ random.normal(size=(3, columns)) * 3)
    return (bent + 0.01 * random.normal(size=(rows, columns))).astype(np.float32)


def distances(rows: Rows, queries: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Of each query from its last true neighbour, squared."""
    wide = rows.astype(np.float64)
    own = []
    for query in queries:
        squared = ((wide - wide[query]) ** 2).sum(axis=1)
        squared[query] = np.inf
        own.append(np.partition(squared, NEIGHBORS - 1)[NEIGHBORS - 1])
    return np.array(own)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=60_000)
    given = parser.parse_args()
    random = np.random.default_rng(0)
    n = given.rows
    kinds = [(mixture, 16), (mixture, 32), (surface, 32), (noise, 2), (noise, 8), (noise, 32)]
    for make, columns in kinds:
        rows = make(random, n, columns)
        queries = random.choice(n, QUERIES, replace=False)
        last = distances(rows, queries)
        how = (np.zeros(columns), np.ones(columns), "euclidean")
        for count in (6, 24):
            size = _core.region_sample(n, count)
            sample = np.ascontiguousarray(rows[np.arange(size) * n // size])
            centres = _core.find_regions(sample, how, count, 1)
            offsets, members = _core.find_members(rows, how, centres, 1)
            found = []
            for own in np.split(members, offsets[1:-1].astype(np.int64)):
                region = np.ascontiguousarray(rows[own])
                found.append((own, *_core.search_region(region, own, how, NEIGHBORS, 1)))
            _, squared = _core.merge_neighbors(n, NEIGHBORS, 0, n, found)
            recall = (squared[queries] <= last[:, None] * (1 + 1e-12)).mean()
            print(
                f"{make.__name__:8} {columns:3} columns {count:3} regions: recall {recall:.3f}, "
                f"each row searched {len(members) / n:.2f} times",
                flush=True,
            )


if __name__ == "__main__":
    main()
