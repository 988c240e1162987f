"""Table P: overhead of the Python package over the library, and over importing scikit-learn."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.cases.features import Bench
from bench.measure import THREADS, BenchError
from bench.report import Row, Section

ROWS, COLUMNS, CLUSTERS = 100_000, 32, 10
FITS = 5
IMPORTS = 7


def points(rows: int) -> npt.NDArray[np.float64]:
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(CLUSTERS, COLUMNS)) * 3
    return np.asarray(centres[rng.integers(CLUSTERS, size=rows)] + rng.normal(size=(rows, COLUMNS)))


def fit_row(name: str, data: npt.NDArray[np.float64], parameters: dict[str, Any]) -> Row:
    """Return the fits with least and median overhead; a fit reports the library's own time."""
    from shiftcut import ShiftedMinCut

    library, whole = [], []
    for _ in range(FITS):
        model = ShiftedMinCut(CLUSTERS, random_state=0, n_jobs=THREADS, **parameters)
        begin = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(data)
        whole.append(time.perf_counter() - begin)
        library.append(model.result_["seconds"]["total"])
    added = [all_of - part for all_of, part in zip(whole, library, strict=True)]
    middle = statistics.median(library)
    return {
        "what": f"fit, {name}",
        "base": middle,
        "with": middle + statistics.median(added),
        "added_ms": 1e3 * statistics.median(added),
        "percent": 100 * statistics.median(added) / middle,
    }


def import_seconds(statement: str) -> float:
    def once() -> float:
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", statement], check=True)
        return time.perf_counter() - begin

    return min(once() for _ in range(IMPORTS))


def import_row() -> Row:
    base = import_seconds("import sklearn.cluster")
    ours = import_seconds("import sklearn.cluster, shiftcut")
    return {
        "what": "import, after scikit-learn's",
        "base": base,
        "with": ours,
        "added_ms": 1e3 * (ours - base),
        "percent": 100 * (ours - base) / base,
    }


def python_package(bench: Bench) -> Section:
    section = Section(
        "P. The Python package",
        {
            "what": "what",
            "base": "without, s",
            "with": "with, s",
            "added_ms": "added, ms",
            "percent": "%",
        },
        notes=[
            "Without: the library's own seconds in the same fit; importing sklearn.cluster alone.",
            "Target: at most 5% for the fits, under 300 ms for the import.",
        ],
    )
    try:
        import shiftcut  # noqa: F401
    except ImportError as error:
        raise BenchError("the Python package is not installed: `make python`") from error
    bench.say("P: the Python package")
    rows = max(1000, int(ROWS * bench.scale))
    data = points(rows)
    size = f"{rows} x {COLUMNS}, K={CLUSTERS}"
    section.rows.append(fit_row(f"{size}, linear", data, {"similarity": "linear"}))
    section.rows.append(fit_row(f"{size}, neighbors", data, {}))
    section.rows.append(import_row())
    return section


GROUPS: dict[str, Callable[[Bench], Section]] = {"P": python_package}
