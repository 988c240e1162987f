"""`--report`: one page that a browser opens without anything else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from .conftest import ROOT, run, write_csv
from .test_errors import refused

WINE = ROOT / "examples" / "wine.csv"
IS_BUILT = (ROOT / "web" / "dist" / "report.html").exists()
needs_page = pytest.mark.skipif(not IS_BUILT, reason="the page is not built (make web)")


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="report-data">(.*?)</script>', page)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def report(tmp_path: Path, *args: str | Path | int) -> str:
    file = tmp_path / "report.html"
    done = run(["cluster", *args, "--report", file])
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return file.read_text(encoding="utf-8")


@pytest.mark.skipif(IS_BUILT, reason="the page is built")
def test_without_the_page_it_says_how_to_get_it(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    told = refused(["cluster", WINE, "--report", file])
    assert "--report" in told
    assert "make web" in told
    assert not file.exists()


@needs_page
def test_it_holds_the_result_and_the_command(tmp_path: Path) -> None:
    page = report(tmp_path, WINE, "--label-column", "label", "-k", 3, "--seed", 7)
    data = data_of(page)
    assert data["about"]["title"] == "wine.csv"
    assert data["about"]["objects"] == 178
    assert data["about"]["seed"] == "7"
    command = data["about"]["command"]
    assert command.startswith("shiftcut cluster ")
    assert "--label-column label" in command
    assert "--report" not in command
    assert sum(data["clusters"]["sizes"]) == 178
    assert len(data["map"]["x"]) == len(data["map"]["labels"]) == 178


@needs_page
def test_it_loads_nothing_and_is_the_same_each_time(tmp_path: Path) -> None:
    page = report(tmp_path, WINE, "-k", 3, "--drop", "label")
    assert "default-src 'none'" in page
    assert not re.search(r'(src|href)="(?!#|data:,)', page)
    assert report(tmp_path, WINE, "-k", 3, "--drop", "label", "--threads", 1) != ""
    assert report(tmp_path, WINE, "-k", 3, "--drop", "label") == page


@needs_page
def test_names_are_never_markup(tmp_path: Path) -> None:
    evil = '</script><img src=x onerror="alert(1)">'
    edges = tmp_path / "evil.edges"
    names = [evil.replace(" ", "\u00a0"), "\u202eabc", "b", "c", "\x1b[31mred"]
    edges.write_text(
        "".join(f"{a} {b}\n" for a in names for b in names if a != b), encoding="utf-8"
    )
    page = report(tmp_path, edges)
    assert "<img" not in page
    assert "\u202e" not in page
    assert "\x1b" not in page


@needs_page
@pytest.mark.parametrize("file", ["-", "same"])
def test_it_is_a_file_of_its_own(tmp_path: Path, file: str) -> None:
    table = write_csv(tmp_path / "t.csv", np.eye(4))
    told = refused(["cluster", table, "--report", table if file == "same" else file])
    assert "--report" in told


@needs_page
@pytest.mark.parametrize(("table", "similarity"), [("wine", "linear"), ("iris", "neighbors")])
def test_doubtful_objects_are_those_that_explain_shows(
    tmp_path: Path, table: str, similarity: str
) -> None:
    file = ROOT / "examples" / f"{table}.csv"
    args: list[str | Path | int] = [file, "--label-column", "label", "-k", 3]
    args += ["--similarity", similarity]
    doubtful = data_of(report(tmp_path, *args))["standing"]["between"]
    assert doubtful
    for entry in doubtful[:5]:
        done = run(["explain", *args, "--object", entry["name"], "--json", "-"])
        told = json.loads(done.stdout)
        assert told["own"]["cluster"] == entry["cluster"]
        assert told["next"]["cluster"] == entry["next"]
        share = told["next"]["affinity"] / told["own"]["affinity"]
        assert entry["share"] == pytest.approx(share, rel=1e-9)
