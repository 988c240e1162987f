"""The comparison's figures are those of its script: recomputed for two of its data sets."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .pages import ROOT

PAGE = ROOT / "docs" / "comparison.md"
AGAIN = ("iris", "wine")
TOLERANCE = 0.02  # other versions and processors of the peers
Key = tuple[str, str, str]  # heading of the table, method, data


def figures(page: Path) -> dict[Key, list[float]]:
    """Per cell its AMI values: with the first settings, and with the best ones."""
    found: dict[Key, list[float]] = {}
    heading = ""
    names: list[str] = []
    for line in page.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("### "):
            heading, names = line, []
        elif line.startswith("| ") and not names:
            names = cells
        elif line.startswith("| ") and names:
            for name, cell in zip(names[1:], cells[1:], strict=True):
                key = (heading, cells[0], name.split(",")[0])
                found[key] = [float(value) for value in re.findall(r"\b\d\.\d\d\b", cell)]
    return found


def test_the_figures_of_the_comparison_are_those_of_its_script(tmp_path: Path) -> None:
    page = tmp_path / "comparison.md"
    shutil.copy(PAGE, page)
    script = str(ROOT / "tools" / "compare_methods.py")
    command = [sys.executable, script, "--only", ",".join(AGAIN), "--page", str(page)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    shown, made = figures(PAGE), figures(page)
    compared = [key for key in made if key[2] in AGAIN]
    # Peers outside scikit-learn may not be installed.
    assert len({(table, method) for table, method, _ in compared}) >= 10
    for key in compared:
        assert made[key] == pytest.approx(shown[key], abs=TOLERANCE), key
