"""Compiles the rooms of the tree, and links the tests in build/ with them."""

from __future__ import annotations

import concurrent.futures
import json
import shlex
import subprocess
from pathlib import Path

from .mutants import OUT, PROGRAMS, ROOMS, ROOT, TREE, together
from .tree import write_if_changed


def commands(folder: str) -> list[tuple[Path, str, list[str]]]:
    """Sources compiled below a folder of build/: each with its object, and the compiler and flags
    with the tree in place of src/."""
    found = []
    for entry in json.loads((ROOT / "build/compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        target = words[words.index("-o") + 1]
        if f"CMakeFiles/{folder}.dir/" in target and target.endswith(".o"):
            kept = [word for word in words if word.startswith(("-std", "-f", "-I", "-D"))]
            kept = [word.replace(f"-I{ROOT}/src", f"-I{TREE}/src") for word in kept]
            kept = [word for word in kept if word != "-DNDEBUG"]
            # The checks of the standard library notice what lies outside a container.
            kept += ["-O1", "-w", "-Wno-narrowing", "-D_GLIBCXX_ASSERTIONS", "-c"]
            found.append((Path(entry["file"]), target, [words[0], *kept]))
    return found


def compile_room(room: str) -> Path:
    """One object of all sources of a room."""
    rooms = OUT / "rooms"
    rooms.mkdir(exist_ok=True)
    source = rooms / f"{room}.cpp"
    write_if_changed(source, together(TREE / "src" / room).encode())
    target = rooms / f"{room}.o"
    words = commands(f"shiftcut_{room}")[0][2]
    subprocess.run([*words, source, "-o", target], check=True)
    return target


def compile_tests(room: str) -> dict[str, str]:
    """The tests of a room, which include headers of it: by the object they stand in for."""
    found: dict[str, str] = {}
    for number, (source, instead_of, words) in enumerate(commands(f"{room}_test")):
        target = OUT / "rooms" / f"{room}_tests_{number}.o"
        subprocess.run([*words, source, "-o", target], check=True)
        found[instead_of] = str(target)
    return found


def build(rooms: list[str], jobs: int) -> None:
    tested = set(rooms) | {above for room in rooms for above in ROOMS[room][1]}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        mutated = list(pool.map(compile_room, rooms))
        tests = list(pool.map(compile_tests, rooms))
    instead = {name: target for of_room in tests for name, target in of_room.items()}
    PROGRAMS.mkdir(exist_ok=True)
    for room in sorted(tested):
        told = subprocess.run(
            ["ninja", "-C", "build", "-t", "commands", f"tests/{room}_test"],
            capture_output=True,
            text=True,
            cwd=ROOT,
            check=True,
        )
        link = told.stdout.splitlines()[-1].split("&&")[1].split()
        link = [instead.get(word, word) for word in link]
        at = link.index("-o")
        # Before the library, whose objects of these rooms are then not asked for.
        link[at : at + 2] = [*map(str, mutated), "-o", str(PROGRAMS / f"{room}_test")]
        subprocess.run(link, cwd=ROOT / "build", check=True)
