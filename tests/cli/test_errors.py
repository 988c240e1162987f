"""Bad input and bad options: exit code 1 and one line that says what and where, nothing else."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from .conftest import ROOT, Argument, run, write_mtx_coordinate, write_npy

BAD = ROOT / "tests" / "corpus" / "bad"


def refused(args: list[Argument], stdin: bytes | None = None) -> str:
    """The one line on standard error."""
    done = run(args, stdin)
    assert done.returncode == 1, f"exit code {done.returncode}: {done.stdout}{done.stderr}"
    assert done.stdout == ""
    assert done.stderr.endswith("\n")
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("shiftcut: ")
    return done.stderr


# ---- Files ----


def bad_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (BAD / folder).iterdir())


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def test_there_are_bad_files() -> None:
    assert len([path for path in BAD.rglob("*") if path.is_file()]) > 100
    known = {"automatic", "features", "similarity", "distance", "graph", "labels"}
    assert {path.name for path in BAD.iterdir()} == known


@pytest.mark.parametrize("subcommand", ["cluster", "info"])
@pytest.mark.parametrize(
    "path",
    bad_files("automatic", "features", "similarity", "distance", "graph"),
    ids=name_of,
)
def test_bad_files(subcommand: str, path: Path) -> None:
    shape = "auto" if path.parent.name == "automatic" else path.parent.name
    assert f"{path}: " in refused([subcommand, path, "--as", shape])


@pytest.mark.parametrize("path", bad_files("labels"), ids=name_of)
def test_bad_label_files(path: Path, tmp_path: Path) -> None:
    good = tmp_path / "good.txt"
    good.write_text("a\nb\n", encoding="utf-8")
    assert f"{path}: " in refused(["evaluate", path, good])
    assert f"{path}: " in refused(["evaluate", good, path])


# ---- Options ----


@dataclass(frozen=True)
class Refused:
    """Options that are refused with a line that holds `words`."""

    options: list[Argument]
    words: list[str]
    input: str = "points.csv"
    subcommand: str = "cluster"
    stdin: bytes | None = None


def value(option: str, text: str, *more: str) -> Refused:
    """A value that the option does not take: the line names both and what is allowed."""
    found = [text] if text else []
    shown = "-k" if option == "--clusters" else option
    return Refused([f"{option}={text}", *more], [shown, *found, "allowed"])


CASES = [
    *(value("--clusters", text) for text in ["0", "-3", "abc", "1.5", "1e1", " 2", "+2", "2x"]),
    *(value("--clusters", text) for text in ["7", "99999999999999999999", "18446744073709551615"]),
    Refused(["-k", "0"], ["-k", "0", "allowed"]),
    Refused(["-k", ""], ["-k", "''", "allowed"]),
    Refused(["--shift", ""], ["--shift", "''", "allowed"]),
    Refused(["-k", "7"], ["-k", "7", "allowed: 1 to 6"]),
    Refused(["-k", "2", "-k", "3"], ["--clusters"]),
    *(value("--as", text) for text in ["table", "Features", "1"]),
    *(value("--format", text) for text in ["xlsx", "CSV"]),
    *(value("--scale", text) for text in ["robust", "Standard"]),
    *(value("--similarity", text) for text in ["euclidean", "gaussian"]),
    *(value("--distance", text) for text in ["manhattan", "squared"]),
    *(value("--method", text) for text in ["kmeans", "Local-Search"]),
    *(value("--preset", text) for text in ["fast", "Paper"]),
    *(value("--shift", text) for text in ["adaptiv", "0.5", "none=1", "adaptive=2", "matrix="]),
    *(
        Refused(["--shift", f"constant={text}"], ["--shift", text, "allowed"])
        for text in ["abc", "1,5", "1e999", "nan", "inf", "1 2"]
    ),
    Refused(["--shift", "constant="], ["--shift", "allowed"]),
    Refused(["--shift", "constant"], ["--shift", "allowed"]),
    *(value("--shift-strength", text) for text in ["-1", "-0.001", "nan", "inf", "abc"]),
    *(value("--restarts", text) for text in ["0", "-1", "abc", "1.5", "99999999999"]),
    *(value("--seed", text) for text in ["-1", "abc", "1.5", "18446744073709551616"]),
    *(value("--threads", text) for text in ["-1", "abc", "1.5", "100000"]),
    *(value("--max-seconds", text) for text in ["0", "-1", "nan", "abc"]),
    *(
        value("--sigma", text, "--similarity", "rbf")
        for text in ["0", "-1", "nan", "inf", "abc", "1x"]
    ),
    *(
        value("--neighbors", text, "--similarity", "neighbors")
        for text in ["0", "-1", "1001", "abc", "1.5", "99999999999999999999"]
    ),
    Refused(
        ["--similarity", "neighbors", "--neighbors", "0"],
        ["--neighbors", "found '0'; allowed: 1 to 1000"],
    ),
    *(
        value("--weights", text, "--similarity", "neighbors")
        for text in ["rbf", "Shared", "jaccard"]
    ),
    # What does not go together.
    *(
        Refused([option, text, *other], [option, text, "only with --similarity neighbors"])
        for option, text in [("--neighbors", "5"), ("--weights", "shared")]
        for other in [
            *(["--similarity", name] for name in ["linear", "cosine", "rbf"]),
            ["--preset", "paper"],
            ["--distance", "euclidean"],
            ["--sigma", "1"],
        ]
    ),
    *(
        Refused(["--sigma", "1", "--similarity", name], ["--sigma", "only with --similarity rbf"])
        for name in ["cosine", "linear", "neighbors"]
    ),
    *(
        Refused(
            ["--distance", "euclidean", "--similarity", name],
            ["--distance", "only with --similarity linear"],
        )
        for name in ["cosine", "rbf", "neighbors"]
    ),
    Refused(["--sigma", "1", "--distance", "euclidean"], ["--sigma", "allowed"]),
    *(
        Refused(["--shift", "auto", *other], ["--shift", "found auto", words, "allowed"])
        for other, words in [
            (["--similarity", "linear"], "linear similarities"),
            (["--similarity", "cosine"], "cosine similarities"),
            (["--similarity", "rbf"], "rbf similarities"),
            (["--distance", "euclidean"], "linear similarities"),
            (["--sigma", "2"], "rbf similarities"),
        ]
    ),
    Refused(["--shift", "auto"], ["found auto", "precomputed", "allowed"], "alike.mtx"),
    Refused(["--shift", "auto"], ["found auto", "signed.edges", "negative"], "signed.edges"),
    Refused(["--shift", "auto", "--shift-strength", "2"], ["--shift-strength", "not with"]),
    Refused(["--shift", "auto=1"], ["--shift", "auto=1", "allowed"]),
    *(
        Refused([option, text], [option, "allowed"], input=file)
        for option, text in [
            ("--scale", "standard"),
            ("--similarity", "linear"),
            ("--distance", "euclidean"),
            ("--sigma", "1"),
        ]
        for file in ["graph.mtx", "graph.edges", "alike.mtx"]
    ),
    Refused(["--as", "features", "--scale", "standard"], ["--scale", "allowed"], "words.mtx"),
    Refused(["--as", "features", "--similarity", "rbf"], ["--similarity", "allowed"], "words.mtx"),
    Refused(["--as", "features", "--distance", "euclidean"], ["allowed"], "words.mtx"),
    *(
        Refused([*options], [file, options[0], "allowed"], input=file)
        for options in (["--label-column", "a"], ["--drop", "a"], ["--categorical", "a"])
        for file in ["points.npy", "graph.mtx", "graph.edges"]
    ),
    Refused(["--no-header"], ["points.npy", "--no-header", "allowed"], "points.npy"),
    Refused(["--json", "-", "--labels", "-"], ["--labels", "--json", "allowed"]),
    # Columns.
    *(
        Refused([option, "zzz"], ["points.csv", option, "'zzz'", "allowed: 'a', 'b'"])
        for option in ["--label-column", "--drop", "--categorical"]
    ),
    Refused(["--drop", "a,zzz"], ["--drop", "'zzz'", "allowed"]),
    Refused(["--drop", "a,"], ["--drop", "''", "allowed"]),
    Refused(["--drop", "a,b"], ["points.csv", "allowed"]),
    Refused(["--drop", "b", "--label-column", "a"], ["points.csv", "allowed"]),
    Refused(["--drop", "a", "--label-column", "a"], ["--drop", "'a'", "allowed"]),
    Refused(["--drop", "a"], ["--drop", "two columns", "'a'", "allowed"], "twice.csv"),
    # Files that are not there, or not for this.
    Refused([], ["missing.csv", "can't be read"], "missing.csv"),
    Refused([], ["folder.csv", "directory"], "folder.csv"),
    Refused([], ["locked.csv", "can't be read"], "locked.csv"),
    Refused([], ["--format", "allowed"], "-", stdin=b"a\n1\n"),
    Refused(["--format", "csv"], ["standard input", "empty", "allowed"], "-", stdin=b""),
    Refused(["--format", "npy"], ["standard input", "allowed"], "-", stdin=b"a\n1\n"),
    Refused(["--format", "npy"], ["points.csv", "allowed"]),
    Refused(["--format", "mtx"], ["points.csv", "allowed"]),
    Refused(["--as", "similarity"], ["points.csv", "allowed"]),
    Refused(["--shift", "matrix=missing.npy"], ["missing.npy", "can't be read"]),
    Refused(["--shift", "matrix=small.npy"], ["--shift matrix", "2 x 2", "allowed: 6 x 6"]),
    Refused(["--shift", "matrix=small.npy"], ["--shift matrix", "allowed: 4 x 4"], "graph.mtx"),
    Refused(["--shift", "matrix=graph.mtx"], ["--shift matrix", "4 x 4", "allowed: 6 x 6"]),
    Refused(["--shift", "matrix=points.npy"], ["points.npy", "allowed"]),
    Refused(["--shift", "matrix=-"], ["matrix", "allowed"]),
    Refused(["--labels", "nowhere/labels.csv"], ["--labels", "nowhere/labels.csv", "allowed"]),
    Refused(["--json", "nowhere/result.json"], ["--json", "nowhere/result.json", "allowed"]),
    Refused(["--labels", "folder.csv"], ["--labels", "folder.csv", "allowed"]),
    Refused(["--json", "folder.csv"], ["--json", "folder.csv", "allowed"]),
    # The command line itself.
    Refused(["--clustres", "3"], ["--clustres"]),
    Refused(["more.csv"], ["more.csv"]),
    Refused(["--restarts"], ["--restarts"]),
    Refused(["--json"], ["--json"]),
    Refused(["--label-column", "zzz"], ["--label-column", "'zzz'"], subcommand="info"),
    Refused(["-k", "2"], ["-k"], subcommand="info"),
    Refused([], ["missing.csv", "can't be read"], "missing.csv", subcommand="info"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "points.csv").write_text("a,b\n1,2\n3,4\n5,7\n0,2\n3,3\n9,1\n", encoding="utf-8")
    (tmp_path / "twice.csv").write_text("a,a,b\n1,2,3\n4,5,6\n", encoding="utf-8")
    (tmp_path / "graph.edges").write_text("u v 1\nv w 2\n", encoding="utf-8")
    (tmp_path / "signed.edges").write_text("u v 1\nv w -2\n", encoding="utf-8")
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "locked.csv").write_text("a\n1\n", encoding="utf-8")
    (tmp_path / "locked.csv").chmod(0)
    matrix = np.ones((4, 4)) + np.eye(4)
    write_mtx_coordinate(tmp_path / "graph.mtx", matrix, symmetric=True)
    write_mtx_coordinate(tmp_path / "words.mtx", np.tri(4, 3))
    (tmp_path / "alike.mtx").write_text(
        "%%MatrixMarket matrix array real general\n2 2\n1\n0\n0\n1\n", encoding="utf-8"
    )
    write_npy(tmp_path / "points.npy", np.arange(12.0).reshape(6, 2))
    write_npy(tmp_path / "small.npy", np.eye(2))
    return tmp_path


def case_name(case: Refused) -> str:
    return " ".join([case.subcommand, case.input, *map(str, case.options)])


@pytest.mark.parametrize("case", CASES, ids=case_name)
@pytest.mark.usefixtures("folder")
def test_refused(case: Refused) -> None:
    if case.input == "locked.csv" and os.access("locked.csv", os.R_OK):
        pytest.skip("root may read everything")
    line = refused([case.subcommand, case.input, *case.options], case.stdin)
    assert [word for word in case.words if word not in line] == [], line


@pytest.mark.usefixtures("folder")
def test_nothing_is_written_when_refused() -> None:
    refused(["cluster", "points.csv", "-k", "7", "--labels", "labels.csv", "--json", "result.json"])
    assert not Path("labels.csv").exists()
    assert not Path("result.json").exists()


@pytest.mark.usefixtures("folder")
def test_the_program_needs_a_subcommand_it_knows() -> None:
    refused([])
    refused(["cluster"])
    refused(["evaluate", "points.csv"])
    assert "clutser" in refused(["clutser", "points.csv"])


@pytest.mark.usefixtures("folder")
def test_a_name_of_odd_bytes_stays_on_one_line() -> None:
    line = refused(["cluster", "no\nsuch\x1b[2J.csv"])
    assert "\x1b" not in line
    assert "\x1b" not in refused(["cluster", "points.csv", "--drop", "x\n\x1b[2J"])
    assert "\x1b" not in refused(["cluster", "points.csv", "-k", "x\n\x1b[2J"])
    assert "\x1b" not in refused(["cluster", "points.csv", "--labels", "no\n\x1b[2J/labels.csv"])
