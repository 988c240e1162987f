"""The paper's two figures, with exact optima instead of sketches.

Weights decrease with distance, X = 1 / (1 + distance). All partitions into two clusters are tried.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.distance import pdist, squareform

from ...data.datasets import Floats
from ...report.document import Picture
from ...report.drawing import COLORS, new_figure, save
from . import exhaustive
from .exhaustive import Partitions

DRAWS = 50


def weights(points: Floats) -> Floats:
    return np.asarray(1 / (1 + squareform(pdist(points))))


def dense_and_sparse() -> Floats:
    """Ten objects close together on the left, six wide apart on the right."""
    rng = np.random.default_rng(4)
    left = rng.normal((0, 0), (0.35, 0.6), size=(10, 2))
    right = np.array([[3.2, 1.8], [3.4, -1.6], [4.9, 0.3], [6.3, 2.1], [6.6, -1.9], [8.2, 0.4]])
    return np.concatenate([left, right])


def group_and_stray(seed: int = 2) -> Floats:
    """Fourteen objects in one group and a fifteenth, i, far away."""
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.normal((0, 0), (1.0, 0.7), size=(14, 2)), [[9.0, 0.0]]])


def optimum(cost: exhaustive.Cost, values: Floats) -> Partitions:
    labels = exhaustive.partitions(len(values), 2)
    return np.asarray(exhaustive.optima(cost, values, labels)[0])


def adaptive_optimum(points: Floats) -> Partitions:
    return optimum(exhaustive.shifted_min_cut, exhaustive.adaptive_shift(weights(points)))


def sizes(labels: Partitions) -> tuple[int, int]:
    second = int(labels.sum())
    return min(second, len(labels) - second), max(second, len(labels) - second)


def _draw(axes: Any, points: Floats, labels: Partitions, title: str) -> None:  # noqa: ANN401
    smaller = int(labels.sum() * 2 <= len(labels))
    for cluster, color, marker in ((1 - smaller, COLORS[0], "o"), (smaller, COLORS[1], "s")):
        chosen = points[labels == cluster]
        axes.scatter(chosen[:, 0], chosen[:, 1], s=26, c=color, marker=marker)
    small, large = sizes(labels)
    axes.set_title(f"{title}\n{small} + {large}")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_aspect("equal", adjustable="datalim")


def min_cut_figure(folder: Path) -> Picture:
    """Why Min Cut splits off single objects."""
    points = dense_and_sparse()
    similarities = weights(points)
    panels = {
        "Min Cut": optimum(exhaustive.min_cut, similarities),
        "ratio cut": optimum(exhaustive.ratio_cut, similarities),
        "normalised cut": optimum(exhaustive.normalized_cut, similarities),
        "Shifted Min Cut, adaptive": adaptive_optimum(points),
    }
    figure = new_figure(10, 2.6)
    for axes, (title, labels) in zip(figure.subplots(1, 4), panels.items(), strict=True):
        _draw(axes, points, labels, title)
    found = "; ".join(
        f"{name}: {sizes(labels)[0]} + {sizes(labels)[1]}" for name, labels in panels.items()
    )
    return Picture(
        save(figure, folder / "min-cut.svg"),
        "Min Cut splits off a single object",
        f"Exact optima over all {len(exhaustive.partitions(len(points), 2)):,} ways to make two "
        f"clusters of {len(points)} objects. {found}. A cut through the middle crosses many edges; "
        "one around a lonely object crosses few.",
    )


def large_shift_figure(folder: Path) -> Picture:
    """What too large a constant shift does to clusters of unequal size."""
    points = group_and_stray()
    similarities = weights(points)
    alphas = np.round(np.linspace(0, 1.5, 61), 3)
    found = {a: optimum(exhaustive.shifted_min_cut, similarities - a) for a in alphas}
    smallest = [sizes(found[a])[0] for a in alphas]
    adaptive = adaptive_optimum(points)
    figure = new_figure(10, 2.6)
    small, large, own, curve = figure.subplots(1, 4)
    _draw(small, points, found[alphas[0]], "no shift (Min Cut)")
    _draw(large, points, found[alphas[-1]], f"constant shift {alphas[-1]:g}")
    _draw(own, points, adaptive, "adaptive shift")
    curve.step(alphas, smallest, where="post", color=COLORS[0])
    curve.set_xlabel("constant shift")
    curve.set_title("size of the smaller cluster")
    first = next((float(a) for a, size in zip(alphas, smallest, strict=True) if size > 1), None)
    apart = (
        "at every shift tried the stray object stays alone"
        if first is None
        else f"from a shift of {first:g} on the group is torn"
    )
    kept = sum(sizes(adaptive_optimum(group_and_stray(seed)))[0] == 1 for seed in range(DRAWS))
    small_one, large_one = sizes(adaptive)
    return Picture(
        save(figure, folder / "large-shift.svg"),
        "Too large a constant shift splits the group",
        f"Exact optima with two clusters of {len(points)} objects: {apart}. The adaptive shift "
        f"gives {small_one} + {large_one}; it leaves the group whole in {kept} of {DRAWS} random "
        "draws of such data.",
    )
