"""The objects as points, one style per cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_array, check_consistent_length

from .._arrays import Data, Floats, Matrix
from .._frames import frame_of
from .._table import TableEncoder, is_table
from ._axes import NOISE_COLOUR, axes, in_order, legend, styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NOISE = (-1, "-1")
_EMBEDDINGS = ("X_umap", "X_tsne", "X_draw_graph_fa", "X_draw_graph_fr", "X_pca")
_DENSE = 2000  # points, beyond which they are drawn smaller


def clusters(X: Data, labels: Data, *, basis: str | None = None, ax: Axes | None = None) -> Axes:
    """Plot the objects, one colour and marker per cluster.

    Two columns are drawn as they are; of more columns, the two principal components after
    standardising.

    Parameters
    ----------
    X : {array-like, sparse matrix, DataFrame} of shape (n_samples, n_features), or AnnData
        As for `ShiftedMinCut.fit`, or an embedding in two dimensions.
    labels : array-like of shape (n_samples,), or str
        For an AnnData object, also a key of its `obs`. -1 is drawn as noise.
    basis : str or None, default=None
        The embedding of an AnnData object, of which the first two columns are drawn: a key of its
        `obsm`, with or without "X_". None: "X_umap", or another one that is there.
    ax : matplotlib Axes, optional

    Returns
    -------
    Axes
    """
    is_annotated = hasattr(X, "obsm") and hasattr(X, "obs")
    if basis is not None and not is_annotated:
        raise ValueError(f"basis: found {basis!r} without an AnnData object; allowed: None")
    if isinstance(labels, str):
        labels = _column(X, labels) if is_annotated else [labels]
    places, names = _embedding(X, basis) if is_annotated else _places(X)
    check_consistent_length(places, labels)
    values, codes = in_order(labels)
    in_rows = places.shape[1] == 1
    if in_rows:
        places, names = _beside(places, codes), [names[0], "cluster"]
    ax = axes(ax)
    size = 16.0 if len(places) <= _DENSE else max(2.0, 16.0 * _DENSE / len(places))
    has_noise = any(value in _NOISE for value in values)
    own = iter(styles(len(values)))
    for place, value in enumerate(values):
        mine = places[codes == place]
        if value in _NOISE:
            colour, marker, label = NOISE_COLOUR, "x", f"noise: {len(mine)}"
            edge: dict[str, Any] = {"linewidths": 0.6}
        else:
            (colour, marker), label = next(own), f"{value}: {len(mine)}"
            edge = {"edgecolors": tuple(0.55 * part for part in colour), "linewidths": 0.3}
        ax.scatter(
            mine[:, 0], mine[:, 1], s=size, color=[colour], marker=marker, label=label, **edge
        )
    if in_rows:
        ax.set_yticks(range(len(values)), [str(value) for value in values])
    n = len(values) - has_noise
    ax.set(
        xlabel=names[0],
        ylabel=names[1],
        title=f"{len(codes)} objects in {n} cluster{'s' * (n != 1)}",
    )
    legend(ax, "cluster: objects")
    return ax


def _column(adata: Data, key: str) -> Data:
    if key not in adata.obs:
        known = ", ".join(repr(str(name)) for name in adata.obs)
        raise ValueError(f"labels: found {key!r}, which is not in adata.obs; allowed: {known}")
    return adata.obs[key]


def _embedding(adata: Data, basis: str | None) -> tuple[Floats, list[str]]:
    known: Mapping[str, Any] = adata.obsm
    wanted = [basis, f"X_{basis}"] if basis is not None else [*_EMBEDDINGS, *known]
    key = next((name for name in wanted if name in known), None)
    if key is None:
        listed = ", ".join(map(repr, known)) or "nothing, as adata.obsm is empty"
        raise ValueError(f"basis: found {basis!r}, which is not in adata.obsm; allowed: {listed}")
    places = np.asarray(known[key], dtype=np.float64)[:, :2]
    name = key.removeprefix("X_")
    return places, [f"{name} 1", f"{name} 2"]


def _places(X: Data) -> tuple[Floats, list[str]]:
    """Return one or two coordinates for each row, and their names."""
    frame = frame_of(X)
    names = [f"feature {place}" for place in range(2)]
    if frame is not None and not is_table(X):
        names = frame.names[:2]
    given = TableEncoder().fit_encode(X)[0] if is_table(X) else X
    rows = check_array(given, accept_sparse="csr", ensure_min_samples=2)
    if rows.shape[1] <= 2:
        return np.asarray(rows.toarray() if sparse.issparse(rows) else rows), names
    return _two_components(rows)


def _two_components(rows: Matrix) -> tuple[Floats, list[str]]:
    """Project the rows onto two principal components, after standardising the columns."""
    if sparse.issparse(rows):
        from sklearn.decomposition import TruncatedSVD

        places = np.asarray(TruncatedSVD(2, random_state=0).fit_transform(rows))
        return places, ["component 1", "component 2"]
    from sklearn.decomposition import PCA
    from sklearn.preprocessing import StandardScaler

    pca = PCA(2, random_state=0)
    places = np.asarray(pca.fit_transform(StandardScaler().fit_transform(rows)))
    names = [
        f"component {i + 1} ({100 * share:.0f}% of the variance)"
        for i, share in enumerate(np.nan_to_num(pca.explained_variance_ratio_))
    ]
    return places, names


def _beside(places: Floats, codes: Data) -> Floats:
    """Put the clusters of one column of numbers into rows, spread a little."""
    spread = np.random.default_rng(0).uniform(-0.3, 0.3, len(places))
    return np.column_stack([places[:, 0], codes + spread])
