"""`shiftcut cluster --layout`."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .conftest import ROOT, blobs, run, write_npy
from .test_errors import refused

KARATE = ROOT / "examples" / "karate.edges"


def test_places_have_the_ids_of_the_labels(tmp_path: Path) -> None:
    labels, places = tmp_path / "labels.csv", tmp_path / "places.csv"
    done = run(["cluster", KARATE, "--labels", labels, "--layout", places])
    assert done.returncode == 0, done.stderr
    lines = places.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "id,x,y"
    ids = [line.split(",")[0] for line in labels.read_text(encoding="utf-8").splitlines()]
    assert [line.split(",")[0] for line in lines] == ids
    assert all(
        np.isfinite([float(number) for number in line.split(",")[1:]]).all() for line in lines[1:]
    )


def test_the_same_bytes_on_any_number_of_threads(tmp_path: Path) -> None:
    file = write_npy(tmp_path / "points.npy", blobs(300, 5, seed=1, groups=4))
    found = set()
    for threads in (1, 2, 5):
        done = run(["cluster", file, "--layout", "-", "--threads", threads, "--quiet"])
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("id,x,y\n")
        found.add(done.stdout)
    assert len(found) == 1
    assert done.stdout.count("\n") == 301


def test_it_may_be_no_other_file(tmp_path: Path) -> None:
    file = write_npy(tmp_path / "points.npy", blobs(20, 3, seed=1, groups=2))
    out = tmp_path / "out.csv"
    for other in ("--labels", "--json", "--model"):
        assert "--layout" in refused(["cluster", file, other, out, "--layout", out])
    assert "--layout" in refused(["cluster", file, "--layout", file])
    assert not out.exists()
