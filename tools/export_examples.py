#!/usr/bin/env python3
"""Write the example tables from scikit-learn's copies of three UCI data sets.

Needs packages/python-bench.txt. The tables are committed; examples/README.md names their sources.
"""

from __future__ import annotations

import gzip
import io
from pathlib import Path

from sklearn import datasets

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def table(name: str) -> str:
    """Return a data set as CSV: the features, then the class in the column `label`."""
    data = getattr(datasets, f"load_{name}")()
    out = io.StringIO()
    names = [feature.replace(" (cm)", "_cm").replace(" ", "_") for feature in data.feature_names]
    out.write(",".join([*names, "label"]) + "\n")
    for row, target in zip(data.data, data.target, strict=True):
        cells = [str(float(cell)).removesuffix(".0") for cell in row]
        out.write(",".join([*cells, str(data.target_names[target])]) + "\n")
    return out.getvalue()


def main() -> None:
    for name in ("wine", "iris"):
        (EXAMPLES / f"{name}.csv").write_text(table(name), encoding="utf-8")
    digits = table("digits").encode()
    (EXAMPLES / "digits.csv.gz").write_bytes(gzip.compress(digits, mtime=0))


if __name__ == "__main__":
    main()
