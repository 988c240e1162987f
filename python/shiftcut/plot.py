"""Plots of clusters, similarities and searches (needs matplotlib: `pip install shiftcut[plot]`).

Every function draws on `ax`, or on new axes if it is None, and returns the axes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted

from ._arrays import Data, Floats, Matrix
from ._table import TableEncoder, is_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._estimator import ShiftedMinCut

__all__ = ["clusters", "cost", "shift_path", "similarities"]

_MOST_SHOWN = 1000  # rows of a matrix; larger ones are subsampled evenly
_MOST_NAMED = 12  # clusters in a legend


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("shiftcut.plot needs matplotlib: pip install shiftcut[plot]") from error
    return plt.subplots()[1]


def _colours(n: int) -> list[tuple[float, float, float, float]]:
    import matplotlib as mpl

    name = "tab10" if n <= 10 else "tab20" if n <= 20 else "turbo"
    chosen = mpl.colormaps[name]
    if n <= 20:
        return [chosen(i) for i in range(n)]
    return [chosen(i / (n - 1)) for i in range(n)]


def _two_components(rows: Matrix) -> tuple[Floats, list[str]]:
    """Project the rows onto two principal components, after standardising the columns."""
    if rows.shape[1] == 1:
        return np.column_stack([rows[:, 0], np.zeros(len(rows))]), ["feature 0", ""]
    if sparse.issparse(rows):
        from sklearn.decomposition import TruncatedSVD

        if rows.shape[1] == 2:
            return np.asarray(rows.toarray()), ["feature 0", "feature 1"]
        return np.asarray(TruncatedSVD(2, random_state=0).fit_transform(rows)), [
            "component 1",
            "component 2",
        ]
    from sklearn.decomposition import PCA
    from sklearn.preprocessing import StandardScaler

    pca = PCA(2, random_state=0)
    places = np.asarray(pca.fit_transform(StandardScaler().fit_transform(rows)))
    names = [
        f"component {i + 1} ({100 * share:.0f}% of the variance)"
        for i, share in enumerate(pca.explained_variance_ratio_)
    ]
    return places, names


def clusters(X: Data, labels: Data, *, ax: Axes | None = None) -> Axes:
    """Plot the rows of X in two principal components, one colour per cluster.

    Parameters
    ----------
    X : {array-like, sparse matrix, DataFrame} of shape (n_samples, n_features)
        As for `ShiftedMinCut.fit`.
    labels : array-like of shape (n_samples,)
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes
    """
    given = TableEncoder().fit_encode(X)[0] if is_table(X) else X
    rows = check_array(given, accept_sparse="csr", ensure_min_samples=2)
    found = np.asarray(labels)
    check_consistent_length(rows, found)
    places, names = _two_components(rows)
    ax = _axes(ax)
    values, sizes = np.unique(found, return_counts=True)
    for value, size, colour in zip(values, sizes, _colours(len(values)), strict=True):
        mine = found == value
        label = f"{value}: {size}" if len(values) <= _MOST_NAMED else None
        ax.scatter(places[mine, 0], places[mine, 1], s=14, color=colour, label=label, alpha=0.8)
    ax.set(
        xlabel=names[0], ylabel=names[1], title=f"{len(found)} objects in {len(values)} clusters"
    )
    if len(values) <= _MOST_NAMED:
        ax.legend(title="cluster: objects", fontsize="small")
    return ax


def similarities(x: Data, labels: Data, *, ax: Axes | None = None) -> Axes:
    """Plot a similarity matrix with the objects ordered by cluster, largest first.

    Parameters
    ----------
    x : {array-like, sparse matrix} of shape (n_samples, n_samples)
        Similarity matrix; with more than 1000 objects, an evenly spaced subset is shown.
    labels : array-like of shape (n_samples,)
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes
    """
    matrix = check_array(x, accept_sparse="csr")
    found = np.asarray(labels)
    check_consistent_length(matrix, found)
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"x must be square, got shape {matrix.shape}")
    values, codes, sizes = np.unique(found, return_inverse=True, return_counts=True)
    rank = np.empty(len(values), dtype=int)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(values))
    order = np.argsort(rank[codes], kind="stable")
    order = order[:: max(1, -(-len(order) // _MOST_SHOWN))]
    shown = matrix[order][:, order]
    shown = shown.toarray() if sparse.issparse(shown) else shown
    ax = _axes(ax)
    image = ax.imshow(shown, cmap="viridis", interpolation="nearest")
    ax.figure.colorbar(image, ax=ax, label="similarity")
    edges = np.flatnonzero(np.diff(rank[codes[order]])) + 0.5
    for edge in edges:
        ax.axhline(edge, color="white", linewidth=0.8)
        ax.axvline(edge, color="white", linewidth=0.8)
    ax.set(title=f"similarities, ordered by {len(values)} clusters", xticks=[], yticks=[])
    return ax


def shift_path(model: ShiftedMinCut, *, ax: Axes | None = None) -> Axes:
    """Plot the number of clusters at each shift strength tried; plateaus are shaded.

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
    ax = _axes(ax)
    for begin, end in _plateaus(found):
        ax.axvspan(strength[begin], strength[end], color="tab:blue", alpha=0.12, linewidth=0)
    ax.plot(strength, found, "o-", markersize=4)
    ax.axvline(model.shift_["strength"], color="tab:red", linestyle="--", label="chosen")
    ax.set(xscale="log", xlabel="shift strength", ylabel="clusters", title="the shift path")
    ax.legend()
    return ax


def _plateaus(found: Floats | Matrix) -> list[tuple[int, int]]:
    """Return the first and last index of each run of equal cluster counts above one."""
    cuts = np.flatnonzero(np.diff(found)) + 1
    stretches = np.split(np.arange(len(found)), cuts)
    return [
        (int(part[0]), int(part[-1])) for part in stretches if len(part) > 1 and found[part[0]] > 1
    ]


def cost(model: ShiftedMinCut, *, ax: Axes | None = None) -> Axes:
    """Plot the cost over the sweeps of the search: a dot at the end of each restart, a line for the
    lowest so far.

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
    sweeps = np.cumsum([restart["sweeps"] for restart in restarts])
    costs = np.array([restart["cost"] for restart in restarts], dtype=float)
    ax = _axes(ax)
    methods = sorted({restart["method"] for restart in restarts})
    for method, colour in zip(methods, _colours(len(methods)), strict=True):
        mine = np.array([restart["method"] == method for restart in restarts])
        ax.scatter(sweeps[mine], costs[mine], s=18, color=colour, label=method)
    ax.step(
        sweeps, np.minimum.accumulate(costs), where="post", color="black", label="lowest so far"
    )
    ax.set(xlabel="sweeps", ylabel="cost", title=f"{len(restarts)} restarts")
    ax.legend()
    return ax
