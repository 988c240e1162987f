"""Parameters that were set and do not count are named, where the command line refuses them."""

from __future__ import annotations

import subprocess
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from shiftcut import Feedback, ShiftcutWarning, ShiftedMinCut
from shiftcut.methods import CutSearch

from .command_line import PROGRAM, write_npy
from .data import blobs

POINTS = blobs(60, 3)
IGNORED: list[tuple[dict[str, Any], list[str], str]] = [
    ({"similarity": "linear", "sigma": 2.0}, ["--sigma", "2"], "only with similarity='rbf'"),
    ({"similarity": "linear", "n_neighbors": 7}, ["--neighbors", "7"], "similarity='neighbors'"),
    ({"similarity": "cosine", "weights": "binary"}, ["--weights", "binary"], "'neighbors'"),
    (
        {"similarity": "rbf", "distance": "euclidean"},
        ["--distance", "euclidean"],
        "only with similarity='linear'",
    ),
    ({"similarity": "linear", "learn_shift": True}, ["--learn"], "with must_link or cannot_link"),
]


@pytest.mark.parametrize(("parameters", "options", "words"), IGNORED)
def test_what_the_command_line_refuses_is_warned_of(
    parameters: dict[str, Any], options: list[str], words: str, tmp_path: Path
) -> None:
    name = next(name for name in parameters if name != "similarity")
    model = ShiftedMinCut(2, random_state=0, **parameters)
    with pytest.warns(ShiftcutWarning, match=f"^{name}: found .* ignored; allowed: .*{words}"):
        model.fit(POINTS)
    assert any(told.startswith(f"{name}: found") for told in model.result_["warnings"])
    with pytest.warns(ShiftcutWarning, match=f"^{name}: found"):
        Feedback(model, POINTS, learn=False)
    file = write_npy(tmp_path / "points.npy", POINTS)
    command = [PROGRAM, "cluster", str(file), "--similarity", parameters["similarity"], *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"shiftcut: {options[0]}: found")


@pytest.mark.parametrize("name", ["sigma", "n_neighbors", "weights", "distance", "scale"])
@pytest.mark.parametrize("similarity", ["precomputed", "precomputed_distance"])
def test_no_parameter_of_features_counts_for_a_matrix(name: str, similarity: str) -> None:
    value = {"sigma": 1, "n_neighbors": 3, "weights": "binary", "distance": "euclidean"}
    given = {name: value.get(name, "minmax")}
    matrix = np.abs(POINTS[:, :1] - POINTS[:, 0])
    model = ShiftedMinCut(2, similarity=similarity, random_state=0, **given)  # type: ignore[arg-type]
    with pytest.warns(ShiftcutWarning, match=f"^{name}: found .* with similarity='{similarity}'"):
        model.fit(matrix)


def test_a_strength_of_no_shift_is_warned_of() -> None:
    with pytest.warns(ShiftcutWarning, match="^shift_strength: found 2 with shift='none'"):
        ShiftedMinCut(shift="none", shift_strength=2, random_state=0).fit(POINTS)


def test_learning_where_there_is_nothing_to_learn_is_warned_of() -> None:
    model = ShiftedMinCut(2, must_link=[[0, 3]], learn_shift=True, random_state=0)
    with pytest.warns(ShiftcutWarning, match="^learn_shift: found True with similarity='linear'"):
        model.set_params(similarity="linear").fit(sparse.csr_array(POINTS))
    with pytest.warns(ShiftcutWarning, match="^learn_shift: .* dense features, or where shift"):
        model.set_params(similarity="precomputed").fit(POINTS @ POINTS.T)


def test_what_counts_is_not_warned_of() -> None:
    graph = sparse.csr_array(np.full((6, 6), 0.9))
    fits: list[tuple[ShiftedMinCut, object]] = [
        (ShiftedMinCut(3, n_neighbors=7, weights="binary", scale="minmax"), POINTS),
        (ShiftedMinCut(2, similarity="linear", distance="euclidean", scale="none"), POINTS),
        (ShiftedMinCut(2, similarity="rbf", sigma=1.5, shift_strength=1.1), POINTS),
        (ShiftedMinCut(2, learn_shift=True, must_link=[[0, 3]]), POINTS),
        (ShiftedMinCut(similarity="precomputed", weights="log-odds"), graph),
    ]
    for model, values in fits:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.set_params(random_state=0).fit(values)
        assert not [w for w in caught if "ignored" in str(w.message)]


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"gamma": 2.0}, "gamma: found 2.0 with affinity='linear'"),
        ({"n_neighbors": 3}, "n_neighbors: found 3 with affinity='linear'"),
        ({"affinity": "rbf", "distance": "euclidean"}, "distance: found 'euclidean'"),
        ({"cost": "ratio_cut", "p": 1.2}, "p: found 1.2 with cost='ratio_cut'"),
    ],
)
def test_the_other_methods_tell_as_well(parameters: dict[str, Any], words: str) -> None:
    with pytest.warns(ShiftcutWarning, match=words):
        CutSearch(2, random_state=0, **parameters).fit(POINTS)
