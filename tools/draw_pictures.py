#!/usr/bin/env python3
"""Draw the pictures of docs/python.md: tools/draw_pictures.py [FOLDER] (docs/pictures)."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits, load_wine

from shiftcut import ShiftcutWarning, ShiftedMinCut, plot

ROOT = Path(__file__).resolve().parent.parent


def save(name: str, folder: Path) -> None:
    plt.gcf().set_size_inches(6.2, 3.6)
    # No date or version in the file, so the same plot gives the same bytes.
    plt.savefig(folder / f"{name}.png", dpi=80, metadata={"Software": None})
    plt.close("all")


def main() -> int:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore", ShiftcutWarning)
    wine = load_wine().data
    model = ShiftedMinCut(n_clusters=3, random_state=0).fit(wine)
    plot.clusters(wine, model.labels_)
    save("clusters", folder)

    y = (wine - wine.mean(axis=0)) / wine.std(axis=0)
    squared = ((y[:, None] - y) ** 2).sum(axis=2)
    plot.similarities(np.exp(-squared / 12), model.labels_)
    save("similarities", folder)

    digits = load_digits().data
    many = ShiftedMinCut(n_clusters=10, similarity="linear", random_state=0).fit(digits)
    plot.cost(many)
    save("cost", folder)
    free = ShiftedMinCut(scale="none", random_state=0).fit(digits)
    plot.shift_path(free)
    save("shift_path", folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
