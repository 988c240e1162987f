"""`shiftcut explain`: why an object is where it is."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from . import definition
from .conftest import ROOT, Argument, blobs, result, run, write_csv, write_npy
from .test_errors import refused

KARATE = ROOT / "examples" / "karate.edges"


def test_it_says_so_in_words() -> None:
    done = run(["explain", KARATE, "--object", "8", "-k", 2])
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("object 8 is in cluster ")
    assert "moving it there would raise the cost by" in done.stdout
    assert "strongest ties in its cluster: " in done.stdout


def test_the_numbers_are_those_of_the_result(tmp_path: Path) -> None:
    points = blobs(60, 3, seed=1, groups=3)
    file = write_npy(tmp_path / "points.npy", points)
    args: list[Argument] = [file, "--scale", "standard", "--similarity", "linear"]
    args += ["-k", 3, "--shift-strength", 1.2]
    found = result(args)
    x = definition.linear(definition.scaled(points, "standard"), "sqeuclidean")
    s = x - 1.2 * definition.adaptive(x)
    labels = np.asarray(found["labels"])
    for i in (0, 17, 59):
        done = run(["explain", *args, "--object", i, "--json", "-", "--ties", 2])
        told = json.loads(done.stdout)
        own = [j for j in range(60) if labels[j] == labels[i] and j != i]
        assert told["own"]["cluster"] == labels[i]
        assert told["own"]["affinity"] == pytest.approx(s[i, own].sum(), rel=1e-9, abs=1e-9)
        best = sorted((j for j in own if s[i, j] > 0), key=lambda j: -s[i, j])[:2]
        assert [tie["object"] for tie in told["own"]["ties"]] == best
        assert told["margin"] >= -1e-9


def test_pairs_are_named(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.txt"
    pairs.write_text("8 33\n", encoding="utf-8")
    done = run(["explain", KARATE, "--object", "8", "-k", 2, "--must-link", pairs])
    assert "must be with: 33" in done.stdout


def test_an_object_that_is_none_is_refused(tmp_path: Path) -> None:
    assert "--object: found '99'; allowed: an id of the 34 objects" in refused(
        ["explain", KARATE, "--object", "99"]
    )
    file = write_npy(tmp_path / "points.npy", blobs(40, 2, seed=1, groups=2))
    told = refused(["explain", file, "--object", "40"])
    assert "--object: found '40'; allowed: a row number from 0 to 39" in told


def test_what_was_passed_over_in_a_file_of_pairs_is_said(tmp_path: Path) -> None:
    points = write_csv(tmp_path / "points.csv", blobs(40, 3, seed=3))
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("a,b\n0,1\n", encoding="utf-8")
    done = run(["explain", points, "-k", 3, "--object", 0, "--must-link", pairs])
    assert done.returncode == 0, done.stderr
    assert "note: " in done.stderr
    assert "header" in done.stderr
