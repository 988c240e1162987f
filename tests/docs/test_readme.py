"""What the README shows of `make demo`, and the links between the pages."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from .pages import PAGES, ROOT, blocks_of


def test_the_demo_shows_what_the_program_prints(tmp_path: Path) -> None:
    """Of `make demo`, but for the seconds it took."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    (tmp_path / "out").mkdir()
    demo = (ROOT / "tools" / "demo.sh").read_text(encoding="utf-8")
    (line,) = re.findall(r"^build/(shiftcut .*?)[^\\]$", demo, flags=re.MULTILINE | re.DOTALL)
    path = [str(ROOT / "build"), str(Path(sys.executable).parent), os.environ["PATH"]]
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=tmp_path,
        env={**os.environ, "PATH": os.pathsep.join(path)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    *printed, seconds = done.stdout.splitlines(keepends=True)
    assert re.match(r"[\d.e-]+ s \(read ", seconds)
    assert "".join(printed) in [block.text for block in blocks_of(ROOT / "README.md")]


def anchors(page: Path) -> set[str]:
    """Of the headings, as git hosts and the site make them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    titles = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for link in re.findall(r"\]\(([^): ]+)\)", page.read_text(encoding="utf-8")):
            name, _, anchor = link.partition("#")
            target = page.parent / name if name else page
            assert target.exists(), f"{page.name} links to {link}"
            if anchor:
                assert anchor in anchors(target), f"{page.name} links to {link}"
