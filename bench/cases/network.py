"""Graphs as they come: cost against time, compared with the Leiden algorithm."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.cases.features import Bench
from bench.measure import ROOT, attempts, full_result, peer
from bench.networks import Edges, network, shuffled, simple, write_mtx
from bench.report import Row, Section

FILES = Path(os.environ.get("SHIFTCUT_GRAPHS", ROOT.parent / "shared" / "data" / "graphs"))
NAMES = ["netscience", "power", "condmat", "enron", "lfr_50k_mu0.1", "lfr_50k_mu0.4"]
MADE = {
    "rmat": (131_072, 1_000_000),
    "chung-lu": (200_000, 1_000_000),
    "lfr": (100_000, 1_000_000),
    "planted": (200_000, 1_440_000),
    "co-authors": (300_000, 1_000_000),
    "geometric": (200_000, 1_000_000),
    "roads": (300_000, 420_000),
}
SHIFTS = [0.001, 0.01, 0.05, 0.2]
BUDGETS = [0.2, 0.5, 1, 2, 5, 10, 20, 60]
LIMIT = float(os.environ.get("SHIFTCUT_BENCH_SECONDS", "5"))  # the longest budget
SEED = 7


@dataclass(frozen=True)
class Network:
    name: str
    path: Path  # .mtx, the edges beside it as .npy
    nodes: int
    edges: int


def save(bench: Bench, name: str, edges: Edges, nodes: int) -> Network:
    path = bench.folder / f"network-{name}.mtx"
    write_mtx(path, edges, nodes)
    np.save(path.with_suffix(".npy"), edges.astype(np.int32))
    return Network(name, path, nodes, len(edges))


def read_file(bench: Bench, name: str) -> Network:
    numbers: dict[str, int] = {}
    with gzip.open(FILES / f"{name}.edges.gz", "rt", encoding="utf-8") as file:
        rows = [line.split()[:2] for line in file if line.strip() and line[0] not in "#%"]
    ends = np.array([[numbers.setdefault(end, len(numbers)) for end in row] for row in rows])
    nodes = len(numbers)
    edges = simple(ends[:, 0], ends[:, 1], nodes)
    return save(bench, name, shuffled(edges, nodes, np.random.default_rng(SEED)), nodes)


def networks(bench: Bench) -> list[Network]:
    found = []
    if FILES.is_dir():
        found += [read_file(bench, name) for name in NAMES]
    else:
        bench.say(f"N: no graphs in {FILES}, left out; SHIFTCUT_GRAPHS names their folder")
    for kind, (nodes, edges) in MADE.items():
        nodes, edges = (max(1000, round(count * bench.scale)) for count in (nodes, edges))
        nodes = 1 << (nodes.bit_length() - 1) if kind == "rmat" else nodes
        found.append(save(bench, kind, network(kind, nodes, edges, SEED), nodes))
    return found


def cost_at(points: list[list[float]], seconds: float) -> float | None:
    """Return the lowest cost a peer has by then; None before its first iteration ends."""
    reached = [cost for time, cost in points if time <= seconds]
    return min(reached) if reached else None


def above(cost: float, other: float | None) -> float | None:
    return None if other is None else 100 * (cost - other) / abs(other)


def measured(net: Network, shift: float) -> tuple[Row, dict[str, Any]]:
    options = ("--shift", f"constant={shift}")
    ours = attempts(lambda: full_result(net.path, *options))
    default = min(ours, key=lambda ran: float(ran["seconds"]["search"]))
    curves = {}
    for name in ("igraph", "leidenalg"):
        given = (net.path.with_suffix(".npy"), net.nodes, shift, LIMIT)
        curves[name] = peer(f"{name}-curve", *given, module="bench.peers.graphs")[0]["points"]
    two = curves["igraph"][:2][-1]
    seconds = float(default["seconds"]["search"])
    row: Row = {
        "graph": net.name,
        "edges": net.edges,
        "shift": shift,
        "seconds": seconds,
        "ratio": two[0] / seconds,
        "above": above(float(default["cost"]), two[1]),
    }
    curves["ours"] = [[seconds, float(default["cost"])]]
    for budget in (budget for budget in BUDGETS if budget <= LIMIT):
        found = full_result(net.path, *options, "--max-seconds", budget)
        cost = float(found["cost"])
        curves["ours"].append([float(found["seconds"]["search"]), cost])
        peers = [cost_at(curves[name], budget) for name in ("igraph", "leidenalg")]
        row[f"{budget}"] = above(cost, min((c for c in peers if c is not None), default=None))
    return row, curves


def draw(curves: dict[tuple[str, float], dict[str, Any]], path: Path) -> None:
    """Draw one panel per graph and shift: cost above the lowest of all, against seconds."""
    try:
        import matplotlib as mpl
    except ImportError:
        return
    mpl.use("Agg")
    from matplotlib import pyplot as plt

    names = list(dict.fromkeys(name for name, _ in curves))
    size = (3.2 * len(SHIFTS), 2.2 * len(names))
    figure, axes = plt.subplots(len(names), len(SHIFTS), figsize=size, squeeze=False)
    for (name, shift), drawn in curves.items():
        axis = axes[names.index(name)][SHIFTS.index(shift)]
        lowest = min(cost for points in drawn.values() for _, cost in points)
        for who, points in drawn.items():
            ordered = sorted(points)
            excess = [100 * (cost - lowest) / abs(lowest) + 1e-4 for _, cost in ordered]
            axis.loglog([time for time, _ in ordered], excess, "o-", ms=2, lw=1, label=who)
        axis.set_title(f"{name}, shift {shift}", fontsize=8)
        axis.tick_params(labelsize=6)
    axes[0][0].legend(fontsize=6)
    figure.supxlabel("seconds")
    figure.supylabel("cost above the lowest, %")
    figure.tight_layout()
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def grid(bench: Bench) -> Section:
    budgets = [budget for budget in BUDGETS if budget <= LIMIT]
    section = Section(
        "N. Graphs as they come, constant shift, K free: cost against time",
        {
            "graph": "graph",
            "edges": "edges",
            "shift": "shift",
            "seconds": "ours, s",
            "ratio": "igraph / ours",
            "above": "cost above, %",
            **{f"{budget}": f"{budget} s, %" for budget in budgets},
        },
        notes=[
            "Node numbers are shuffled. igraph: two iterations, one thread; its time divided by",
            "ours, and our default cost above its. The other columns: our cost with that time",
            "limit above the lowest of igraph and leidenalg after the same time; - if neither",
            "has finished an iteration. The curves are in out/bench-networks.png.",
        ],
    )
    curves: dict[tuple[str, float], dict[str, Any]] = {}
    for net in networks(bench):
        for shift in SHIFTS:
            bench.say(f"N: {net.name}, shift {shift}")
            row, curves[net.name, shift] = measured(net, shift)
            section.rows.append(row)
    draw(curves, ROOT / "out" / "bench-networks.png")
    return section


GROUPS: dict[str, Callable[[Bench], Section]] = {"N": grid}
