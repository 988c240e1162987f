"""The pure functions of blocks of rows that `shiftcut.blocks` is made of."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import Data, Floats, Labels, core_values
from ._estimator import ShiftedMinCut
from ._warnings import ShiftcutWarning

Numbers: TypeAlias = npt.NDArray[np.uint32]
Block: TypeAlias = npt.NDArray[Any]  # float32 or float64, a row per object
Facts: TypeAlias = tuple[int, bool, bool, Floats, Floats, npt.NDArray[np.uint64]]
Moments: TypeAlias = tuple[float, Floats, Floats, Floats, Floats]
Geometry: TypeAlias = tuple[Floats, Floats, str]  # offset and factor of each column, metric
Lists: TypeAlias = tuple[npt.NDArray[np.uint32], Floats]  # ids and squared distances


class Piece(NamedTuple):
    """Rows on their way, and their numbers: in their block, or among all nodes."""

    rows: Block
    numbers: Numbers


class Bucket(NamedTuple):
    """Distinct rows ("nodes") in the order of all of them, and how many rows equal each."""

    rows: Block
    counts: Numbers
    node_of: list[Numbers]  # of the rows of each piece that the bucket was made of


def as_block(rows: Data) -> Block:
    """A block as the library takes it: float32 stays, all other numbers become float64."""
    block = np.asarray(rows)
    if block.ndim != 2:
        raise ValueError(f"X: found blocks of {block.ndim} dimensions; allowed: 2")
    if block.dtype.kind not in "fiub":
        raise ValueError(f"X: found numbers of type {block.dtype}; allowed: real numbers")
    values: Block = core_values(block)
    return values


def facts(block: Data) -> Facts:
    """The rows of a block, and the smallest and largest number and the zeros of each column."""
    return _core.facts_of_block(as_block(block))


def squares(block: Data, largest: float) -> Floats:
    """Of each column the sum of squares, in whole units: adding them up is exact."""
    return _core.squares_of_block(as_block(block), largest)


def split_by_hash(block: Data, all_facts: Facts, buckets: int, dtype: str) -> list[Piece]:
    """The rows of each bucket. Equal rows go to the same one."""
    rows = np.ascontiguousarray(as_block(block), dtype=dtype)
    if buckets == 1:
        return [Piece(rows, np.arange(len(rows), dtype=np.uint32))]
    shift = np.uint64(64 - (buckets.bit_length() - 1))
    of_rows = (_core.hash_rows(rows, all_facts, 1) >> shift).astype(np.int64)
    order = np.argsort(of_rows, kind="stable").astype(np.uint32)
    ends = np.cumsum(np.bincount(of_rows, minlength=buckets))
    return [Piece(rows[some], some) for some in np.split(order, ends[:-1])]


def take(pieces: Sequence[Any], place: int) -> Any:  # noqa: ANN401
    """One of them."""
    return pieces[place]


def numbers_of(pieces: Sequence[Piece]) -> list[Numbers]:
    """The numbers without the rows."""
    return [piece.numbers for piece in pieces]


def bucket_of(pieces: Sequence[Piece], all_facts: Facts) -> Bucket:
    """The distinct rows of a bucket, from the pieces of all blocks in the order of these."""
    rows = np.concatenate([piece.rows for piece in pieces])
    first, node_of, counts = _core.distinct_in_bucket(rows, all_facts, 1)
    ends = np.cumsum([len(piece.rows) for piece in pieces])
    return Bucket(rows[first], counts, np.split(node_of, ends[:-1]))


def size_of(bucket: Bucket) -> tuple[int, bool]:
    """The nodes of a bucket, and whether one stands for several rows."""
    return len(bucket.rows), bool((bucket.counts > 1).any())


def nodes_of_piece(bucket: Bucket, piece: int, start: int) -> Numbers:
    """The node of each row of a piece, for a bucket whose first node is number `start`."""
    return bucket.node_of[piece] + np.uint32(start)


def nodes_of_block(numbers: Sequence[Numbers], nodes: Sequence[Numbers]) -> Numbers:
    """The node of each row of a block."""
    out = np.empty(sum(map(len, numbers)), dtype=np.uint32)
    for rows, own in zip(numbers, nodes, strict=True):
        out[rows] = own
    return out


def _stretch(buckets: Sequence[Bucket], starts: Sequence[int], first: int, last: int) -> Bucket:
    """The nodes `first` to `last`, from the buckets that hold some of them."""
    spans = [
        (bucket, max(0, first - start), min(len(bucket.rows), last - start))
        for bucket, start in zip(buckets, starts, strict=True)
    ]
    rows = np.concatenate([bucket.rows[low:high] for bucket, low, high in spans])
    counts = np.concatenate([bucket.counts[low:high] for bucket, low, high in spans])
    return Bucket(rows, counts, [])


def moments(
    buckets: Sequence[Bucket], starts: Sequence[int], first: int, last: int, *weighted: bool
) -> list[Moments]:
    """Moments of a stretch of the nodes: each counted once, or as often as it is there."""
    part = _stretch(buckets, starts, first, last)
    counts = {False: np.empty(0), True: part.counts.astype(np.float64)}
    return [_core.moments_of_part(part.rows, counts[which]) for which in weighted]


def rows_at(bucket: Bucket, places: Numbers) -> Block:
    """Some rows of a bucket."""
    rows: Block = bucket.rows[places]
    return rows


def geometry(
    sample: Sequence[Block],
    parts: Sequence[Sequence[Moments]],
    scale: str,
    metric: str,
    columns: int,
) -> Geometry:
    """How rows are compared, from a sample of the nodes and the moments of all."""
    plain = [part[0] for part in parts]
    weighted = [part[-1] for part in parts]
    if scale == "auto" and sample:
        scale = _core.choose_scale(np.concatenate(sample), plain, scale, metric, 1)
    if scale == "none" or not parts:
        return np.zeros(columns), np.ones(columns), metric
    offset, factor = _core.scaling_of_parts(weighted, scale)
    return offset, factor, metric


def regions(sample: Sequence[Block], how: Geometry, count: int) -> Any:  # noqa: ANN401
    """The centres that say which regions a row belongs to."""
    return _core.find_regions(np.concatenate(sample), how, count, 1)


def split_by_region(bucket: Bucket, start: int, how: Geometry, centres: Any) -> list[Piece]:  # noqa: ANN401
    """The rows of each region. Near a border, rows belong to several."""
    offsets, rows = _core.find_members(bucket.rows, how, centres, 1)
    return [
        Piece(bucket.rows[some], some + np.uint32(start))
        for some in np.split(rows, offsets[1:-1].astype(np.int64))
    ]


def neighbors(
    pieces: Sequence[Piece], how: Geometry, k: int, threads: int
) -> tuple[Numbers, npt.NDArray[np.uint32], Floats]:
    """The neighbours of the rows of a region among each other."""
    rows = np.concatenate([piece.rows for piece in pieces])
    numbers = np.concatenate([piece.numbers for piece in pieces])
    ids, squared = _core.search_region(rows, numbers, how, k, threads)
    return numbers, ids, squared


def lists_between(
    found: tuple[Numbers, npt.NDArray[np.uint32], Floats], first: int, last: int
) -> tuple[Numbers, npt.NDArray[np.uint32], Floats]:
    """The lists of the nodes `first` to `last`."""
    low, high = np.searchsorted(found[0], [first, last])
    return found[0][low:high], found[1][low:high], found[2][low:high]


def merged(found: Sequence[Any], first: int, last: int, nodes: int, k: int) -> Lists:
    """The nearest of what all regions show of the nodes `first` to `last`."""
    return _core.merge_neighbors(last - first, k, first, nodes, list(found))


def fit_nodes(
    parameters: dict[str, Any],
    links: dict[str, Any],
    region_rows: int,
    buckets: Sequence[Bucket],
    lists: Sequence[Lists],
) -> ShiftedMinCut:
    """Cluster the graph of the neighbours: the one step that holds all nodes and lists."""
    rows = np.concatenate([bucket.rows for bucket in buckets])
    counts = np.concatenate([bucket.counts for bucket in buckets])
    model = ShiftedMinCut(**parameters)
    model._region_rows = region_rows
    model._known_neighbors = list(lists)
    weights = counts.astype(np.float64) if (counts > 1).any() else None
    with warnings.catch_warnings():  # the client shows them
        warnings.simplefilter("ignore", ShiftcutWarning)
        model.fit(rows, sample_weight=weights, **links)
    model._known_neighbors = None
    return model


def fit_rows(
    parameters: dict[str, Any], links: dict[str, Any], region_rows: int, blocks: Sequence[Data]
) -> ShiftedMinCut:
    """Cluster all rows in one step, for similarities that are not those of a graph."""
    model = ShiftedMinCut(**parameters)
    model._region_rows = region_rows
    with warnings.catch_warnings():  # the client shows them
        warnings.simplefilter("ignore", ShiftcutWarning)
        return model.fit(np.concatenate([as_block(block) for block in blocks]), **links)


def result_of(model: ShiftedMinCut) -> dict[str, Any]:
    """The result without what there is one of for each row."""
    return model.result_


def labels_of(model: ShiftedMinCut) -> Labels:
    """The label of each node, or of each row."""
    labels: Labels = model.labels_
    return labels


def labels_of_block(labels: Labels, nodes: Numbers) -> Labels:
    """The label of each row."""
    of_rows: Labels = labels[nodes]
    return of_rows


def labels_between(labels: Labels, first: int, last: int) -> Labels:
    """Those of some rows."""
    of_rows: Labels = labels[first:last]
    return of_rows


def count_labels(labels: Labels, clusters: int) -> npt.NDArray[np.int64]:
    """How many rows of a block are in each cluster."""
    counts: npt.NDArray[np.int64] = np.bincount(labels, minlength=clusters)
    return counts


def predict(model: ShiftedMinCut, block: Data) -> Labels:
    """The cluster of each row of a block."""
    rows = as_block(block)
    return model.predict(rows) if len(rows) > 0 else np.empty(0, dtype=np.int32)


def describe(block: Data) -> tuple[Facts, str]:
    values = as_block(block)
    return facts(values), values.dtype.name


def merge_facts(all_facts: Sequence[Facts]) -> Facts:
    """What several blocks say together, in any order."""
    both = all_facts[0]
    for other in all_facts[1:]:
        both = _core.merge_facts(both, other)
    return both


def split_whole(bucket: Bucket, start: int, end: int) -> Piece:
    """All rows of a bucket with their numbers."""
    return Piece(bucket.rows, np.arange(start, end, dtype=np.uint32))


def rows_among(nodes: Numbers, places: Numbers) -> Numbers:
    """The nodes of some rows of a block."""
    some: Numbers = nodes[places]
    return some
