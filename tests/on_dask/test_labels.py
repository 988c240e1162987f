"""The labels of one machine, for any number of workers and any partitioning."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from distributed import Client

import shiftcut.dask

from .data import blobs, both

pytestmark = pytest.mark.filterwarnings("ignore::shiftcut.ShiftcutWarning")

VIEWS: list[dict[str, Any]] = [
    {},
    {"n_clusters": 4, "scale": "standard"},
    {"metric": "cosine", "weights": "gaussian"},
    {"scale": "minmax", "n_neighbors": 6},
    {"similarity": "linear", "n_clusters": 4},
    {"similarity": "cosine", "n_clusters": 4},
    {"must_link": [(0, 5), (1, 1999)], "cannot_link": [(0, 1), (7, 1200)]},
]


@pytest.mark.parametrize("workers", [1, 2, 3, 5])
def test_labels_are_those_of_one_machine(workers: int, client_of: Callable[..., Client]) -> None:
    client_of(workers)
    rows = blobs(2000, 4) * [1, 30, 1, 2]
    for view in VIEWS if workers == 3 else VIEWS[:3]:
        one, many = both(500, **view)
        expected = one.fit_predict(rows)
        new = rows[:100] + 0.01
        for chunks in [((1, 0, 999, 400, 600), 3)] if workers > 1 else [(2000, 4), (300, 4)]:
            many.fit(da.from_array(rows, chunks=chunks))
            assert np.array_equal(many.labels_.compute(), expected), view
            assert many.cost_ == one.cost_
            assert many.labels_.chunks[0] == da.from_array(rows, chunks=chunks).chunks[0]
        labels = many.predict(da.from_array(new, chunks=(33, 4)))
        assert np.array_equal(labels.compute(), one.predict(new))


def test_frames_and_parquet_files_give_the_same_labels(
    client_of: Callable[..., Client], tmp_path: Path
) -> None:
    client_of(2)
    frame = pd.DataFrame(np.round(blobs(1500, 3), 1), columns=["a", "b", "c"])
    frame["b"] = frame["b"].astype(np.float32)
    one, many = both(400)
    expected = one.fit_predict(frame)
    dd.from_pandas(frame, npartitions=5).to_parquet(tmp_path)
    for X in (dd.from_pandas(frame, npartitions=3), dd.read_parquet(tmp_path)):
        assert np.array_equal(many.fit_predict(X).compute(), expected)
        assert list(many.feature_names_in_) == ["a", "b", "c"]
        assert np.array_equal(many.predict(X).compute(), one.predict(frame))


def test_a_slow_worker_changes_nothing(client_of: Callable[..., Client]) -> None:
    client = client_of(2)
    rows = blobs(2000, 4)
    slow = next(iter(client.scheduler_info(n_workers=-1)["workers"]))
    client.run(_slow_down, workers=[slow])
    one, many = both(500)
    expected = one.fit_predict(rows)
    assert np.array_equal(
        many.fit_predict(da.from_array(rows, chunks=(300, 4))).compute(), expected
    )


def _slow_down() -> None:
    import time

    from shiftcut import _core

    search = _core.search_region

    def slowly(*given: Any) -> Any:  # noqa: ANN401
        time.sleep(0.5)
        return search(*given)

    _core.search_region = slowly  # type: ignore[assignment]


def test_tasks_have_readable_names(client_of: Callable[..., Client]) -> None:
    client = client_of(1)
    _, many = both(500)
    many.fit(da.from_array(blobs(1000, 3), chunks=(300, 3)))
    from distributed.utils import key_split

    names = client.run_on_scheduler(lambda dask_scheduler: sorted(dask_scheduler.task_prefixes))
    assert key_split("shiftcut-neighbours-0123456789abcdef0123456789abcdef-7") in names
    assert {"shiftcut-facts", "shiftcut-neighbours", "shiftcut-cluster"} <= set(names)


@pytest.mark.parametrize(
    ("X", "kind", "message"),
    [
        (np.ones((4, 2)), TypeError, "dask array"),
        (da.ones((4, 2, 2)), ValueError, "dimensions"),
        (da.from_array(np.array([[1.0], [np.nan]])), ValueError, "NaN"),
        (dd.from_pandas(pd.DataFrame({"a": ["x", "y"]}), npartitions=1), ValueError, "not numbers"),
    ],
)
def test_what_is_not_supported_is_refused(
    X: Any,  # noqa: ANN401
    kind: type[Exception],
    message: str,
    client_of: Callable[..., Client],
) -> None:
    client_of(1)
    with pytest.raises(kind, match=message):
        shiftcut.dask.ShiftedMinCut(random_state=0).fit(X)
