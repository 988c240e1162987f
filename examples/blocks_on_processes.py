"""Cluster a Parquet file block by block on the processes of one machine, without Dask.

    python examples/blocks_on_processes.py rows.parquet labels.parquet

`shiftcut.blocks` needs an engine with two methods; this one runs on concurrent.futures, and keeps
what is computed in files, so that a process holds one block at a time. An engine on Ray, Spark or a
queue of jobs looks the same.
"""

from __future__ import annotations

import pickle
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import shiftcut
from shiftcut import blocks

Handle = Future[Path]


def read(source: str, group: int) -> Any:  # noqa: ANN401
    """A row group of the file as a block."""
    table = pq.ParquetFile(source).read_row_group(group)
    return np.column_stack([column.to_numpy() for column in table.columns])


def load(path: Path) -> Any:  # noqa: ANN401
    return pickle.loads(path.read_bytes())


def work(path: Path, function: Callable[..., Any], arguments: Sequence[Any]) -> Path:
    """Run in a process: files in, a file out."""

    def value(argument: Any) -> Any:  # noqa: ANN401
        if isinstance(argument, list):
            return [value(one) for one in argument]
        return load(argument) if isinstance(argument, Path) else argument

    path.write_bytes(pickle.dumps(function(*map(value, arguments))))
    return path


class Processes:
    """An engine: a handle is the future of a file."""

    def __init__(self, folder: str, processes: int) -> None:
        self._folder = Path(folder)
        self._pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"))
        self._waiting = ThreadPoolExecutor(10_000)  # a thread per task that waits for others
        self._count = 0

    def submit(self, stage: str, function: Callable[..., Any], *arguments: Any) -> Handle:  # noqa: ANN401
        self._count += 1
        path = self._folder / f"{stage}-{self._count}"

        def run() -> Path:
            return self._pool.submit(work, path, function, paths(list(arguments))).result()

        return self._waiting.submit(run)

    def get(self, handles: Sequence[Handle]) -> list[Any]:
        return [load(handle.result()) for handle in handles]


def paths(argument: Any) -> Any:  # noqa: ANN401
    """The files of what other tasks compute, once they have."""
    if isinstance(argument, list):
        return [paths(one) for one in argument]
    return argument.result() if isinstance(argument, Future) else argument


def main(source: str, target: str, processes: int = 2) -> None:
    with tempfile.TemporaryDirectory() as folder:
        engine = Processes(folder, processes)
        groups = range(pq.ParquetFile(source).num_row_groups)
        rows = [engine.submit("read", read, source, group) for group in groups]
        clustered = blocks.cluster_with(engine, rows, shiftcut.ShiftedMinCut(random_state=0))
        labels = np.concatenate(engine.get(clustered.labels))
    pq.write_table(pa.table({"cluster": labels}), target)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
