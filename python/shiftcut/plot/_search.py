"""What a search did: the shift path and the cost."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._arrays import Floats
from ._axes import axes, legend, styles, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .._estimator import ShiftedMinCut

_STEADY = 0.95  # adjusted Rand index of adjacent steps of a plateau
_MANY = 30  # clusters, beyond which their axis is logarithmic


def shift_path(model: ShiftedMinCut, *, ax: Axes | None = None) -> Axes:
    """Plot the number of clusters at each shift strength tried; plateaus are shaded.

    On a plateau the clusters stay the same, not only their number, which a given `n_clusters`
    bounds: each step has an adjusted Rand index of at least 0.95 with the next.

    Parameters
    ----------
    model : ShiftedMinCut
        Fitted with an automatically chosen shift strength, so that `shift_path_` is not empty.
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes
    """
    check_is_fitted(model)
    path = sorted(model.shift_path_, key=lambda step: float(step["strength"]))
    if not path:
        raise ValueError(
            "this model has no shift path: its shift was given, not chosen (shift='auto' chooses "
            "one, for graphs)"
        )
    strength = np.array([step["strength"] for step in path], dtype=float)
    found = np.array([step["clusters"] for step in path], dtype=int)
    main, other, bound = (style.colour for style in styles(3))
    ax = axes(ax)
    label: str | None = "plateau: the same clusters"
    for begin, end in _plateaus(path):
        ax.axvspan(strength[begin], strength[end], color=main, alpha=0.15, linewidth=0, label=label)
        label = None
    ax.plot(strength, found, "o-", markersize=4, color=main, label="clusters found")
    given = model.n_clusters
    if given is not None:
        ax.axhline(given, color=bound, linestyle=":", label=f"n_clusters: at most {given}")
    chosen = model.shift_["strength"]
    ax.axvline(chosen, color=other, linestyle="--", label=f"chosen: {chosen:.3g}")
    ax.set(xscale="log", xlabel="shift strength", ylabel="clusters", title="the shift path")
    if found.max() > _MANY:
        from matplotlib.ticker import FormatStrFormatter, LogLocator

        ax.set_yscale("log")
        ax.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        ax.yaxis.set_major_formatter(FormatStrFormatter("%d"))
        ax.yaxis.minorticks_off()
    else:
        whole_numbers(ax, "y")
    legend(ax)
    return ax


def _plateaus(path: list[dict[str, Any]]) -> list[tuple[int, int]]:
    """Return the first and last step of each stretch of the same two or more clusters."""
    found = [step["clusters"] for step in path]
    joined = [
        one == other > 1 and near >= _STEADY
        for (one, other), near in zip(pairwise(found), _agreements(path), strict=True)
    ]
    edges = np.diff(np.concatenate([[0], np.array(joined, dtype=int), [0]]))
    begins, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    return [(int(begin), int(end)) for begin, end in zip(begins, ends, strict=True)]


def _agreements(path: list[dict[str, Any]]) -> list[float]:
    """Return the agreement of each step with the next: a step reports the mean with both."""
    means = [step["agreement"] for step in path]
    agreements: list[float] = []
    for mean in means[:-1]:
        agreements.append(2 * mean - agreements[-1] if agreements else mean)
    return agreements


def cost(model: ShiftedMinCut, *, ax: Axes | None = None) -> Axes:
    """Plot the cost over the sweeps of the search: a point at the end of each restart, a line for
    the lowest so far. Costs are in percent above the lowest one, which the title names.

    Parameters
    ----------
    model : ShiftedMinCut
        Fitted.
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes
    """
    check_is_fitted(model)
    restarts = model.result_["restarts"]
    if not restarts:
        raise ValueError("this model has no restarts: it was stopped before the search began")
    sweeps = np.cumsum([restart["sweeps"] for restart in restarts])
    costs = np.array([restart["cost"] for restart in restarts], dtype=float)
    above, unit = _above_lowest(costs)
    ax = axes(ax)
    names = list(dict.fromkeys(restart["method"] for restart in restarts))
    for name, (colour, marker) in zip(names, styles(len(names)), strict=True):
        mine = np.array([restart["method"] == name for restart in restarts])
        ax.scatter(sweeps[mine], above[mine], s=24, color=[colour], marker=marker, label=name)
    lowest = np.minimum.accumulate(above)
    ax.step(sweeps, lowest, where="post", color="black", linewidth=1, label="lowest so far")
    n = len(restarts)
    ax.set(
        xlabel="sweeps over the objects, all restarts",
        ylabel=f"cost above the lowest{unit}",
        title=(
            f"elected by a vote, cost {_readable(costs.min())}"
            if names == ["vote"]
            else f"{n} restart{'s' * (n != 1)}, lowest cost {_readable(costs.min())}"
        ),
    )
    ax.ticklabel_format(axis="y", useOffset=False)
    if above.max() == 0:
        ax.set_ylim(-1, 1)
        ax.set_yticks([0])
    whole_numbers(ax, "x")
    legend(ax, "search")
    return ax


def _readable(cost: float) -> str:
    return f"{cost:,.0f}" if 1e5 <= abs(cost) < 1e15 else f"{cost:,.6g}"


def _above_lowest(costs: Floats) -> tuple[Floats, str]:
    """Return the costs above the lowest one, in percent of it unless that is 0."""
    lowest = costs.min()
    if lowest == 0:
        return costs - lowest, ""
    return 100 * (costs - lowest) / abs(lowest), " (%)"
