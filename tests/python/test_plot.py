"""The pictures show what they say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from shiftcut import ShiftedMinCut

from .data import blobs

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from shiftcut import plot  # noqa: E402

PATH = [
    {"strength": 2.0, "clusters": 6, "sizes": [5, 1], "cost": -1.0},
    {"strength": 1.0, "clusters": 3, "sizes": [4, 1, 1], "cost": -2.0},
    {"strength": 0.5, "clusters": 3, "sizes": [4, 1, 1], "cost": -2.0},
    {"strength": 0.1, "clusters": 1, "sizes": [6], "cost": -9.0},
    {"strength": 0.05, "clusters": 1, "sizes": [6], "cost": -9.0},
]


@pytest.fixture(autouse=True)
def _close() -> Any:  # noqa: ANN401
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


@pytest.fixture
def model() -> ShiftedMinCut:
    return ShiftedMinCut(3, random_state=0).fit(blobs())


def test_clusters_has_a_colour_and_a_name_for_each(model: ShiftedMinCut) -> None:
    ax: Any = plot.clusters(blobs(), model.labels_)
    assert len(ax.collections) == model.n_clusters_
    drawn = [len(part.get_offsets()) for part in ax.collections]
    assert drawn == model.result_["sizes"]
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts == [f"{k}: {size}" for k, size in enumerate(drawn)]
    assert "% of the variance" in ax.get_xlabel()


@pytest.mark.parametrize("columns", [1, 2, 5])
def test_clusters_of_any_width(columns: int) -> None:
    labels = np.arange(120) % 30
    assert plot.clusters(blobs(columns=columns), labels).get_legend() is None
    rows = sparse.csr_array(blobs(columns=max(2, columns)))
    assert len(plot.clusters(rows, labels).collections) == 30


def test_it_draws_where_it_is_told(model: ShiftedMinCut) -> None:
    import matplotlib.pyplot as plt

    ax = plt.subplots()[1]
    assert plot.clusters(blobs(), model.labels_, ax=ax) is ax
    assert plot.cost(model, ax=plt.subplots()[1]) is not ax


@pytest.mark.parametrize("as_sparse", [False, True])
def test_similarities_stand_in_blocks(as_sparse: bool) -> None:
    labels = np.array([2, 0, 1, 0, 2, 0])
    x = (labels[:, None] == labels).astype(float)
    ax: Any = plot.similarities(sparse.csr_array(x) if as_sparse else x, labels)
    shown = ax.images[0].get_array()
    order = np.array([0, 0, 0, 1, 1, 2])
    np.testing.assert_array_equal(shown, order[:, None] == order)
    assert len(ax.lines) == 4


def test_large_matrices_are_thinned_out() -> None:
    labels = np.arange(2500) % 2
    ax: Any = plot.similarities(sparse.eye_array(2500).tocsr(), labels)
    assert max(ax.images[0].get_array().shape) <= 1000


def test_the_shift_path_shades_its_plateaus(model: ShiftedMinCut) -> None:
    model.shift_path_ = PATH
    ax: Any = plot.shift_path(model)
    assert ax.get_xscale() == "log"
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), [0.05, 0.1, 0.5, 1, 2])
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), [1, 1, 3, 3, 6])
    assert len(ax.patches) == 1
    model.shift_path_ = []
    with pytest.raises(ValueError, match="no shift path"):
        plot.shift_path(model)


def test_the_shift_path_of_a_fit() -> None:
    model = ShiftedMinCut(random_state=0).fit(blobs())
    assert model.shift_["strength"] in [step["strength"] for step in model.shift_path_]
    ax: Any = plot.shift_path(model)
    assert len(ax.lines[0].get_xdata()) == len(model.shift_path_)
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(model.shift_path_)
    assert {"strength", "clusters", "cost", "criterion", "agreement"} <= set(table.columns)


def test_the_cost_falls_to_that_of_the_model(model: ShiftedMinCut) -> None:
    ax: Any = plot.cost(model)
    lowest = ax.lines[0].get_ydata()
    assert np.all(np.diff(lowest) <= 0)
    assert lowest[-1] == model.cost_
    assert sum(len(part.get_offsets()) for part in ax.collections) == len(model.result_["restarts"])


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        plot.clusters(blobs(), [0, 1])
    with pytest.raises(ValueError, match="must be square"):
        plot.similarities(np.ones((4, 3)), [0, 0, 1, 1])


def test_clusters_of_a_frame_with_text_are_drawn() -> None:
    frame = pytest.importorskip("pandas").DataFrame(
        {"x": [0.0, None, 9, 9], "kind": ["a", "a", "b", "b"]}
    )
    ax = plot.clusters(frame, [0, 0, 1, 1])
    assert "4 objects in 2 clusters" in ax.get_title()
