"""Cost and Frank-Wolfe gap against the step, for local search and for Frank-Wolfe.

Maximise f(Z) = sum_op S_op z_o.z_p with every z_o in the simplex; the gradient is 2 S Z and the gap
sum_o max_k (2 S Z)_ok - (2 S Z)_o.z_o measures how far Z is from stationary, not from the optimum.

Local search moves one object per step. With the diagonal of S at zero f is linear in z_o, so the
exact line search of Frank-Wolfe on that block goes all the way: both take the same step, and the
step gains exactly its block's gap. Hence the smallest expected gap of T steps is at most
n (f_T - f_0) / T. With all blocks at once, the diagonal kept, and S positive semidefinite, f is
convex, the full step gains at least the gap, and the smallest gap is at most (f_T - f_0) / T.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.datasets import load_wine

from shiftcut import ShiftedMinCut

from ...data.datasets import DataSet, Floats, Labels
from ...report.document import Grid, Picture
from ...report.drawing import COLORS, new_figure, save
from ..pipelines import STANDARD, Problem
from .exhaustive import adaptive_shift


@dataclass
class Trace:
    values: list[float]  # f after each step
    gaps: list[float]  # of all blocks, before each step
    labels: Labels


def indicator(labels: Labels, k: int) -> Floats:
    return np.eye(k)[labels]


def cost_of(shifted: Floats, labels: Labels) -> float:
    """The definition: minus the sum of S within clusters, the diagonal included."""
    return -float(shifted[labels[:, None] == labels[None, :]].sum())


def local_search(shifted: Floats, k: int, seed: int) -> Trace:
    """Visit the objects in random order until a sweep moves none."""
    rng = np.random.default_rng(seed)
    n = len(shifted)
    plain = shifted - np.diag(np.diag(shifted))
    labels = rng.integers(0, k, n)
    affinity = plain @ indicator(labels, k)
    value = float(affinity[np.arange(n), labels].sum())
    value += float(np.trace(shifted))  # constant, and part of the cost
    values, gaps = [value], list[float]()
    tiny = 1e-12 * float(np.abs(shifted).max()) * n
    moved = True
    while moved:
        moved = False
        for o in rng.permutation(n):
            gaps.append(2 * float((affinity.max(axis=1) - affinity[np.arange(n), labels]).sum()))
            best = int(affinity[o].argmax())
            gain = float(affinity[o, best] - affinity[o, labels[o]])
            if gain > tiny:
                affinity[:, labels[o]] -= plain[:, o]
                affinity[:, best] += plain[:, o]
                labels[o] = best
                value += 2 * gain
                moved = True
            values.append(value)
    return Trace(values, gaps, labels)


def frank_wolfe(shifted: Floats, k: int, seed: int, steps: int = 500) -> Trace:
    """All objects at once, from a point inside the simplices, with exact line search."""
    rng = np.random.default_rng(seed)
    n = len(shifted)
    z = rng.dirichlet(np.ones(k), n)
    values, gaps = [float(np.sum(z * (shifted @ z)))], list[float]()
    for _ in range(steps):
        gradient = 2 * (shifted @ z)
        step = indicator(gradient.argmax(axis=1), k) - z
        gap = float(np.sum(gradient * step))
        gaps.append(gap)
        if gap <= 1e-9 * abs(values[-1]):
            break
        curvature = float(np.sum(step * (shifted @ step)))
        length = 1.0 if curvature >= 0 else min(1.0, gap / (-2 * curvature))
        z = z + length * step
        values.append(values[-1] + length * gap + length**2 * curvature)
    return Trace(values, gaps, np.asarray(z.argmax(axis=1), dtype=np.int64))


def chosen_data(data: dict[str, DataSet]) -> DataSet:
    if "Forest Type" in data:
        return data["Forest Type"]
    wine = load_wine()
    return DataSet("wine (scikit-learn)", wine.data, np.asarray(wine.target, dtype=np.int64))


def _draw(traces: dict[str, Trace], n: int, file: Path) -> Path:
    figure = new_figure(9, 3.2)
    left, right = figure.subplots(1, 2)
    for (name, trace), color in zip(traces.items(), COLORS, strict=False):
        scale = n if name == "local search" else 1
        left.plot(
            np.arange(len(trace.values)) / scale, -np.array(trace.values), color=color, label=name
        )
        steps = np.arange(1, len(trace.gaps) + 1)
        smallest = np.minimum.accumulate(np.maximum(trace.gaps, 1e-12))
        shown = smallest > 1e-9
        envelope = scale * (trace.values[-1] - trace.values[0]) / steps
        right.loglog(
            steps[shown], smallest[shown], color=color, label=f"{name}: smallest gap so far"
        )
        right.loglog(steps, envelope, color=color, ls=":", label=f"{name}: bound ~ 1/t")
    left.set_xlabel("rounds through all objects")
    left.set_ylabel("cost")
    left.legend()
    right.set_xlabel("step t (one object, or all at once)")
    right.set_ylabel("Frank-Wolfe gap")
    right.legend(fontsize=7, loc="upper right")
    return save(figure, file)


def convergence(data: dict[str, DataSet], folder: Path) -> tuple[Picture, Grid]:
    """The traces on one data set, and the costs reached beside the library's."""
    one = chosen_data(data)
    problem = Problem(one, STANDARD)
    shifted = adaptive_shift(problem.similarities)
    traces = {
        "local search": local_search(shifted, one.k, 0),
        "Frank-Wolfe": frank_wolfe(shifted, one.k, 0),
    }
    grid = Grid(
        "convergence", f"Costs reached from one random start, {one.name}",
        ["search", "steps", "cost", "bound held"],
    )  # fmt: skip
    for name, trace in traces.items():
        scale = len(shifted) if name == "local search" else 1
        bound = scale * (trace.values[-1] - trace.values[0]) / len(trace.gaps)
        cost = cost_of(shifted, trace.labels)
        held = "yes" if min(trace.gaps) <= bound + 1e-9 * abs(cost) else "no"
        grid.rows.append([f"{name}, here", str(len(trace.gaps)), f"{cost:.4f}", held])
    for method in ("local-search", "frank-wolfe"):
        model = ShiftedMinCut(
            one.k,
            similarity="precomputed",
            shift="adaptive",
            method=method,
            n_init=10,
            random_state=0,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(problem.similarities)
        again = cost_of(shifted, np.asarray(model.labels_, dtype=np.int64))
        agree = "equal" if abs(again - model.cost_) <= 1e-8 * abs(again) else "NOT EQUAL"
        grid.rows.append(
            [f"{method}, library, 10 restarts", "", f"{model.cost_:.4f}", f"definition: {agree}"]
        )
    picture = Picture(
        _draw(traces, len(shifted), folder / "convergence.svg"),
        f"Convergence on {one.name}",
        "Left: cost against rounds. Right: the smallest gap so far and the 1/t bound of each. "
        "The bound is of the gap, a measure of stationarity; it says nothing of the distance to "
        "the best clustering. Each local-search step with a gain gains exactly its block's gap.",
    )
    return picture, grid
