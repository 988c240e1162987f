"""A similarity matrix in blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_array, check_consistent_length

from .._arrays import Data, Floats
from ._axes import axes, in_order

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_SHOWN = 1000  # rows of a matrix; larger ones are subsampled evenly
_LEAST_NUMBERED = 0.03  # share of the rows of a block that has a number
_TAIL = 0.5  # percent of the entries at either end that the colours do not resolve


def similarities(x: Data, labels: Data, *, ax: Axes | None = None) -> Axes:
    """Plot a similarity matrix with the objects ordered by cluster, largest first.

    Blocks are numbered, unless they are thinner than 3% of the plot. Colours leave out the diagonal
    and half a percent of the entries at either end; similarities of both signs are centred at 0.

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
    check_consistent_length(matrix, labels)
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"x must be square, got shape {matrix.shape}")
    values, codes = in_order(labels)
    rank = np.empty(len(values), dtype=int)
    by_size = np.argsort(-np.bincount(codes), kind="stable")
    rank[by_size] = np.arange(len(values))
    order = np.argsort(rank[codes], kind="stable")
    order = order[:: max(1, -(-len(order) // _MOST_SHOWN))]
    shown = matrix[order][:, order]
    shown = shown.toarray() if sparse.issparse(shown) else shown
    ax = axes(ax)
    low, high = _limits(shown)
    signed = low < 0 < high
    image = ax.imshow(
        shown,
        cmap="PuOr" if signed else "cividis",
        vmin=-max(-low, high) if signed else low,
        vmax=max(-low, high) if signed else high,
        interpolation="nearest",
    )
    ax.figure.colorbar(image, ax=ax, label="similarity", extend=_extended(shown, image.get_clim()))
    _number_blocks(ax, rank[codes[order]], [str(values[place]) for place in by_size])
    n = len(values)
    ax.set(title=f"similarities of {len(codes)} objects in {n} cluster{'s' * (n != 1)}")
    return ax


def _limits(shown: Floats) -> tuple[float, float]:
    """Return the range of the entries that colours resolve."""
    apart = shown[~np.eye(len(shown), dtype=bool)] if len(shown) > 1 else shown.ravel()
    present = apart[apart != 0] if (apart == 0).mean() > 0.5 else apart
    if len(present) == 0:
        return float(shown.min()), float(shown.max())
    low, high = np.percentile(present, [_TAIL, 100 - _TAIL])
    return float(min(low, apart.min() if (apart >= 0).all() else low)), float(high)


def _extended(shown: Floats, limits: tuple[float, float]) -> str:
    below, above = bool((shown < limits[0]).any()), bool((shown > limits[1]).any())
    return {(True, True): "both", (True, False): "min", (False, True): "max"}.get(
        (below, above), "neither"
    )


def _number_blocks(ax: Axes, blocks: Data, names: list[str]) -> None:
    from matplotlib.patheffects import withStroke

    seen_on_any_colour = [withStroke(linewidth=1.6, foreground="white")]
    line: dict[str, Any] = {
        "color": "black",
        "linewidth": 0.5,
        "path_effects": seen_on_any_colour,
    }
    edges = np.flatnonzero(np.diff(blocks)) + 0.5
    for edge in edges:
        ax.axhline(edge, **line)
        ax.axvline(edge, **line)
    bounds = np.concatenate([[-0.5], edges, [len(blocks) - 0.5]])
    which = blocks[np.ceil(bounds[:-1]).astype(int)]
    wide = np.diff(bounds) >= _LEAST_NUMBERED * len(blocks)
    middles = (bounds[:-1] + bounds[1:]) / 2
    texts = [names[block] for block in which[wide]]
    ax.set_xticks(middles[wide], texts)
    ax.set_yticks(middles[wide], texts)
    ax.tick_params(length=0)
    ax.set(xlabel="cluster", ylabel="cluster")
