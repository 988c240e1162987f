"""Local clusters of real processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import dask
import pytest
from distributed import Client, LocalCluster


@pytest.fixture
def client_of() -> Iterator[Callable[..., Client]]:
    """Starts a cluster of `n_workers` processes with a thread each."""
    opened: list[Any] = []

    def start(n_workers: int, **settings: Any) -> Client:  # noqa: ANN401
        # A worker that is killed is started again at once; tests kill more often than a task may
        # lose its worker by default.
        dask.config.set({"distributed.scheduler.allowed-failures": settings.pop("failures", 30)})
        cluster = LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address=":0",
            **{"memory_limit": "1GB"} | settings,
        )
        client = Client(cluster)
        opened.extend([client, cluster])
        return client

    yield start
    for one in opened:
        one.close(timeout=20)
