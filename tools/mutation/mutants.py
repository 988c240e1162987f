"""A mutant, where mutants are kept, and how many of which room."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
OUT = ROOT / "out/mutants"
TREE = OUT / "tree"
PROGRAMS = OUT / "tests"
EQUIVALENT = ROOT / "tools/equivalent_mutants.csv"

# Rooms, how many mutants of each, and the rooms above whose tests are asked too.
ROOMS: dict[str, tuple[int, list[str]]] = {
    "problem": (60, ["relaxed", "multilevel", "sizes", "search", "run", "descent"]),
    "descent": (60, ["relaxed", "sizes", "search", "page", "run"]),
    "multilevel": (60, ["sizes", "search", "run"]),
    "strength": (60, ["run"]),
    "constraints": (60, ["multilevel", "sizes", "relaxed", "search", "run", "descent"]),
    "metrics": (40, ["methods"]),
    "report": (40, ["describe", "page", "run"]),
}


# They instantiate members of a class that local_moving.cpp instantiates.
LAST = ("evaluate_node.cpp", "make_moves.cpp")


def together(room: Path) -> str:
    """All sources of a room as one: internal names are unique in it."""
    sources = sorted(room.rglob("*.cpp"), key=lambda path: (path.name in LAST, path))
    return "".join(f'#include "{source}"\n' for source in sources)


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
    fate: str = ""  # the test that killed it, "lived", or "not reached"

    @property
    def is_killed(self) -> bool:
        return self.fate not in ("", "lived", "not reached")


def load() -> list[Mutant]:
    return [Mutant(**entry) for entry in json.loads((OUT / "mutants.json").read_text())]


def save(mutants: list[Mutant]) -> None:
    (OUT / "mutants.json").write_text(json.dumps([asdict(m) for m in mutants], indent=1))
