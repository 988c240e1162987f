"""Section 6 of the paper as an experiment: which methods are invariant to a shift?

Methods that minimise a cost are judged by the exact optimum on small random problems (all
partitions), so that a change is due to the method and not to a search. Where several partitions
tie, the clustering counts as unchanged if one of them stays optimal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import DBSCAN
from sklearn.mixture import GaussianMixture

from ...data.datasets import Floats
from ...report.document import Entry, Grid, Mark
from ..methods import NotBuiltError, method_class
from . import exhaustive

OBJECTS, CLUSTERS = 7, 3
INVARIANT, CHANGES = "invariant", "changes"

Trial = Callable[[np.random.Generator, float], bool]  # is the clustering the same?
Tree = frozenset[frozenset[int]]


@dataclass(frozen=True)
class Claim:
    method: str
    shifted: str
    judged_by: str
    paper: str  # "" where it says nothing
    expected: str  # by the algebra
    trial: Trial
    amounts: tuple[float, ...]
    remark: str = ""


def _similarities(rng: np.random.Generator) -> Floats:
    half = np.triu(rng.uniform(size=(OBJECTS, OBJECTS)), 1)
    return np.asarray(half + half.T + np.diag(rng.uniform(size=OBJECTS)))


def _rows(rng: np.random.Generator, objects: int = OBJECTS) -> Floats:
    return rng.normal(size=(objects, 2))


def _same_optimum(cost: exhaustive.Cost, before: Floats, after: Floats) -> bool:
    labels = exhaustive.partitions(len(before), CLUSTERS)
    kept = {row.tobytes() for row in exhaustive.optima(cost, before, labels)}
    return any(row.tobytes() in kept for row in exhaustive.optima(cost, after, labels))


def cost_trial(cost: exhaustive.Cost) -> Trial:
    """All similarities, including the diagonal, plus a constant."""

    def trial(rng: np.random.Generator, amount: float) -> bool:
        similarities = _similarities(rng)
        return _same_optimum(cost, similarities, similarities + amount)

    return trial


def k_means_trial(rng: np.random.Generator, amount: float) -> bool:
    rows = _rows(rng)
    return _same_optimum(exhaustive.within_squares, rows, rows + amount)


def pairwise_k_means_trial(rng: np.random.Generator, amount: float) -> bool:
    """The cost of k-means from squared distances: the sum of D within / 2 |k|."""
    squared = squareform(pdist(_rows(rng), "sqeuclidean"))
    moved = squared + amount * (1 - np.eye(OBJECTS))
    return _same_optimum(exhaustive.ratio_association, -squared, -moved)


def mixture_trial(rng: np.random.Generator, amount: float) -> bool:
    rows = _rows(rng, 60) + 3 * rng.integers(0, 2, (60, 1))

    def labels(values: Floats) -> list[int]:
        model = GaussianMixture(2, random_state=0, n_init=1)
        return [int(label) for label in model.fit_predict(values)]

    return labels(rows) == labels(rows + amount)


def dbscan_trial(rng: np.random.Generator, amount: float) -> bool:
    rows = _rows(rng, 60)
    model = DBSCAN(eps=0.4, min_samples=4)
    return bool(np.array_equal(model.fit_predict(rows), model.fit_predict(rows + amount)))


def dominant_trial(loops: bool) -> Trial:
    """The most cohesive dominant set; a shift of all entries, or of those off the diagonal."""

    def trial(rng: np.random.Generator, amount: float) -> bool:
        graph = _similarities(rng)
        np.fill_diagonal(graph, 0.0)
        moved = graph + amount * (np.ones_like(graph) if loops else 1 - np.eye(OBJECTS))
        return exhaustive.dominant_support(graph) == exhaustive.dominant_support(moved)

    return trial


def tree_of(condensed: Floats, method: str) -> Tree:
    """The clusters formed on the way up."""
    merges = linkage(condensed, method)
    n = len(merges) + 1
    clusters = [frozenset([place]) for place in range(n)]
    for one, other, _, _ in merges:
        clusters.append(clusters[int(one)] | clusters[int(other)])
    return frozenset(clusters)


def distance_tree_trial(method: str, squared: bool = False) -> Trial:
    """Distances between different objects plus a constant; centroid and Ward on squared ones."""

    def trial(rng: np.random.Generator, amount: float) -> bool:
        distances = pdist(_rows(rng, 12))
        moved = np.sqrt(distances**2 + amount) if squared else distances + amount
        return tree_of(distances, method) == tree_of(moved, method)

    return trial


def feature_tree_trial(method: str) -> Trial:
    def trial(rng: np.random.Generator, amount: float) -> bool:
        rows = _rows(rng, 12)
        return tree_of(pdist(rows), method) == tree_of(pdist(rows + amount), method)

    return trial


def reliable_trial(rng: np.random.Generator, amount: float) -> bool:
    distances = squareform(pdist(_rows(rng, 12)))
    moved = distances + amount * (1 - np.eye(len(distances)))
    model = method_class("ReliableAgglomerative")(3, linkage="average", metric="precomputed")
    before = [int(label) for label in model.fit_predict(distances)]
    after = [int(label) for label in model.fit_predict(moved)]
    return len(set(zip(before, after, strict=True))) == len(set(before)) == len(set(after))


OPTIMUM = f"exact optimum, {OBJECTS} objects, {CLUSTERS} clusters"
TREE = "whole tree, 12 objects"
FAR, SOME, BOTH_WAYS = (1.0, 10.0, 1000.0), (0.5, 2.0, 10.0), (-2.0, -0.5, 10.0)
ALL_ENTRIES, OFF_DIAGONAL, FEATURES = "all similarities", "distances of pairs", "features"

CLAIMS = (
    Claim("k-means", FEATURES, OPTIMUM, INVARIANT, INVARIANT, k_means_trial, FAR),
    Claim(
        "k-means", "squared distances of pairs", OPTIMUM, "", INVARIANT, pairwise_k_means_trial,
        SOME, "Adds a constant for fixed K (Roth et al., 2003); programs want features, though.",
    ),
    Claim("Gaussian mixture", FEATURES, "EM from one seed, 60 objects", INVARIANT, INVARIANT,
          mixture_trial, FAR),
    Claim("DBSCAN", FEATURES, "the program, 60 objects", INVARIANT, INVARIANT, dbscan_trial, FAR),
    Claim("Min Cut", ALL_ENTRIES, OPTIMUM, CHANGES, CHANGES, cost_trial(exhaustive.min_cut),
          BOTH_WAYS),
    Claim("ratio association", ALL_ENTRIES, OPTIMUM, INVARIANT, INVARIANT,
          cost_trial(exhaustive.ratio_association), BOTH_WAYS),
    Claim("ratio cut", ALL_ENTRIES, OPTIMUM, INVARIANT, INVARIANT,
          cost_trial(exhaustive.ratio_cut), BOTH_WAYS),
    Claim("normalised cut", ALL_ENTRIES, OPTIMUM, CHANGES, CHANGES,
          cost_trial(exhaustive.normalized_cut), SOME),
    Claim("adaptive ratio cut, p = 1.5", ALL_ENTRIES, OPTIMUM, CHANGES, CHANGES,
          cost_trial(exhaustive.adaptive_ratio_cut), SOME),
    Claim(
        "ratio Cheeger cut", ALL_ENTRIES, OPTIMUM, INVARIANT, CHANGES,
        cost_trial(exhaustive.cheeger_cut), SOME,
        "The paper: every cost divided by cluster sizes is invariant. This one and the adaptive "
        "ratio cut are divided by sizes and change.",
    ),
    Claim(
        "dominant sets", ALL_ENTRIES, "exact optimum, 7 objects", INVARIANT, INVARIANT,
        dominant_trial(loops=True), SOME,
        "The shifted matrix has a diagonal, which the method forbids.",
    ),
    Claim(
        "dominant sets", "similarities of pairs", "exact optimum, 7 objects", CHANGES, CHANGES,
        dominant_trial(loops=False), SOME,
        "With the diagonal kept at zero a shift makes dominant sets larger.",
    ),
    *(
        Claim(f"{method} linkage", OFF_DIAGONAL, TREE, INVARIANT, INVARIANT,
              distance_tree_trial(method), SOME)
        for method in ("single", "complete", "average")
    ),
    *(
        Claim(f"{method} linkage", FEATURES, TREE, INVARIANT, INVARIANT,
              feature_tree_trial(method), FAR)
        for method in ("centroid", "ward")
    ),
    Claim(
        "ward linkage", "squared distances of pairs", TREE, "", INVARIANT,
        distance_tree_trial("ward", squared=True), SOME,
        "Not in the paper: its Lance-Williams coefficients sum to 1.",
    ),
    Claim(
        "centroid linkage", "squared distances of pairs", TREE, "", CHANGES,
        distance_tree_trial("centroid", squared=True), SOME,
        "Not in the paper: its Lance-Williams coefficients do not sum to 1.",
    ),
    Claim("reliable agglomerative, average", OFF_DIAGONAL, "three clusters, 12 objects", INVARIANT,
          INVARIANT, reliable_trial, SOME),
)  # fmt: skip


def measured(claim: Claim, trials: int) -> list[int] | None:
    """How often the clustering stayed the same, for each shift; None if the method is not built."""
    try:
        return [
            sum(claim.trial(np.random.default_rng([seed, 6]), amount) for seed in range(trials))
            for amount in claim.amounts
        ]
    except NotBuiltError:
        return None


def verdict(counts: list[int], trials: int) -> str:
    return INVARIANT if all(count == trials for count in counts) else CHANGES


def invariance_grid(trials: int, tell: Callable[[str], None]) -> Grid:
    grid = Grid(
        "shift-invariance",
        f"Section 6: how many of {trials} random problems keep their clustering under a shift",
        ["method", "what is shifted", "judged by", "unchanged, by shift", "so", "paper", "algebra"],
    )
    for claim in CLAIMS:
        tell(f"shift of {claim.shifted}: {claim.method}")
        counts = measured(claim, trials)
        row: list[Entry] = [Mark(claim.method, note=claim.remark), claim.shifted, claim.judged_by]
        if counts is None:
            row += [Mark("not built", "missing"), "-"]
        else:
            pairs = zip(claim.amounts, counts, strict=True)
            row.append(", ".join(f"{amount:+g}: {count}" for amount, count in pairs))
            row.append(verdict(counts, trials))
        agrees = counts is None or not claim.paper or claim.paper == row[-1]
        row.append(Mark(claim.paper or "says nothing", "" if agrees else "no"))
        row.append(claim.expected)
        grid.rows.append(row)
    return grid
