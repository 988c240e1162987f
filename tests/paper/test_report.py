"""The whole command: what it writes agrees with itself, with data and without."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from experiments import __main__ as front
from experiments.paper import stages
from experiments.paper.stages import Context
from experiments.places import ROOT

SCORE_TABLE = "RealWorld_Mutual_info"


def run(shared: Path, out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "experiments", "--quick", "--out", str(out), *more],
        cwd=ROOT,
        env={**os.environ, "SHIFTCUT_SHARED": str(shared)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def write_data(folder: Path) -> None:
    """One small data set under the name of a real one, and printed tables that know it."""
    rng = np.random.default_rng(0)
    (folder / "data" / "uci").mkdir(parents=True)
    with (folder / "data" / "uci" / "lung_cancer.csv").open("w", encoding="utf-8") as file:
        file.write("A1,A2,label\n")
        for place in range(32):
            x, y = rng.normal(size=2) + (5 if place < 9 else 0)
            file.write(f"{x:.3f},{'' if place == 3 else f'{y:.3f}'},{1 + place // 9 % 3}\n")
    tables: dict[str, dict[str, dict[str, object]]] = {}
    from experiments.paper.tables.printed import SCORE_ROWS, TABLES, UCI_NAMES

    for table in TABLES:
        rows = UCI_NAMES if table.score else tuple(SCORE_ROWS)
        cell: object = 0.25 if table.study == "best" else {"mean": 0.25, "std": 0.01}
        tables[table.key] = {row: dict.fromkeys(table.methods, cell) for row in rows}
    (folder / "paper").mkdir()
    (folder / "paper" / "tables.json").write_text(json.dumps(tables), encoding="utf-8")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    shared, out = tmp_path_factory.mktemp("shared"), tmp_path_factory.mktemp("out")
    write_data(shared)
    done = run(shared, out, "--only", "figures,tables")
    assert done.returncode == 0, done.stderr
    return out


def cells(results: Path) -> list[dict[str, str]]:
    with (results / "cells.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_ours_and_the_printed_number_stand_in_every_file(results: Path) -> None:
    row = next(
        cell
        for cell in cells(results)
        if cell["table"] == SCORE_TABLE
        and (cell["data"], cell["method"]) == ("Lung Cancer", "ShiftedMinCut")
        and cell["pipeline"] == "paper"
    )
    difference = float(row["ours"]) - float(row["printed"])
    assert float(row["difference"]) == pytest.approx(difference, abs=2e-6)
    text = f"{float(row['ours']):.4f} ({float(row['printed']):.4f}, {difference:+.4f})"
    assert text in (results / "paper.md").read_text(encoding="utf-8")
    assert text in (results / "paper.html").read_text(encoding="utf-8")
    assert text in (results / "csv" / f"{SCORE_TABLE}-paper.csv").read_text(encoding="utf-8")


def test_every_difference_has_a_reason(results: Path) -> None:
    for cell in cells(results):
        if cell["status"] not in ("same", "within error"):
            assert cell["reason"], cell


def test_the_page_needs_nothing_else(results: Path) -> None:
    page = (results / "paper.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert 'src="data:image/svg+xml;base64,' in page
    assert 'src="http' not in page
    assert "url(" not in page


def test_without_data_it_says_how_to_get_them_and_does_the_rest(tmp_path: Path) -> None:
    done = run(tmp_path / "nothing", tmp_path / "out", "--only", "figures,convergence,tables")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("missing: ") == 12
    assert "https://doi.org/10.24432/C5388M" in done.stderr
    assert "wine" in (tmp_path / "out" / "paper.md").read_text(encoding="utf-8")


def test_an_interrupted_run_writes_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: Context) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(stages, "fill_answers", interrupted)
    code = front.main(["--quick", "--out", str(tmp_path), "--only", "figures,tables"])
    assert code == 130
    page = (tmp_path / "paper.md").read_text(encoding="utf-8")
    assert "Min Cut splits off" in page
    assert "Cells by agreement" in page


def test_unknown_parts_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        front.main(["--only", "pictures"])
    assert "allowed: figures,section6" in capsys.readouterr().err
