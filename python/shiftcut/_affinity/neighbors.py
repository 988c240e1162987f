"""The neighbour graph, continued to new rows.

A new row is joined to its `n_neighbors` nearest training rows, with weights as in the graph; a row
equal to a training row has that row's edges. What the training rows' own lists say of the new row
(that it is nearer than one of theirs) is left out: it would change the fit. The training rows are
kept, and their lists computed again when first needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from .. import _core
from .._arrays import Floats, Matrix, core_values, membership
from .grouping import Grouping, chunks
from .scaling import Scaling

_CHUNK = 512  # new rows, each with the rows of its neighbours


@dataclass(frozen=True)
class Lists:
    """Neighbours as sparse rows: `squared` distances in `data`, a pattern of ones in `ones`."""

    rows: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int64]
    squared: Floats
    shape: tuple[int, int]

    @property
    def ones(self) -> Matrix:
        return sparse.csr_array((np.ones(len(self.rows)), (self.rows, self.columns)), self.shape)

    def last_distance(self) -> Floats:
        last = np.zeros(self.shape[0])
        np.maximum.at(last, self.rows, self.squared)
        return np.sqrt(last)


def _lists(indices: Matrix, squared: Matrix, keep: Matrix, n: int) -> Lists:
    rows = np.repeat(np.arange(len(indices)), indices.shape[1] if indices.size else 0)
    kept = keep.ravel()
    columns = indices.ravel()[kept].astype(np.int64)
    return Lists(rows[kept], columns, squared.ravel()[kept], (len(indices), n))


def _overlap(own: Matrix, sets: Matrix, pattern: Matrix, own_sizes: Floats) -> Matrix:
    """|A & B| / |A u B| where `pattern` has an edge; A the rows of `own`, B those of `sets`."""
    both = (own @ sets.T).multiply(pattern).tocoo()
    set_sizes = np.asarray(sets.sum(axis=1)).ravel()
    union = own_sizes[both.row] + set_sizes[both.col] - both.data
    return sparse.csr_array((both.data / union, (both.row, both.col)), pattern.shape)


def _gaussian(squared: Floats, one: Floats, other: Floats) -> Floats:
    larger, smaller = np.maximum(one, other), np.minimum(one, other)
    smaller = np.where(smaller > 0, smaller, larger)
    scale = np.where(larger * smaller > 0, larger * smaller, 1.0)
    return np.asarray(np.where(squared == 0, 1.0, np.exp(-squared / scale)))


def _row_keys(values: Matrix) -> Iterator[bytes]:
    """The same bytes for equal rows, whatever float they are of."""
    if sparse.issparse(values):
        rows = values.copy()
        rows.sum_duplicates()
        rows.eliminate_zeros()
        for begin, end in pairwise(rows.indptr):
            columns = rows.indices[begin:end].astype(np.int64)
            yield columns.tobytes() + rows.data[begin:end].astype(np.float64).tobytes()
        return
    for chunk in chunks(values.shape[0]):
        # Adding 0 makes -0 the same as 0.
        for row in np.ascontiguousarray(values[chunk], dtype=np.float64) + 0.0:
            yield row.tobytes()


@dataclass(frozen=True)
class _Training:
    """What follows from the training rows."""

    search: Any  # for their nearest
    n_neighbors: int
    lists: Lists
    sets: Matrix  # each one's neighbours with itself
    graph: Matrix
    degrees: Floats
    places: dict[bytes, int]  # of a row by its key, the first that is equal


def _graph(lists: Lists, sets: Matrix, weights: str) -> Matrix:
    """An edge where either is in the other's list, as the library weighs it."""
    either = lists.ones.maximum(lists.ones.T).tocsr()
    if weights == "binary":
        return either
    if weights == "shared":
        sizes = np.asarray(sets.sum(axis=1)).ravel()
        blocks = [
            _overlap(sets[rows], sets, either[rows], sizes[rows])
            for rows in chunks(either.shape[0])
        ]
        return sparse.vstack(blocks, format="csr")
    width = lists.last_distance()
    weight = _gaussian(lists.squared, width[lists.rows], width[lists.columns])
    one_way = sparse.csr_array((weight, (lists.rows, lists.columns)), lists.shape)
    return one_way.maximum(one_way.T).tocsr()


