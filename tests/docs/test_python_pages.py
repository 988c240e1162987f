"""The examples, the pictures and the pages made by scripts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
GUIDE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
EXAMPLES = sorted((ROOT / "examples" / "python").glob("*.py"))


def run(*args: object, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, *map(str, args)],
        cwd=folder,
        env={**os.environ, "MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_run(example: Path, tmp_path: Path) -> None:
    assert len(EXAMPLES) >= 3
    told = run(example, folder=tmp_path)
    agreement = re.search(r"AMI\)?:? ([0-9.]+)", told)
    assert agreement is not None
    assert float(agreement[1]) > 0.4


def test_the_pictures_of_the_guide_are_drawn_by_their_script(tmp_path: Path) -> None:
    run(ROOT / "tools" / "draw_pictures.py", tmp_path, folder=tmp_path)
    shown = set(re.findall(r"\(pictures/(\w+\.png)\)", GUIDE))
    assert shown
    assert shown == {path.name for path in tmp_path.iterdir()}
    assert all((tmp_path / name).read_bytes()[:4] == b"\x89PNG" for name in shown)


def test_the_api_page_is_that_of_the_docstrings(tmp_path: Path) -> None:
    run(ROOT / "tools" / "make_api_page.py", tmp_path / "api.md", folder=tmp_path)
    kept = (ROOT / "docs" / "python_api.md").read_text(encoding="utf-8")
    assert (tmp_path / "api.md").read_text(encoding="utf-8") == kept
