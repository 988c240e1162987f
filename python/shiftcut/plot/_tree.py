"""The hierarchy of a fit as a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._arrays import Floats, Labels
from ._axes import axes, styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .._estimator import ShiftedMinCut


def tree(model: ShiftedMinCut, n_clusters: int = 12, *, ax: Axes | None = None) -> Axes:
    """Plot the top of the hierarchy: how clusters merge as the shift weakens.

    Leaves are the clusters of `labels_at(n_clusters)` with their sizes, coloured by the cluster of
    `labels_` that they belong to or hold; above the dashed line, the clusters of the fit merge.

    Parameters
    ----------
    model : fitted ShiftedMinCut
        With a hierarchy: see `linkage_`.
    n_clusters : int, default=12
        Number of leaves, at least the number of clusters of the fit is shown.
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes
    """
    check_is_fitted(model)
    merges = model.linkage_
    n = len(merges) + 1
    found = model.n_clusters_
    leaves = min(n, max(n_clusters, found, 2))
    ax = axes(ax)
    if n < 2:
        return ax
    first = n - leaves  # merges before this one are within leaves
    own = _cluster_of(merges, model.labels_)
    place, heights = _tree_places(merges, first)
    strengths = np.maximum(1 / merges[:, 2] - 1, 0)
    positive = strengths[first:][strengths[first:] > 0]
    least = positive.min() / 2 if len(positive) else 0.5
    level = np.full(2 * n - 1, np.nan)
    level[n + first :] = np.maximum(strengths[first:], least)
    top = np.nanmax(level) * 2
    level[np.isnan(level)] = top
    colours = [style.colour for style in styles(found)]
    for merge in range(first, n - 1):
        parts = merges[merge, :2].astype(int)
        y = level[n + merge]
        for part in parts:
            colour = "0.35" if own[part] < 0 else colours[own[part]]
            ax.plot([place[part], place[part]], [level[part], y], color=colour, lw=1.6)
        whole = "0.35" if own[n + merge] < 0 else colours[own[n + merge]]
        ax.plot(place[parts], [y, y], color=whole, lw=1.6, solid_capstyle="projecting")
    sizes = np.concatenate([np.ones(n), merges[:, 3]]).astype(int)
    ax.set_xticks(
        [place[leaf] for leaf in heights],
        [str(sizes[leaf]) for leaf in heights],
        rotation=90 if leaves > 20 else 0,
        fontsize="small",
    )
    for text, leaf in zip(ax.get_xticklabels(), heights, strict=True):
        text.set_color("0.2" if own[leaf] < 0 else colours[own[leaf]])
    if 1 < found < leaves:
        below = level[n + n - found - 1]
        ax.axhline(
            float(np.sqrt(below * level[2 * n - found])) if found > 1 else below,
            color="0.6",
            ls="--",
            lw=1,
            zorder=0,
        )
    ax.set_yscale("log")
    ax.set_ylim(top, least / 1.5)
    ax.set(xlabel="objects", ylabel="shift strength", title=f"{n} objects, {leaves} of the levels")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _cluster_of(merges: Floats, labels: Labels) -> Labels:
    """The cluster of `labels` that each node of the hierarchy is in; -1: it holds several."""
    own = np.concatenate([labels, np.zeros(len(merges), dtype=np.int32)])
    n = len(labels)
    for merge, (left, right) in enumerate(merges[:, :2].astype(int).tolist()):
        own[n + merge] = own[left] if own[left] == own[right] else -1
    return own


def _tree_places(merges: Floats, first: int) -> tuple[Floats, list[int]]:
    """Horizontal places of the nodes from the leaves on, and the leaves from left to right."""
    n = len(merges) + 1
    place = np.full(2 * n - 1, np.nan)
    leaves: list[int] = []
    waiting = [2 * n - 2]
    while waiting:
        node = waiting.pop()
        if node < n + first:
            place[node] = len(leaves)
            leaves.append(node)
        else:
            parts = merges[node - n, :2].astype(int).tolist()
            sizes = [1 if part < n else merges[part - n, 3] for part in parts]
            waiting += [part for _, part in sorted(zip(sizes, parts, strict=True))]
    for merge in range(first, n - 1):
        place[n + merge] = place[merges[merge, :2].astype(int)].mean()
    return place, leaves
