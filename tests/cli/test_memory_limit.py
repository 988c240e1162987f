"""--memory-limit: the labels of a run without it, or a refusal before the work.

That the limit is kept is measured in tests/blocks/run_file_test.cpp, where regions can be small.
"""

from __future__ import annotations

import signal
import time
from pathlib import Path

import numpy as np
import pytest

from .conftest import Argument, blobs, result, run, write_csv, write_npy
from .test_checkpoint import kill_with_parts, parts_of, resumed, start

LIMIT = ["--memory-limit", "1GB"]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    values = blobs(6000, 6, seed=4, groups=7, apart=3)
    values[100:200] = values[:100]  # rows that repeat
    return write_npy(tmp_path_factory.mktemp("limited") / "rows.npy", values)


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["-k", 7],
        ["--metric", "cosine", "-k", 5],
        ["--scale", "minmax", "--weights", "gaussian"],
    ],
    ids=["k free", "k given", "cosine", "minmax"],
)
def test_labels_are_those_without_a_limit(rows: Path, options: list[Argument]) -> None:
    plain = result([rows, *options])
    limited = result([rows, *options, *LIMIT])
    for name in ("labels", "sizes", "cost", "objects", "scale", "metric", "similarity"):
        assert limited[name] == plain[name], name


def test_label_files_are_the_same(rows: Path, tmp_path: Path) -> None:
    for name, options in (("plain.csv", []), ("limited.csv", LIMIT)):
        done = run(["cluster", rows, "-k", 7, "--labels", tmp_path / name, *options])
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "limited.csv").read_text() == (tmp_path / "plain.csv").read_text()


def test_integers_and_gzip_are_read(tmp_path: Path) -> None:
    values = np.round(10 * blobs(800, 3, seed=2, groups=3, apart=4)).astype(np.int16)
    np.save(tmp_path / "rows.npy", values)
    plain = result([tmp_path / "rows.npy"])
    assert result([tmp_path / "rows.npy", *LIMIT])["labels"] == plain["labels"]


def test_a_limit_that_is_too_small_says_how_much_is_needed(rows: Path) -> None:
    done = run(["cluster", rows, "--memory-limit", "8MB"])
    assert done.returncode == 1
    assert "--memory-limit: found 0.01 GB; allowed: 0.0" in done.stderr
    assert " GB or more, which " in done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--similarity", "linear"], "--similarity linear"),
        (["--metric", "manhattan"], "--metric manhattan"),
        (["--max-seconds", 5], "--max-seconds"),
        (["--min-size", 5], "--min-size"),
        (["--model", "model"], "--model"),
        (["--layout", "map.csv"], "--layout"),
        (["--pairs", "pairs.csv"], "--pairs"),
    ],
)
def test_what_needs_all_rows_is_refused(rows: Path, options: list[Argument], said: str) -> None:
    done = run(["cluster", rows, *options, *LIMIT])
    assert done.returncode == 1
    assert "--memory-limit" in done.stderr
    assert said in done.stderr


def test_other_files_are_refused(tmp_path: Path) -> None:
    values = blobs(50, 3, seed=1)
    table = write_csv(tmp_path / "rows.csv", values)
    columns = tmp_path / "columns.npy"
    np.save(columns, np.asfortranarray(values))
    for words in ([table], ["-", "--format", "npy"], [columns], [columns, "--as", "distance"]):
        done = run(["cluster", *words, *LIMIT])
        assert done.returncode == 1
        assert "allowed" in done.stderr


@pytest.mark.parametrize("text", ["", "2", "GB", "2 GB", "-1GB", "2XB", "2GBB", "nanGB", "1e30GB"])
def test_sizes_that_make_no_sense_are_refused(rows: Path, text: str) -> None:
    done = run(["cluster", rows, "--memory-limit", text])
    assert done.returncode != 0
    assert "--memory-limit" in done.stderr


def test_a_killed_run_goes_on(rows: Path, tmp_path: Path) -> None:
    args: list[Argument] = [rows, "-k", 7, "--threads", 1, *LIMIT]
    folder = tmp_path / "kept"
    if not kill_with_parts(args, folder, 3):
        pytest.skip("the run ended before three parts of it took long enough to be kept")
    found = result([*args, "--checkpoint", folder])
    assert resumed(found["warnings"])
    assert found["labels"] == result(args)["labels"]


def test_an_interrupted_run_ends_and_goes_on(rows: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    args: list[Argument] = [rows, "-k", 7, "--threads", 1, "--checkpoint", folder, *LIMIT]
    with start(args) as process:
        while process.poll() is None and len(parts_of(folder)) < 3:
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) in (0, 130)
    assert result(args)["labels"] == result([rows, "-k", 7])["labels"]
