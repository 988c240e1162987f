"""Generate the benchmark data, deterministically, in pieces that fit in memory."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.random import Generator
from numpy.typing import DTypeLike, NDArray
from scipy import ndimage

Rows = NDArray[np.float32]

SEED = 20240
CHUNK = 1 << 16
SIDE = 28  # pixels per side of an image


def write_chunks(
    path: Path, rows: int, columns: int, make: Callable[[Generator, int], Rows]
) -> None:
    table = np.lib.format.open_memmap(path, "w+", np.dtype(np.float32), (rows, columns))
    for chunk, first in enumerate(range(0, rows, CHUNK)):
        part = table[first : first + CHUNK]
        part[:] = make(np.random.default_rng([SEED, chunk]), len(part))
    table.flush()


def gaussians(
    columns: int, clusters: int, spread: float, noise: float
) -> Callable[[Generator, int], Rows]:
    """Overlapping clusters: sizes fall as 1 / sqrt(rank), each is stretched in a few directions."""
    rng = np.random.default_rng(SEED)
    rank = max(2, columns // 4)
    weights = 1 / np.sqrt(np.arange(1, clusters + 1))
    weights /= weights.sum()
    centres = rng.normal(0, spread, (clusters, columns)).astype(np.float32)
    stretch = rng.normal(0, rank**-0.5, (clusters, rank, columns)).astype(np.float32)

    def make(rng: Generator, count: int) -> Rows:
        members = rng.choice(clusters, count, p=weights)
        factors = rng.standard_normal((count, rank), np.float32)
        rows = rng.standard_normal((count, columns), np.float32) * np.float32(noise)
        for cluster in range(clusters):
            own = members == cluster
            rows[own] += centres[cluster] + factors[own] @ stretch[cluster]
        return rows

    return make


def mixture(path: Path, rows: int, columns: int, clusters: int) -> None:
    write_chunks(path, rows, columns, gaussians(columns, clusters, spread=0.7, noise=0.5))


def images(path: Path, rows: int, columns: int, clusters: int) -> None:
    """Smooth non-negative images with 30 intrinsic dimensions, dark towards the border."""
    rng = np.random.default_rng(SEED + 1)
    hidden = 30
    smooth = ndimage.gaussian_filter(rng.normal(size=(hidden, SIDE, SIDE)), (0, 2.5, 2.5))
    across = (np.arange(SIDE) - (SIDE - 1) / 2) / 10
    light = np.exp(-((across[:, None] ** 2 + across[None, :] ** 2) ** 2))
    patterns = (smooth / smooth.std() * light).reshape(hidden, columns).astype(np.float32)
    grain = (0.3 * light).ravel().astype(np.float32)
    latent = gaussians(hidden, clusters, spread=0.7, noise=0.5)

    def make(rng: Generator, count: int) -> Rows:
        pixels: Rows = latent(rng, count) @ patterns
        pixels += rng.standard_normal(pixels.shape, np.float32) * grain
        np.maximum(pixels, 0, out=pixels)
        return pixels

    write_chunks(path, rows, columns, make)


def digits(path: Path, rows: int, columns: int, clusters: int) -> None:
    """scikit-learn's 1797 digits, enlarged, shifted by up to 2 pixels, with a little noise."""
    from sklearn.datasets import load_digits

    small = load_digits(n_class=clusters).images
    large = ndimage.zoom(small, (1, SIDE / 8, SIDE / 8), order=1).astype(np.float32)
    padded = np.pad(large, ((0, 0), (2, 2), (2, 2)))

    def make(rng: Generator, count: int) -> Rows:
        pictures = rng.integers(len(padded), size=count)
        shifts = rng.integers(5, size=(count, 2))
        pixels = np.empty((count, SIDE, SIDE), np.float32)
        for down, right in np.ndindex(5, 5):
            own = (shifts == (down, right)).all(axis=1)
            pixels[own] = padded[pictures[own], down : down + SIDE, right : right + SIDE]
        pixels += rng.standard_normal(pixels.shape, np.float32) * np.float32(0.5)
        return np.clip(pixels, 0, 16, out=pixels).reshape(count, columns)

    write_chunks(path, rows, columns, make)


def similarity(path: Path, objects: int, clusters: int, dtype: DTypeLike) -> None:
    """RBF similarities of overlapping clusters plus noise, some below zero; exactly symmetric."""
    rng = np.random.default_rng(SEED)
    columns = 10
    points = gaussians(columns, clusters, spread=0.7, noise=0.5)(rng, objects)
    squares = (points**2).sum(axis=1)
    matrix = points @ points.T
    matrix -= squares[:, None] / 2
    matrix -= squares[None, :] / 2
    matrix /= columns
    np.exp(matrix, out=matrix)
    matrix += rng.standard_normal(matrix.shape, np.float32) * np.float32(0.1)
    matrix += matrix.T
    matrix /= 2
    np.save(path, matrix.astype(dtype, copy=False))


def csv_table(path: Path, megabytes: float, columns: int) -> tuple[int, int]:
    """Write about that many MB by repeating a block of random rows; return bytes and rows."""
    rng = np.random.default_rng(SEED)
    block_rows = 50_000 if megabytes > 50 else 1_000
    values = rng.normal(size=(block_rows, columns)).tolist()
    block = "".join(",".join(f"{value:.5g}" for value in row) + "\n" for row in values).encode()
    repeats = max(1, round(megabytes * 1e6 / len(block)))
    with path.open("wb") as file:
        file.write((",".join(f"x{column}" for column in range(columns)) + "\n").encode())
        for _ in range(repeats):
            file.write(block)
    return path.stat().st_size, repeats * block_rows


def planted_graph(
    path: Path, nodes: int, block: int, within: float, between: float, *, shuffle: bool = False
) -> int:
    """Write a graph of blocks as .mtx and its edges as .npy; return the number of edges.

    On average, a node has `within` edges in its block of `block` nodes and `between` to any node.
    Nodes are numbered block by block, or at random.
    """
    rng = np.random.default_rng([SEED, nodes])
    pairs = block * (block - 1) / 2
    wanted = within * block / 2
    # Drawing with replacement: the number of draws that gives the wanted number of distinct pairs;
    # 1 in `block` is a loop.
    draws = round(nodes / block * -pairs * math.log1p(-wanted / pairs) / (1 - 1 / block))
    first = rng.integers(nodes, size=draws)
    second = np.minimum(first // block * block + rng.integers(block, size=draws), nodes - 1)
    across = rng.integers(nodes, size=(2, round(nodes * between / 2)))
    ends = np.stack([np.concatenate([first, across[0]]), np.concatenate([second, across[1]])])
    if shuffle:
        ends = rng.permutation(nodes)[ends]
    ends.sort(axis=0)
    codes = np.unique(ends[0, ends[0] != ends[1]] * nodes + ends[1, ends[0] != ends[1]])
    edges = np.stack([codes // nodes, codes % nodes], axis=1).astype(np.int32)
    np.save(path.with_suffix(".npy"), edges)
    with path.open("w", encoding="ascii") as file:
        file.write("%%MatrixMarket matrix coordinate pattern symmetric\n")
        file.write(f"{nodes} {nodes} {len(edges)}\n")
        for start in range(0, len(edges), CHUNK):
            part = (edges[start : start + CHUNK] + 1).tolist()
            file.write("".join([f"{v} {u}\n" for u, v in part]))
    return len(edges)
