"""Models in files: what is saved comes back, and the command line and Python read each other's."""

from __future__ import annotations

import copy
import pickle
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

from shiftcut import ShiftedMinCut

from .command_line import PROGRAM, write_mtx, write_npy
from .data import blobs, random_sparse

pytestmark = pytest.mark.filterwarnings("ignore::shiftcut.ShiftcutWarning")

TRAINING = blobs(90, 4, seed=1)
NEW = blobs(40, 4, seed=1) + np.random.default_rng(8).normal(size=(40, 4))
VIEWS: dict[str, tuple[dict[str, Any], list[object]]] = {
    "neighbors": ({}, []),
    "binary": (
        {"weights": "binary", "n_neighbors": 5},
        ["--weights", "binary", "--neighbors", 5],
    ),
    "gaussian": ({"weights": "gaussian"}, ["--weights", "gaussian"]),
    "linear": ({"similarity": "linear"}, ["--similarity", "linear"]),
    "weak": (
        {"similarity": "linear", "shift_strength": 0.8, "scale": "minmax"},
        ["--similarity", "linear", "--shift-strength", 0.8, "--scale", "minmax"],
    ),
    "euclidean": (
        {"similarity": "linear", "distance": "euclidean", "shift": 0.5},
        ["--distance", "euclidean", "--shift", "constant=0.5"],
    ),
    "cosine": ({"similarity": "cosine"}, ["--similarity", "cosine"]),
    "rbf": ({"similarity": "rbf", "sigma": 1.5}, ["--sigma", 1.5]),
    "self-tuned": ({"similarity": "rbf"}, ["--similarity", "rbf"]),
}


