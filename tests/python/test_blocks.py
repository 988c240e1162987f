"""Rows in blocks: the labels of all rows at once, on an engine that is a plain loop."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from shiftcut import ShiftedMinCut, blocks

from .data import Floats, blobs

pytestmark = pytest.mark.filterwarnings("ignore::shiftcut.ShiftcutWarning")


class Held:
    """A handle: something that only functions may look into."""

    def __init__(self, value: Any) -> None:  # noqa: ANN401
        self.value = value


class Loop:
    """Computes at once, keeping apart what a client may see and what it may not."""

    def __init__(self) -> None:
        self.brought = 0  # numbers that the client has seen

    def submit(self, stage: str, function: Callable[..., Any], *arguments: Any) -> Held:  # noqa: ANN401
        def value(argument: Any) -> Any:  # noqa: ANN401
            if isinstance(argument, list):
                return [value(one) for one in argument]
            return argument.value if isinstance(argument, Held) else argument

        return Held(function(*map(value, arguments)))

    def get(self, handles: Sequence[Held]) -> list[Any]:
        for handle in handles:
            self.brought += handle.value.size if isinstance(handle.value, np.ndarray) else 0
        return [handle.value for handle in handles]


def by_blocks(model: ShiftedMinCut, rows: Any, cuts: Sequence[int]) -> blocks.Clustered:  # noqa: ANN401
    held = [Held(block) for block in np.split(rows, cuts)]
    return blocks.cluster_with(Loop(), held, model)


def labels_of(clustered: blocks.Clustered) -> Any:  # noqa: ANN401
    return np.concatenate([labels.value for labels in clustered.labels])


def model_with(parameters: dict[str, Any], region_rows: int = 0) -> ShiftedMinCut:
    model = ShiftedMinCut(random_state=0, **parameters)
    model._region_rows = region_rows
    model._bucket_bytes = 5000
    return model


VIEWS: list[dict[str, Any]] = [
    {},
    {"n_clusters": 4},
    {"scale": "standard", "weights": "gaussian"},
    {"scale": "minmax", "n_neighbors": 6},
    {"scale": "none", "weights": "binary"},
    {"metric": "cosine"},
    {"metric": "correlation"},
    {"metric": "manhattan"},
    {"similarity": "linear", "n_clusters": 4},
    {"similarity": "cosine", "n_clusters": 4},
]


@pytest.mark.parametrize(("view", "region_rows"), [({}, 0), *((view, 150) for view in VIEWS)])
def test_labels_are_those_of_all_rows_at_once(view: dict[str, Any], region_rows: int) -> None:
    rows = blobs(500, 4, seed=1) * [1, 50, 1, 3]
    one = model_with(view, region_rows).fit(rows)
    for cuts in ([1, 2, 250], [300, 300, 499]):
        found = by_blocks(model_with(view, region_rows), rows, cuts)
        assert np.array_equal(labels_of(found), one.labels_)
        assert found.result["cost"] == one.cost_
        assert found.result["sizes"] == one.result_["sizes"]


@pytest.mark.parametrize("region_rows", [0, 100])
def test_equal_rows_and_float32_change_nothing(region_rows: int) -> None:
    rows = np.round(blobs(700, 3, seed=2)).astype(np.float32)
    one = model_with({}, region_rows).fit(rows)
    for cuts in ([7, 600], [300]):
        found = by_blocks(model_with({}, region_rows), rows, cuts)
        assert np.array_equal(labels_of(found), one.labels_)


def test_counts_are_compared_by_their_direction() -> None:
    random = np.random.default_rng(3)
    rows = random.poisson(random.choice([0.05, 2.0], (400, 12), p=[0.8, 0.2])).astype(float)
    one = model_with({}).fit(rows)
    assert one.result_["metric"] == "cosine"
    assert np.array_equal(labels_of(by_blocks(model_with({}), rows, [100, 101])), one.labels_)


def test_pairs_are_kept_as_on_one_machine() -> None:
    rows = blobs(400, 3, seed=4)
    random = np.random.default_rng(4)
    links = {"must_link": random.choice(400, (20, 2), replace=False), "cannot_link": [(1, 2)]}
    one = model_with(links, 150).fit(rows)
    found = by_blocks(model_with(links, 150), rows, [50, 300])
    assert np.array_equal(labels_of(found), one.labels_)
    with pytest.raises(ValueError, match="which are equal"):
        by_blocks(model_with({"cannot_link": [(0, 2)]}), np.repeat(rows, 3, axis=0), [900])


def test_bounds_on_sizes_are_kept_where_no_rows_are_equal() -> None:
    rows = blobs(500, 3, seed=5)
    bounds = {"n_clusters": 4, "max_cluster_size": 150}
    one = model_with(bounds).fit(rows)
    assert np.array_equal(labels_of(by_blocks(model_with(bounds), rows, [9])), one.labels_)
    with pytest.raises(ValueError, match="max_cluster_size"):
        by_blocks(model_with(bounds), np.repeat(rows, 2, axis=0), [9])


@pytest.mark.parametrize("view", [{}, {"similarity": "linear", "n_clusters": 4}])
def test_new_rows_get_the_labels_of_one_machine(view: dict[str, Any]) -> None:
    rows = np.round(blobs(700, 3, seed=6), 1)
    new = blobs(200, 3, seed=7)
    one = model_with(view).fit(rows)
    found = by_blocks(model_with(view), rows, [100])
    assert np.array_equal(blocks.predict(found.model.value, new), one.predict(new))


def test_the_client_sees_no_rows() -> None:
    rows = blobs(2000, 4, seed=8)
    loop = Loop()
    blocks.cluster_with(loop, [Held(block) for block in np.split(rows, 4)], model_with({}, 500))
    assert loop.brought < 200


@pytest.mark.parametrize(
    ("parameters", "rows", "message"),
    [
        ({"similarity": "precomputed"}, np.eye(4), "similarity"),
        ({"learn_shift": True}, np.eye(4), "learn_shift"),
        ({"shift": np.eye(4)}, np.eye(4), "shift"),
        ({"cannot_link_groups": [1, 1, 2, 2]}, np.eye(4), "cannot_link_groups"),
        ({}, np.array([[1.0], [np.nan], [2.0]]), "NaN"),
        ({}, np.ones((5, 2)), "equal rows"),
        ({}, np.empty((0, 2)), "no rows"),
        ({"n_clusters": 9}, np.eye(4), "n_clusters"),
    ],
)
def test_what_is_not_supported_is_refused(
    parameters: dict[str, Any], rows: Floats, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        by_blocks(model_with(parameters), rows, [1])


def test_blocks_of_different_widths_or_types_are_refused() -> None:
    model = model_with({})
    wide = [Held(np.ones((3, 2))), Held(np.ones((3, 3)))]
    with pytest.raises(ValueError, match="columns"):
        blocks.cluster_with(Loop(), wide, model)
    mixed = [Held(np.ones((3, 2), dtype=np.float32)), Held(np.ones((3, 2)))]
    with pytest.raises(ValueError, match="one type"):
        blocks.cluster_with(Loop(), mixed, model)


def test_the_example_on_processes_gives_the_same_labels(tmp_path: Path) -> None:
    rows = blobs(2000, 3, seed=9)
    source, target = tmp_path / "rows.parquet", tmp_path / "labels.parquet"
    pq.write_table(pa.table(dict(zip("abc", rows.T, strict=True))), source, row_group_size=300)
    example = Path(__file__).parents[2] / "examples" / "blocks_on_processes.py"
    subprocess.run([sys.executable, example, source, target], check=True, timeout=120)
    labels = pq.read_table(target)["cluster"].to_numpy()
    assert np.array_equal(labels, ShiftedMinCut(random_state=0).fit_predict(rows))


def test_only_the_front_end_for_dask_needs_dask() -> None:
    program = """
import sys

class WithoutDask:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("dask", "distributed"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, WithoutDask())
from shiftcut import *
import shiftcut
try:
    shiftcut.dask
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "pip install shiftcut[dask]" in done.stdout
