"""The pictures show what they say."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from shiftcut import ShiftedMinCut

from .data import blobs

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

import shiftcut  # noqa: E402
from shiftcut import plot  # noqa: E402
from shiftcut.plot._axes import styles  # noqa: E402

LEAST_DIFFERENCE = 9  # in CIELAB, where about 2 can just be noticed side by side

PATH = [  # adjacent steps agree by 0.4, 1, 0, 1, 0.5 and 0.96
    {"strength": 8.0, "clusters": 6, "agreement": 0.4},
    {"strength": 4.0, "clusters": 4, "agreement": 0.7},
    {"strength": 2.0, "clusters": 4, "agreement": 0.5},
    {"strength": 1.0, "clusters": 3, "agreement": 0.5},
    {"strength": 0.5, "clusters": 3, "agreement": 0.75},
    {"strength": 0.1, "clusters": 1, "agreement": 0.73},
    {"strength": 0.05, "clusters": 1, "agreement": 0.96},
]


@pytest.fixture(autouse=True)
def _close() -> Any:  # noqa: ANN401
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


@pytest.fixture
def model() -> ShiftedMinCut:
    return ShiftedMinCut(3, random_state=0).fit(blobs())


def legend_texts(ax: Any) -> list[str]:  # noqa: ANN401
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_clusters_has_a_colour_and_a_name_for_each(model: ShiftedMinCut) -> None:
    ax: Any = plot.clusters(blobs(), model.labels_)
    assert len(ax.collections) == model.n_clusters_
    drawn = [len(part.get_offsets()) for part in ax.collections]
    assert drawn == model.result_["sizes"]
    assert legend_texts(ax) == [f"{k}: {size}" for k, size in enumerate(drawn)]
    assert "% of the variance" in ax.get_xlabel()


@pytest.mark.parametrize("columns", [1, 2, 5])
def test_clusters_of_any_width(columns: int) -> None:
    labels = np.arange(120) % 30
    ax: Any = plot.clusters(blobs(columns=columns), labels)
    assert legend_texts(ax) == [f"{k}: 4" for k in range(30)]
    rows = sparse.csr_array(blobs(columns=max(2, columns)))
    assert len(plot.clusters(rows, labels).collections) == 30


def pictures(model: ShiftedMinCut) -> list[Any]:
    free = ShiftedMinCut(random_state=0).fit(blobs())
    many = plot.clusters(blobs(400), np.arange(400) % 60)
    return [
        plot.clusters(blobs(), model.labels_),
        many,
        plot.shift_path(free),
        plot.shift_path(model),
        plot.cost(model),
    ]


def test_legends_stand_beside_the_axes_and_inside_the_figure(model: ShiftedMinCut) -> None:
    for ax in pictures(model):
        ax.figure.canvas.draw()
        legend, frame = ax.get_legend().get_window_extent(), ax.get_window_extent()
        assert legend.x0 >= frame.x1
        assert legend.x1 <= ax.figure.bbox.x1
        assert legend.y0 >= ax.figure.bbox.y0


def test_very_long_legends_name_the_first() -> None:
    ax: Any = plot.clusters(blobs(400), np.arange(400) % 60)
    assert legend_texts(ax)[-2:] == ["39: 7", "and 20 more"]
    assert len(legend_texts(ax)) == 41


def seen_by(colour: Any, matrix: list[list[float]]) -> Any:  # noqa: ANN401
    """The CIELAB colour that a viewer sees, given a matrix of linear RGB."""
    given = np.asarray(colour)
    linear = np.where(given <= 0.04045, given / 12.92, ((given + 0.055) / 1.055) ** 2.4)
    linear = np.clip(np.array(matrix) @ linear, 0, 1)
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    xyz = np.array(to_xyz) @ linear / [0.9505, 1, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


# Machado, Oliveira and Fernandes (2009), severity 1.
VIEWERS: dict[str, list[list[float]]] = {
    "all cones": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0519]],
    "deuteranopia": [[0.3673, 0.8606, -0.228], [0.2801, 0.6728, 0.0471], [-0.0118, 0.0429, 0.9689]],
    "tritanopia": [[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]],
}


@pytest.mark.parametrize("viewer", VIEWERS)
def test_clusters_can_be_told_apart_whatever_the_colour_vision(viewer: str) -> None:
    drawn = styles(28)
    assert len(set(drawn)) == len({style.colour for style in drawn}) == 28
    assert len({style.marker for style in drawn}) == 4
    for one, other in combinations(drawn, 2):
        if one.marker == other.marker:
            seen = [seen_by(style.colour, VIEWERS[viewer]) for style in (one, other)]
            assert np.linalg.norm(seen[0] - seen[1]) > LEAST_DIFFERENCE


def test_a_picture_has_the_styles_of_the_palette() -> None:
    ax: Any = plot.clusters(blobs(), np.arange(120) % 15)
    colours = {tuple(np.round(part.get_facecolor()[0], 6)) for part in ax.collections}
    assert len(colours) == 15


def test_two_columns_are_drawn_as_they_are() -> None:
    rows = blobs(columns=2)
    labels = np.zeros(120, dtype=int)
    ax: Any = plot.clusters(rows, labels)
    np.testing.assert_array_equal(ax.collections[0].get_offsets(), rows)
    pandas = pytest.importorskip("pandas")
    ax = plot.clusters(pandas.DataFrame(rows, columns=["width", "height"]), labels)
    np.testing.assert_array_equal(ax.collections[0].get_offsets(), rows)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("width", "height")


class Cells:
    """What an AnnData object is here."""

    def __init__(self) -> None:
        self.obsm = {"X_pca": blobs(columns=6), "X_umap": blobs(columns=2)}
        self.obs = {"found": np.array([str(k) for k in range(12)] * 10)}


def test_embeddings_of_anndata_are_drawn_as_they_are() -> None:
    cells = Cells()
    ax: Any = plot.clusters(cells, "found")
    assert legend_texts(ax) == [f"{k}: 10" for k in range(12)]  # not in the order of the alphabet
    np.testing.assert_array_equal(ax.collections[3].get_offsets(), cells.obsm["X_umap"][3::12])
    ax = plot.clusters(cells, cells.obs["found"], basis="pca")
    np.testing.assert_array_equal(ax.collections[3].get_offsets(), cells.obsm["X_pca"][3::12, :2])
    assert ax.get_xlabel() == "pca 1"
    with pytest.raises(ValueError, match=r"basis: found 'tsne', .*allowed: 'X_pca', 'X_umap'"):
        plot.clusters(cells, "found", basis="tsne")
    with pytest.raises(ValueError, match=r"labels: found 'lost', .*allowed: 'found'"):
        plot.clusters(cells, "lost")
    with pytest.raises(ValueError, match="basis: found 'umap' without an AnnData object"):
        plot.clusters(blobs(), np.zeros(120), basis="umap")


def test_noise_is_grey_and_no_cluster() -> None:
    ax: Any = plot.clusters(blobs(), np.arange(120) % 3 - 1)
    assert legend_texts(ax) == ["noise: 40", "0: 40", "1: 40"]
    assert "in 2 clusters" in ax.get_title()


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
    for axis in (ax.xaxis, ax.yaxis):
        assert [text.get_text() for text in axis.get_ticklabels()] == ["0", "2", "1"]
        np.testing.assert_array_equal(axis.get_ticklocs(), [1, 3.5, 5])


def test_similarities_of_both_signs_are_centred_and_extremes_do_not_blind() -> None:
    labels = np.arange(60) % 2
    x = np.where(labels[:, None] == labels, 1.0, -0.5)
    x[0, 1] = x[1, 0] = 1e6
    np.fill_diagonal(x, 1e9)
    ax: Any = plot.similarities(x, labels)
    assert ax.images[0].get_clim() == (-1, 1)
    ax = plot.similarities(np.abs(x), labels)
    low, high = ax.images[0].get_clim()
    assert 0 <= low < high == 1


def test_large_matrices_are_thinned_out() -> None:
    labels = np.arange(2500) % 2
    ax: Any = plot.similarities(sparse.eye_array(2500).tocsr(), labels)
    assert max(ax.images[0].get_array().shape) <= 1000


def test_the_shift_path_shades_its_plateaus(model: ShiftedMinCut) -> None:
    model.shift_path_ = PATH
    ax: Any = plot.shift_path(model)
    assert ax.get_xscale() == "log"
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), [0.05, 0.1, 0.5, 1, 2, 4, 8])
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), [1, 1, 3, 3, 4, 4, 6])
    assert [patch.get_x() for patch in ax.patches] == [0.5, 2]
    assert legend_texts(ax)[0] == "plateau: the same clusters"
    model.shift_path_ = []
    with pytest.raises(ValueError, match="no shift path"):
        plot.shift_path(model)


def test_equal_numbers_alone_are_no_plateau_where_they_are_bounded(model: ShiftedMinCut) -> None:
    model.shift_path_ = [
        {"strength": 2.0**i, "clusters": 3, "agreement": 0.6 if i < 4 else 1.0} for i in range(8)
    ]
    model.shift_path_[3]["agreement"] = 0.8  # between a step of 0.6 and one of 1
    ax: Any = plot.shift_path(model)
    assert [(patch.get_x(), patch.get_width()) for patch in ax.patches] == [(8, 120)]
    assert "n_clusters: at most 3" in legend_texts(ax)


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
    assert lowest[-1] == 0
    assert ax.get_title() == f"elected by a vote, cost {model.cost_:.6g}"
    assert sum(len(part.get_offsets()) for part in ax.collections) == len(model.result_["restarts"])


@pytest.mark.parametrize("lowest", [-5.083e8, 3.0, 0.0])
def test_costs_are_in_percent_above_the_lowest(model: ShiftedMinCut, lowest: float) -> None:
    unit = abs(lowest) / 100 if lowest else 1.0
    model.result_["restarts"] = [
        {"cost": lowest + 6 * unit, "sweeps": 3, "method": "local-search"},
        {"cost": lowest, "sweeps": 2, "method": "combination"},
        {"cost": lowest + 1e-3 * unit, "sweeps": 2, "method": "local-search"},
    ]
    ax: Any = plot.cost(model)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), [6, 0, 0])
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), [3, 5, 7])
    assert ax.get_ylabel() == "cost above the lowest" + " (%)" * bool(lowest)
    ax.figure.canvas.draw()
    assert ax.yaxis.get_offset_text().get_text() == ""
    assert legend_texts(ax) == ["local-search", "combination", "lowest so far"]


def test_stability_is_drawn_over_numbers_and_over_clusters() -> None:
    found = shiftcut.stability(blobs(), [3, 2, 5], n_resamples=4)
    ax: Any = found.plot()
    line, (means, weakest, selected) = ax.lines[0], ax.lines[-3:]
    numbers = sorted(one.n_clusters for one in found.candidates)
    np.testing.assert_array_equal(line.get_xdata(), numbers)
    by_number = {one.n_clusters: one for one in found.candidates}
    np.testing.assert_array_equal(line.get_ydata(), [by_number[k].agreement for k in numbers])
    np.testing.assert_array_equal(means.get_ydata(), [by_number[k].mean_recovery for k in numbers])
    np.testing.assert_array_equal(weakest.get_ydata(), [by_number[k].weakest for k in numbers])
    assert set(selected.get_xdata()) == {found.n_clusters}
    assert ax.get_legend() is not None
    one = shiftcut.stability(blobs(), 3, n_resamples=4)
    ax = plot.stability(one)
    np.testing.assert_array_equal([bar.get_height() for bar in ax.patches], one.recovery)
    assert len(ax.lines) == 2


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
