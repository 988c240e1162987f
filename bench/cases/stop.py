"""Time to stop after a signal or a time limit, and what a time limit leaves of the result."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.random import Generator

from bench.cases.features import Bench
from bench.measure import PROGRAM, BenchError, full_result
from bench.report import Section

MOMENTS = 200  # over all cases
LONGEST = 12.0  # seconds: the latest signal
SEED = 13


@dataclass(frozen=True)
class Case:
    name: str
    data: str
    options: tuple[str, ...] = ()


CASES = (
    Case("neighbours, by cells", "large", ("-k", "50")),
    Case("neighbours, K free", "large"),
    Case("neighbours, all pairs", "medium", ("-k", "10")),
    Case("long rows, K free", "long"),
    Case("linear", "large", ("--similarity", "linear", "-k", "50")),
    Case(
        "linear, constant shift",
        "medium",
        ("--similarity", "linear", "-k", "9", "--shift", "constant=3"),
    ),
    Case("cosine", "large", ("--similarity", "cosine", "-k", "20")),
    Case("plain distances", "small", ("--distance", "euclidean", "-k", "9")),
    Case("rbf", "small", ("--similarity", "rbf", "-k", "9")),
    Case("rbf, width given", "small", ("--sigma", "2", "-k", "9")),
    Case("text table", "table", ("-k", "5")),
    Case("sparse rows", "words", ("--as", "features", "-k", "20")),
    Case(
        "sparse rows, linear",
        "words",
        ("--as", "features", "--similarity", "linear", "-k", "20", "--shift", "constant=1"),
    ),
    Case("graph, K free", "graph", ("--shift", "constant=0.01")),
    Case("graph, K given", "graph", ("-k", "300")),
    Case("graph, shift auto", "graph", ("--shift", "auto")),
    Case("similarity matrix", "matrix", ("--as", "similarity", "-k", "9")),
    Case(
        "local search", "medium", ("--shift-strength", "1", "--method", "local-search", "-k", "9")
    ),
    Case("multilevel", "medium", ("--shift-strength", "1", "--method", "multilevel")),
    Case("annealing", "medium", ("--similarity", "linear", "--method", "annealing", "-k", "9")),
    Case("annealing on a graph", "graph", ("--method", "annealing", "-k", "30")),
    Case("frank-wolfe", "medium", ("--similarity", "linear", "--method", "frank-wolfe", "-k", "9")),
    Case(
        "frank-wolfe on a matrix",
        "matrix",
        ("--as", "similarity", "--method", "frank-wolfe", "-k", "9"),
    ),
    Case("pairs", "medium", ("-k", "10", "--must-link", "together", "--cannot-link", "apart")),
    Case(
        "pairs on a matrix",
        "small",
        ("--similarity", "rbf", "-k", "10", "--must-link", "together", "--cannot-link", "apart"),
    ),
    Case(
        "learned weights",
        "medium",
        ("-k", "10", "--learn", "--must-link", "together", "--cannot-link", "apart"),
    ),
)


def rows(rng: Generator, count: int, columns: int, groups: int) -> np.ndarray[Any, Any]:
    centres = rng.normal(0, 2, (groups, columns)).astype(np.float32)
    noise = rng.standard_normal((count, columns), np.float32)
    return centres[rng.integers(groups, size=count)] + noise


def write_graph(path: Path, rng: Generator, nodes: int, edges: int) -> None:
    """Heavy-tailed degrees, blocks, shuffled node numbers."""
    block = rng.integers(nodes // 200 + 1, size=nodes)
    weight = rng.pareto(2.0, nodes) + 1
    order = np.argsort(block, kind="stable")
    u = rng.choice(nodes, edges, p=weight / weight.sum())
    near = order[
        np.clip(
            np.searchsorted(block[order], block[u]) + rng.integers(200, size=edges), 0, nodes - 1
        )
    ]
    v = np.where(rng.uniform(size=edges) < 0.7, near, rng.integers(nodes, size=edges))
    kept = u != v
    shuffled = rng.permutation(nodes)
    np.savetxt(path, np.column_stack([shuffled[u[kept]], shuffled[v[kept]]]), fmt="%d")


def write_data(folder: Path, scale: float) -> dict[str, Path]:
    rng = np.random.default_rng(SEED)

    def of(count: int, least: int = 300) -> int:
        return max(least, round(count * scale))

    np.save(folder / "large.npy", rows(rng, of(1_000_000), 32, 50))
    np.save(folder / "medium.npy", rows(rng, of(40_000), 16, 12))
    np.save(folder / "long.npy", rows(rng, of(30_000), 784, 12))
    np.save(folder / "small.npy", rows(rng, of(12_000), 10, 12))
    table = rows(rng, of(200_000), 6, 5)
    with (folder / "table.csv").open("w", encoding="utf-8") as out:
        out.write("a,b,c,d,e,f,city\n")
        for row, city in zip(table, rng.integers(7, size=len(table)), strict=True):
            out.write(",".join(f"{x:.4f}" for x in row) + f",c{city}\n")
    words = sp.random(of(20_000), 5_000, 0.01, random_state=SEED, format="coo")
    from scipy.io import mmwrite

    mmwrite(folder / "words.mtx", words)
    write_graph(folder / "graph.edges", rng, of(400_000), of(2_000_000))
    part = rows(rng, of(6_000), 10, 9)
    products = part @ part.T
    np.save(folder / "matrix.npy", products + products.T)
    few = of(12_000)
    for name in ("together", "apart"):
        np.savetxt(folder / name, rng.choice(few, (few // 20, 2), replace=False), fmt="%d")
    return {file.stem: file for file in folder.iterdir()}


def start(case: Case, files: dict[str, Path], more: tuple[str, ...]) -> subprocess.Popen[bytes]:
    options = [str(files.get(option, option)) for option in case.options]
    outputs = {name: files["large"].parent / f"out.{name}" for name in ("labels", "json")}
    command = [PROGRAM, "cluster", str(files[case.data]), *options, *more, "--quiet"]
    for name, file in outputs.items():
        file.unlink(missing_ok=True)
        command += [f"--{name}", str(file)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def ended(
    process: subprocess.Popen[bytes], case: Case, files: dict[str, Path], allowed: set[int]
) -> dict[str, Any] | None:
    """Return the result, if there is one."""
    _, errors = process.communicate()
    if process.returncode not in allowed:
        raise BenchError(f"{case.name}: ended with {process.returncode}: {errors.decode()[-500:]}")
    output = files["large"].parent / "out.json"
    if not output.exists():
        return None
    result: dict[str, Any] = json.loads(output.read_text(encoding="utf-8"))
    return result


def lag_of_signal(case: Case, files: dict[str, Path], moment: float) -> tuple[float, bool]:
    """Return the seconds from the signal to the end, and whether there was a solution."""
    process = start(case, files, ())
    time.sleep(moment)
    told = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.wait()
    lag = time.monotonic() - told
    result = ended(process, case, files, {0, 130})
    return (lag if process.returncode == 130 else 0.0), result is not None


def lag_of_limit(case: Case, files: dict[str, Path], limit: float) -> float:
    """Return the seconds from the limit to the end, excluding the time to read the file."""
    begin = time.monotonic()
    process = start(case, files, ("--max-seconds", f"{limit:.3f}"))
    process.wait()
    wall = time.monotonic() - begin
    result = ended(process, case, files, {0})
    return max(0.0, wall - limit - float(result["seconds"]["read"])) if result else wall


def full_time(case: Case, files: dict[str, Path]) -> float:
    begin = time.monotonic()
    process = start(case, files, ())
    try:
        process.wait(LONGEST)
    except subprocess.TimeoutExpired:
        process.kill()
    seconds = time.monotonic() - begin
    ended(process, case, files, {0, -signal.SIGKILL})
    return max(seconds, 0.1)


def summary(lags: list[float]) -> tuple[float, float]:
    return (float(np.median(lags)), max(lags)) if lags else (0.0, 0.0)


def stopping(bench: Bench) -> Section:
    section = Section(
        "L. Seconds to stop at random moments",
        {
            "case": "case",
            "seconds": "all of it, s",
            "signals": "signals",
            "signal_median": "median, s",
            "signal_worst": "worst, s",
            "empty": "no solution",
            "limits": "limits",
            "limit_median": "median over, s",
            "limit_worst": "worst over, s",
        },
        notes=[
            "From a signal (SIGINT), or from the limit of --max-seconds, until the program has "
            "ended and its outputs are written. No solution: stopped while reading the file.",
            f"Runs are cut off after {LONGEST:g} s; {os.cpu_count()} cores.",
        ],
    )
    files = write_data(bench.folder, bench.scale)
    wanted = os.environ.get("SHIFTCUT_STOP_CASES", "")
    cases = [case for case in CASES if wanted in case.name]
    moments = int(os.environ.get("SHIFTCUT_STOP_MOMENTS", MOMENTS))
    each = max(1, round(moments / len(cases) / 2))
    rng = np.random.default_rng(SEED)
    for case in cases:
        seconds = full_time(case, files)
        bench.say(f"L: {case.name} ({seconds:.1f} s)")
        told = [lag_of_signal(case, files, rng.uniform(0.02, seconds)) for _ in range(each)]
        over = [lag_of_limit(case, files, rng.uniform(0.02, min(seconds, 5))) for _ in range(each)]
        signal_median, signal_worst = summary([lag for lag, _ in told])
        limit_median, limit_worst = summary(over)
        bench.say(f"L: {case.name}: worst {signal_worst:.2f} s, {limit_worst:.2f} s over")
        section.rows.append(
            {
                "case": case.name,
                "seconds": seconds,
                "signals": len(told),
                "signal_median": signal_median,
                "signal_worst": signal_worst,
                "empty": sum(not grouped for _, grouped in told),
                "limits": len(over),
                "limit_median": limit_median,
                "limit_worst": limit_worst,
            }
        )
    return section


LIMITS = (0.05, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)


@dataclass(frozen=True)
class Large:
    name: str
    data: str
    options: tuple[str, ...] = ()


LARGE = (
    Large("50,000 x 10, uneven and overlapping", "uneven", ("-k", "10")),
    Large("200,000 x 2, rings, spirals and moons", "shapes", ("-k", "8")),
    Large("the same, K free", "shapes"),
    Large("1,000,000 x 32, 50 blobs", "blobs", ("-k", "50")),
)


def curves(angle: np.ndarray[Any, Any], kind: int) -> np.ndarray[Any, Any]:
    """Return points on one of three rings, three arms of a spiral, or two moons."""
    if kind < 3:
        radius = 1 + 0.6 * kind
        return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    if kind < 6:
        out = np.sqrt(0.02 + 0.98 * angle / (2 * np.pi)) * 3.2 * np.pi
        turned = out + (kind - 3) * 2 * np.pi / 3
        return np.column_stack([7 + 0.28 * out * np.cos(turned), 0.28 * out * np.sin(turned)])
    side = 13 - 2 * kind  # 1, -1
    half = angle / 2
    moon = kind - 6
    return np.column_stack(
        [3 + 1.5 * moon + 1.5 * side * np.cos(half), 6 + 0.5 * moon + 1.5 * side * np.sin(half)]
    )


def write_large(folder: Path, scale: float) -> None:
    rng = np.random.default_rng(SEED)

    def write(name: str, points: np.ndarray[Any, Any], classes: np.ndarray[Any, Any]) -> None:
        np.save(folder / f"{name}.npy", points.astype(np.float32))
        np.save(folder / f"{name}.classes.npy", classes)

    def of(count: int) -> int:
        return max(2_000, round(count * scale))

    count = of(50_000)
    classes = rng.choice(10, count, p=rng.dirichlet(np.full(10, 2.0)))
    widths = rng.uniform(0.7, 1.6, 10)[classes]
    noise = rng.normal(size=(count, 10)) * widths[:, None]
    write("uneven", rng.normal(0, 3, (10, 10))[classes] + noise, classes)
    count = of(200_000)
    classes = rng.integers(8, size=count)
    points = np.empty((count, 2))
    for kind, noise_here in enumerate((0.09, 0.09, 0.09, 0.1, 0.1, 0.1, 0.17, 0.17)):
        own = classes == kind
        angle = rng.uniform(0, 2 * np.pi, own.sum())
        points[own] = curves(angle, kind) + rng.normal(0, noise_here, (own.sum(), 2))
    write("shapes", points, classes)
    count = of(1_000_000)
    classes = rng.integers(50, size=count)
    centres = rng.uniform(-10, 10, (50, 32)).astype(np.float32)
    write("blobs", centres[classes] + 3 * rng.standard_normal((count, 32), np.float32), classes)


def within_limits(bench: Bench) -> Section:
    from sklearn.metrics import adjusted_rand_score

    names = {limit: f"{limit:g} s" for limit in LIMITS}
    section = Section(
        "M. Adjusted Rand index within a time limit",
        {"case": "case", **{f"ari_{limit:g}": name for limit, name in names.items()}}
        | {"ari_none": "no limit", "seconds": "it takes, s", "worst": "worst over, s"},
        notes=[
            "The limit counts from the end of reading. Worst over: the longest that any run went "
            f"on after its limit. {os.cpu_count()} cores.",
        ],
    )
    write_large(bench.folder, bench.scale)
    for large in LARGE:
        bench.say(f"M: {large.name}")
        path = bench.folder / f"{large.data}.npy"
        classes = np.load(bench.folder / f"{large.data}.classes.npy")
        row: dict[str, Any] = {"case": large.name, "worst": 0.0}
        for limit in (*LIMITS, None):
            more = () if limit is None else ("--max-seconds", limit)
            result = full_result(path, *large.options, *more)
            name = "ari_none" if limit is None else f"ari_{limit:g}"
            row[name] = float(adjusted_rand_score(classes, result["labels"]))
            seconds = float(result["seconds"]["total"])
            if limit is None:
                row["seconds"] = seconds
            else:
                row["worst"] = max(row["worst"], seconds - limit)
        section.rows.append(row)
    return section


GROUPS: dict[str, Callable[[Bench], Section]] = {"L": stopping, "M": within_limits}
