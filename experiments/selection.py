"""Which parameters `shiftcut.model_selection.select` chooses, and how good the grouping is.

    python -m experiments.selection

For every data set the candidates are K = 2 to 10 under "linear", and under "neighbors" with 5, 10
and 20 neighbours. Three rules are compared by the adjusted Rand index of the grouping they choose:
the largest affinities of held-out rows (the former `score`), the silhouette, and the agreement of
halves. The means are those of every other data set and of the rest. Prints Markdown; takes about
ten minutes.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any

import numpy as np
from sklearn import datasets
from sklearn.metrics import adjusted_rand_score, silhouette_score
from sklearn.model_selection import KFold
from sklearn.preprocessing import StandardScaler

from shiftcut import ShiftcutWarning, ShiftedMinCut
from shiftcut.model_selection import _chosen, select

from .places import SHARED

MOST_ROWS = 400
TOLERANCES = (0, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15)
SHAPES = {
    "fcps": "hepta lsun tetra chainlink twodiamonds wingnut atom",
    "sipu": "aggregation compound jain spiral flame pathbased unbalance",
    "graves": "zigzag dense parabolic line",
    "other": "square",
}
GRID: list[dict[str, list[Any]]] = [
    {"similarity": ["linear"], "n_clusters": list(range(2, 11))},
    {"similarity": ["neighbors"], "n_clusters": list(range(2, 11)), "n_neighbors": [5, 10, 20]},
]
Known = tuple[Any, list[Any]]  # the rows, and one or more labellings


def shape(name: str) -> Known:
    """A data set of Gagolewski's benchmark suite; label 0 is noise."""
    folder = SHARED / "data" / "shapes"
    labels = sorted(folder.glob(f"{name}.labels*.gz"))
    return np.loadtxt(folder / f"{name}.data.gz"), [np.loadtxt(p, dtype=int) for p in labels]


def made(make: Callable[..., Any], *args: object, **how: object) -> Known:
    X, y = make(*args, **how)
    return X, [y + 1]


def data_sets() -> dict[str, Known]:
    sets = {
        f"{k} blobs": made(
            datasets.make_blobs,
            50 * k,
            centers=k,
            n_features=2 + k % 4,
            cluster_std=1.3,
            random_state=k,
        )
        for k in range(2, 9)
    }
    sets["moons"] = made(datasets.make_moons, 500, noise=0.07, random_state=0)
    sets["circles"] = made(datasets.make_circles, 500, noise=0.05, factor=0.5, random_state=0)
    for name, load in (
        ("iris", datasets.load_iris),
        ("wine", datasets.load_wine),
        ("digits", datasets.load_digits),
    ):
        sets[name] = made(load, return_X_y=True)
    return sets | {name: shape(f"{at}/{name}") for at in SHAPES for name in SHAPES[at].split()}


def judged(X: Any, labellings: list[Any]) -> list[dict[str, Any]]:  # noqa: ANN401
    """Every candidate with its ARI and the values that the rules compare."""
    rows = np.random.default_rng(0).permutation(len(X))[:MOST_ROWS]
    X, labellings = X[rows], [labels[rows] for labels in labellings]
    results = select(ShiftedMinCut(n_init=3, random_state=0), GRID, X).results
    scaled = StandardScaler().fit_transform(X)
    for result in results:
        model = ShiftedMinCut(n_init=3, random_state=0, **result["params"])
        old = [
            model.fit(X[train]).transform(X[test]).max(axis=1).sum()
            for train, test in KFold(3).split(X)
        ]
        labels = model.fit_predict(X)
        result["score"], result["found"] = float(np.mean(old)), model.n_clusters_
        result["silhouette"] = silhouette_score(scaled, labels) if model.n_clusters_ > 1 else -1
        result["ari"] = max(adjusted_rand_score(y[y > 0], labels[y > 0]) for y in labellings)
    return results


def shown(result: dict[str, Any]) -> str:
    params = result["params"]
    neighbors = f" {params['n_neighbors']}" if "n_neighbors" in params else ""
    return f"{result['ari']:.2f} ({result['found']}, {params['similarity']}{neighbors})"


def mean(picks: Sequence[dict[str, Any]]) -> float:
    return float(np.mean([pick["ari"] for pick in picks]))


def main() -> None:
    warnings.simplefilter("ignore", ShiftcutWarning)
    found = {name: judged(*known) for name, known in data_sets().items()}
    tuning, judging = list(found)[::2], list(found)[1::2]
    means, judged_means = (
        {t: mean([_chosen(found[name], t) for name in half]) for t in TOLERANCES}
        for half in (tuning, judging)
    )
    tolerance = signature(select).parameters["tolerance"].default
    print("mean ARI by tolerance, tuning:", {t: round(m, 3) for t, m in means.items()})
    print("mean ARI by tolerance, judging:", {t: round(m, 3) for t, m in judged_means.items()})
    rules: dict[str, Callable[[Any], Any]] = {
        "largest score": lambda rows: max(rows, key=lambda row: row["score"]),
        "silhouette": lambda rows: max(rows, key=lambda row: row["silhouette"]),
        "agreement alone": lambda rows: _chosen(rows, 0),
        "`select`": lambda rows: _chosen(rows, tolerance),
        "best of all": lambda rows: max(rows, key=lambda row: row["ari"]),
    }
    for row in (["data", *rules], ["---"] * (len(rules) + 1)):
        print(f"| {' | '.join(row)} |")
    for names, half in ((tuning, "tuning"), (judging, "judging")):
        for name in names:
            print(f"| {name} | {' | '.join(shown(rule(found[name])) for rule in rules.values())} |")
        means_of = [mean([rule(found[name]) for name in names]) for rule in rules.values()]
        print(f"| **mean, {half}** | {' | '.join(f'**{m:.3f}**' for m in means_of)} |")


if __name__ == "__main__":
    main()
