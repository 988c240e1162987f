"""Whatever shape, type, order and stride: a grouping that keeps its promises, or a clear error."""

from __future__ import annotations

from typing import Any

import hypothesis.extra.numpy as arrays
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse

from shiftcut import ShiftedMinCut

pytestmark = pytest.mark.filterwarnings("ignore::shiftcut.ShiftcutWarning")

EXAMPLES = settings(
    max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
DTYPES = st.one_of(
    arrays.floating_dtypes(sizes=(16, 32, 64)),
    arrays.integer_dtypes(),
    arrays.unsigned_integer_dtypes(),
    arrays.boolean_dtypes(),
)
SIMILARITIES = st.sampled_from(["neighbors", "linear", "cosine", "rbf"])


@st.composite
def layouts(draw: st.DrawFn, values: Any) -> Any:  # noqa: ANN401
    """The same numbers in another order or with other strides."""
    how = draw(st.sampled_from(["C", "F", "steps", "backwards", "read-only", "list"]))
    if how == "steps":
        wide = np.zeros((2 * values.shape[0], 3 * values.shape[1]), dtype=values.dtype)
        wide[::2, ::3] = values
        return wide[::2, ::3]
    if how == "backwards":
        return values[::-1, ::-1].copy()[::-1, ::-1]
    if how == "list":
        return values.tolist()
    out = np.array(values, order="F" if how == "F" else "C")
    out.flags.writeable = how != "read-only"
    return out


def check_grouping(model: ShiftedMinCut, n: int) -> None:
    labels, sizes = model.labels_, model.result_["sizes"]
    assert labels.shape == (n,)
    assert labels.dtype == np.int32
    assert np.bincount(labels).tolist() == sizes == sorted(sizes, reverse=True)
    assert len(sizes) == model.n_clusters_
    assert model.n_clusters is None or model.n_clusters_ <= model.n_clusters
    assert np.isfinite(model.cost_)


@EXAMPLES
@given(st.data())
def test_arrays(data: st.DataObject) -> None:
    shape = data.draw(arrays.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12))
    values = data.draw(arrays.arrays(data.draw(DTYPES), shape))
    given_values = data.draw(layouts(values))
    clusters = data.draw(st.one_of(st.none(), st.integers(1, shape[0])))
    similarity = data.draw(SIMILARITIES)
    model = ShiftedMinCut(clusters, similarity=similarity, n_init=2, random_state=0)
    extreme = not np.isfinite(values).all() or (np.abs(values.astype(np.float64)) > 1e100).any()
    try:
        model.fit(given_values)
    except ValueError:
        if extreme:
            return
        raise
    check_grouping(model, shape[0])
    again = ShiftedMinCut(clusters, similarity=similarity, n_init=2, random_state=0)
    kind = values.dtype if values.dtype in (np.float32, np.float64) else np.float64
    if not isinstance(given_values, list) or kind == np.float64:
        again.fit(np.ascontiguousarray(values, dtype=kind))
        np.testing.assert_array_equal(again.labels_, model.labels_)
    assert model.predict(given_values).shape == (shape[0],)
    assert np.isfinite(model.transform(given_values)).all()


@EXAMPLES
@given(st.data())
def test_sparse_matrices(data: st.DataObject) -> None:
    shape = data.draw(arrays.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=10))
    cells = st.sampled_from([0.0, 0.0, 0.0, 1.0, -2.5, 1e-30, 1e6])
    values = data.draw(arrays.arrays(np.float64, shape, elements=cells))
    layout = data.draw(st.sampled_from(["csr", "csc", "coo", "lil", "dok", "bsr", "dia"]))
    make = data.draw(st.sampled_from([sparse.csr_matrix, sparse.csr_array]))
    similarity = data.draw(st.sampled_from(["neighbors", "linear", "cosine"]))
    rows = make(values).asformat(layout)
    model = ShiftedMinCut(similarity=similarity, n_init=2, random_state=0).fit(rows)
    check_grouping(model, shape[0])
    assert model.predict(rows).shape == (shape[0],)


@EXAMPLES
@given(st.data())
def test_precomputed_matrices(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 10))
    cells = st.floats(-1e6, 1e6, width=32)
    half = data.draw(arrays.arrays(np.float64, (n, n), elements=cells))
    x = half + half.T
    as_graph = data.draw(st.booleans())
    given_x = sparse.csr_array(x) if as_graph else data.draw(layouts(x))
    shift = data.draw(st.sampled_from(["adaptive", "none", 0.5]))
    model = ShiftedMinCut(similarity="precomputed", shift=shift, n_init=2, random_state=0)
    model.fit(given_x)
    check_grouping(model, n)
    s = x.copy()
    if shift == "adaptive":
        means = x.mean(axis=1)
        s -= means[:, None] + means - x.mean()
    elif shift == 0.5:
        s -= 0.5
    together = model.labels_[:, None] == model.labels_
    size = max(1.0, np.abs(x).sum())
    assert abs(model.cost_ + s[together].sum()) <= 1e-9 * size
