"""The report as one self-contained HTML page, with styles and pictures inside."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from html import escape
from pathlib import Path

from .document import Entry, Grid, Mark, Picture, Report, Section, text_of

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem;
  color: #1d2330; background: #fff; }
h1 { font-size: 1.6rem } h2 { margin-top: 2.4rem; border-bottom: 1px solid #c9ced8 }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums }
th, td { border: 1px solid #d7dbe3; padding: .25rem .5rem; text-align: left; vertical-align: top }
th { background: #f0f2f6 } .wide { overflow-x: auto }
td.same { background: #d9efdc } td.within-error { background: #e8f4de }
td.near { background: #f8f3cf }
td.differs { background: #f8ddd3 } td.print-in-doubt { background: #e3dcf2 }
td.other-data { background: #e6ecf4 } td.missing { color: #7b8190; background: #f4f4f4 }
td.yes { background: #d9efdc } td.no { background: #f8ddd3 }
sup { color: #555 } ol.notes, p.remark { font-size: 13px; max-width: 60rem }
figure { margin: 1rem 0 } figure img { max-width: 100%; height: auto }
figcaption { font-size: 13px; max-width: 60rem }
nav a { margin-right: 1rem }
"""
TYPES = {".svg": "image/svg+xml", ".png": "image/png"}


def _cell(entry: Entry, notes: list[str], tag: str) -> str:
    text = escape(text_of(entry))
    if not isinstance(entry, Mark):
        return f"<{tag}>{text}</{tag}>"
    number = f"<sup>{notes.index(entry.note) + 1}</sup>" if entry.note else ""
    title = f' title="{escape(entry.note)}"' if entry.note else ""
    kind = entry.kind.replace(" ", "-")
    return f'<{tag} class="{escape(kind)}"{title}>{text}{number}</{tag}>'


def _grid(grid: Grid) -> Iterator[str]:
    notes = grid.notes()
    yield f"<h3>{escape(grid.title)}</h3><div class='wide'><table><thead><tr>"
    yield from (f"<th scope='col'>{escape(column)}</th>" for column in grid.columns)
    yield "</tr></thead><tbody>"
    for row in grid.rows:
        first, *others = row
        cells = [_cell(first, notes, "th"), *(_cell(entry, notes, "td") for entry in others)]
        yield "<tr>" + "".join(cells) + "</tr>"
    yield "</tbody></table></div>"
    if notes:
        yield "<ol class='notes'>" + "".join(f"<li>{escape(note)}</li>" for note in notes) + "</ol>"
    yield from (f"<p class='remark'>{escape(remark)}</p>" for remark in grid.remarks)


def _picture(picture: Picture) -> str:
    data = base64.b64encode(picture.file.read_bytes()).decode("ascii")
    source = f"data:{TYPES[picture.file.suffix]};base64,{data}"
    title, caption = escape(picture.title), escape(picture.caption)
    return (
        f'<figure><img alt="{title}" src="{source}">'
        f"<figcaption><b>{title}.</b> {caption}</figcaption></figure>"
    )


def _section(section: Section, number: int) -> Iterator[str]:
    yield f'<h2 id="part{number}">{escape(section.title)}</h2>'
    yield from (f"<p>{escape(paragraph)}</p>" for paragraph in section.paragraphs)
    yield from (_picture(picture) for picture in section.pictures)
    for grid in section.grids:
        yield from _grid(grid)


def write_page(report: Report, file: Path) -> None:
    title = escape(report.title)
    parts = [
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title><style>{STYLE}</style></head><body><h1>{title}</h1><ul>",
        *(f"<li>{escape(name)}: {escape(value)}</li>" for name, value in report.facts.items()),
        "</ul><nav>",
        *(
            f'<a href="#part{number}">{escape(section.title)}</a>'
            for number, section in enumerate(report.sections)
        ),
        "</nav>",
    ]
    for number, section in enumerate(report.sections):
        parts += _section(section, number)
    parts.append("</body></html>")
    file.write_text("\n".join(parts) + "\n", encoding="utf-8")
