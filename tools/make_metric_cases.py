#!/usr/bin/env python3
"""Write tests/metrics/scikit_learn_scores.csv: label pairs with scikit-learn's scores.

Needs packages/python-bench.txt. The file is committed; rerun this only to add cases.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn import metrics

Labels = NDArray[np.int32]
TARGET = Path(__file__).parent.parent / "tests" / "metrics" / "scikit_learn_scores.csv"


def cases() -> Iterator[tuple[str, Labels, Labels]]:
    rng = np.random.default_rng(20)

    def labels(values: object) -> Labels:
        return np.asarray(values, dtype=np.int32)

    yield "empty", labels([]), labels([])
    yield "one object", labels([3]), labels([7])
    yield "two objects apart", labels([0, 1]), labels([0, 1])
    yield "two objects split", labels([0, 0]), labels([0, 1])
    yield "both one cluster", labels([1] * 9), labels([4] * 9)
    yield "constant against distinct", labels([0] * 8), labels(range(8))
    yield "distinct against constant", labels(range(8)), labels([0] * 8)
    yield "all distinct", labels(range(12)), labels(range(12))[::-1]
    yield "distinct but one pair", labels(range(12)), labels([0, *range(11)])
    yield "one cluster", rng.integers(0, 3, 40, dtype=np.int32), labels([0] * 40)
    yield "opposed", labels([0, 0, 1, 1]), labels([0, 1, 0, 1])
    yield "negative labels", labels([-5, -5, 2, 2, 9]), labels([-(2**31), 2**31 - 1, 0, 0, 0])
    for n, rows, columns in [
        (5, 2, 3),
        (10, 4, 4),
        (30, 2, 2),
        (50, 25, 3),
        (60, 50, 50),
        (100, 10, 10),
        (150, 3, 7),
        (200, 100, 5),
        (300, 6, 40),
    ]:
        truth = rng.integers(0, rows, n, dtype=np.int32)
        yield f"random {n} {rows} {columns}", truth, rng.integers(0, columns, n, dtype=np.int32)
        noisy = np.where(rng.random(n) < 0.2, rng.integers(0, columns, n), truth % columns)
        yield f"noisy {n} {rows} {columns}", truth, labels(noisy)
        yield f"renamed {n} {rows} {columns}", truth, labels(1000 - 7 * truth)
    skewed = labels(np.minimum(rng.geometric(0.3, 250), 12))
    yield "skewed", skewed, labels(np.where(rng.random(250) < 0.5, skewed, 0))


def scores(truth: Labels, found: Labels) -> list[float]:
    homogeneity, completeness, v_measure = metrics.homogeneity_completeness_v_measure(truth, found)
    return [
        metrics.adjusted_mutual_info_score(truth, found),
        metrics.adjusted_mutual_info_score(truth, found, average_method="max"),
        metrics.adjusted_rand_score(truth, found),
        v_measure,
        homogeneity,
        completeness,
    ]


def main() -> None:
    with TARGET.open("w", encoding="utf-8") as out:
        out.write("name,truth,labels,ami,ami_max,ari,v_measure,homogeneity,completeness\n")
        for name, truth, found in cases():
            lists = [" ".join(map(str, side)) for side in (truth, found)]
            numbers = [f"{value:.17g}" for value in scores(truth, found)]
            out.write(",".join([name, *lists, *numbers]) + "\n")


if __name__ == "__main__":
    main()
