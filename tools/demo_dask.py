#!/usr/bin/env python3
"""Cluster generated Parquet files on a local Dask cluster; called by `make demo-dask`."""

from __future__ import annotations

import argparse
import resource
import shutil
import time
from pathlib import Path

import dask.dataframe as dd
import numpy as np
import pandas as pd
from distributed import Client, LocalCluster

from shiftcut.dask import ShiftedMinCut

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = 8
CLUSTERS = 12
FILE_ROWS = 250_000


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
        labels = dd.from_dask_array(model.labels_, index=data.index)
        pairs = data.assign(label=labels).groupby(["group", "label"]).size().compute()
        pure = pairs.groupby("label").max().sum() / pairs.sum()
        print(f"{100 * pure:.1f}% of the rows are with the most frequent group of their cluster")
        print(f"Peak memory of each worker: {list(client.run(peak_of_worker).values())} MB")
        target = folder.with_name("demo-dask-labels")
        shutil.rmtree(target, ignore_errors=True)
        data.assign(label=labels).to_parquet(target)
        print(f"Written: {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
