"""The consensus of path and trees in its plainest form, written apart from the product's own.

Partitions into at most K clusters vote: searches at 14 strengths on the shared-neighbour graph, and
twelve cuts of spanning trees, each descended at strength 1. The highest score wins, with weights w,
a_ij = max(0, ARI)^2 of voters i and j, and e_i = max(.001, (1 - largest share) / (1 - 1/K)):

    score_i = sqrt(e_i) sum_j w_j sqrt(e_j) a_ij

Only the searches at given strengths are the product's. Its own election adds to this rule what
docs/method.md says.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import breadth_first_order, connected_components
from scipy.spatial.distance import cdist

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

NEIGHBORS = 10
STRENGTHS = tuple(4 * 0.5**step for step in range(14))
REACHES = (1, 5, 10)  # neighbours that core distances reach to, one tree for each
LEAST_PIECES = (0.05, 0.1, 0.25, 0.5)  # parts of n / K
MOST_MEMBERS = 200  # of a component, from which the nearest outside object is looked for
LEAST_EVENNESS = 1e-3
LEAST_GAIN = 1e-12


@dataclass(frozen=True)
class Lists:
    """The nearest neighbours of every row, nearest first."""

    ids: Codes
    distances: Floats


@dataclass(frozen=True)
class Tree:
    """Edges of a spanning tree, longest first."""

    ends: Codes
    lengths: Floats


@dataclass(frozen=True)
class Vote:
    labels: Codes
    winner: int  # strengths in descending order, then cuts
    voters: list[Codes]
    agreement: Floats  # adjusted Rand index of the winner with each voter


def nearest_neighbors(rows: Floats) -> Lists:
    from sklearn.neighbors import NearestNeighbors

    count = min(NEIGHBORS, len(rows) - 1)
    distances, ids = NearestNeighbors(n_neighbors=count + 1).fit(rows).kneighbors(rows)
    is_self = ids == np.arange(len(rows))[:, None]
    is_self[~is_self.any(axis=1), -1] = True  # among more equal rows than neighbours
    kept = ~is_self
    shape = (len(rows), count)
    return Lists(ids[kept].reshape(shape).astype(np.int64), distances[kept].reshape(shape))


def shared_neighbor_graph(lists: Lists) -> sparse.csr_array:
    """Edges between neighbours, weighted by the Jaccard overlap of the neighbourhoods."""
    n, count = lists.ids.shape
    at = np.repeat(np.arange(n), count)
    ones = np.ones(n * count)
    links = sparse.csr_array((ones, (at, lists.ids.ravel())), shape=(n, n))
    members = links + sparse.eye_array(n, format="csr")
    both = sparse.csr_array((links + links.T).astype(bool).multiply(members @ members.T))
    both.data = both.data / (2 * (count + 1) - both.data)
    return both


# ---- Trees ----


class Components:
    """Sets of objects that are connected so far."""

    def __init__(self, objects: int) -> None:
        self.parent = list(range(objects))

    def find(self, v: int) -> int:
        while self.parent[v] != v:
            self.parent[v] = self.parent[self.parent[v]]
            v = self.parent[v]
        return v

    def join(self, a: int, b: int) -> bool:
        a, b = self.find(a), self.find(b)
        self.parent[a] = b
        return a != b


def spanning_tree(rows: Floats, lists: Lists, reach: int) -> Tree:
    """Of the neighbour graph, by mutual reachability; what it leaves apart is then joined."""
    n, count = lists.ids.shape
    core = np.zeros(n) if reach == 1 else lists.distances[:, min(reach, count) - 1]

    def length(a: Codes, b: Codes, distance: Floats) -> Floats:
        return np.asarray(np.maximum(distance, np.maximum(core[a], core[b])) + 1e-7 * distance)

    joined = Components(n)
    edges: list[tuple[int, int, float]] = []

    def add(a: Codes, b: Codes, distance: Floats) -> None:
        lengths = length(a, b, distance)
        for e in np.argsort(lengths, kind="stable").tolist():
            if joined.join(int(a[e]), int(b[e])):
                edges.append((int(a[e]), int(b[e]), float(lengths[e])))

    add(np.repeat(np.arange(n), count), lists.ids.ravel(), lists.distances.ravel())
    while len(edges) < n - 1:
        add(*nearest_outside(rows, np.array([joined.find(v) for v in range(n)])))
    order = sorted(edges, key=lambda edge: -edge[2])
    ends = np.array([edge[:2] for edge in order], dtype=np.int64).reshape(-1, 2)
    return Tree(ends, np.array([edge[2] for edge in order]))


def nearest_outside(rows: Floats, component: Codes) -> tuple[Codes, Codes, Floats]:
    """From each component but the largest, the shortest way out of a sample of its members."""
    names, sizes = np.unique(component, return_counts=True)
    found = []
    for name in np.delete(names, sizes.argmax()):
        members = np.flatnonzero(component == name)
        if len(members) > MOST_MEMBERS:
            members = members[np.arange(MOST_MEMBERS) * len(members) // MOST_MEMBERS]
        distances = cdist(rows[members], rows)
        distances[:, component == name] = np.inf
        member, other = np.unravel_index(distances.argmin(), distances.shape)
        found.append((members[member], other, distances[member, other]))
    a, b, d = zip(*found, strict=True)
    return np.array(a), np.array(b), np.array(d)


def cut_tree(tree: Tree, objects: int, clusters: int, share: float) -> Codes:
    """Cuts the longest edges first, if both sides of the piece keep enough objects."""
    least = max(2.0, share * objects / clusters)
    ends = tree.ends
    ones = np.ones(len(ends))
    links = sparse.csr_array((ones, (ends[:, 0], ends[:, 1])), shape=(objects, objects))
    order, above = breadth_first_order(links, 0, directed=False)
    below = np.ones(objects)
    for v in order[:0:-1]:
        below[above[v]] += below[v]
    is_cut = np.zeros(objects, dtype=bool)  # the edge from here upwards
    piece = np.zeros(objects, dtype=np.int64)
    for a, b in ends:
        if piece.max() + 1 == clusters:
            break
        child = a if above[a] == b else b
        rest = (piece == piece[child]).sum() - below[child]
        if min(below[child], rest) < least:
            continue
        v = above[child]
        below[v] -= below[child]
        while v != order[0] and not is_cut[v]:
            v = above[v]
            below[v] -= below[child]
        is_cut[child] = True
        piece = pieces_of(order, above, is_cut)
    return piece


def pieces_of(order: Codes, above: Codes, is_cut: NDArray[np.bool_]) -> Codes:
    kept = order[1:][~is_cut[order[1:]]]
    ones = np.ones(len(kept))
    shape = (len(order), len(order))
    links = sparse.csr_array((ones, (kept, above[kept])), shape=shape)
    return np.asarray(connected_components(links, directed=False)[1], dtype=np.int64)


# ---- Searches ----


def searched(graph: sparse.csr_array, clusters: int, strength: float) -> Codes:
    from shiftcut import ShiftedMinCut

    model = ShiftedMinCut(
        clusters,
        similarity="precomputed",
        shift="adaptive",
        shift_strength=strength,
        random_state=0,
    )
    return np.asarray(model.fit(graph).labels_, dtype=np.int64)


def descended(graph: sparse.csr_array, labels: Codes, clusters: int) -> Codes:
    """Moves single objects until none lowers the cost under the adaptive shift at strength 1."""
    n = graph.shape[0]
    mean = np.asarray(graph.sum(axis=1)).ravel() / n
    overall = mean.mean()
    labels = labels.copy()
    size = np.bincount(labels, minlength=clusters).astype(float)
    volume = np.bincount(labels, weights=mean, minlength=clusters)
    rng = np.random.default_rng(0)
    begin, others, weights = graph.indptr, graph.indices, graph.data
    moved = True
    while moved:
        moved = False
        for i in rng.permutation(n):
            own = labels[i]
            size[own] -= 1
            volume[own] -= mean[i]
            edges = slice(begin[i], begin[i + 1])
            links = np.bincount(labels[others[edges]], weights[edges], minlength=clusters)
            affinity = links - (mean[i] - overall) * size - volume
            best = affinity.argmax()
            if affinity[best] > affinity[own] + LEAST_GAIN:
                labels[i] = own = best
                moved = True
            size[own] += 1
            volume[own] += mean[i]
    return labels


# ---- The vote ----


def evenness(labels: Codes, clusters: int) -> float:
    largest = np.bincount(labels).max() / len(labels)
    return float(max(LEAST_EVENNESS, (1 - largest) / (1 - 1 / clusters)))


def vote(rows: Floats, clusters: int) -> Vote:
    """The partition into at most K >= 2 clusters that wins, and the voters."""
    from sklearn.metrics import adjusted_rand_score

    rows = np.ascontiguousarray(rows, dtype=np.float64)
    lists = nearest_neighbors(rows)
    graph = shared_neighbor_graph(lists)
    path = [searched(graph, clusters, strength) for strength in STRENGTHS]
    trees = [spanning_tree(rows, lists, reach) for reach in REACHES]
    cuts = [
        descended(graph, cut_tree(tree, len(rows), clusters, share), clusters)
        for tree in trees
        for share in LEAST_PIECES
    ]
    voters = path + cuts
    weights = np.array([1 / len(path)] * len(path) + [1 / len(cuts)] * len(cuts))
    even = np.sqrt([evenness(labels, clusters) for labels in voters])
    similarity = np.eye(len(voters))
    for i, a in enumerate(voters):
        for j, b in enumerate(voters[:i]):
            similarity[i, j] = similarity[j, i] = adjusted_rand_score(a, b)
    scores = even * (np.maximum(similarity, 0) ** 2 @ (weights * even))
    winner = int(scores.argmax())  # the first of equals
    return Vote(voters[winner], winner, voters, similarity[winner])


def consensus(rows: Floats, clusters: int) -> Codes:
    """The labels on which path and trees agree most."""
    if clusters == 1:
        return np.zeros(len(rows), dtype=np.int64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of K that is not reached at some strengths
        return vote(rows, clusters).labels
