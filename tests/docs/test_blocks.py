"""Every fenced block of the pages: Python, shell and C++ run as a newcomer would try them.

Python and C++ blocks stand on their own; the shell blocks of a page run in order, in a folder with
the examples in it. A block that is not run says why in a comment above it, and is shown as skipped.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .pages import BLOCKS, PAGES, ROOT, RUN, SHOWN, Block, blocks_of
from .python_blocks import run_python

BUILD = ROOT / "build"
FLAGS = [
    "-std=c++20",
    "-Wall",
    "-Wextra",
    "-Werror",
    f"-I{ROOT / 'include'}",
    f"-I{BUILD / 'include'}",
]
LIBRARIES = [str(BUILD / "libshiftcut.a"), "-lz", "-pthread"]


def runnable(language: str, blocks: list[Block] = BLOCKS) -> list[Block]:
    return [block for block in blocks if block.language == language and not block.reason]


SHELL_PAGES = [page for page in PAGES if runnable("sh", blocks_of(page))]


def name(given: Block | Path) -> str:
    return given.name


def search_path() -> str:
    return os.pathsep.join([str(BUILD), str(Path(sys.executable).parent), os.environ["PATH"]])


def run(command: list[str], folder: Path) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": search_path(), "MPLBACKEND": "Agg"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{command[-1]}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return tmp_path


@pytest.mark.parametrize("block", runnable("python"), ids=name)
def test_python_runs_and_prints_what_the_page_says(block: Block, desk: Path) -> None:
    printed = iter(run_python(block.text, desk, search_path()).splitlines())
    for shown in re.findall(r"^print\(.*\)  # (.+)$", block.text, flags=re.MULTILINE):
        assert shown in printed, f"{block.name} does not print {shown}"


@pytest.mark.parametrize("page", SHELL_PAGES, ids=name)
def test_commands_run(page: Path, desk: Path) -> None:
    for block in runnable("sh", blocks_of(page)):
        run(["bash", "-euo", "pipefail", "-c", block.text], desk)


@pytest.mark.parametrize("block", runnable("pycon"), ids=name)
def test_sessions_print_what_the_page_says(block: Block, desk: Path) -> None:
    run_python(block.text, desk, search_path(), is_session=True)


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.reason], ids=name)
def test_what_is_not_run(block: Block) -> None:
    pytest.skip(f"{block.name}: {block.reason}")


@pytest.mark.parametrize("block", runnable("cpp"), ids=name)
def test_cpp_compiles_and_runs(block: Block, desk: Path) -> None:
    (desk / "snippet.cpp").write_text(block.text, encoding="utf-8")
    run(["c++", *FLAGS, "snippet.cpp", *LIBRARIES, "-o", "snippet"], desk)
    run(["./snippet"], desk)


def test_no_block_is_left_out_without_a_word() -> None:
    """Every block names a language that is run, one that is only shown, or the reason why not."""
    assert {block.language for block in BLOCKS if not block.reason} - SHOWN == RUN
    for block in BLOCKS:
        assert block.language in RUN | SHOWN or block.reason, f"{block.name}: {block.language!r}"
        if block.language == "text":
            told = re.search(
                r"^(\$ |shiftcut |make |import |from \w+ import )", block.text, re.MULTILINE
            )
            assert told is None, f"{block.name}: commands in a block that is only shown"
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert text.count("\n```") == 2 * len(blocks_of(page)), f"{page.name}: an unusual fence"
        indented = re.search(r"^[^\s*-].*\n\n( {4}\S.*)", text, flags=re.MULTILINE)
        generated = page.name == "python_api.md"  # where formulas are indented
        assert generated or indented is None, (
            f"{page.name}: use a fence around {indented and indented[1]!r}"
        )
