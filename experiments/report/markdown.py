"""The report as one Markdown file, and each of its grids as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from .document import Entry, Grid, Mark, Report, Section, text_of


def _safe(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _cell(entry: Entry, notes: list[str]) -> str:
    text = _safe(text_of(entry))
    if isinstance(entry, Mark) and entry.note:
        return f"{text} [{notes.index(entry.note) + 1}]"
    return text


def grid_lines(grid: Grid) -> Iterator[str]:
    notes = grid.notes()
    yield f"### {grid.title}"
    yield ""
    yield "| " + " | ".join(_safe(column) for column in grid.columns) + " |"
    yield "|---" * len(grid.columns) + "|"
    for row in grid.rows:
        yield "| " + " | ".join(_cell(entry, notes) for entry in row) + " |"
    yield ""
    for number, note in enumerate(notes, start=1):
        yield f"{number}. {note}"
    if notes:
        yield ""
    for remark in grid.remarks:
        yield from (remark, "")


def section_lines(section: Section) -> Iterator[str]:
    yield from (f"## {section.title}", "")
    for paragraph in section.paragraphs:
        yield from (paragraph, "")
    for picture in section.pictures:
        yield from (f"![{picture.title}]({picture.file.name})", "")
        yield from (f"{picture.title}. {picture.caption}", "")
    for grid in section.grids:
        yield from grid_lines(grid)


def write_markdown(report: Report, file: Path) -> None:
    lines = [f"# {report.title}", ""]
    lines += [f"- {name}: {value}" for name, value in report.facts.items()]
    lines += [""]
    for section in report.sections:
        lines += section_lines(section)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_csv(report: Report, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for section in report.sections:
        for grid in section.grids:
            with (folder / f"{grid.name}.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(grid.columns)
                writer.writerows([text_of(entry) for entry in row] for row in grid.rows)
