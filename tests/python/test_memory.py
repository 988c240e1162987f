"""Data is looked at where it lies: a fit needs no more memory than the library does."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from typing import Any

import numpy as np
import pytest

from shiftcut import ShiftedMinCut

from .data import blobs

MIB = 2**20

SCRIPT = """
    import json, sys
    import numpy as np
    from pathlib import Path
    from shiftcut import ShiftedMinCut, _core

    def status(name):
        lines = Path("/proc/self/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith(name)).split()[1]) * 1024

    def peak(work):
        Path("/proc/self/clear_refs").write_text("5")  # the peak counts from here
        before = status("VmRSS")
        work()
        return status("VmHWM") - before

    dtype, order, n, d = sys.argv[1:]
    rng = np.random.default_rng(0)
    X = np.empty((int(n), int(d)), dtype=dtype, order=order)
    for begin in range(0, len(X), 1000):
        X[begin : begin + 1000] = rng.random(size=X[begin : begin + 1000].shape)
    options = {"similarity": "linear", "clusters": 4, "method": "local-search", "restarts": 1}
    options["threads"] = 1
    model = ShiftedMinCut(4, similarity="linear", method="local-search", n_init=1, random_state=0)
    model.fit(X[:500])
    plain = np.ascontiguousarray(X)
    library = peak(lambda: _core.run(plain, "features", options, checked=True, notes=[]))
    del plain
    print(json.dumps({"data": X.nbytes, "library": library, "fit": peak(lambda: model.fit(X))}))
"""


def peak(*args: object) -> dict[str, Any]:
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(SCRIPT), *map(str, args)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    if "clear_refs" in done.stderr:
        pytest.skip("this system can't start the peak of memory anew")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_row_major_floats_are_not_copied(dtype: str) -> None:
    # The library itself keeps float32 rows of its own; a copy by the wrapper would come on top.
    found = peak(dtype, "C", 32_000, 128)
    assert found["data"] >= 15 * MIB
    assert found["library"] < 1.3 * 32_000 * 128 * 4
    assert found["fit"] - found["library"] < 0.3 * found["data"]


def test_column_major_floats_are_copied_once() -> None:
    found = peak("float64", "F", 32_000, 64)
    assert 0.5 * found["data"] < found["fit"] - found["library"] < 1.3 * found["data"]


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int16, np.uint8, bool])
def test_layout_and_type_change_nothing_and_nothing_is_changed(
    order: Any,  # noqa: ANN401
    dtype: Any,  # noqa: ANN401
) -> None:
    whole = np.round(blobs(80)) % 50
    points = np.array(whole, dtype=dtype, order=order)
    kept = points.copy()
    found = ShiftedMinCut(3, random_state=0).fit_predict(points)
    np.testing.assert_array_equal(points, kept)
    plain = np.ascontiguousarray(points, dtype=np.float64)
    np.testing.assert_array_equal(found, ShiftedMinCut(3, random_state=0).fit_predict(plain))


def test_read_only_and_strided_arrays_are_taken() -> None:
    points = blobs(160, 8)
    points.flags.writeable = False
    model = ShiftedMinCut(3, random_state=0)
    expected = model.fit_predict(points[::2, ::2].copy())
    np.testing.assert_array_equal(model.fit_predict(points[::2, ::2]), expected)
    backwards = model.fit_predict(points[::-1][::2][::-1, ::2])
    assert backwards.shape == (80,)
