#!/usr/bin/env python3
"""Cluster generated Parquet files on a local Dask cluster; called by `make demo-dask`."""

from __future__ import annotations

import argparse
import resource
import shutil
import time
from pathlib import Path
from typing import Any

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
from distributed import Client, LocalCluster

from shiftcut.dask import ShiftedMinCut

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = 8
CLUSTERS = 12
FILE_ROWS = 250_000
MOST_LABELS = 100  # told apart in the summary


def write(folder: Path, rows: int) -> None:
    """Files of rows around centres, and the centre of each."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    centres = np.random.default_rng(0).normal(size=(CLUSTERS, COLUMNS)) * 4
    for part, first in enumerate(range(0, rows, FILE_ROWS)):
        random = np.random.default_rng([1, part])
        group = random.integers(CLUSTERS, size=min(FILE_ROWS, rows - first))
        values = centres[group] + random.normal(size=(len(group), COLUMNS))
        frame = pd.DataFrame(values.astype(np.float32), columns=list("abcdefgh"))
        frame["group"] = group.astype(np.int32)
        frame.to_parquet(folder / f"part-{part:04}.parquet")


def save(part: pd.DataFrame, labels: Any, path: Path) -> Any:  # noqa: ANN401
    """Write a part with its labels; how many rows of each group are in each cluster."""
    part.assign(label=labels).to_parquet(path)
    pairs = np.zeros((CLUSTERS, MOST_LABELS), dtype=np.int64)
    np.add.at(pairs, (part["group"].to_numpy(), np.minimum(labels, MOST_LABELS - 1)), 1)
    return pairs


def peak_of_worker() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--memory", default="8GB", help="limit of each worker")
    given = parser.parse_args()
    folder = ROOT / "out" / "demo-dask"
    print(f"Writing {given.rows:,} rows of {COLUMNS} numbers to {folder.relative_to(ROOT)}")
    write(folder, given.rows)
    with (
        LocalCluster(
            n_workers=given.workers, threads_per_worker=1, memory_limit=given.memory
        ) as cluster,
        Client(cluster) as client,
    ):
        print(f"{given.workers} workers of {given.memory}; dashboard: {client.dashboard_link}")
        data = dd.read_parquet(folder)
        start = time.monotonic()
        model = ShiftedMinCut(random_state=0, verbose=1).fit(data.drop(columns="group"))
        seconds = time.monotonic() - start
        print(f"{model.n_clusters_} clusters in {seconds:.0f} s; sizes {model.result_['sizes']}")
        target = folder.with_name("demo-dask-labels")
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        written = [
            dask.delayed(save)(part, labels, target / f"part-{place:04}.parquet")
            for place, (part, labels) in enumerate(
                zip(data.to_delayed(), model.labels_.to_delayed(), strict=True)
            )
        ]
        pairs = sum(client.gather(client.compute(written)))
        pure = pairs.max(axis=0).sum() / pairs.sum()
        print(f"{100 * pure:.1f}% of the rows are with the most frequent group of their cluster")
        print(f"Peak memory of each worker: {list(client.run(peak_of_worker).values())} MB")
        print(f"Written: {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