class NeighborAffinity:
    def __init__(
        self, grouping: Grouping, values: Matrix, scaling: Scaling, options: Mapping[str, Any]
    ) -> None:
        self._grouping = grouping
        self._values = values
        self._scaling = scaling
        self._n_neighbors: int | None = options["neighbors"]
        self._weights: str = options["weights"]
        self._threads: int = options["threads"]
        self._options = {
            name: options.get(name) for name in ("scale", "neighbors", "threads", "feature_weights")
        }
        self._cosine = sparse.issparse(values)
        self._kept: _Training | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_kept": None}  # made again when needed

    def _training(self) -> _Training:
        if self._kept is None:
            from sklearn.neighbors import NearestNeighbors

            metric = {"metric": "cosine", "algorithm": "brute"} if self._cosine else {}
            search = NearestNeighbors(n_jobs=self._threads, **metric)
            search.fit(self._scaling.apply(self._values))
            n = self._values.shape[0]
            ids, squared = _core.neighbor_table(core_values(self._values), self._options)
            lists = _lists(ids, squared, np.isfinite(squared), n)
            sets = (lists.ones + sparse.eye_array(n)).tocsr()
            graph = _graph(lists, sets, self._weights)
            degrees = np.asarray(graph.sum(axis=1)).ravel()
            places: dict[bytes, int] = {}
            for place, key in enumerate(_row_keys(self._values)):
                places.setdefault(key, place)
            wanted = max(1, ids.shape[1]) if self._n_neighbors is None else self._n_neighbors
            self._kept = _Training(search, wanted, lists, sets, graph, degrees, places)
        return self._kept

    def _new_edges(self, rows: Matrix, training: _Training) -> Matrix:
        n = len(training.degrees)
        distances, nearest = training.search.kneighbors(rows, min(n, training.n_neighbors))
        squared = 2 * distances if self._cosine else distances**2
        keep = squared < 2 if self._cosine else np.ones(squared.shape, dtype=bool)
        lists = _lists(nearest, squared, keep, n)
        if self._weights == "binary":
            return lists.ones
        if self._weights == "shared":
            ones = lists.ones
            return _overlap(ones, training.sets, ones, np.asarray(ones.sum(axis=1)).ravel() + 1)
        width, theirs = lists.last_distance(), training.lists.last_distance()
        weight = _gaussian(lists.squared, width[lists.rows], theirs[lists.columns])
        return sparse.csr_array((weight, (lists.rows, lists.columns)), lists.shape)

    def _with_twins(self, edges: Matrix, values: Matrix, training: _Training) -> Matrix:
        """Rows that equal a training row have its edges."""
        found = [(row, training.places.get(key)) for row, key in enumerate(_row_keys(values))]
        twins = np.array([(row, twin) for row, twin in found if twin is not None], dtype=np.int64)
        if len(twins) == 0:
            return edges
        kept = np.ones(edges.shape[0])
        kept[twins[:, 0]] = 0
        pick = sparse.csr_array((np.ones(len(twins)), tuple(twins.T)), shape=edges.shape)
        return (sparse.diags_array(kept) @ edges + pick @ training.graph).tocsr()

    def affinities(self, values: Matrix) -> Floats:
        training = self._training()
        sizes = self._grouping.sizes
        members = membership(self._grouping.labels, len(sizes))
        out = np.empty((values.shape[0], len(sizes)))
        for rows in chunks(values.shape[0], _CHUNK):
            edges = self._new_edges(self._scaling.apply(values[rows]), training)
            edges = self._with_twins(edges, values[rows], training)
            out[rows] = (edges @ members).todense()
            degrees = np.asarray(edges.sum(axis=1)).ravel()
            out[rows] -= self._shift(degrees, training.degrees, members)
        return out

    def _shift(self, new: Floats, training: Floats, members: Matrix) -> Floats:
        grouping, n = self._grouping, len(training)
        if not grouping.adaptive:
            return grouping.subtracted * grouping.sizes
        in_cluster = np.asarray(training @ members) / n
        between = np.outer(new / n, grouping.sizes) + in_cluster
        return np.asarray(grouping.strength * (between - grouping.sizes * training.mean() / n))
