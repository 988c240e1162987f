"""Which number of clusters `shiftcut.stability` chooses, and how good that solution is.

    python -m experiments.stability [FILE]

For every shape and UCI table with at most 400 rows each, the candidates are K = 2 to 10, 12, 15 and
20. Several rules choose one of them from its figures; "null" is the same figure after the columns
were shuffled, each by itself. Rules and their constants are chosen on every other data set and
judged on the rest. Prints Markdown; takes about ten minutes. FILE keeps the figures between runs.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import adjusted_rand_score

from shiftcut import ShiftcutWarning, stability

from .data.datasets import available
from .places import SHARED

MOST_ROWS = 400
COUNTS = [*range(2, 11), 12, 15, 20]
SETTINGS: dict[str, Any] = {"n_resamples": 10, "n_init": 3}
NULLS = 6  # subsamples of the shuffled table
TOLERANCES = (0.0, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2)
Row = dict[str, Any]
Rule = Callable[[Sequence[Row]], Row]


def data_sets() -> dict[str, tuple[Any, list[Any]]]:
    """The rows and one or more labellings of each; label 0 is noise."""
    sets: dict[str, tuple[Any, list[Any]]] = {}
    for file in sorted((SHARED / "data" / "shapes").glob("*/*.data.gz")):
        name = file.name.removesuffix(".data.gz")
        labels = sorted(file.parent.glob(f"{name}.labels*.gz"))
        sets[name] = np.loadtxt(file), [np.loadtxt(path, dtype=int) for path in labels]
    for name, table in available().items():
        sets[name] = np.asarray(table.rows), [np.unique(table.classes, return_inverse=True)[1] + 1]
    return sets


def judged(X: Any, labellings: list[Any]) -> list[Row]:  # noqa: ANN401
    """Every candidate with its figures, and its adjusted Rand index with the classes."""
    random = np.random.default_rng(0)
    rows = random.permutation(len(X))[:MOST_ROWS]
    X, labellings = X[rows], [labels[rows] for labels in labellings]
    shuffled = np.column_stack([random.permutation(column) for column in X.T])
    of_data = stability(X, [*COUNTS, None], **SETTINGS)
    of_null = stability(shuffled, COUNTS, **{**SETTINGS, "n_resamples": NULLS})
    null = {one.asked: one for one in of_null.candidates}
    return [
        {
            "asked": one.asked,
            "found": one.n_clusters,
            "agreement": one.agreement,
            "mean": float(one.recovery.mean()),
            "weakest": one.weakest,
            "null agreement": null[one.asked].agreement if one.asked else 0.0,
            "null mean": float(null[one.asked].recovery.mean()) if one.asked else 0.0,
            "ari": max(
                adjusted_rand_score(y[y > 0], one.estimator.labels_[y > 0]) for y in labellings
            ),
        }
        for one in of_data.candidates
    ]


def largest_within(tolerance: float, figure: str = "agreement", null: float = 0.0) -> Rule:
    """The most clusters among those within a tolerance of the best."""

    def value(row: Row) -> float:
        return float(row[figure] - null * row[f"null {figure}"] if null else row[figure])

    def choose(rows: Sequence[Row]) -> Row:
        most = max(map(value, rows))
        near = [row for row in rows if value(row) >= most - tolerance]
        return max(near, key=lambda row: (row["found"], value(row)))

    return choose


def all_recovered(least: float) -> Rule:
    """The most clusters all of which are recovered; if none are, the best agreement."""

    def choose(rows: Sequence[Row]) -> Row:
        kept = [row for row in rows if row["weakest"] >= least]
        return max(kept or rows, key=lambda row: row["found" if kept else "agreement"])

    return choose


def of_chance(rows: Sequence[Row]) -> Row:
    """The largest share of what the null leaves."""
    return max(
        rows, key=lambda r: (r["agreement"] - r["null agreement"]) / (1.01 - r["null agreement"])
    )


def rules() -> dict[str, Rule]:
    made: dict[str, Rule] = {}
    for tolerance in TOLERANCES:
        for figure in ("agreement", "mean", "weakest"):
            made[f"{figure}, tolerance {tolerance:g}"] = largest_within(tolerance, figure)
        for figure in ("agreement", "mean"):
            made[f"{figure} - null, tolerance {tolerance:g}"] = largest_within(tolerance, figure, 1)
            made[f"{figure} - null / 2, tolerance {tolerance:g}"] = largest_within(
                tolerance, figure, 0.5
            )
    for least in (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9):
        made[f"every cluster recovered at {least:g}"] = all_recovered(least)
    made["agreement beyond the null"] = of_chance
    made["best of all, given the classes"] = lambda rows: max(rows, key=lambda row: row["ari"])
    return made


def collected(file: Path | None) -> dict[str, list[Row]]:
    if file is not None and file.exists():
        kept: dict[str, list[Row]] = json.loads(file.read_text())
        return kept
    found = {}
    for name, known in data_sets().items():
        found[name] = judged(*known)
        print(name, "done", file=sys.stderr, flush=True)
    if file is not None:
        file.write_text(json.dumps(found))
    return found


def main() -> None:
    warnings.simplefilter("ignore", ShiftcutWarning)
    found = collected(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
    names = list(found)
    given = {name: [row for row in found[name] if row["asked"] is not None] for name in names}

    def mean(choose: Rule, which: Sequence[str]) -> float:
        return float(np.mean([choose(given[name])["ari"] for name in which]))

    print("| rule | tuning half | other half |\n|---|---|---|")
    for rule, choose in sorted(rules().items(), key=lambda item: -mean(item[1], names[::2])):
        print(f"| {rule} | {mean(choose, names[::2]):.3f} | {mean(choose, names[1::2]):.3f} |")
    free = [next(row for row in found[name] if row["asked"] is None)["ari"] for name in names]
    print(f"| K estimated by the fit | {np.mean(free[::2]):.3f} | {np.mean(free[1::2]):.3f} |")


if __name__ == "__main__":
    main()
