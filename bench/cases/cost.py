"""Costs of the default search, compared with restarts of the paper's local search."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench.cases.features import Bench
from bench.cases.quality import UCI, read_uci
from bench.measure import attempts, full_result
from bench.report import Row, Section

SEEDS = range(4)
SIMILARITIES = {
    "linear": ("--similarity", "linear"),
    "neighbors": ("--similarity", "neighbors", "--shift", "adaptive"),
}


def costs(bench: Bench) -> Section:
    section = Section(
        "J. Costs on UCI data: the default search against 100 restarts of local search",
        {
            "data": "data",
            "objects": "objects",
            "clusters": "K",
            "similarity": "similarity",
            "lower": "lower",
            "equal": "equal",
            "higher": "higher",
            "most": "higher by up to",
            "ten_ms": "10 restarts, ms",
            "ours_ms": "ours, ms",
            "ratio": "ours / 10 restarts",
        },
        notes=[
            f"Seeds {SEEDS[0]} to {SEEDS[-1]}. Times are of the searches alone, on one thread: "
            "the fastest of three, summed.",
        ],
    )
    if not UCI.is_dir():
        bench.say(f"J: no UCI sets in {UCI}, left out; SHIFTCUT_DATA names their folder")
        return section
    for path in sorted(UCI.glob("*.csv")):
        bench.say(f"J: {path.stem}")
        known = read_uci(path)
        for name, options in SIMILARITIES.items():
            row: Row = {
                "data": known.name,
                "objects": len(known.rows),
                "clusters": known.clusters,
                "similarity": name,
            }
            section.rows.append(row | compared(path, known.clusters, options))
    return section


def compared(path: Path, clusters: int, options: tuple[str, ...]) -> Row:
    common = ("--label-column", "label", "-k", clusters, *options)
    local = ("--method", "local-search", "--restarts")
    row: dict[str, Any] = dict.fromkeys(("lower", "equal", "higher"), 0)
    row |= dict.fromkeys(("most", "ten_ms", "ours_ms"), 0.0)
    for seed in SEEDS:

        def search(*arguments: object, seed: int = seed) -> dict[str, Any]:
            return full_result(path, *common, "--seed", seed, *arguments, threads=1)

        best = search(*local, 100)["cost"]
        ours = attempts(search)
        ten = attempts(lambda: search(*local, 10))
        off = (ours[0]["cost"] - best) / abs(best)
        row["equal" if abs(off) < 1e-9 else "lower" if off < 0 else "higher"] += 1
        row["most"] = max(row["most"], 100 * off)
        row["ten_ms"] += 1e3 * min(found["seconds"]["search"] for found in ten)
        row["ours_ms"] += 1e3 * min(found["seconds"]["search"] for found in ours)
    most = f"{row['most']:.2g}%" if row["higher"] else ""
    return row | {"most": most, "ratio": row["ours_ms"] / row["ten_ms"]}


GROUPS = {"J": costs}