def command(*args: object) -> str:
    done = subprocess.run(
        [PROGRAM, *map(str, args)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def predicted(model: Path, new: Path, *args: object) -> list[int]:
    """By the command line."""
    lines = command("predict", model, new, *args).splitlines()
    return [int(line.rpartition(",")[2]) for line in lines[1:]]


@pytest.mark.parametrize("view", VIEWS)
def test_the_two_front_ends_read_each_others_models(view: str, tmp_path: Path) -> None:
    parameters, options = VIEWS[view]
    training = write_npy(tmp_path / "training.npy", TRAINING)
    new = write_npy(tmp_path / "new.npy", NEW)
    model = ShiftedMinCut(3, random_state=0, **parameters).fit(TRAINING)
    expected = model.predict(NEW).tolist()
    ours, theirs = tmp_path / "python.shiftcut", tmp_path / "program.shiftcut"
    model.save(ours)
    for threads in (1, 4):
        assert predicted(ours, new, "--threads", threads) == expected
    command("cluster", training, "-k", 3, *options, "--model", theirs)
    loaded = ShiftedMinCut.load(theirs)
    np.testing.assert_array_equal(loaded.labels_, model.labels_)
    assert loaded.predict(NEW).tolist() == expected
    np.testing.assert_array_equal(loaded.transform(NEW), model.transform(NEW))


@pytest.mark.parametrize("view", VIEWS)
def test_a_loaded_model_is_the_one_that_was_saved(view: str, tmp_path: Path) -> None:
    model = ShiftedMinCut(3, random_state=5, n_init=4, **VIEWS[view][0]).fit(TRAINING)
    model.save(tmp_path / "model")
    loaded = ShiftedMinCut.load(tmp_path / "model")
    ignored = {"n_jobs", "verbose", "shift"}
    expected = {k: v for k, v in model.get_params().items() if k not in ignored}
    assert {k: v for k, v in loaded.get_params().items() if k not in ignored} == expected
    assert loaded.result_ == model.result_
    assert loaded.shift_path_ == model.shift_path_
    assert (loaded.cost_, loaded.n_clusters_, loaded.n_iter_) == (
        model.cost_,
        model.n_clusters_,
        model.n_iter_,
    )
    np.testing.assert_array_equal(loaded.transform(NEW), model.transform(NEW))
    for place in (0, 17):
        assert loaded.explain(place, TRAINING) == model.explain(place)
    np.testing.assert_array_equal(loaded.fit(TRAINING).labels_, model.labels_)


def table(n: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 3, n)
    frame = pd.DataFrame(
        {
            "a": kind * 3 + rng.normal(size=n),
            "b": np.array(["x", "y", "z"], dtype=object)[kind],
            "c": rng.normal(size=n),
        }
    )
    frame.loc[rng.choice(n, n // 10), "a"] = np.nan
    frame.loc[rng.choice(n, n // 10), "b"] = None
    return frame


@pytest.mark.parametrize("similarity", ["neighbors", "linear", "cosine", "rbf"])
def test_tables_with_text_and_missing_cells(similarity: str, tmp_path: Path) -> None:
    training, new = table(120, 1), table(50, 2)
    new.loc[3, "b"] = "never seen"
    training.to_csv(tmp_path / "training.csv", index=False)
    new[["c", "b", "a"]].to_csv(tmp_path / "new.csv", index=False)
    model = ShiftedMinCut(3, similarity=similarity, random_state=0).fit(training)
    expected = model.predict(new).tolist()
    ours, theirs = tmp_path / "python.shiftcut", tmp_path / "program.shiftcut"
    model.save(ours)
    assert predicted(ours, tmp_path / "new.csv") == expected
    command(
        "cluster", tmp_path / "training.csv", "-k", 3, "--similarity", similarity, "--model", theirs
    )
    loaded = ShiftedMinCut.load(theirs)
    assert list(loaded.feature_names_in_) == ["a", "b", "c"]
    assert loaded.predict(new).tolist() == expected
    assert ShiftedMinCut.load(ours).predict(new).tolist() == expected


def test_sparse_rows_graphs_and_matrices(tmp_path: Path) -> None:
    rows, new_rows = random_sparse(60, 30, 0.2, seed=1), random_sparse(20, 30, 0.2, seed=2)
    x = np.exp(-((TRAINING[:, None] - TRAINING) ** 2).sum(axis=2) / 20)
    new = np.exp(-((NEW[:, None] - TRAINING) ** 2).sum(axis=2) / 20)
    x[x < 0.05], new[new < 0.05] = 0, 0
    probable = sparse.csr_array(np.where(x > 0, np.clip(x, 0.1, 0.9), 0))
    cases: list[tuple[dict[str, Any], Any, Any]] = [
        ({}, rows, new_rows),
        ({"similarity": "linear"}, rows, new_rows),
        ({"similarity": "cosine"}, rows, new_rows),
        ({"similarity": "precomputed"}, x, new),
        ({"similarity": "precomputed"}, sparse.csr_array(x), sparse.csr_array(new)),
        ({"similarity": "precomputed", "weights": "log-odds"}, probable, sparse.csr_array(new)),
        ({"similarity": "precomputed_distance"}, 1 - x, 1 - new),
    ]
    for place, (parameters, training, rows_in) in enumerate(cases):
        training = training - np.diag(np.diag(training)) if place == 6 else training
        model = ShiftedMinCut(3, random_state=0, **parameters).fit(training)
        path = tmp_path / f"{place}.shiftcut"
        model.save(path)
        loaded = ShiftedMinCut.load(path)
        np.testing.assert_array_equal(loaded.transform(rows_in), model.transform(rows_in))
        write = write_mtx if sparse.issparse(rows_in) else write_npy
        file = write(tmp_path / f"{place}.{'mtx' if sparse.issparse(rows_in) else 'npy'}", rows_in)
        assert predicted(path, file) == model.predict(rows_in).tolist()


def test_pairs_and_learned_weights_are_part_of_it(tmp_path: Path) -> None:
    kind = np.arange(90) % 3
    pairs = np.array([(i, j) for i in range(0, 90, 7) for j in range(i + 1, 90, 11)])
    same = kind[pairs[:, 0]] == kind[pairs[:, 1]]
    model = ShiftedMinCut(3, learn_shift=True, random_state=0)
    model.fit(TRAINING, must_link=pairs[same], cannot_link=pairs[~same])
    model.save(tmp_path / "model")
    loaded = ShiftedMinCut.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.must_link, pairs[same])
    np.testing.assert_array_equal(loaded.transform(NEW), model.transform(NEW))
    assert loaded.explain(0, TRAINING) == model.explain(0)


@pytest.mark.parametrize("view", VIEWS)
def test_copies_and_pickles_predict_too(view: str) -> None:
    model = ShiftedMinCut(3, random_state=0, **VIEWS[view][0]).fit(TRAINING)
    expected = model.transform(NEW)
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(other.transform(NEW), expected)
        assert other.explain(3, TRAINING) == model.explain(3)


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model"
    with pytest.raises(NotFittedError):
        ShiftedMinCut().save(path)
    with pytest.raises(FileNotFoundError):
        ShiftedMinCut.load(path)
    ShiftedMinCut(random_state=0).fit(TRAINING).save(path)
    whole = path.read_bytes()
    for broken in (b"", b"no model", whole[:-1], whole[:50] + b"!" + whole[51:]):
        path.write_bytes(broken)
        with pytest.raises(ValueError, match="allowed: "):
            ShiftedMinCut.load(path)


def test_a_shift_matrix_can_be_pickled_but_not_saved(tmp_path: Path) -> None:
    model = ShiftedMinCut(2, similarity="linear", shift=np.ones((90, 90)), random_state=0)
    model.fit(TRAINING)
    with pytest.raises(ValueError, match="no shift for new rows"):
        model.save(tmp_path / "model")
    other = pickle.loads(pickle.dumps(model))
    with pytest.raises(ValueError, match="no shift for new rows"):
        other.predict(NEW)
    assert other.explain(3, TRAINING) == model.explain(3)
