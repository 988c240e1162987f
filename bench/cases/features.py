"""The measurements, one function per table."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import linear_regression

from bench import data
from bench.measure import (
    THREADS,
    attempts,
    best_restart,
    cluster,
    peer,
    plain_loop,
    shiftcut,
    sweep_times,
)
from bench.report import Row, Section

FEATURES = ("--similarity", "linear")
UNSCALED = (*FEATURES, "--scale", "none")


@dataclass(frozen=True)
class Table:
    """Features to generate; `Bench` scales the full size down."""

    kind: str
    rows: int
    columns: int
    clusters: int

    @property
    def name(self) -> str:
        return f"{self.kind} {self.rows} x {self.columns}, K={self.clusters}"


MAKERS = {"mixture": data.mixture, "images": data.images, "digits": data.digits}
TABLES = [
    Table("images", 60_000, 784, 10),
    Table("digits", 60_000, 784, 10),
    Table("mixture", 500_000, 32, 100),
    Table("mixture", 5_000_000, 16, 20),
]
MATRIX_OBJECTS, MATRIX_CLUSTERS = 10_000, 10
GROWTH = [Table("mixture", rows, 16, 20) for rows in (10**5, 3 * 10**5, 10**6, 3 * 10**6, 10**7)]
CSV_MEGABYTES, CSV_COLUMNS = 300, 20


@dataclass
class Bench:
    """The data folder, the factor that scales all sizes, and the errors."""

    folder: Path
    scale: float = 1.0
    iterations: int = 100  # of scikit-learn, which may stop earlier
    faiss_iterations: int = 25
    errors: list[str] = field(default_factory=list)

    def say(self, what: str) -> None:
        print(f"  {what} ...", file=sys.stderr, flush=True)

    def scaled(self, table: Table) -> Table:
        rows = max(20 * table.clusters, round(table.rows * self.scale))
        return Table(table.kind, rows, table.columns, table.clusters)

    def features(self, table: Table) -> Path:
        path = self.folder / f"{table.kind}-{table.rows}x{table.columns}-{table.clusters}.npy"
        if not path.exists():
            self.say(f"making {table.name}")
            MAKERS[table.kind](path, table.rows, table.columns, table.clusters)
        return path


def sweeps(bench: Bench) -> Section:
    section = Section(
        f"A. A sweep over features: ms per sweep or iteration, {THREADS} threads each",
        {
            "data": "data",
            "ours_ms": "ours",
            "sweeps": "sweeps",
            "clusters_found": "K left",
            "ours_seconds": "all, s",
            "ours_all_ms": "all / sweeps",
            "lloyd_ms": "lloyd",
            "lloyd_iterations": "iter",
            "elkan_ms": "elkan",
            "elkan_iterations": "iter",
            "faiss_ms": "faiss",
            "faiss_iterations": "iter",
            "ratio": "best peer / ours",
            "all_ratio": "/ all",
        },
        notes=[
            "lloyd, elkan: scikit-learn's KMeans. One-time work and the first sweep or iteration",
            "are excluded for all. `all, s`: our whole restart, from initial labels to cost.",
            f"Peers stop at {bench.iterations} (faiss: {bench.faiss_iterations}) iterations.",
            "`K left`: our non-empty clusters at the end. Only those are judged; peers keep all K.",
        ],
    )
    for table in map(bench.scaled, TABLES):
        path = bench.features(table)
        bench.say(f"A: {table.name}")
        restart = sweep_times(path, table.clusters)
        ours = 1e3 * restart["seconds_each"]
        ours_all = 1e3 * restart["seconds"] / restart["sweeps"]
        peers, _ = peer("kmeans", path, table.clusters, bench.iterations)
        peers["faiss"], _ = peer("faiss", path, table.clusters, bench.faiss_iterations)
        row: Row = {
            "data": table.name,
            "ours_ms": ours,
            "sweeps": restart["sweeps"],
            "clusters_found": restart["clusters_found"],
            "ours_seconds": restart["seconds"],
            "ours_all_ms": ours_all,
        }
        best_peer = 1e3 * min(ran["seconds_each"] for ran in peers.values())
        row["ratio"] = best_peer / ours
        row["all_ratio"] = best_peer / ours_all
        for name, ran in peers.items():
            row[f"{name}_ms"] = 1e3 * ran["seconds_each"]
            row[f"{name}_iterations"] = ran["iterations"]
            row[f"{name}_seconds"] = ran["seconds"]
        section.rows.append(row)
    return section


def same_cost(bench: Bench, what: str, ours: float, other: float) -> str:
    if abs(ours - other) <= 1e-9 * max(abs(ours), abs(other)):
        return "same"
    bench.errors.append(f"{what}: cost {ours!r} is not {other!r}")
    return "DIFFERS"


def dense(bench: Bench) -> Section:
    objects = max(20 * MATRIX_CLUSTERS, round(MATRIX_OBJECTS * math.sqrt(bench.scale)))
    section = Section(
        f"B. A dense matrix, {objects} x {objects}, K={MATRIX_CLUSTERS}: seconds of one restart",
        {
            "matrix": "matrix",
            "one_thread": "1 thread",
            "all_threads": f"{THREADS} threads",
            "prepare": "prepare",
            "sweeps": "sweeps",
            "plain": "plain loop",
            "plain_sweeps": "sweeps",
            "costs": "cost",
            "spectral": "spectral",
            "plain_ratio": "plain / 1 thread",
            "spectral_ratio": f"spectral / {THREADS} threads",
        },
        notes=[
            "`prepare`: our work between reading and the restart, on all threads.",
            "spectral: scikit-learn's, on all threads, with the matrix clipped at 0.",
        ],
    )
    for dtype in ("float32", "float64"):
        path = bench.folder / f"similarity-{dtype}.npy"
        bench.say(f"B: {dtype}")
        data.similarity(path, objects, MATRIX_CLUSTERS, dtype)
        options = ("--as", "similarity", "-k", MATRIX_CLUSTERS)
        one = best_restart(path, *options, threads=1)
        results = attempts(partial(cluster, path, *options))
        both = min((result["restarts"][0] for result in results), key=lambda ran: ran["seconds"])
        plain = plain_loop(path, MATRIX_CLUSTERS)
        spectral, _ = peer("spectral", path, MATRIX_CLUSTERS)
        same_cost(bench, f"B {dtype}, {THREADS} threads against 1", both["cost"], one["cost"])
        section.rows.append(
            {
                "matrix": dtype,
                "one_thread": one["seconds"],
                "all_threads": both["seconds"],
                "prepare": min(result["seconds"]["similarity"] for result in results),
                "sweeps": both["sweeps"],
                "plain": plain["seconds"],
                "plain_sweeps": plain["sweeps"],
                "costs": same_cost(bench, f"B {dtype}, plain loop", one["cost"], plain["cost"]),
                "spectral": spectral["seconds"],
                "plain_ratio": plain["seconds"] / one["seconds"],
                "spectral_ratio": spectral["seconds"] / both["seconds"],
            }
        )
    return section


def memory(bench: Bench) -> Section:
    section = Section(
        "C. Peak memory, as a multiple of the float32 table",
        {
            "data": "data",
            "megabytes": "table, MB",
            "info": "info",
            "none": "ours, scale none",
            "standard": "ours, standard",
            "sklearn": "sklearn",
            "imports": "sklearn's imports",
        },
        notes=["`info` only reads the file. sklearn: KMeans, from the start of its process."],
    )
    for table in map(bench.scaled, TABLES):
        path = bench.features(table)
        bench.say(f"C: {table.name}")
        size = 4 * table.rows * table.columns
        common = ("-k", table.clusters, "--restarts", 1, "--threads", THREADS, "--quiet")
        peaks = {
            scale: shiftcut("cluster", path, *FEATURES, "--scale", scale, *common).peak
            for scale in ("none", "standard")
        }
        sklearn, sklearn_peak = peer("memory", path, table.clusters)
        section.rows.append(
            {
                "data": table.name,
                "megabytes": size / 1e6,
                "info": shiftcut("info", path).peak / size,
                **{scale: peak / size for scale, peak in peaks.items()},
                "sklearn": sklearn_peak / size,
                "imports": sklearn["imports"] / size,
            }
        )
    return section


def exponent(rows: list[Row], key: str) -> float:
    """Return b in y = a rows^b, by least squares on the logarithms."""

    def logs(name: str) -> list[float]:
        return [math.log(float(row[name] or 1e-9)) for row in rows]

    return linear_regression(logs("rows"), logs(key)).slope


def growth(bench: Bench) -> Section:
    section = Section(
        f"D. Growth with the number of rows: {GROWTH[0].columns} features, K={GROWTH[0].clusters}",
        {
            "rows": "rows",
            "sweeps": "sweeps",
            "sweep_ms": "ms a sweep",
            "restart_seconds": "restart, s",
            "similarity_seconds": "similarity, s",
            "row_ns": "ns per row and sweep",
        },
        notes=["Last line: b in time = a rows^b; 1 is linear."],
    )
    for table in map(bench.scaled, GROWTH):
        path = bench.features(table)
        bench.say(f"D: {table.name}")
        results = attempts(partial(cluster, path, *UNSCALED, "-k", table.clusters))
        restart = min((result["restarts"][0] for result in results), key=lambda ran: ran["seconds"])
        each = restart["seconds"] / restart["sweeps"]
        section.rows.append(
            {
                "rows": table.rows,
                "sweeps": restart["sweeps"],
                "sweep_ms": 1e3 * each,
                "restart_seconds": restart["seconds"],
                "similarity_seconds": min(run["seconds"]["similarity"] for run in results),
                "row_ns": 1e9 * each / table.rows,
            }
        )
    timed = ("sweep_ms", "restart_seconds", "similarity_seconds")
    section.rows.append({"rows": "exponent", **{key: exponent(section.rows, key) for key in timed}})
    return section


def reading(bench: Bench) -> Section:
    section = Section(
        "E. Reading a CSV of numbers",
        {
            "rows": "rows",
            "columns": "columns",
            "file_mb": "file, MB",
            "table_mb": "table, MB",
            "seconds": "seconds",
            "speed": "MB/s",
            "info": "info / table",
            "cluster": "cluster / table",
        },
        notes=["Last two columns: peak memory relative to the table at 8 bytes per cell."],
    )
    bench.say("E: a CSV")
    path = bench.folder / "table.csv"
    size, rows = data.csv_table(path, CSV_MEGABYTES * bench.scale, CSV_COLUMNS)
    table = 8 * rows * CSV_COLUMNS
    results = attempts(partial(cluster, path, *UNSCALED, "-k", 2))
    seconds = min(result["seconds"]["read"] for result in results)
    section.rows.append(
        {
            "rows": rows,
            "columns": CSV_COLUMNS,
            "file_mb": size / 1e6,
            "table_mb": table / 1e6,
            "seconds": seconds,
            "speed": size / 1e6 / seconds,
            "info": shiftcut("info", path).peak / table,
            "cluster": results[0]["peak"] / table,
        }
    )
    return section


GROUPS: dict[str, Callable[[Bench], Section]] = {
    "A": sweeps,
    "B": dense,
    "C": memory,
    "D": growth,
    "E": reading,
}
