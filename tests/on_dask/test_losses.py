"""Workers that are killed, have too little memory, or are gone: the same labels, or an error."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import dask.array as da
import numpy as np
import pytest
from distributed import Client

import shiftcut.dask
from shiftcut import _block_functions

from .data import blobs, both

pytestmark = pytest.mark.filterwarnings("ignore::shiftcut.ShiftcutWarning")

STAGES = ["facts", "hash", "distinct", "moments", "members", "neighbours", "merge", "cluster"]


def pids_of(client: Client) -> list[int]:
    return list(client.run(os.getpid).values())


class Killer(threading.Thread):
    """Kills a random worker whenever `due()` says so, `times` times."""

    def __init__(self, cluster: Any, times: int, seed: int) -> None:  # noqa: ANN401
        super().__init__(daemon=True)
        self.cluster = cluster
        self.left = times
        self.killed = 0
        self.over = threading.Event()
        self.random = np.random.default_rng(seed)

    def run(self) -> None:
        while self.left > 0 and not self.over.wait(self.random.uniform(0.1, 0.8)):
            alive = [
                nanny.pid
                for nanny in self.cluster.workers.values()
                if getattr(nanny, "pid", None) is not None
            ]
            if alive:
                kill(int(self.random.choice(alive)))
                self.left -= 1
                self.killed += 1


def kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("stage", STAGES)
def test_a_worker_killed_in_any_stage_changes_nothing(
    stage: str, client_of: Callable[..., Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(2)
    rows = blobs(2000, 4)
    one, many = both(500, scale="standard")
    expected = one.fit_predict(rows)
    pids = pids_of(client)
    submit = shiftcut.dask._DaskEngine.submit
    killed: list[int] = []

    def submit_and_kill(self: Any, name: str, *given: Any) -> Any:  # noqa: ANN401
        future = submit(self, name, *given)
        if name == stage and not killed:
            killed.append(pids[0])
            kill(pids[0])
        return future

    monkeypatch.setattr(shiftcut.dask._DaskEngine, "submit", submit_and_kill)
    labels = many.fit_predict(da.from_array(rows, chunks=(300, 4))).compute()
    assert killed
    assert np.array_equal(labels, expected)


def test_workers_killed_at_random_change_nothing(client_of: Callable[..., Client]) -> None:
    times = int(os.environ.get("SHIFTCUT_KILLS", "3"))
    client = client_of(3)
    rows = blobs(6000, 6)
    one, many = both(600, scale="standard")
    expected = one.fit_predict(rows)
    killer = Killer(client.cluster, times, seed=times)
    killer.start()
    while killer.killed < times:  # fits one after another until all are killed
        labels = many.fit_predict(da.from_array(rows, chunks=(500, 6))).compute()
        assert np.array_equal(labels, expected)
    killer.join()


def test_labels_lost_after_the_fit_are_computed_again(client_of: Callable[..., Client]) -> None:
    client = client_of(2)
    rows = blobs(1500, 4)
    one, many = both(500)
    labels = many.fit_predict(da.from_array(rows, chunks=(300, 4)))
    for pid in pids_of(client):
        kill(pid)
    time.sleep(1)
    assert np.array_equal(labels.compute(), one.fit_predict(rows))


def test_too_little_memory_is_an_error(client_of: Callable[..., Client]) -> None:
    client_of(1, memory_limit="300MB", failures=1)
    rows = da.random.default_rng(0).normal(size=(6_000_000, 12), chunks=(500_000, 12))
    with pytest.raises(RuntimeError, match=r"memory|no progress"):
        shiftcut.dask.ShiftedMinCut(random_state=0).fit(rows)


def test_no_workers_is_an_error(
    client_of: Callable[..., Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shiftcut.dask, "_PATIENCE", 4.0)
    client = client_of(0)
    assert client.status == "running"
    with pytest.raises(RuntimeError, match="no workers"):
        shiftcut.dask.ShiftedMinCut(random_state=0).fit(da.from_array(blobs(100, 2)))


def test_spilled_blocks_change_nothing(client_of: Callable[..., Client]) -> None:
    import dask

    with dask.config.set({"distributed.worker.memory.target": 0.01}):
        client_of(2, memory_limit="400MB")
        rows = blobs(60_000, 8)
        one, many = both(20_000)
        many._bucket_bytes = 1 << 19
        labels = many.fit_predict(da.from_array(rows, chunks=(7000, 8))).compute()
        assert np.array_equal(labels, one.fit_predict(rows))


def test_a_function_that_fails_is_the_error_of_the_fit(
    client_of: Callable[..., Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    client_of(1)

    def broken(*_: Any) -> None:  # noqa: ANN401
        raise ZeroDivisionError("as expected")

    monkeypatch.setattr(_block_functions, "merged", broken)
    with pytest.raises(ZeroDivisionError, match="as expected"):
        shiftcut.dask.ShiftedMinCut(random_state=0).fit(da.from_array(blobs(100, 2)))
