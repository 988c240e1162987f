"""Format the measurements as text, Markdown and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Cell = str | int | float | None
Row = dict[str, Cell]


@dataclass
class Section:
    """One table. A row may hold more than the columns show; the rest appears only in the JSON."""

    title: str
    columns: dict[str, str]  # key in a row: heading
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def shown(cell: Cell) -> str:
    """Format with three significant digits, without exponents."""
    if cell is None:
        return "-"
    if not isinstance(cell, float):
        return str(cell)
    size = abs(cell)
    digits = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 1 else 3 if size >= 0.01 else 5
    return f"{cell:.{digits}f}"


def cells_of(section: Section) -> list[list[str]]:
    rows = [[shown(row.get(key)) for key in section.columns] for row in section.rows]
    return [list(section.columns.values()), *rows]


def text_of(section: Section) -> str:
    cells = cells_of(section)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]

    def line(row: list[str]) -> str:
        first, *others = (
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        return "  ".join([first, *others])

    rule = "-" * len(line(cells[0]))
    body = [line(cells[0]), rule, *map(line, cells[1:])]
    return "\n".join([section.title, *body, *section.notes]) + "\n"


def markdown_of(section: Section) -> str:
    head, *body = ("| " + " | ".join(row) + " |" for row in cells_of(section))
    rule = "|---" + "|---:" * (len(section.columns) - 1) + "|"
    return "\n".join([f"## {section.title}", "", head, rule, *body, "", *section.notes]) + "\n"


def facts_lines(facts: dict[str, Any]) -> Iterator[str]:
    width = max(map(len, facts))
    for name, value in facts.items():
        yield f"{name.ljust(width)}  {value}"


def write_files(
    folder: Path, facts: dict[str, Any], sections: dict[str, Section], errors: list[str]
) -> None:
    folder.mkdir(exist_ok=True)
    tables = {
        letter: {"title": section.title, "rows": section.rows, "notes": section.notes}
        for letter, section in sections.items()
    }
    everything = {"machine": facts, "tables": tables, "errors": errors}
    (folder / "bench.json").write_text(json.dumps(everything, indent=1) + "\n", encoding="utf-8")
    parts = ["# Benchmark\n", *(f"- {name}: {value}" for name, value in facts.items()), ""]
    parts += [markdown_of(section) for section in sections.values()]
    parts += [f"**Error:** {error}" for error in errors]
    (folder / "bench.md").write_text("\n".join(parts), encoding="utf-8")
