"""Clustering of rows that lie in blocks, on any engine.

Everything that is computed of the data is a pure function of blocks and a few numbers
(`_block_functions.py`, made of those of `include/shiftcut/blocks.hpp`). An engine calls them where
the blocks are, again where a result was lost; `Engine` says what it must be able to do. `cluster`
says in what order, and `shiftcut.dask` runs it on Dask. The labels are those that
`shiftcut.ShiftedMinCut` gives all rows at once, bit for bit, however the rows are divided into
blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from . import _block_functions as do
from . import _core
from ._block_functions import Facts, predict
from ._estimator import ShiftedMinCut
from ._links import LINKS, link_options, links_of_fit
from ._parameters import check_parameters, core_options, seed_of, threads_of

__all__ = ["Clustered", "Engine", "cluster", "cluster_with", "predict"]

Handle: TypeAlias = Any  # of what an engine has computed, or will

BY_REGIONS = ("euclidean", "cosine", "correlation")
_MOST_BUCKETS = 256


class Engine(Protocol):
    """What runs the functions."""

    def submit(self, stage: str, function: Callable[..., Any], *arguments: Any) -> Handle:  # noqa: ANN401
        """Call `function` somewhere. Arguments that are handles, or lists of handles, are replaced
        by what they stand for."""

    def get(self, handles: Sequence[Handle]) -> list[Any]:
        """Wait, and bring results here; only called for small ones."""


class Clustered(NamedTuple):
    """What `cluster` leaves with the engine, and brings here."""

    labels: list[Handle]  # of the rows of each block
    rows: list[int]  # of each block
    columns: int
    model: Handle  # a ShiftedMinCut of the nodes
    result: dict[str, Any]


def _check(all_facts: Facts, dtypes: set[str]) -> None:
    rows, is_finite, *_ = all_facts
    if rows < 2:
        raise ValueError(f"X: found {rows} rows in all blocks; allowed: 2 or more")
    if not is_finite:
        raise ValueError("X: found NaN or infinite numbers; allowed: finite numbers")
    if len(dtypes) > 1:
        raise ValueError(f"X: found blocks of types {', '.join(sorted(dtypes))}; allowed: one type")


class _Nodes:
    """The distinct rows in buckets that an engine holds, by their numbers."""

    def __init__(self, engine: Engine, buckets: list[Handle], sizes: list[int]) -> None:
        self.engine = engine
        self.buckets = buckets
        self.ends = np.cumsum(sizes).tolist()
        self.starts = [0, *self.ends[:-1]]
        self.count = self.ends[-1]

    def sample(self, count: int) -> list[Handle]:
        """Node s * n / count for each s below count."""
        numbers = np.arange(count, dtype=np.uint64) * np.uint64(self.count) // np.uint64(count)
        handles = []
        for bucket, start, end in zip(self.buckets, self.starts, self.ends, strict=True):
            low, high = np.searchsorted(numbers, [start, end])
            if high > low:
                places = (numbers[low:high] - np.uint64(start)).astype(np.uint32)
                handles.append(self.engine.submit("sample", do.rows_at, bucket, places))
        return handles

    def moments(self, weighted: tuple[bool, ...]) -> list[Handle]:
        parts = _core.moment_parts(self.count)
        handles = []
        for part in range(parts):
            first, last = self.count * part // parts, self.count * (part + 1) // parts
            inside = [
                b
                for b in range(len(self.buckets))
                if self.starts[b] < last and self.ends[b] > first
            ]
            handles.append(
                self.engine.submit(
                    "moments",
                    do.moments,
                    [self.buckets[b] for b in inside],
                    [self.starts[b] for b in inside],
                    first,
                    last,
                    *weighted,
                )
            )
        return handles

    def geometry(self, scale: str, metric: str, columns: int, *, repeat: bool) -> Handle:
        chooses = scale == "auto" and metric == "euclidean"
        if scale == "none" or (scale == "auto" and not chooses):
            return self.engine.submit("scale", do.geometry, [], [], "none", metric, columns)
        sample = self.sample(_core.scale_sample(self.count)) if chooses else []
        parts = self.moments((False, True) if repeat else (False,))
        return self.engine.submit("scale", do.geometry, sample, parts, scale, metric, columns)

    def lists(self, how: Handle, k: int, count: int, threads: int) -> list[Handle]:
        """The neighbours of the nodes of each bucket, searched in `count` regions."""
        submit = self.engine.submit
        spans = list(zip(self.buckets, self.starts, self.ends, strict=True))
        if count == 1:
            whole = [
                submit("whole", do.split_whole, bucket, start, end) for bucket, start, end in spans
            ]
            found = [submit("neighbours", do.neighbors, whole, how, k, threads)]
        else:
            sample = self.sample(_core.region_sample(self.count, count))
            centres = submit("regions", do.regions, sample, how, count)
            split = [
                submit("members", do.split_by_region, bucket, start, how, centres)
                for bucket, start, _ in spans
            ]
            found = [
                submit(
                    "neighbours",
                    do.neighbors,
                    [submit("move", do.take, pieces, region) for pieces in split],
                    how,
                    k,
                    1,
                )
                for region in range(count)
            ]
        return [
            submit(
                "merge",
                do.merged,
                [submit("lists", do.lists_between, one, start, end) for one in found],
                start,
                end,
                self.count,
                k,
            )
            for _, start, end in spans
        ]


def _buckets_for(rows: int, row_bytes: int, bucket_bytes: int) -> int:
    wanted = max(1, -(-rows * row_bytes // bucket_bytes))
    return min(_MOST_BUCKETS, 1 << (wanted - 1).bit_length())


def cluster(
    engine: Engine,
    blocks: Sequence[Handle],
    parameters: dict[str, Any],
    *,
    options: dict[str, Any],
    links: Callable[[int], dict[str, Any]] | None = None,
    threads: int = 1,
    region_rows: int = 0,
    bucket_bytes: int = 1 << 27,
) -> Clustered:
    """Cluster the rows of all blocks.

    Parameters
    ----------
    engine : Engine
    blocks : handles of the blocks, in the order of their rows. A list is emptied once the blocks
        are not needed any more, so that the engine can free them.
    parameters : of `ShiftedMinCut`, without links
    options : of `_core` for the same parameters
    links : returns the pairs of rows, checked, given the number of rows
    threads : of the steps that run alone
    region_rows : rows above which neighbours are searched region by region; 0: the default
    bucket_bytes : how much of the rows is brought together at a time; changes no result
    """
    described = engine.get([engine.submit("facts", do.describe, block) for block in blocks])
    rows = [int(own[0]) for own, _ in described]
    if sum(rows) == 0:
        raise ValueError("X: found no rows; allowed: 2 or more")
    filled = [block for block, count in zip(blocks, rows, strict=True) if count > 0]
    all_facts = do.merge_facts([own for own, _ in described])
    dtypes = {name for (own, name) in described if own[0] > 0}
    _check(all_facts, dtypes)
    columns = len(all_facts[3])
    given = parameters["n_clusters"]
    if given is not None and given > sum(rows):
        raise ValueError(f"n_samples={sum(rows)} should be >= n_clusters={given}.")
    pairs = {} if links is None else links(sum(rows))
    kind, metric = _choose(engine, filled, all_facts, options)
    if kind != "neighbors" or metric not in BY_REGIONS:
        model = engine.submit("cluster", do.fit_rows, parameters, pairs, region_rows, filled)
        of_all = engine.submit("labels", do.labels_of, model)
        ends = np.cumsum(rows).tolist()
        labels = [
            engine.submit("labels", do.labels_between, of_all, end - count, end)
            for count, end in zip(rows, ends, strict=True)
        ]
        result = engine.get([engine.submit("result", do.result_of, model)])[0]
        return Clustered(labels, rows, columns, model, result)

    dtype = dtypes.pop()
    count = _buckets_for(sum(rows), columns * np.dtype(dtype).itemsize, bucket_bytes)
    split = [
        engine.submit("hash", do.split_by_hash, block, all_facts, count, dtype) for block in filled
    ]
    buckets = [
        engine.submit(
            "distinct",
            do.bucket_of,
            [engine.submit("shuffle", do.take, pieces, bucket) for pieces in split],
            all_facts,
        )
        for bucket in range(count)
    ]
    numbers = [engine.submit("numbers", do.numbers_of, pieces) for pieces in split]
    sizes = engine.get([engine.submit("sizes", do.size_of, bucket) for bucket in buckets])
    del split, filled
    if isinstance(blocks, list):
        blocks.clear()
    nodes = _Nodes(engine, buckets, [size for size, _ in sizes])
    repeat = any(repeats for _, repeats in sizes)
    if nodes.count >= np.iinfo(np.uint32).max:
        raise ValueError(f"X: found {nodes.count} different rows; allowed: up to 2**32 - 2")
    if nodes.count < 2:
        raise ValueError("X: found equal rows only; allowed: 2 different rows or more")
    of_blocks = [
        engine.submit(
            "nodes",
            do.nodes_of_block,
            own,
            [
                engine.submit("unshuffle", do.nodes_of_piece, bucket, place, start)
                for bucket, start in zip(buckets, nodes.starts, strict=True)
            ],
        )
        for place, own in enumerate(numbers)
    ]
    if repeat and (parameters["min_cluster_size"], parameters["max_cluster_size"]) != (None, None):
        raise ValueError(
            "min_cluster_size, max_cluster_size: found with rows in blocks of which some are "
            "equal; allowed: only where no two rows are equal"
        )
    filled_rows = [own for own in rows if own > 0]
    pairs = _pairs_of_nodes(engine, pairs, of_blocks, filled_rows, repeat=repeat)

    how = nodes.geometry(parameters["scale"], metric, columns, repeat=repeat)
    half = nodes.count // 2
    few = half if repeat else max(nodes.count // 4, min(half, 3))
    asked = parameters["n_neighbors"] or min(max(few, 1), 10)
    k = min(int(asked), nodes.count - 1)
    many = _core.region_count(nodes.count, columns, metric, region_rows)
    lists = nodes.lists(how, k, many, threads)
    own_parameters = parameters | {
        "similarity": "neighbors",
        "metric": metric,
        "n_clusters": None if given is None else min(given, nodes.count),
    }
    model = engine.submit(
        "cluster", do.fit_nodes, own_parameters, pairs, region_rows, buckets, lists
    )
    del lists, buckets, how
    of_nodes = engine.submit("labels", do.labels_of, model)
    filled_labels = iter(
        [engine.submit("labels", do.labels_of_block, of_nodes, own) for own in of_blocks]
    )
    empty = engine.submit("labels", np.empty, 0, np.int32) if 0 in rows else None
    all_labels = [next(filled_labels) if own > 0 else empty for own in rows]
    result = engine.get([engine.submit("result", do.result_of, model)])[0]
    if given is not None:
        result["clusters_asked"] = given
    return Clustered(all_labels, rows, columns, model, _of_rows(engine, result, all_labels, rows))


def cluster_with(engine: Engine, blocks: Sequence[Handle], model: ShiftedMinCut) -> Clustered:
    """Cluster the rows of all blocks as `model` would all rows at once; `model` stays as it is."""
    parameters = model.get_params(deep=False)
    check_parameters(parameters)
    links = links_of_fit(parameters, {})
    check_supported(parameters, links)
    threads = threads_of(model.n_jobs)
    own = (
        parameters
        | dict.fromkeys(LINKS)
        | {
            "random_state": seed_of(model.random_state),
            "n_jobs": threads,
            "verbose": 0,
        }
    )

    def checked_links(rows: int) -> dict[str, Any]:
        link_options(parameters | links, rows)
        return {name: value for name, value in links.items() if value is not None}

    return cluster(
        engine,
        blocks,
        own,
        options=core_options(own, 2**62),
        links=checked_links,
        threads=threads,
        region_rows=model._region_rows,
        bucket_bytes=model._bucket_bytes,
    )


def check_supported(parameters: dict[str, Any], links: dict[str, Any]) -> None:
    """ValueError for parameters that rows in blocks do not take."""

    def refuse(name: str, value: object, allowed: str) -> None:
        raise ValueError(
            f"{name}: found {value!r}, which rows in blocks do not support; allowed: {allowed}"
        )

    if parameters["similarity"] in ("precomputed", "precomputed_distance"):
        refuse("similarity", parameters["similarity"], "similarities of features")
    if parameters["metric"] == "precomputed":
        refuse("metric", "precomputed", "metrics of features")
    if parameters["learn_shift"]:
        refuse("learn_shift", True, "False")
    if links["cannot_link_groups"] is not None:
        refuse("cannot_link_groups", "groups", "must_link and cannot_link")
    shift = parameters["shift"]
    if not (shift is None or isinstance(shift, str | int | float)):
        refuse("shift", "a matrix", "a word, a number or None")


def _choose(
    engine: Engine, blocks: Sequence[Handle], all_facts: Facts, options: dict[str, Any]
) -> tuple[str, str]:
    """The similarity and metric, where they are automatic."""
    own = np.empty(0)
    if _core.chooses_by_squares(options, all_facts):
        largest = float(all_facts[4].max())
        parts = engine.get(
            [engine.submit("squares", do.squares, block, largest) for block in blocks]
        )
        own = np.sum(parts, axis=0)
    kind, metric = _core.choose_similarity(options, all_facts, own)
    return kind, metric


def _of_rows(
    engine: Engine, result: dict[str, Any], labels: Sequence[Handle], rows: Sequence[int]
) -> dict[str, Any]:
    """Numbers of nodes in a result become numbers of rows."""
    clusters = result["clusters_found"]
    counts = engine.get([engine.submit("count", do.count_labels, own, clusters) for own in labels])
    return result | {"objects": sum(rows), "sizes": np.sum(counts, axis=0).tolist()}


def _pairs_of_nodes(
    engine: Engine,
    links: dict[str, Any],
    nodes: Sequence[Handle],
    rows: Sequence[int],
    *,
    repeat: bool,
) -> dict[str, Any]:
    """Pairs of rows as pairs of nodes. ValueError where equal rows would have to part."""
    pairs = {
        name: np.asarray(links[name]).reshape(-1, 2)
        for name in ("must_link", "cannot_link")
        if links.get(name) is not None
    }
    if not pairs:
        return {}
    weights = links.get("pair_weights")
    certain = [len(own) for own in pairs.values()]
    of_pairs = np.full(sum(certain), np.inf) if weights is None else np.asarray(weights, float)
    named = np.unique(np.concatenate([own.ravel() for own in pairs.values()]))
    starts = np.concatenate([[0], np.cumsum(rows)])
    blocks = np.searchsorted(starts, named, side="right") - 1
    handles = [
        engine.submit(
            "links",
            do.rows_among,
            nodes[block],
            (named[blocks == block] - starts[block]).astype(int),
        )
        for block in np.unique(blocks)
    ]
    node_of = dict(zip(named.tolist(), np.concatenate(engine.get(handles)).tolist(), strict=True))
    out: dict[str, Any] = {}
    kept_weights = []
    at = 0
    for name, own in pairs.items():
        kept = []
        for row_a, row_b in own.tolist():
            a, b = node_of[row_a], node_of[row_b]
            weight = of_pairs[at]
            at += 1
            if a != b:
                kept.append((a, b))
                kept_weights.append(weight)
            elif name == "cannot_link" or np.isfinite(weight):
                raise ValueError(
                    f"{name}: found rows {row_a} and {row_b}, which are equal; allowed: pairs of "
                    "different rows (equal rows in blocks always share a cluster)"
                )
        if kept:
            out[name] = np.array(kept, dtype=np.int64)
    if weights is not None and kept_weights:
        out["pair_weights"] = np.array(kept_weights)
    if repeat:
        _check_contradictions(out, kept_weights)
    return out


def _check_contradictions(links: dict[str, Any], weights: Sequence[float]) -> None:
    """ValueError where must-links and equal rows together contradict a cannot-link."""
    parent: dict[int, int] = {}

    def find(node: int) -> int:
        while parent.setdefault(node, node) != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    must = links.get("must_link", [])
    for (a, b), weight in zip(must, weights, strict=False):
        if np.isinf(weight):
            parent[find(int(a))] = find(int(b))
    for a, b in links.get("cannot_link", []):
        if find(int(a)) == find(int(b)):
            raise ValueError(
                "cannot_link: found a pair that must_link, together with equal rows, joins; "
                "allowed: pairs that do not contradict each other where equal rows count as one"
            )
