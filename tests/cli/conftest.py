"""How the tests reach the program, and how they write files for it."""

from __future__ import annotations

import csv
import functools
import io
import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent

Argument = str | Path | int | float
FloatArray = npt.NDArray[np.float64]
Result = dict[str, Any]


@functools.cache
def program() -> str:
    path = Path(os.environ.get("SHIFTCUT_PROGRAM") or ROOT / "build" / "shiftcut")
    if not os.access(path, os.X_OK):
        pytest.fail(
            f"no program at {path}: run `make build`, or set SHIFTCUT_PROGRAM to one", pytrace=False
        )
    return str(path)


def command(args: Iterable[Argument]) -> list[str]:
    return [program(), *map(str, args)]


def run(
    args: Sequence[Argument], stdin: bytes | None = None, timeout: float = 60
) -> subprocess.CompletedProcess[str]:
    """Runs the program without a terminal; `stdin` None is an empty standard input."""
    done = subprocess.run(
        command(args), input=stdin or b"", capture_output=True, timeout=timeout, check=False
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def check_consistent(found: Result) -> None:
    """What holds for every result, stopped early or not."""
    labels, sizes = found["labels"], found["sizes"]
    assert len(labels) == found["objects"]
    assert np.bincount(labels, minlength=len(sizes)).tolist() == sizes
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] > 0
    assert found["clusters_found"] == len(sizes)
    if found["clusters_asked"] != "auto":
        assert len(sizes) <= found["clusters_asked"]
    assert found["stop_reason"] in {"converged", "max_seconds", "interrupted"}
    if found["cost"] is None:  # of a sample
        assert found["stop_reason"] != "converged"
        assert any("rows were sampled" in warning for warning in found["warnings"])
    else:
        assert found["cost"] == min(restart["cost"] for restart in found["restarts"])
    assert all(isinstance(warning, str) and warning for warning in found["warnings"])


def result(args: Sequence[Argument], stdin: bytes | None = None, timeout: float = 60) -> Result:
    """`shiftcut cluster ARGS --json -`: must go well and print JSON alone."""
    done = run(["cluster", *args, "--json", "-"], stdin, timeout)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    found: Result = json.loads(done.stdout)
    check_consistent(found)
    return found


def groups(found: Result) -> set[frozenset[int]]:
    labels = np.asarray(found["labels"])
    return {frozenset(np.flatnonzero(labels == k).tolist()) for k in set(found["labels"])}


def text_number(value: float | np.floating[Any]) -> str:
    """All digits, so that the file holds exactly this number."""
    return repr(float(value))


def csv_text(
    rows: Iterable[Iterable[object]], header: Sequence[str] | None = None, delimiter: str = ","
) -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    if header is not None:
        writer.writerow(header)
    for row in rows:
        writer.writerow(
            [text_number(cell) if isinstance(cell, float | np.floating) else cell for cell in row]
        )
    return out.getvalue()


def write_csv(
    path: Path, values: FloatArray, header: Sequence[str] | None = None, delimiter: str = ","
) -> Path:
    names = [f"x{j}" for j in range(values.shape[1])] if header is None else header
    path.write_text(csv_text(values, names, delimiter), encoding="utf-8")
    return path


def write_npy(path: Path, values: npt.ArrayLike) -> Path:
    np.save(path, np.asanyarray(values))
    return path


def write_mtx_array(path: Path, values: FloatArray, symmetric: bool = False) -> Path:
    rows, columns = values.shape
    kind = "symmetric" if symmetric else "general"
    lines = [f"%%MatrixMarket matrix array real {kind}", "% a comment", f"{rows} {columns}"]
    for j in range(columns):
        lines += [text_number(values[i, j]) for i in range(j if symmetric else 0, rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def write_mtx_coordinate(
    path: Path, values: FloatArray, symmetric: bool = False, pattern: bool = False
) -> Path:
    """The entries of `values` that are not zero, in no particular order."""
    kept = [(i, j) for i, j in np.argwhere(values) if not symmetric or i >= j]
    np.random.default_rng(0).shuffle(kept)
    field, kind = "pattern" if pattern else "real", "symmetric" if symmetric else "general"
    lines = [f"%%MatrixMarket matrix coordinate {field} {kind}"]
    lines += [f"{values.shape[0]} {values.shape[1]} {len(kept)}"]
    for i, j in kept:
        lines.append(f"{i + 1} {j + 1}" + ("" if pattern else f" {text_number(values[i, j])}"))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def write_edges(path: Path, edges: Iterable[tuple[object, object, float]]) -> Path:
    lines = [f"{u} {v} {text_number(w)}" for u, v, w in edges]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def blobs(rows: int, columns: int, seed: int, groups: int = 4, apart: float = 2) -> FloatArray:
    """Rows around a few centres, columns on different scales."""
    rng = np.random.default_rng([seed, rows, columns])
    centres = rng.normal(size=(groups, columns)) * apart
    points = centres[rng.integers(groups, size=rows)] + rng.normal(size=(rows, columns))
    return np.asarray(points * rng.uniform(0.5, 4, columns) + rng.normal(size=columns) * 5)


def random_graph(nodes: int, degree: float, seed: int, signed: bool = False) -> FloatArray:
    """A symmetric matrix of few entries: a chain through all nodes, and random edges."""
    rng = np.random.default_rng([seed, nodes])
    weights = np.triu(rng.uniform(0.2, 2, (nodes, nodes)), 1)
    if signed:
        weights *= rng.choice([-1, 1], (nodes, nodes))
    present = rng.uniform(size=(nodes, nodes)) < degree / nodes
    present[np.arange(nodes - 1), np.arange(1, nodes)] = True
    weights = np.where(present, weights, 0.0)
    return np.asarray(weights + weights.T)
