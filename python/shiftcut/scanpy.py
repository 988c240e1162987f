"""Clustering of the cells of an AnnData object, in the conventions of scanpy's `sc.tl`.

Neither scanpy nor anndata is imported: what is used of an object are its `X`, `obs`, `var`, `uns`,
`obsm` and `obsp`.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from ._arrays import Data, Labels, Matrix
from ._estimator import ShiftedMinCut
from ._warnings import Note, warn_all

if TYPE_CHECKING:
    from anndata import AnnData

__all__ = ["cluster"]

_FEW_VARIABLES = 50  # scanpy's settings.N_PCS: up to this many, X is used as it is
_NEIGHBORS = 15  # of sc.pp.neighbors
_ENOUGH_CELLS = 4 * _NEIGHBORS  # with fewer, a part of them as always
_HOW = {
    "adjacency": "obsp, the key of a graph in adata.obsp",
    "similarity": "obsp or neighbors_key for a graph, use_rep for features",
}


def cluster(
    adata: AnnData,
    n_clusters: int | None = None,
    *,
    resolution: float | None = None,
    key_added: str = "shiftcut",
    use_rep: str | None = None,
    n_pcs: int | None = None,
    neighbors_key: str | None = None,
    obsp: str | None = None,
    random_state: int | np.random.RandomState | None = 0,
    copy: bool = False,
    **parameters: Any,  # noqa: ANN401
) -> AnnData | None:
    """Cluster the cells, as `sc.tl.leiden` does, by `ShiftedMinCut`.

    Features are clustered unless a graph is named, by a graph of 15 neighbours, as many as scanpy
    uses. Without `n_clusters` the shift is "degree": modularity, as of `sc.tl.leiden`, which
    divides what overlaps, as cells do, and also what has no clusters. With `n_clusters`, or
    `shift="auto"`, it is `ShiftedMinCut`'s own. Labels are the same for the same `random_state`.

    Parameters
    ----------
    adata : AnnData
        The annotated data matrix.
    n_clusters : int or None, default=None
        Maximum number of clusters. None: it follows from the resolution, or with `shift="auto"`
        from the data.
    resolution : float or None, default=None
        Above 1 gives more clusters, below 1 fewer: the strength of the shift "degree". None: 1.
    key_added : str, default="shiftcut"
        Key of `adata.obs` for the labels, and of `adata.uns` for the parameters.
    use_rep : str or None, default=None
        Key of `adata.obsm`, or "X". None: "X_pca" if it is there; otherwise X, or with more than 50
        variables the first 50 principal components of those that are highly variable (a warning
        says so).
    n_pcs : int or None, default=None
        How many columns of the representation to use. None: all.
    neighbors_key : str or None, default=None
        Cluster the graph that `sc.pp.neighbors` stored under this key, "neighbors" unless another
        one was given.
    obsp : str or None, default=None
        Cluster the graph `adata.obsp[obsp]`. The two directions of an edge are averaged.
    random_state : int, RandomState instance or None, default=0
        Seed.
    copy : bool, default=False
        Return a copy with the labels instead of changing `adata`.
    **parameters
        Further parameters of `ShiftedMinCut`.

    Returns
    -------
    AnnData or None
        The copy, or None. `adata.obs[key_added]` is a categorical of strings, "0" the largest
        cluster; `adata.uns[key_added]` holds the parameters (`params`), the `cost`, the
        `shift_strength` used and the text of any `warnings`.
    """
    _check_object(adata)
    for name, instead in _HOW.items():
        if name in parameters:
            raise TypeError(f"{name}: this is no parameter of cluster(); allowed: {instead}")
    chosen = {"use_rep": use_rep, "neighbors_key": neighbors_key, "obsp": obsp}
    named = [name for name, key in chosen.items() if key is not None]
    if len(named) > 1:
        raise ValueError(f"found {' and '.join(named)}; allowed: one of {', '.join(chosen)}")
    if n_pcs is not None and (obsp is not None or neighbors_key is not None):
        raise ValueError(f"n_pcs: found {n_pcs!r} with a graph; allowed: with features")
    if not isinstance(key_added, str):
        raise TypeError(f"key_added: found {key_added!r}; allowed: a str")
    _choose_shift(parameters, n_clusters, resolution)

    if neighbors_key is not None:
        obsp = _graph_key(adata, neighbors_key)
    if obsp is not None:
        values, chosen["obsp"] = _graph(adata, obsp), obsp
        parameters["similarity"] = "precomputed"
    else:
        values, chosen["use_rep"] = _representation(adata, use_rep, n_pcs)
        if values.shape[0] >= _ENOUGH_CELLS:
            parameters.setdefault("n_neighbors", _NEIGHBORS)
    model = ShiftedMinCut(n_clusters, random_state=random_state, **parameters).fit(values)

    parameters.pop("similarity", None)
    used = {**chosen, "n_pcs": n_pcs, "n_clusters": n_clusters, "random_state": random_state}
    kept = adata.copy() if copy else adata
    kept.obs[key_added] = _categories(model.labels_, model.n_clusters_)
    kept.uns[key_added] = {
        "params": _storable({**used, **parameters}),
        "cost": model.cost_,
        "shift_strength": model.shift_["strength"],
        "warnings": np.array(model.result_["warnings"], dtype=str),
    }
    return kept if copy else None


def _check_object(adata: Data) -> None:
    missing = [name for name in ("obs", "uns", "obsm", "obsp") if not hasattr(adata, name)]
    if missing:
        raise TypeError(
            f"adata: found {type(adata).__name__}, which has no {missing[0]!r}; allowed: an "
            "AnnData object (shiftcut.ShiftedMinCut takes arrays, frames and graphs)"
        )


def _choose_shift(
    parameters: dict[str, Any], n_clusters: int | None, resolution: float | None
) -> None:
    """Add the shift "degree" where none is given and it decides on the number of clusters."""
    if resolution is not None:
        if parameters.get("shift", "degree") != "degree" or "shift_strength" in parameters:
            raise ValueError(
                f"resolution: found {resolution!r} with another shift or shift_strength; allowed: "
                "shift_strength, which it is for shift='degree'"
            )
        parameters |= {"shift": "degree", "shift_strength": resolution}
    has_own = parameters.get("shift") is not None or parameters.get("weights") == "log-odds"
    if resolution is None and n_clusters is None and not has_own:
        parameters["shift"] = "degree"


def _absent(name: str, key: object, where: str, keys: Mapping[str, Any], more: str = "") -> None:
    listed = ", ".join([more] * bool(more) + [repr(str(known)) for known in keys])
    raise ValueError(
        f"{name}: found {key!r}, which is not in adata.{where}; allowed: "
        + (listed or f"nothing, as adata.{where} is empty")
    )


def _graph_key(adata: Data, neighbors_key: str) -> str:
    """Return the key in obsp of what sc.pp.neighbors stored; old files don't name it."""
    entry = adata.uns.get(neighbors_key)
    if not isinstance(entry, Mapping):
        known = {k: v for k, v in adata.uns.items() if isinstance(v, Mapping) and _is_graph(v)}
        _absent("neighbors_key", neighbors_key, "uns", known)
        raise AssertionError
    return str(entry.get("connectivities_key", "connectivities"))


