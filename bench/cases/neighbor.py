"""Nearest-neighbour search, compared with other libraries."""

from __future__ import annotations

from collections.abc import Callable

from bench.cases.features import Bench, Table
from bench.measure import THREADS, neighbors, peer
from bench.report import Row, Section

COUNT = 10
TABLES = [
    Table("mixture", 200_000, 4, 20),
    Table("mixture", 20_000, 16, 20),
    Table("mixture", 100_000, 32, 100),
    Table("images", 60_000, 784, 10),
    Table("mixture", 1_000_000, 32, 100),
]
# Limits beyond which a peer is skipped, because it would take many minutes.
MOST_PAIRS = 1e10  # for brute force
TREE_COLUMNS = 16  # for k-d trees, which examine nearly all pairs beyond


def searches(bench: Bench) -> Section:
    section = Section(
        f"F. Neighbours: seconds for the {COUNT} nearest of every row, {THREADS} threads each",
        {
            "data": "data",
            "ours_seconds": "ours",
            "ours_recall": "recall",
            "all_pairs_seconds": "all pairs",
            "brute_seconds": "brute",
            "kd_tree_seconds": "kd_tree",
            "hnsw_seconds": "hnsw",
            "hnsw_recall": "recall",
            "ratio": "best peer / ours",
        },
        notes=[
            "`ours`: as --similarity neighbors does it; `all pairs`: our exact search.",
            "brute, kd_tree: scikit-learn's NearestNeighbors. hnsw: faiss, M=16, efSearch=64.",
            "recall, on 500 rows: the fraction found that is no farther than the last true one.",
        ],
    )
    for table in map(bench.scaled, TABLES):
        path = bench.features(table)
        bench.say(f"F: {table.name}")
        ours = neighbors(path, COUNT, "automatic")
        row: Row = {
            "data": f"{table.kind} {table.rows} x {table.columns}",
            "ours_seconds": ours["seconds"],
            "ours_recall": float(ours["recall"]),
        }
        names = ["hnsw"]
        if table.rows**2 <= MOST_PAIRS:
            exact = neighbors(path, COUNT, "all_pairs")
            row["all_pairs_seconds"] = exact["seconds"]
            if exact["recall"] != 1:
                bench.errors.append(f"F {table.name}: all pairs have recall {exact['recall']!r}")
            names.append("brute")
        if table.columns <= TREE_COLUMNS:
            names.append("kd_tree")
        seconds = []
        for name in names:
            found, _ = peer(name, path, COUNT, module="bench.peers.graphs")
            seconds.append(found["seconds"])
            row[f"{name}_seconds"] = found["seconds"]
            row[f"{name}_recall"] = found["recall"]
        row["ratio"] = min(seconds) / ours["seconds"]
        section.rows.append(row)
    return section


GROUPS: dict[str, Callable[[Bench], Section]] = {"F": searches}
