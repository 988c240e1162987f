"""How stable clusters are over subsamples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._stability import HIGHLY_STABLE, TRUSTED, Stability
from ._axes import axes, legend, styles, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def stability(found: Stability, *, ax: Axes | None = None) -> Axes:
    """Plot a result of `shiftcut.stability`: the figures of each number of clusters or, if there is
    only one, the recovery of each cluster.

    Parameters
    ----------
    found : Stability
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes
    """
    ax = axes(ax)
    if len(found.candidates) > 1:
        _draw_numbers(ax, found)
    else:
        _draw_clusters(ax, found)
    ax.set_ylim(0, 1.03)
    legend(ax)
    return ax


def _draw_numbers(ax: Axes, found: Stability) -> None:
    candidates = sorted(found.candidates, key=lambda one: one.n_clusters)
    numbers = [one.n_clusters for one in candidates]
    first, second, third, fourth = styles(4)
    ax.errorbar(
        numbers,
        [one.agreement for one in candidates],
        [one.spread for one in candidates],
        color=first.colour,
        marker="o",
        capsize=3,
        label="agreement (ARI, ± sd)",
    )
    means = [one.mean_recovery for one in candidates]
    ax.plot(numbers, means, color=second.colour, marker="s", label="recovery, mean")
    weakest = [one.weakest for one in candidates]
    ax.plot(numbers, weakest, color=third.colour, marker="^", label="recovery, weakest cluster")
    ax.axvline(
        found.n_clusters, color=fourth.colour, linestyle="--", label=f"selected: {found.n_clusters}"
    )
    ax.set(
        xlabel="clusters",
        ylabel="agreement, recovery",
        title=f"stability over {found.n_resamples} subsamples of {100 * found.fraction:g}%",
    )
    whole_numbers(ax, "x")


def _draw_clusters(ax: Axes, found: Stability) -> None:
    ax.bar(np.arange(found.n_clusters), found.recovery, color=styles(1)[0].colour, label="recovery")
    ax.axhline(HIGHLY_STABLE, color="black", linestyle=":", label=f"highly stable: {HIGHLY_STABLE}")
    ax.axhline(TRUSTED, color="black", linestyle="--", label=f"trusted: {TRUSTED}")
    ax.set(
        xlabel="cluster",
        ylabel="mean Jaccard coefficient",
        title=f"recovery of clusters; agreement {found.agreement:.2f}",
    )
    whole_numbers(ax, "x")
