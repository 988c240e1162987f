"""The default command on a large table, compared with k-means and mini-batch k-means."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bench.cases.features import Bench
from bench.measure import full_result, peer
from bench.report import Section

ROWS, COLUMNS, CLUSTERS = 1_000_000, 32, 50
SPREAD = 3.0  # of a cluster, in boxes of 20: neighbours touch


def write_table(bench: Bench, rows: int) -> None:
    from sklearn.datasets import make_blobs

    points, classes = make_blobs(
        rows, COLUMNS, centers=CLUSTERS, cluster_std=SPREAD, random_state=0
    )
    np.save(bench.folder / "large.npy", points.astype(np.float32))
    np.save(bench.folder / "large.classes.npy", classes)


def at_size(bench: Bench) -> Section:
    from sklearn.metrics import adjusted_rand_score

    bench.say("I: a large table")
    rows = max(4_000, round(ROWS * bench.scale))
    write_table(bench, rows)
    section = Section(
        f"I. The default command on {rows} x {COLUMNS}, K = {CLUSTERS}",
        {
            "program": "program",
            "seconds": "seconds",
            "ratio": "seconds / ours",
            "peak_mb": "peak, MB",
            "ari": "ARI",
            "parts": "of which",
        },
        notes=["ours: from reading the file to the labels; the others exclude starting Python."],
    )
    path = bench.folder / "large.npy"
    classes = np.load(bench.folder / "large.classes.npy")
    result = full_result(path, "-k", CLUSTERS)
    seconds = result["seconds"]
    phases = ("similarity", "shift", "search")
    section.rows.append(
        {
            "program": "ours",
            "seconds": seconds["total"],
            "ratio": 1.0,
            "peak_mb": result["peak"] / 1e6,
            "ari": float(adjusted_rand_score(classes, result["labels"])),
            "parts": ", ".join(f"{name} {seconds[name]:.3g} s" for name in phases),
        }
    )
    for name in ("kmeans_fit", "minibatch_fit"):
        bench.say(f"I: {name}")
        found, peak = peer(name, path, CLUSTERS)
        labels = np.load(found["labels"])
        section.rows.append(
            {
                "program": found["program"],
                "seconds": found["seconds"],
                "ratio": found["seconds"] / seconds["total"],
                "peak_mb": peak / 1e6,
                "ari": float(adjusted_rand_score(classes, labels)),
                "parts": "",
            }
        )
    return section


GROUPS: dict[str, Callable[[Bench], Section]] = {"I": at_size}
