"""Results on disk, so that an interrupted run continues where it stopped.

A result is stored with a fingerprint of the installed package, of the sources that compute it, and
of its arguments; after a change to any of them it is recomputed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import shiftcut

EXPERIMENTS = Path(__file__).resolve().parent.parent
SOURCES = (
    "data/datasets.py",
    "data/standins.py",
    "paper/pipelines.py",
    "paper/methods.py",
    "paper/tables/study.py",
    "paper/figures/runtime.py",
)


def fingerprint_of(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def package_files() -> list[Path]:
    """The files of the installed shiftcut."""
    package = Path(shiftcut.__file__).parent
    return sorted([*package.rglob("*.py"), *package.rglob("*.so")])


@cache
def fingerprint() -> str:
    """The fingerprint of everything that determines a result of the paper's study."""
    return fingerprint_of([*package_files(), *(EXPERIMENTS / name for name in SOURCES)])


class Store:
    def __init__(self, folder: Path, mark: str | None = None) -> None:
        """`mark`: the fingerprint, if it is not that of the paper's study."""
        self._folder = folder
        self._mark = mark or fingerprint()
        folder.mkdir(parents=True, exist_ok=True)

    def _file(self, name: str) -> Path:
        return self._folder / (name.replace("/", "-").replace(" ", "_") + ".json")

    def get(self, name: str, arguments: list[Any]) -> dict[str, Any] | None:
        """The result stored under this name, if it is still valid."""
        try:
            kept = json.loads(self._file(name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        if kept.get("fingerprint") != self._mark or kept.get("arguments") != arguments:
            return None
        answer: dict[str, Any] = kept["answer"]
        return answer

    def put(self, name: str, arguments: list[Any], answer: dict[str, Any]) -> None:
        kept = {"fingerprint": self._mark, "arguments": arguments, "answer": answer}
        file = self._file(name)
        part = file.with_suffix(".part")
        part.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        part.replace(file)
