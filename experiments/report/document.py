"""The contents of a report, before they are written as Markdown, CSV or HTML."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Mark:
    """A cell of a grid with its own kind (a colour) and note."""

    text: str
    kind: str = ""
    note: str = ""


Entry = str | Mark


@dataclass
class Grid:
    name: str  # of its CSV file
    title: str
    columns: list[str]
    rows: list[list[Entry]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def notes(self) -> list[str]:
        """The notes of the cells, in order, without duplicates."""
        found = [entry.note for row in self.rows for entry in row if isinstance(entry, Mark)]
        return [note for note in dict.fromkeys(found) if note]


@dataclass(frozen=True)
class Picture:
    file: Path
    title: str
    caption: str


@dataclass
class Section:
    title: str
    paragraphs: list[str] = field(default_factory=list)
    grids: list[Grid] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)


@dataclass
class Report:
    title: str
    facts: dict[str, str]
    sections: list[Section] = field(default_factory=list)


def text_of(entry: Entry) -> str:
    return entry.text if isinstance(entry, Mark) else entry
