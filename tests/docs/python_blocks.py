"""Python blocks of the pages, each run by a process of its own.

Importing the package and what the blocks use takes a second or more, most blocks a tenth of that:
the processes are forked from one that has imported them.
"""

from __future__ import annotations

import doctest
import multiprocessing
import os
import sys
import types
from pathlib import Path

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    ["matplotlib.pyplot", "pandas", "sklearn.datasets", "sklearn.pipeline", "shiftcut"]
)
SECONDS = 300


def run_script(text: str) -> None:
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    exec(compile(text, "<block>", "exec"), main.__dict__)


def run_session(text: str) -> None:
    Path("session.txt").write_text(text, encoding="utf-8")
    failed, _ = doctest.testfile(
        "session.txt", module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE
    )
    if failed:
        sys.exit(1)


def in_folder(is_session: bool, text: str, folder: Path, path: str) -> None:
    os.chdir(folder)
    os.environ.update(PATH=path, MPLBACKEND="Agg")
    for source, target in (("output.txt", 1), ("errors.txt", 2)):
        os.dup2(os.open(source, os.O_WRONLY | os.O_CREAT), target)
    (run_session if is_session else run_script)(text)


def run_python(text: str, folder: Path, path: str, is_session: bool = False) -> str:
    """What it prints; fails unless it ends well."""
    process = FORKS.Process(target=in_folder, args=(is_session, text, folder, path))
    process.start()
    process.join(SECONDS)
    if process.is_alive():
        process.kill()
        process.join()
    printed = (folder / "output.txt").read_text(encoding="utf-8")
    errors = (folder / "errors.txt").read_text(encoding="utf-8")
    assert process.exitcode == 0, f"{text}\n{printed}{errors}"
    return printed
