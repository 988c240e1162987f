"""Bounds on the sizes of clusters: --min-size, --max-size."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import blobs, result, run
from .test_weights import write


def test_sizes_are_kept_and_echoed(tmp_path: Path) -> None:
    file = write(tmp_path / "t.csv", blobs(50, 3, seed=1))
    found = result([file, "-k", 4, "--min-size", 12, "--max-size", 13])
    assert found["sizes"] == [13, 13, 12, 12]
    bounds = found["size_bounds"]
    assert (bounds["min"], bounds["max"]) == (12, 13)
    assert bounds["moved"] > 0
    assert {restart["method"] for restart in found["restarts"]} == {"sizes"}
    assert "size_bounds" not in result([file, "-k", 4])
    assert result([file, "--max-size", 13])["size_bounds"]["min"] is None


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--min-size", "0"], "--min-size: found '0'; allowed: a whole number of 1 or more"),
        (["--max-size", "few"], "--max-size: found 'few'; allowed: a whole number of 1 or more"),
        (["-k", "4", "--min-size", "13"], "--min-size: found 13; allowed: at most 12"),
        (["-k", "4", "--max-size", "12"], "--max-size: found 12; allowed: at least 13"),
        (["--min-size", "30", "--max-size", "40"], "no number of clusters of such sizes"),
        (
            ["--min-size", "9", "--max-size", "8"],
            "--min-size: found 9; allowed: at most --max-size",
        ),
    ],
)
def test_sizes_that_cannot_be_kept_are_refused(
    options: list[str], told: str, tmp_path: Path
) -> None:
    found = run(["cluster", write(tmp_path / "t.csv", blobs(50, 3, seed=1)), *options])
    assert found.returncode == 1
    assert told in found.stderr
    assert found.stderr.count("\n") == 1