def _is_graph(entry: Mapping[str, Any]) -> bool:
    return "connectivities_key" in entry or "n_neighbors" in (entry.get("params") or {})


def _graph(adata: Data, key: str) -> Matrix:
    """Return a symmetric sparse matrix; ValueError for distances, which are no similarities."""
    if key not in adata.obsp:
        _absent("obsp", key, "obsp", adata.obsp)
    entries = [entry for entry in adata.uns.values() if isinstance(entry, Mapping)]
    if key in {"distances", *(entry.get("distances_key") for entry in entries)}:
        raise ValueError(
            f"obsp: found {key!r}, which holds distances; allowed: similarities, such as "
            "'connectivities'"
        )
    values = sparse.csr_array(adata.obsp[key], dtype=np.float64)
    return values if (values != values.T).nnz == 0 else (values + values.T) / 2


def _representation(adata: Data, use_rep: str | None, n_pcs: int | None) -> tuple[Data, str]:
    """Return the features and the key they have."""
    if use_rep is None:
        use_rep = "X_pca" if "X_pca" in adata.obsm else "X"
        if use_rep == "X" and adata.n_vars > _FEW_VARIABLES:
            return _components(adata, n_pcs), "X"
    if use_rep != "X" and use_rep not in adata.obsm:
        _absent("use_rep", use_rep, "obsm", adata.obsm, "'X'")
    values = _in_memory(adata.X if use_rep == "X" else adata.obsm[use_rep])
    if n_pcs is None:
        return values, use_rep
    _check_width(n_pcs, values.shape[1], use_rep)
    return (values.iloc[:, :n_pcs] if hasattr(values, "iloc") else values[:, :n_pcs]), use_rep


def _check_width(n_pcs: object, most: int, use_rep: str) -> None:
    is_whole = isinstance(n_pcs, Integral) and not isinstance(n_pcs, bool)
    if not is_whole or not 1 <= int(n_pcs) <= most:  # type: ignore[call-overload]
        raise ValueError(f"n_pcs: found {n_pcs!r}; allowed: 1 to {most} for {use_rep}")


def _in_memory(values: Data) -> Data:
    """Return a matrix that is kept in a file as one in memory."""
    if hasattr(values, "to_memory"):
        return values.to_memory()
    known = isinstance(values, np.ndarray) or sparse.issparse(values) or hasattr(values, "iloc")
    return values if known else np.asarray(values)


def _components(adata: Data, n_pcs: int | None) -> Data:
    """Return principal components of X, as sc.pp.pca computes them by default."""
    from sklearn.decomposition import PCA

    values = _in_memory(adata.X)
    if "highly_variable" in adata.var:
        is_used = np.asarray(adata.var["highly_variable"], dtype=bool)
        values = values[:, np.flatnonzero(is_used)]
    most = min(values.shape) - 1
    n_pcs = min(_FEW_VARIABLES, most) if n_pcs is None else n_pcs
    _check_width(n_pcs, most, "the components of X")
    text = (
        f"use_rep: found no 'X_pca' and {adata.n_vars} variables in X: the first {n_pcs} principal "
        f"components of {values.shape[1]} of them are used; run sc.pp.pca, or set use_rep='X'"
    )
    warn_all([Note("computed_components", "use_rep", text)])
    return PCA(n_pcs, svd_solver="arpack", random_state=0).fit_transform(values)


def _categories(labels: Labels, n_clusters: int) -> Data:
    """Return "0", "1", ..., "10" in this order, not in that of the alphabet."""
    import pandas as pd

    return pd.Categorical.from_codes(labels, categories=[str(k) for k in range(n_clusters)])


def _storable(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return those that an .h5ad file can hold: no None and no random generators."""
    simple = {
        name: value if isinstance(value, str | int | float | np.generic) else np.asarray(value)
        for name, value in parameters.items()
        if value is not None
    }
    return {
        name: value
        for name, value in simple.items()
        if not isinstance(value, np.ndarray) or value.dtype.kind in "biufU"
    }
