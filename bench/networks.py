"""Graphs as they come: heavy-tailed degrees, shuffled node numbers, generated deterministically.

Each function returns the edges of a simple graph, one row (u, v) with u < v per edge.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Edges = NDArray[np.int64]


def simple(first: NDArray[np.int64], second: NDArray[np.int64], nodes: int) -> Edges:
    """Drop loops and parallel edges."""
    low, high = np.minimum(first, second), np.maximum(first, second)
    codes = np.unique((low * nodes + high)[low != high])
    return np.stack([codes // nodes, codes % nodes], axis=1)


def shuffled(edges: Edges, nodes: int, rng: Generator) -> Edges:
    numbers = rng.permutation(nodes)
    return simple(numbers[edges[:, 0]], numbers[edges[:, 1]], nodes)


def power_law(
    count: int, exponent: float, least: float, most: float, rng: Generator
) -> NDArray[np.int64]:
    """Draw integers with density x^-exponent between two bounds."""
    power = 1 - exponent
    drawn = rng.uniform(most**power, least**power, count) ** (1 / power)
    return np.floor(drawn).astype(np.int64)


def rmat(nodes: int, edges: int, rng: Generator) -> Edges:
    """Chakrabarti, Zhan, Faloutsos 2004, with the parameters of Graph 500."""
    bits = int(np.log2(nodes))
    first = np.zeros(edges, np.int64)
    second = np.zeros(edges, np.int64)
    for _ in range(bits):
        draw = rng.random(edges)
        first = 2 * first + (draw >= 0.76)
        second = 2 * second + (((draw >= 0.57) & (draw < 0.76)) | (draw >= 0.95))
    return simple(first, second, nodes)


def stubs_of(degrees: NDArray[np.int64], rng: Generator) -> NDArray[np.int64]:
    return rng.permutation(np.repeat(np.arange(len(degrees)), degrees))


def matched(stubs: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    half = len(stubs) // 2
    return stubs[:half], stubs[half : 2 * half]


def chung_lu(nodes: int, edges: int, rng: Generator) -> Edges:
    """Degrees of power law 2.3, edges otherwise random."""
    degrees = power_law(nodes, 2.3, 2, nodes**0.6, rng)
    degrees = np.maximum(1, np.round(degrees * 2 * edges / degrees.sum())).astype(np.int64)
    return simple(*matched(stubs_of(degrees, rng)), nodes)


def lfr(nodes: int, edges: int, rng: Generator, mixing: float = 0.5) -> Edges:
    """After Lancichinetti, Fortunato, Radicchi 2008: power laws for degrees and communities."""
    mean = 2 * edges / nodes
    degrees = power_law(nodes, 2.5, mean / 2.7, mean * 20, rng)
    sizes = power_law(nodes // 20, 1.5, 20, 1000, rng)
    sizes = sizes[: int(np.searchsorted(np.cumsum(sizes), nodes)) + 1]
    community = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))[:nodes]
    own = rng.binomial(degrees, 1 - mixing)
    own = np.minimum(own, sizes[community] - 1)
    stubs = stubs_of(own, rng)
    stubs = stubs[np.argsort(community[stubs], kind="stable")]
    inside = (stubs[0:-1:2], stubs[1::2])
    outside = matched(stubs_of(degrees - own, rng))
    pairs = [np.concatenate(ends) for ends in zip(inside, outside, strict=True)]
    return simple(pairs[0], pairs[1], nodes)


def planted(nodes: int, edges: int, rng: Generator) -> Edges:
    """Blocks of 100; five edges in six stay within their block."""
    across = edges // 6
    first = rng.integers(nodes, size=edges - across)
    second = np.minimum(first // 100 * 100 + rng.integers(100, size=edges - across), nodes - 1)
    ends = rng.integers(nodes, size=(2, across))
    return simple(np.concatenate([first, ends[0]]), np.concatenate([second, ends[1]]), nodes)


def co_authors(nodes: int, edges: int, rng: Generator) -> Edges:
    """Papers of one to a few authors; most papers go to productive authors of one field."""
    activity = rng.pareto(1.6, nodes) + 1
    fields = np.sort(rng.permutation(np.minimum(rng.zipf(1.4, nodes), nodes // 200)))
    order = np.argsort(fields, kind="stable")
    ends = np.cumsum(activity[order])
    begins = np.searchsorted(fields[order], np.arange(fields.max() + 2))
    total = np.concatenate([[0.0], ends])
    pairs: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    found = 0
    while found < edges:
        papers = 20_000
        leader = np.searchsorted(ends, rng.random(papers) * ends[-1])
        size = np.minimum(1 + rng.zipf(2.6, papers), 30)
        for count in range(2, 31):
            own = leader[size == count]
            if len(own) == 0:
                continue
            # Co-authors come from around the leader, now and then from the field.
            near = own[:, None] + np.rint(rng.standard_cauchy((len(own), count - 1)) * 8)
            near = np.clip(near, 0, nodes - 1).astype(np.int64)
            low, high = total[begins[fields[own]]], total[begins[fields[own] + 1]]
            far = np.searchsorted(
                ends, low[:, None] + rng.random((len(own), count - 1)) * (high - low)[:, None]
            )
            team = np.where(rng.random(near.shape) < 0.9, near, np.minimum(far, nodes - 1))
            team = np.concatenate([own[:, None], team], axis=1)
            a, b = np.triu_indices(count, 1)
            pairs.append((team[:, a].ravel(), team[:, b].ravel()))
            found += team.shape[0] * len(a)
    first, second = (np.concatenate(ends) for ends in zip(*pairs, strict=True))
    return simple(first, second, nodes)


def geometric(nodes: int, edges: int, rng: Generator) -> Edges:
    """Points of uneven density; edges up to one distance."""
    from scipy.spatial import cKDTree

    points = rng.random((nodes, 2)) ** 1.3
    radius = np.sqrt(2 * edges / nodes / np.pi / nodes) * 0.93
    found = cKDTree(points).query_pairs(radius, output_type="ndarray").astype(np.int64)
    return simple(found[:, 0], found[:, 1], nodes)


def roads(nodes: int, edges: int, rng: Generator) -> Edges:
    """A lattice with gaps, and a few diagonals."""
    side = int(np.sqrt(nodes))
    places = np.arange(side * side).reshape(side, side)
    steps = [
        (places[:, :-1], places[:, 1:], 0.62),
        (places[:-1], places[1:], 0.62),
        (places[:-1, :-1], places[1:, 1:], 0.06),
    ]
    kept = [(a.ravel(), b.ravel(), rng.random(a.size) < share) for a, b, share in steps]
    first = np.concatenate([a[keep] for a, _, keep in kept])
    second = np.concatenate([b[keep] for _, b, keep in kept])
    return simple(first, second, nodes)


KINDS: dict[str, Callable[[int, int, Generator], Edges]] = {
    "rmat": rmat,
    "chung-lu": chung_lu,
    "lfr": lfr,
    "planted": planted,
    "co-authors": co_authors,
    "geometric": geometric,
    "roads": roads,
}


def network(kind: str, nodes: int, edges: int, seed: int) -> Edges:
    """Return a graph of a kind with about that many edges, its nodes numbered at random."""
    rng = np.random.default_rng([seed, nodes])
    return shuffled(KINDS[kind](nodes, edges, rng), nodes, rng)


def write_mtx(path: Path, edges: Edges, nodes: int) -> None:
    with path.open("w", encoding="ascii") as file:
        file.write("%%MatrixMarket matrix coordinate pattern symmetric\n")
        file.write(f"{nodes} {nodes} {len(edges)}\n")
        for start in range(0, len(edges), 1 << 16):
            part = (edges[start : start + (1 << 16)] + 1).tolist()
            file.write("".join([f"{v} {u}\n" for u, v in part]))
