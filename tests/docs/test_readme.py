"""The README's commands and Python run and its C++ compiles, as a newcomer would try them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build"


def blocks(language: str) -> list[str]:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    path = [str(BUILD), str(Path(sys.executable).parent), os.environ["PATH"]]
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": os.pathsep.join(path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the examples in it; later blocks find what earlier ones wrote."""
    folder = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "examples", folder / "examples")
    return folder


@pytest.mark.parametrize("block", blocks("sh"))
def test_commands_run(block: str, desk: Path) -> None:
    # `make` is what runs these tests.
    script = "\n".join(line for line in block.splitlines() if not line.startswith("make "))
    done = run(["bash", "-euo", "pipefail", "-c", script], desk)
    assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("snippet", blocks("cpp"))
def test_cpp_compiles_and_runs(snippet: str, desk: Path) -> None:
    (desk / "snippet.cpp").write_text(snippet, encoding="utf-8")
    flags = ["-std=c++20", "-Wall", "-Wextra", "-Werror"]
    places = [f"-I{ROOT / 'include'}", f"-I{BUILD / 'include'}"]
    libraries = [str(BUILD / "libshiftcut.a"), "-lz", "-pthread"]
    built = run(["c++", *flags, *places, "snippet.cpp", *libraries, "-o", "snippet"], desk)
    assert built.returncode == 0, built.stderr
    done = run(["./snippet"], desk)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("snippet", blocks("python"))
def test_python_runs(snippet: str, desk: Path) -> None:
    done = run([sys.executable, "-c", snippet], desk)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_demo_shows_what_the_program_prints(desk: Path) -> None:
    """Of `make demo`, but for the seconds it took."""
    demo = (ROOT / "tools" / "demo.sh").read_text(encoding="utf-8")
    (line,) = re.findall(r"^build/(shiftcut .*?)[^\\]$", demo, flags=re.MULTILINE | re.DOTALL)
    (desk / "out").mkdir()
    done = run(["bash", "-c", line], desk)
    assert done.returncode == 0, done.stderr
    *printed, seconds = done.stdout.splitlines(keepends=True)
    assert re.match(r"[\d.e-]+ s \(read ", seconds)
    assert "".join(printed) in blocks("text")


def test_there_is_something_to_try() -> None:
    assert len(blocks("sh")) >= 3
    assert len(blocks("cpp")) >= 1
    assert len(blocks("python")) >= 1


def test_links_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.name} links to {link}"
