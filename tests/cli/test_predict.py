"""`shiftcut cluster --model` and `shiftcut predict`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from .conftest import ROOT, Argument, blobs, run, write_csv, write_npy
from .test_errors import refused

KARATE = ROOT / "examples" / "karate.edges"
VIEWS: dict[str, list[Argument]] = {
    "neighbors": [],
    "gaussian": ["--weights", "gaussian", "--neighbors", 6],
    "linear": ["--similarity", "linear", "-k", 3],
    "weak": ["--similarity", "linear", "-k", 3, "--shift-strength", 0.8],
    "euclidean": ["--distance", "euclidean", "-k", 3],
    "cosine": ["--similarity", "cosine", "-k", 3],
    "rbf": ["--similarity", "rbf", "-k", 3],
}


def made(tmp_path: Path, file: Path, *args: Argument) -> tuple[Path, list[int]]:
    """A model of the file, and the labels of the run."""
    model, labels = tmp_path / "model.shiftcut", tmp_path / "trained.csv"
    done = run(["cluster", file, *args, "--model", model, "--labels", labels, "--quiet"])
    assert done.returncode == 0, done.stderr
    return model, labels_in(labels.read_text(encoding="utf-8"))


def labels_in(text: str) -> list[int]:
    lines = text.splitlines()
    assert lines[0] == "id,label"
    return [int(line.rpartition(",")[2]) for line in lines[1:]]


def predicted(model: Path, new: Path, *args: Argument) -> list[int]:
    done = run(["predict", model, new, *args])
    assert done.returncode == 0, done.stderr
    return labels_in(done.stdout)


@pytest.mark.parametrize("view", VIEWS)
def test_training_rows_stay_where_they_are_for_any_number_of_threads(
    tmp_path: Path, view: str
) -> None:
    file = write_npy(tmp_path / "points.npy", blobs(90, 3, seed=1, groups=3))
    model, labels = made(tmp_path, file, *VIEWS[view])
    assert predicted(model, file, "--threads", 1) == labels
    assert predicted(model, file, "--threads", 4) == labels


def test_outputs_go_where_they_are_asked_to(tmp_path: Path) -> None:
    file = write_npy(tmp_path / "points.npy", blobs(60, 3, seed=1, groups=3))
    model, labels = made(tmp_path, file, *VIEWS["linear"])
    out, report = tmp_path / "out.csv", tmp_path / "out.json"
    done = run(["predict", model, file, "--labels", out, "--json", report])
    assert (done.returncode, done.stdout) == (0, "")
    assert labels_in(out.read_text(encoding="utf-8")) == labels
    told = json.loads(report.read_text(encoding="utf-8"))
    assert told["labels"] == labels
    assert told["sizes"] == np.bincount(labels).tolist()
    alone = json.loads(run(["predict", model, file, "--json", "-"]).stdout)
    assert alone == told


TRAINING = "a,kind,b\n" + "".join(f"{i % 2 * 9 + i % 5},{'xy'[i % 2]},{i % 3}\n" for i in range(40))


def test_columns_are_found_by_name_and_cells_filled_as_in_training(tmp_path: Path) -> None:
    table, new = tmp_path / "table.csv", tmp_path / "new.csv"
    table.write_text(TRAINING, encoding="utf-8")
    model, _ = made(tmp_path, table, "-k", 2)
    plain = "a,kind,b\n2,x,1\n11,y,1\n"
    new.write_text(plain, encoding="utf-8")
    expected = predicted(model, new)
    assert expected[0] != expected[1]
    new.write_text("b,id,kind,a\n1,7,x,2\n1,8,y,11\n", encoding="utf-8")
    done = run(["predict", model, new])
    assert labels_in(done.stdout) == expected
    assert "1 column is not in the model and was ignored: 'id'" in done.stderr
    new.write_text("b;kind;a\n;x;2,0\n1;y;11,5\n", encoding="utf-8")
    done = run(["predict", model, new])
    assert labels_in(done.stdout) == expected
    assert "1 missing cell was filled as in training" in done.stderr
    new.write_text("a,kind,b\n2,z,1\n", encoding="utf-8")
    done = run(["predict", model, new])
    assert done.returncode == 0
    assert "column 'kind': found 'z', which did not occur in training" in done.stderr
    new.write_text("2,x,1\n11,y,1\n", encoding="utf-8")
    assert predicted(model, new, "--no-header") == expected


def test_columns_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    table, new = tmp_path / "table.csv", tmp_path / "new.csv"
    table.write_text(TRAINING, encoding="utf-8")
    model, _ = made(tmp_path, table)
    new.write_text("a,b\n2,1\n", encoding="utf-8")
    told = refused(["predict", model, new])
    assert "found no column 'kind'; allowed: all 3 columns of the model" in told
    new.write_text("a,kind,b\nmany,x,1\n", encoding="utf-8")
    assert "line 2, column 1 ('a'): found 'many'" in refused(["predict", model, new])
    new.write_text("2,x\n", encoding="utf-8")
    told = refused(["predict", model, new, "--no-header"])
    assert "found 2 columns; allowed: 3, as in training" in told
    wide = write_npy(tmp_path / "wide.npy", np.zeros((2, 9)))
    assert "found 9 columns; allowed: 4, as in training" in refused(["predict", model, wide])


def test_held_out_columns_may_be_there_again_or_not(tmp_path: Path) -> None:
    points = blobs(40, 2, seed=3, groups=2)
    classes = np.arange(40.0)[:, None] % 2
    table = write_csv(tmp_path / "table.csv", np.hstack([points, classes]), ["a", "b", "class"])
    model, labels = made(tmp_path, table, "--label-column", "class", "-k", 2)
    assert predicted(model, table) == labels
    bare = write_csv(tmp_path / "bare.csv", points, ["a", "b"])
    assert predicted(model, bare) == labels
    assert predicted(model, write_npy(tmp_path / "bare.npy", points)) == labels


def test_new_nodes_of_a_graph_join_their_neighbours(tmp_path: Path) -> None:
    model, _ = made(tmp_path, KARATE, "-k", 2)
    of = dict(
        line.split(",")
        for line in (tmp_path / "trained.csv").read_text(encoding="utf-8").splitlines()[1:]
    )
    new = tmp_path / "new.edges"
    new.write_text("x 1\nx 2\ny 32\ny 33\nx y\n", encoding="utf-8")
    done = run(["predict", model, new])
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"id,label\nx,{of['1']}\ny,{of['33']}\n"
    assert "1 edge was ignored" in done.stderr


def test_similarities_to_the_training_objects(tmp_path: Path) -> None:
    points = blobs(40, 2, seed=3, groups=2)
    x = np.exp(-((points[:, None] - points) ** 2).sum(axis=2) / 10)
    matrix = write_npy(tmp_path / "x.npy", x)
    model, labels = made(tmp_path, matrix, "--as", "similarity", "-k", 2)
    assert predicted(model, write_npy(tmp_path / "new.npy", x[5:12])) == labels[5:12]
    lines = "\n".join(",".join(map(repr, row)) for row in x[5:12].tolist())
    table = tmp_path / "new.csv"
    table.write_text(lines + "\n", encoding="utf-8")
    assert predicted(model, table, "--no-header") == labels[5:12]


def test_the_json_of_a_graph_names_its_nodes(tmp_path: Path) -> None:
    found = json.loads(run(["cluster", KARATE, "-k", 2, "--json", "-"]).stdout)
    assert len(found["ids"]) == 34
    assert sorted(map(int, found["ids"])) == list(range(34))
    file = write_npy(tmp_path / "points.npy", blobs(40, 2, seed=3, groups=2))
    assert "ids" not in json.loads(run(["cluster", file, "--json", "-"]).stdout)


def test_files_that_are_no_models_are_refused(tmp_path: Path) -> None:
    file = write_npy(tmp_path / "points.npy", blobs(40, 2, seed=3, groups=2))
    model, _ = made(tmp_path, file)
    whole = model.read_bytes()
    assert f"{file}: found no model; allowed: a file" in refused(["predict", file, file])
    model.write_bytes(whole[: len(whole) // 2])
    assert "the rest is missing; allowed: the whole file" in refused(["predict", model, file])
    model.write_bytes(whole[:100] + bytes([whole[100] ^ 1]) + whole[101:])
    assert "found bytes that do not match the checksum" in refused(["predict", model, file])
    model.write_bytes(whole[:8] + b"\x04\0\0\0" + whole[12:])
    assert "found a model of format version 4; allowed: version 3" in refused(
        ["predict", model, file]
    )
    model.unlink()
    assert "model.shiftcut" in refused(["predict", model, file])


def test_a_model_is_refused_before_the_run_where_there_can_be_none(tmp_path: Path) -> None:
    points = blobs(40, 2, seed=3, groups=2)
    file = write_npy(tmp_path / "points.npy", points)
    shift = write_npy(tmp_path / "shift.npy", np.full((40, 40), 0.1))
    told = refused(["cluster", file, "--shift", f"matrix={shift}", "--model", tmp_path / "m"])
    assert "--model: found" in told
    assert "not with a shift matrix" in told
    told = refused(["cluster", file, "--model", file])
    assert "a file other than INPUT" in told
