#!/usr/bin/env python3
"""Run clang-tidy over src/, cli/ and python/.

With LINT_BASE=COMMIT, check only the folders changed since then, or everything if widely included
headers have changed.

clang-tidy spends most of its time on headers, so the sources of a folder are first checked
together, as one file that includes them all. Only complaints about a single source count: if the
combined file gives any complaint (perhaps only because two sources define the same internal name),
its sources are checked in two halves, and so on.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build-tidy"
TOGETHER = BUILD / "together"
SEEN_BY_ALL = re.compile(r"include/|cmake/|src/core/|src/run/|CMake|\.clang-tidy")
NOT_SHOWN = re.compile(r"^\d+ warnings?( and \d+ errors?)? generated\.\n", re.MULTILINE)
AT_MOST = 16  # sources checked together: more would leave processors idle at the end


def output_of(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def configure() -> None:
    python = str(ROOT / ".venv/bin/python")
    nanobind = output_of(python, "-m", "nanobind", "--cmake_dir").strip()
    output_of(
        *("cmake", "--preset", "tidy", "-DSHIFTCUT_BUILD_PYTHON=ON"),
        *(f"-DPython_EXECUTABLE={python}", f"-Dnanobind_DIR={nanobind}"),
    )


def sources() -> list[Path]:
    """Return the sources to check, sorted."""
    listed = output_of("tools/sources.sh", "src/*.cpp", "cli/*.cpp", "python/*.cpp").split()
    files = sorted(Path(name) for name in listed)
    base = os.environ.get("LINT_BASE")
    if not base:
        return files
    diff = ["git", "diff", "--name-only", base]
    found = subprocess.run(diff, cwd=ROOT, check=False, capture_output=True, text=True)
    changed = found.stdout.split()
    if found.returncode != 0 or any(SEEN_BY_ALL.match(name) for name in changed):
        return files
    folders = {Path(name).parent for name in changed}
    return [file for file in files if file.parent in folders]


def bundles(files: list[Path]) -> list[list[Path]]:
    """Return the files of each folder in groups of similar size, largest first."""
    folders: defaultdict[Path, list[Path]] = defaultdict(list)
    for file in files:
        folders[file.parent].append(file)
    groups = []
    for inside in folders.values():
        count = -(-len(inside) // AT_MOST)
        groups += [inside[first::count] for first in range(count)]
    return sorted(groups, key=len, reverse=True)


def write_together(groups: list[list[Path]]) -> list[Path]:
    """Write a file per group that includes its sources and is compiled like the first of them."""
    commands = {
        entry["file"]: entry
        for entry in json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8"))
    }
    TOGETHER.mkdir(exist_ok=True)
    entries = []
    files = []
    for number, group in enumerate(groups):
        file = TOGETHER / f"{'_'.join(group[0].parent.parts)}_{number}.cpp"
        lines = [f'#include "{ROOT / source}"  // NOLINT\n' for source in group]
        file.write_text("".join(lines), encoding="utf-8")
        first = str(ROOT / group[0])
        command = commands[first]["command"].replace(first, str(file))
        entries.append({"directory": str(BUILD), "command": command, "file": str(file)})
        files.append(file)
    (TOGETHER / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
    return files


def complaints(file: Path, commands: Path) -> str:
    """Return clang-tidy's complaints about a file; empty if there are none."""
    command = ["clang-tidy-19", "-p", str(commands), "--quiet", str(file)]
    run = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    if run.returncode == 0:
        return ""
    return run.stdout + NOT_SHOWN.sub("", run.stderr)


def judged(group: list[Path], together: Path) -> str:
    return complaints(together, TOGETHER) if len(group) > 1 else complaints(group[0], BUILD)


def halves(group: list[Path]) -> list[list[Path]]:
    return [group[: len(group) // 2], group[len(group) // 2 :]]


def main() -> int:
    configure()
    files = sources()
    groups = bundles(files)
    print(f"clang-tidy: {len(files)} files", flush=True)
    found = []
    with ThreadPoolExecutor(int(os.environ.get("JOBS") or os.cpu_count() or 1)) as pool:
        while groups:
            said = pool.map(judged, groups, write_together(groups))
            doubtful = [(group, words) for group, words in zip(groups, said, strict=True) if words]
            found += [words for group, words in doubtful if len(group) == 1]
            groups = [half for group, _ in doubtful if len(group) > 1 for half in halves(group)]
    print("".join(found), end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
