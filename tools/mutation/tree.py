"""The tree: the sources with all mutants in them, each behind a number."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path

from .changes import candidates, errors_of, parsed
from .mutants import OUT, ROOMS, ROOT, TREE, Mutant, save

HEADER = """#pragma once
#include <atomic>
#include <cstdio>
#include <cstdlib>
namespace shiftcut_mutants {
inline const char* const given = std::getenv("SHIFTCUT_MUTANT");
inline const long chosen = given ? std::atol(given) : 0;
inline const char* const list = std::getenv("SHIFTCUT_REACHED");
inline std::atomic<bool> reached[4096];
struct Lists {
  ~Lists() {
    std::FILE* file = list ? std::fopen(list, "w") : nullptr;
    for (int n = 0; file && n < 4096; ++n) {
      if (reached[n]) std::fprintf(file, "%d\\n", n);
    }
    if (file) std::fclose(file);
  }
};
inline const Lists lists;
inline bool is_chosen(long n) {
  if (list && !reached[n].load(std::memory_order_relaxed)) {
    reached[n].store(true, std::memory_order_relaxed);
  }
  return chosen == n;
}
}
#define MUTATES(n) (::shiftcut_mutants::is_chosen(n))
"""


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


def broken(mutants: list[Mutant], rooms: set[str]) -> set[int]:
    """Those on lines that do not compile: their values are needed while compiling."""
    found: set[int] = set()
    lines = {name: lines_in_tree(mutants, name) for name in {mutant.file for mutant in mutants}}
    for room in rooms:
        unit = parsed(TREE / "src" / room, [TREE / "include", TREE / "src"], "-Wno-c++11-narrowing")
        for error in errors_of(unit):
            name = str(Path(error.location.file.name).relative_to(TREE))
            hit = {
                number
                for number, (first, last) in lines[name].items()
                if first <= error.location.line <= last
            }
            if not hit:
                raise SystemExit(str(error))
            found |= hit
    return found


def make(seed: int, rooms: list[str]) -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    chosen: list[Mutant] = []
    for room in rooms:
        chosen += drawn(candidates(room), ROOMS[room][0] * 5 // 4, seed)
    for number, mutant in enumerate(chosen, start=1):
        mutant.number = number
    rewrite(chosen)
    unsure = set(rooms)
    while bad := broken(chosen, unsure):
        unsure = {mutant.room for mutant in chosen if mutant.number in bad}
        chosen = [mutant for mutant in chosen if mutant.number not in bad]
        rewrite(chosen)
    kept: Counter[str] = Counter()
    for mutant in chosen:  # a few more were drawn, for those that do not compile
        kept[mutant.room] += 1
        mutant.fate = "" if kept[mutant.room] <= ROOMS[mutant.room][0] else "not drawn"
    save([mutant for mutant in chosen if not mutant.fate])
    print(f"{sum(not m.fate for m in chosen)} mutants of seed {seed}")
