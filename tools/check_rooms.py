#!/usr/bin/env python3
"""Check that includes respect the rooms.

A room (a folder of src/) may include itself, the rooms listed after USES in CMakeLists.txt, and the
public headers. Public headers include only public headers. The front ends include public headers
and their own files.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOM = re.compile(r"^\s*shiftcut_room\(\s*(\w+)(?:\s+USES\s+([\w\s]+?))?\s*\)", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
PUBLIC = "shiftcut"


def rooms(cmake: str) -> dict[str, set[str]]:
    """Return the rooms, each with the rooms it may use."""
    return {name: set(uses.split()) for name, uses in ROOM.findall(cmake)}


def includes(folder: Path) -> Iterator[tuple[Path, int, str]]:
    """Yield the file, line number and name of each quoted include in a folder."""
    for file in sorted([*folder.rglob("*.hpp"), *folder.rglob("*.cpp")]):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            if match := INCLUDE.match(line):
                yield file, number, match[1]


def complaints() -> Iterator[str]:
    """Yield one line for each include that is not allowed."""
    uses = rooms((ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
    if not uses:
        yield "CMakeLists.txt: no shiftcut_room() found"
    for folder in sorted(path for path in (ROOT / "src").iterdir() if path.is_dir()):
        if folder.name not in uses and any(folder.iterdir()):
            yield f"src/{folder.name}: not a room of CMakeLists.txt"
    seen: set[str] = set()
    for name, above in uses.items():
        for unknown in sorted(above - seen):
            yield f"CMakeLists.txt: room {name} uses {unknown}, which is not listed above it"
        seen.add(name)

    allowed = {f"src/{name}": {name, PUBLIC} | above for name, above in uses.items()}
    allowed["include/shiftcut"] = {PUBLIC}
    allowed["cli"] = {"cli", PUBLIC}
    allowed["python"] = {"python", PUBLIC}
    for place, names in allowed.items():
        for file, number, included in includes(ROOT / place):
            first = included.partition("/")[0]
            beside = not place.startswith("src/") and (ROOT / place / included).is_file()
            if first not in names and not beside:
                where = f"{file.relative_to(ROOT)}:{number}"
                yield f'{where}: includes "{included}"; allowed are {", ".join(sorted(names))}'


def main() -> int:
    found = list(complaints())
    print("\n".join(found) if found else "rooms: all includes are allowed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
