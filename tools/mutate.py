#!/usr/bin/env python3
"""Do the tests bite? Changes operators, constants and conditions, and runs the tests of the rooms.

    tools/mutate.py make    writes out/mutants/tree: the sources with all mutants in them, each
                            behind a number, and out/mutants/mutants.json, which lists them
    tools/mutate.py build   compiles the rooms of the tree, and links the tests in build/ with them
    tools/mutate.py run     runs the tests of a mutant's room, then of the rooms above it, for each
                            mutant (SHIFTCUT_MUTANT=N), until one fails
    tools/mutate.py report  what lived

All mutants of a room are compiled at once, as one source, so that one costs no more than running
the tests.
They are drawn evenly from the files of each room, never one inside another; --seed draws others. A
test that fails, crashes, breaks an assertion of the standard library or takes several times the
processor time it usually does kills a mutant. Those that change nothing a test could see are listed
with the reason in tools/equivalent_mutants.csv, and counted apart.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import csv
import importlib
import json
import os
import random
import resource
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

Cursor = Any  # of clang.cindex, in the package python3-clang-19, which has no types
Kinds = Any

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "out/mutants"
TREE = OUT / "tree"
EQUIVALENT = ROOT / "tools/equivalent_mutants.csv"

# Rooms, how many mutants of each, and the rooms above whose tests are asked too.
ROOMS: dict[str, tuple[int, list[str]]] = {
    "problem": (60, ["relaxed", "multilevel", "sizes", "search", "run", "descent"]),
    "descent": (60, ["relaxed", "sizes", "search", "run"]),
    "multilevel": (60, ["sizes", "search", "run"]),
    "strength": (60, ["run"]),
    "constraints": (60, ["multilevel", "sizes", "relaxed", "search", "run", "descent"]),
    "metrics": (40, ["methods"]),
    "report": (40, ["describe", "page", "run"]),
}
MEMORY = 4 << 30
TIMES_LONGER = 4  # and as many seconds besides

SWAPPED = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "+": "-", "-": "+", "*": "/", "/": "*", "%": "+", "&&": "||", "||": "&&",
    "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "&": "|", "|": "&", "|=": "&=", "&=": "|=",
}  # fmt: skip

HEADER = """#pragma once
#include <cstdlib>
namespace shiftcut_mutants {
inline const char* const given = std::getenv("SHIFTCUT_MUTANT");
inline const long chosen = given ? std::atol(given) : 0;
}
#define MUTATES(n) (::shiftcut_mutants::chosen == (n))
"""


@dataclass
class Mutant:
    number: int
    room: str
    file: str
    line: int
    begin: int  # offsets in the file
    end: int
    change: str
    text: str  # of the line
    code: str  # what stands in its place; {n} is its number
    fate: str = ""  # the test that killed it, or "lived"
    tests: list[str] = field(default_factory=list)


def expression_changes(cursor: Cursor, kinds: Kinds, source: bytes) -> Iterator[tuple[str, str]]:
    """The changes of one expression: in words, and as code with the original in it."""
    begin, end = cursor.extent.start.offset, cursor.extent.end.offset
    whole = source[begin:end].decode()
    either = "(MUTATES({n}) ? (" + "{0}) : (" + whole.replace("{", "{{").replace("}", "}}") + "))"
    either = either.replace("{0}", "\0")

    def choice(other: str) -> str:
        return either.replace("\0", other.replace("{", "{{").replace("}", "}}"))

    kind = cursor.kind
    if kind in (kinds.BINARY_OPERATOR, kinds.COMPOUND_ASSIGNMENT_OPERATOR):
        left, right = list(cursor.get_children())
        between = source[left.extent.end.offset : right.extent.start.offset]
        sign = between.strip().decode().split(" ")[0]
        if sign in SWAPPED:
            at = left.extent.end.offset + between.index(sign.encode())
            before, after = source[begin:at], source[at + len(sign) : end]
            other = SWAPPED[sign]
            yield f"{sign} becomes {other}", choice((before + other.encode() + after).decode())
    elif kind == kinds.UNARY_OPERATOR and whole.startswith("!") and whole[1] != "=":
        yield "! is left out", choice(f"static_cast<bool>({whole[1:]})")
    elif kind == kinds.INTEGER_LITERAL and whole[0].isdigit():  # else it is of a macro
        yield f"{whole} becomes {whole} + 1", choice(f"{whole} + 1")
    elif kind == kinds.FLOATING_LITERAL:
        is_zero = not any(digit in whole.split("e")[0] for digit in "123456789")
        other = f"1 + {whole}" if is_zero else f"2 * {whole}"
        yield f"{whole} becomes {other}", choice(other)
    elif kind == kinds.CXX_BOOL_LITERAL_EXPR:
        other = "false" if whole == "true" else "true"
        yield f"{whole} becomes {other}", choice(other)
    elif kind == kinds.CALL_EXPR:
        for name, other in (("std::max", "std::min"), ("std::min", "std::max")):
            if whole.startswith(f"{name}("):
                yield f"{name} becomes {other}", choice(other + whole[len(name) :])


def walk(cursor: Cursor, kinds: Kinds, source: bytes) -> Iterator[tuple[Cursor, str, str]]:
    """All changes below a cursor, except where a value is needed while compiling."""
    kind = cursor.kind
    if kind in (kinds.STATIC_ASSERT, kinds.ENUM_DECL, kinds.CONCEPT_DECL):
        return
    text = source[cursor.extent.start.offset : cursor.extent.end.offset]
    head = text[: text.find(b"{")] if b"{" in text else text
    declarations = (kinds.VAR_DECL, kinds.FUNCTION_DECL, kinds.CXX_METHOD, kinds.FUNCTION_TEMPLATE)
    if kind in declarations and b"constexpr" in head.split(b"(")[0].split():
        return
    children = list(cursor.get_children())
    if kind == kinds.CASE_STMT:
        children = children[1:]
    if kind in (kinds.IF_STMT, kinds.WHILE_STMT):
        if text.startswith(b"if constexpr"):
            children = children[1:]
        elif children[0].kind in (kinds.CALL_EXPR, kinds.DECL_REF_EXPR, kinds.MEMBER_REF_EXPR):
            condition = children[0].extent
            whole = source[condition.start.offset : condition.end.offset].decode()
            whole = whole.replace("{", "{{").replace("}", "}}")
            yield (
                children[0],
                "the condition is negated",
                "(MUTATES({n}) != static_cast<bool>(" + whole + "))",
            )
    for change, code in expression_changes(cursor, kinds, source):
        yield cursor, change, code
    for child in children:
        yield from walk(child, kinds, source)


def flags() -> list[str]:
    clang = subprocess.run(
        ["clang++-19", "-print-resource-dir"], capture_output=True, text=True, check=True
    )
    return [
        *("-std=c++20", "-x", "c++", "-DNDEBUG", "-resource-dir", clang.stdout.strip()),
        *("-I", str(ROOT / "build/include"), "-Wno-everything"),
    ]


def candidates(room: str) -> list[Mutant]:
    cindex = importlib.import_module("clang.cindex")

    kinds = cindex.CursorKind
    index = cindex.Index.create()
    folder = ROOT / "src" / room
    found: dict[tuple[str, int, int, str], Mutant] = {}
    sources = {path: path.read_bytes() for path in sorted(folder.rglob("*.[ch]pp"))}
    includes = ["-I", str(ROOT / "include"), "-I", str(ROOT / "src")]
    for path in sources:
        if path.suffix == ".hpp":
            continue
        unit = index.parse(str(path), [*flags(), *includes])
        errors = [str(d) for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
        if errors:
            raise SystemExit(f"{path}: {errors[0]}")
        for cursor in top_level(unit.cursor, sources, kinds):
            here = Path(cursor.location.file.name)
            source = sources[here]
            for at, change, code in walk(cursor, kinds, source):
                begin, end = at.extent.start, at.extent.end
                if begin.file is None or Path(begin.file.name) != here:
                    continue
                name = str(here.relative_to(ROOT))
                line = source.splitlines()[begin.line - 1].decode().strip()
                key = (name, begin.offset, end.offset, change)
                found[key] = Mutant(
                    0, room, name, begin.line, begin.offset, end.offset, change, line, code
                )
    return list(found.values())


def top_level(cursor: Cursor, sources: dict[Path, bytes], kinds: Kinds) -> Iterator[Cursor]:
    for child in cursor.get_children():
        file = child.location.file
        if file is None or Path(file.name) not in sources:
            continue
        if child.kind == kinds.NAMESPACE:
            yield from top_level(child, sources, kinds)
        else:
            yield child


def drawn(all_of_room: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """Round robin over the files, in a random order, none within another."""
    by_file: dict[str, list[Mutant]] = {}
    for mutant in sorted(all_of_room, key=lambda m: (m.file, m.begin, m.end, m.change)):
        by_file.setdefault(mutant.file, []).append(mutant)
    for name, mutants in by_file.items():
        draws = random.Random(f"{seed} {name}")
        draws.shuffle(mutants)
        # Half of all that could change are constants, most of them the 0 that a loop begins with.
        mutants[:] = [m for m in mutants if not m.change[0].isdigit() or draws.random() < 0.4]
    # Large files have more to change: one turn for each hundred candidates begun.
    turns = [name for name, mutants in by_file.items() for _ in range(1 + len(mutants) // 100)]
    chosen: list[Mutant] = []
    taken: dict[str, list[tuple[int, int]]] = {name: [] for name in by_file}
    while len(chosen) < count and any(by_file.values()):
        for name in turns:
            while by_file[name] and len(chosen) < count:
                mutant = by_file[name].pop()
                if all(mutant.end <= b or e <= mutant.begin for b, e in taken[name]):
                    taken[name].append((mutant.begin, mutant.end))
                    chosen.append(mutant)
                    break
    return chosen


def rewrite(mutants: list[Mutant]) -> None:
    """The tree: the sources with these mutants."""
    for name in ("src", "include", "cmake", "tests", "web", "cli"):
        shutil.copytree(
            ROOT / name,
            TREE / name,
            dirs_exist_ok=True,
            copy_function=copy_if_changed,
            ignore=shutil.ignore_patterns("node_modules", "__pycache__"),
        )
    copy_if_changed(ROOT / "CMakeLists.txt", TREE / "CMakeLists.txt")
    by_file: dict[str, list[Mutant]] = {}
    for mutant in mutants:
        by_file.setdefault(mutant.file, []).append(mutant)
    for name, of_file in by_file.items():
        source = (ROOT / name).read_bytes()
        for mutant in sorted(of_file, key=lambda m: -m.begin):
            code = mutant.code.format(n=mutant.number).encode()
            source = source[: mutant.begin] + code + source[mutant.end :]
        write_if_changed(TREE / name, b'#include "mutants.hpp"\n#line 1\n' + source)
    write_if_changed(TREE / "src/mutants.hpp", HEADER.encode())


def write_if_changed(path: Path, data: bytes) -> None:
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def copy_if_changed(source: str | Path, target: str | Path) -> None:
    write_if_changed(Path(target), Path(source).read_bytes())


def lines_in_tree(mutants: list[Mutant], name: str) -> dict[int, tuple[int, int]]:
    """The first and the last line of each mutant in a file of the tree."""
    source = (ROOT / name).read_bytes()
    found: dict[int, tuple[int, int]] = {}
    more = 2  # lines before the first
    for mutant in sorted((m for m in mutants if m.file == name), key=lambda m: m.begin):
        count = mutant.code.count("\n")
        found[mutant.number] = (mutant.line + more, mutant.line + more + count)
        more += count - source[mutant.begin : mutant.end].count(b"\n")
    return found


def broken(mutants: list[Mutant]) -> set[int]:
    """Those on lines that do not compile: their values are needed while compiling."""
    cindex = importlib.import_module("clang.cindex")
    index = cindex.Index.create()
    includes = ["-I", str(TREE / "include"), "-I", str(TREE / "src")]
    found: set[int] = set()
    lines = {name: lines_in_tree(mutants, name) for name in {mutant.file for mutant in mutants}}
    for room in {mutant.room for mutant in mutants}:
        for path in sorted((TREE / "src" / room).rglob("*.cpp")):
            unit = index.parse(str(path), [*flags(), *includes, "-Wno-c++11-narrowing"])
            for diagnostic in unit.diagnostics:
                if diagnostic.severity < cindex.Diagnostic.Error or not diagnostic.location.file:
                    continue
                name = str(Path(diagnostic.location.file.name).relative_to(TREE))
                hit = {
                    number
                    for number, (first, last) in lines[name].items()
                    if first <= diagnostic.location.line <= last
                }
                if not hit:
                    print(f"{path}: {diagnostic}", file=sys.stderr)
                found |= hit
    return found


def load() -> list[Mutant]:
    return [Mutant(**entry) for entry in json.loads((OUT / "mutants.json").read_text())]


def save(mutants: list[Mutant]) -> None:
    (OUT / "mutants.json").write_text(json.dumps([asdict(m) for m in mutants], indent=1))


def make(seed: int, rooms: list[str]) -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    chosen: list[Mutant] = []
    for room in rooms:
        chosen += drawn(candidates(room), ROOMS[room][0] * 5 // 4, seed)
    for number, mutant in enumerate(chosen, start=1):
        mutant.number = number
    rewrite(chosen)
    while bad := broken(chosen):
        chosen = [mutant for mutant in chosen if mutant.number not in bad]
        rewrite(chosen)
    kept: Counter[str] = Counter()
    for mutant in chosen:  # a few more were drawn, for those that do not compile
        kept[mutant.room] += 1
        mutant.fate = "" if kept[mutant.room] <= ROOMS[mutant.room][0] else "not drawn"
    save([mutant for mutant in chosen if not mutant.fate])
    print(f"{sum(not m.fate for m in chosen)} mutants of seed {seed}")


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
    """One object of all sources of a room, where its internal names are unique."""
    rooms = OUT / "rooms"
    rooms.mkdir(exist_ok=True)
    sources = sorted((TREE / "src" / room).rglob("*.cpp"))
    together = rooms / f"{room}.cpp"
    write_if_changed(together, "".join(f'#include "{source}"\n' for source in sources).encode())
    target = rooms / f"{room}.o"
    words = commands(f"shiftcut_{room}")[0][2]
    subprocess.run([*words, together, "-o", target], check=True)
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
    programs = OUT / "tests"
    programs.mkdir(exist_ok=True)
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
        link[at : at + 2] = [*map(str, mutated), "-o", str(programs / f"{room}_test")]
        subprocess.run(link, cwd=ROOT / "build", check=True)


def limits(seconds: float) -> None:
    whole = int(seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def passes(programs: Path, room: str, number: int, seconds: float) -> bool:
    environment = {**os.environ, "SHIFTCUT_MUTANT": str(number), "GTEST_FAIL_FAST": "1"}
    try:
        done = subprocess.run(
            [programs / f"{room}_test", "--gtest_brief=1"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            env=environment,
            preexec_fn=lambda: limits(seconds),
            timeout=60 + 20 * seconds,  # that waits, and uses no processor time
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def usual_seconds(programs: Path, room: str) -> float:
    before = os.times()
    if not passes(programs, room, 0, 3600):
        raise SystemExit(f"{room}_test fails without a mutant")
    after = os.times()
    return (after.children_user - before.children_user) + (
        after.children_system - before.children_system
    )


def run(programs: Path, jobs: int, only: list[str], again: bool) -> None:
    mutants = load()
    todo = [m for m in mutants if m.room in only and (not m.fate or (again and m.fate == "lived"))]
    asked = {m.room for m in todo} | {room for m in todo for room in ROOMS[m.room][1]}
    limit = {room: TIMES_LONGER * (1 + usual_seconds(programs, room)) for room in sorted(asked)}

    def judge(mutant: Mutant) -> Mutant:
        mutant.fate = "lived"
        for room in [mutant.room, *ROOMS[mutant.room][1]]:
            if not passes(programs, room, mutant.number, limit[room]):
                mutant.fate = room
                break
        return mutant

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for count, mutant in enumerate(pool.map(judge, todo), start=1):
            if mutant.fate == "lived":
                print(f"{mutant.file}:{mutant.line}: {mutant.change}: {mutant.text}", flush=True)
            if count % 20 == 0:
                save(mutants)
    save(mutants)


def equivalents() -> dict[tuple[str, str, str], str]:
    with EQUIVALENT.open(encoding="utf-8", newline="") as lines:
        return {
            (row["file"], row["line"], row["change"]): row["reason"]
            for row in csv.DictReader(lines)
        }


def report(mutants: list[Mutant]) -> int:
    known = equivalents()
    total: Counter[str] = Counter()
    killed: Counter[str] = Counter()
    equivalent = 0
    for mutant in mutants:
        if not mutant.fate:
            continue
        if mutant.fate == "lived" and (mutant.file, mutant.text, mutant.change) in known:
            equivalent += 1
            continue
        total[mutant.room] += 1
        killed[mutant.room] += mutant.fate != "lived"
        if mutant.fate == "lived":
            print(f"lived: {mutant.file}:{mutant.line}: {mutant.change}: {mutant.text}")
    for room in total:
        print(f"{room}: {killed[room]} of {total[room]} killed")
    count, dead = sum(total.values()), sum(killed.values())
    share = 100 * dead / max(count, 1)
    print(f"mutants: {dead} of {count} killed ({share:.1f}%), {equivalent} equivalent")
    return 0 if dead >= 0.9 * count else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("step", choices=["make", "build", "run", "report"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("JOBS", "2")))
    parser.add_argument("--rooms", nargs="+", choices=list(ROOMS), default=list(ROOMS))
    parser.add_argument("--programs", type=Path, default=OUT / "tests")
    parser.add_argument("--again", action="store_true", help="run those that lived again")
    arguments = parser.parse_args()
    if arguments.step == "make":
        make(arguments.seed, arguments.rooms)
    elif arguments.step == "build":
        build(arguments.rooms, arguments.jobs)
    elif arguments.step == "run":
        run(arguments.programs, arguments.jobs, arguments.rooms, arguments.again)
    return report(load()) if arguments.step in ("run", "report") else 0


if __name__ == "__main__":
    sys.exit(main())
