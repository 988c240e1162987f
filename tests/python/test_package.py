"""What the installed package holds."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from importlib import metadata, resources
from pathlib import Path

import pytest

import shiftcut
from shiftcut import _estimator, model_selection

from .command_line import PROGRAM

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_version_comes_from_one_place() -> None:
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    match = re.search(r"project\(shiftcut VERSION ([0-9.]+)", text)
    assert match is not None
    assert shiftcut.__version__ == metadata.version("shiftcut") == match[1]
    told = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True)
    assert told.stdout.split()[-1] == match[1]


def test_types_come_with_it() -> None:
    files = resources.files("shiftcut")
    assert (files / "py.typed").is_file()
    assert (files / "_core.pyi").is_file()


def test_the_stub_is_that_of_the_module(tmp_path: Path) -> None:
    new = tmp_path / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "shiftcut._core", "-o"]
    subprocess.run([*command, str(new)], check=True)
    kept = ROOT / "python" / "shiftcut" / "_core.pyi"
    assert new.read_text(encoding="utf-8") == kept.read_text(encoding="utf-8")


def test_the_docstring_examples_are_true() -> None:
    assert doctest.testmod(_estimator).failed == 0
    assert doctest.testmod(_estimator).attempted > 0
    assert doctest.testmod(model_selection).failed == 0


def test_importing_it_draws_nothing() -> None:
    script = "import sys, shiftcut; print('matplotlib' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


@pytest.mark.parametrize("name", ["methods", "metrics", "model_selection", "plot", "scanpy"])
def test_modules_are_there_without_importing_each(name: str) -> None:
    script = f"import shiftcut; print(shiftcut.{name}.__name__, {name!r} in dir(shiftcut))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"shiftcut.{name} True\n"


def test_a_module_that_is_not_there_is_not_found() -> None:
    with pytest.raises(AttributeError, match="no attribute 'plots'"):
        shiftcut.plots  # noqa: B018
