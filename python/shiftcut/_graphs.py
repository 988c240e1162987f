"""Graphs of networkx and igraph as sparse matrices, read without importing either.

Edges have no direction: u -> v and v -> u are one edge, and the weights of parallel edges add up,
as in an edge list on the command line. A self-loop counts once.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.base import clone

from ._arrays import Data, Floats, Matrix

USUAL_WEIGHT = "weight"
_MOST_LISTED = 10  # attributes in a message

_Ends = npt.NDArray[np.int64]  # one row per edge: the numbers of its two nodes


@dataclass(frozen=True)
class Graph:
    """A symmetric matrix of weights, and the name of each of its rows."""

    values: Matrix
    names: list[Hashable]


def library_of(X: Data) -> str | None:
    """Return "networkx" or "igraph" if X is a graph of that library, also of a derived class."""
    modules = {kind.__module__.partition(".")[0] for kind in type(X).__mro__}
    if "networkx" in modules and hasattr(X, "adjacency") and hasattr(X, "edges"):
        return "networkx"
    if "igraph" in modules and hasattr(X, "get_edgelist"):
        return "igraph"
    return None


def refuse_graph(X: Data) -> None:
    """Reject a graph where only its matrix is taken."""
    how = {"networkx": "networkx.to_scipy_sparse_array(X)", "igraph": "X.get_adjacency_sparse()"}
    library = library_of(X)
    if library is not None:
        raise TypeError(
            f"X: found a graph of {library}; allowed: {how[library]}, as a precomputed matrix"
        )


def graph_of(X: Data, weight: str | None) -> Graph | None:
    """Return X as a matrix whose entries are the attribute `weight` of the edges, or None if X is
    not a graph. Edges without the attribute count 1."""
    library = library_of(X)
    if library is None:
        return None
    names, ends, given = (_read_networkx if library == "networkx" else _read_igraph)(X, weight)
    if given is None and weight not in (None, USUAL_WEIGHT) and len(ends) > 0:
        raise ValueError(
            f"edge_weight: found {weight!r}, which no edge has; allowed: {_attributes(X, library)}"
            "None"
        )
    weights = np.ones(len(ends)) if given is None else _numbers(given, ends, names, weight)
    return Graph(_symmetric(ends, weights, len(names)), names)


def matrix_model(model: Any, X: Data) -> tuple[Any, Data]:  # noqa: ANN401
    """Replace a graph by its matrix and the model by a copy that takes one; else return both."""
    graph = model._graph_of(X) if hasattr(model, "_graph_of") else None
    if graph is None:
        return model, X
    return clone(model).set_params(similarity="precomputed"), graph.values


def _read_networkx(X: Data, weight: str | None) -> tuple[list[Hashable], _Ends, list[Any] | None]:
    names = list(X)
    numbers = {name: number for number, name in enumerate(names)}
    edges = list(X.edges(data=weight, default=None)) if weight is not None else list(X.edges())
    ends = np.array([(numbers[edge[0]], numbers[edge[1]]) for edge in edges], dtype=np.int64)
    given = None if weight is None else [edge[-1] for edge in edges]
    is_given = given is not None and any(value is not None for value in given)
    return names, ends.reshape(-1, 2), given if is_given else None


def _read_igraph(X: Data, weight: str | None) -> tuple[list[Hashable], _Ends, list[Any] | None]:
    has_names = "name" in X.vertex_attributes()
    names = list(X.vs["name"]) if has_names else list(range(X.vcount()))
    ends = np.array(X.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    is_given = weight is not None and weight in X.edge_attributes()
    return names, ends, list(X.es[weight]) if is_given else None


def _attributes(X: Data, library: str) -> str:
    """The attributes of the edges, for a message: "'a', 'b' or "."""
    found: Iterable[Any] = (
        X.edge_attributes()
        if library == "igraph"
        else {str(name): None for *_, data in X.edges(data=True) for name in data}
    )
    listed = sorted(found)
    shown = ", ".join(map(repr, listed[:_MOST_LISTED]))
    return f"{shown}{', ...' if len(listed) > _MOST_LISTED else ''} or " if listed else ""


def _numbers(given: list[Any], ends: _Ends, names: list[Hashable], weight: str | None) -> Floats:
    """Return the weights as numbers, 1 where missing; errors name the edge."""

    def edge(place: int) -> str:
        return f"{weight!r} of the edge {names[ends[place, 0]]!r} - {names[ends[place, 1]]!r}"

    allowed = f"allowed: finite numbers; edges without {weight!r} count 1"
    weights = np.ones(len(given))
    for place, value in enumerate(given):
        if value is None:
            continue
        try:
            if isinstance(value, str | bytes):
                raise TypeError
            weights[place] = value
        except (TypeError, ValueError):
            raise TypeError(f"edge_weight: found {edge(place)}: {value!r}; {allowed}") from None
    wrong = np.flatnonzero(~np.isfinite(weights))
    if len(wrong) > 0:
        place = int(wrong[0])
        raise ValueError(f"edge_weight: found {edge(place)}: {given[place]!r}; {allowed}")
    return weights


def _symmetric(ends: _Ends, weights: Floats, n: int) -> Matrix:
    """Return the matrix in which each edge stands in both directions and a self-loop once."""
    first, second = ends[:, 0], ends[:, 1]
    # Sums of parallel edges in one order for both directions, so that they are exactly equal.
    low, high = np.minimum(first, second), np.maximum(first, second)
    upper = sparse.coo_array((weights, (low, high)), shape=(n, n)).tocsr()
    upper.sum_duplicates()
    values = (upper + sparse.triu(upper, k=1).T).tocsr()
    values.eliminate_zeros()
    values.sort_indices()
    return values
