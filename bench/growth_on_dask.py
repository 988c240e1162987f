#!/usr/bin/env python3
"""How time and memory grow with the number of rows on a local Dask cluster.

    python bench/growth_on_dask.py --rows 1e6 3e6 10e6

The same Parquet files are clustered by `shiftcut.dask.ShiftedMinCut`, by Dask-ML's KMeans where it
can be installed, and by scikit-learn's MiniBatchKMeans, file by file in one process. Processor time
is that of all processes, with reading the files; peak memory is that of the largest process. Needs
the packages of packages/python-dask.txt.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import dask.dataframe as dd  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
from distributed import Client, LocalCluster  # noqa: E402
from sklearn.cluster import MiniBatchKMeans  # noqa: E402
from sklearn.metrics import adjusted_mutual_info_score  # noqa: E402

from tools.demo_dask import CLUSTERS, write  # noqa: E402

METHODS = ("shiftcut.dask", "dask_ml.KMeans", "MiniBatchKMeans")


def usage() -> tuple[float, int]:
    """Processor seconds and peak memory in MB of this process."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    return own.ru_utime + own.ru_stime, own.ru_maxrss // 1024


def on_dask(fit: Callable[[Any], Any], folder: Path, memory: str) -> Any:  # noqa: ANN401
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, memory_limit=memory, dashboard_address=":0"
        ) as cluster,
        Client(cluster) as client,
    ):
        before = sum(seconds for seconds, _ in client.run(usage).values()) + usage()[0]
        labels = fit(dd.read_parquet(folder).drop(columns="group"))
        used = list(client.run(usage).values())
        seconds = sum(seconds for seconds, _ in used) + usage()[0] - before
        return seconds, max(peak for _, peak in used), labels


def by_shiftcut(rows: Any) -> Any:  # noqa: ANN401
    from shiftcut.dask import ShiftedMinCut

    return ShiftedMinCut(CLUSTERS, random_state=0).fit(rows).labels_.compute()


def by_dask_ml(rows: Any) -> Any:  # noqa: ANN401
    from dask_ml.cluster import KMeans

    values = rows.to_dask_array(lengths=True)
    return KMeans(CLUSTERS, random_state=0).fit(values).labels_.compute()


def by_mini_batches(folder: Path) -> Any:  # noqa: ANN401
    before = usage()[0]
    model = MiniBatchKMeans(CLUSTERS, random_state=0)
    files = sorted(folder.glob("*.parquet"))
    blocks = (pd.read_parquet(file).drop(columns="group").to_numpy() for file in files)
    for block in blocks:
        model.partial_fit(block)
    again = (pd.read_parquet(file).drop(columns="group").to_numpy() for file in files)
    labels = np.concatenate([model.predict(block) for block in again])
    return usage()[0] - before, usage()[1], labels


def measure(method: str, folder: Path, memory: str) -> dict[str, Any]:
    start = time.monotonic()
    if method == "MiniBatchKMeans":
        seconds, peak, labels = by_mini_batches(folder)
    else:
        fit = by_shiftcut if method == "shiftcut.dask" else by_dask_ml
        seconds, peak, labels = on_dask(fit, folder, memory)
    truth = pd.read_parquet(folder, columns=["group"])["group"].to_numpy()
    some = np.random.default_rng(0).choice(len(truth), 20_000, replace=False)
    return {
        "method": method,
        "rows": len(truth),
        "processor_seconds": round(seconds, 1),
        "wall_seconds": round(time.monotonic() - start, 1),
        "peak_mb": peak,
        "ami": round(float(adjusted_mutual_info_score(truth[some], labels[some])), 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=float, nargs="+", default=[1e6, 3e6, 10e6])
    parser.add_argument("--methods", nargs="+", default=METHODS)
    parser.add_argument("--memory", default="8GB", help="limit of each of two workers")
    parser.add_argument("--one", help="measure one method on the files that are there")
    given = parser.parse_args()
    folder = ROOT / "out" / "growth-on-dask"
    if given.one:
        print(json.dumps(measure(given.one, folder, given.memory)))
        return
    for rows in given.rows:
        write(folder, int(rows))
        for method in given.methods:
            # A process each, so that peaks do not mix.
            command = [sys.executable, __file__, "--one", method, "--memory", given.memory]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            said = done.stdout if done.returncode == 0 else f"{method}: {done.stderr[-300:]}"
            print(said.strip(), flush=True)


if __name__ == "__main__":
    main()
