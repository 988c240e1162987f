#!/usr/bin/env python3
"""Build the documentation site in out/site: called by `make docs`.

The pages and examples are copied to out/site-source in the layout of the repository, with every
other file that they link to. Notebooks are executed and become pages with what they print and draw.
MkDocs checks all links and anchors. In the end, no page may load anything from another host.
"""

from __future__ import annotations

import base64
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent
SOURCE, SITE = ROOT / "out" / "site-source", ROOT / "out" / "site"
SECONDS = 120  # for a cell
LINK = re.compile(r"\]\(([^)#: ]+)")
LOADED = re.compile(
    r"<(?:script|link|img|iframe|source)\b[^>]* (?:src|href)=\"?((?:https?:)?//[^\" >]+)"
)


def listed(*patterns: str) -> list[Path]:
    """Files of the repository, also those not committed yet."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "--", *patterns]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / line for line in done.stdout.splitlines() if (ROOT / line).exists()]


def copy(file: Path) -> None:
    target = SOURCE / file.relative_to(ROOT)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, target)


def titled(page: Path, text: str) -> str:
    """With the titles of pages in place of names of files, where these are the text of a link."""

    def title(match: re.Match[str]) -> str:
        target = page.parent / match["target"]
        first = target.read_text(encoding="utf-8").split("\n", 1)[0]
        return f"[{first.removeprefix('# ')}]"

    return re.sub(r"\[[\w/]+\.md\](?=\((?P<target>[^)#: ]+\.md)[)#])", title, text)


def copy_page(page: Path) -> None:
    """The page, and the files that it links to and that are not pages themselves."""
    copy(page)
    target = SOURCE / page.relative_to(ROOT)
    text = titled(page, target.read_text(encoding="utf-8"))
    # Git hosts need \| within the code of a table, MkDocs shows it.
    text = re.sub(r"`[^`\n]*\\\|[^`\n]*`", lambda code: code[0].replace("\\|", "|"), text)
    # In the table of contents, functions without their parameters
    text = re.sub(r"(?m)^(###+ `([\w.]+)\(.*)$", r'\1 { data-toc-label="\2" }', text)
    for link in LINK.findall(text):
        file = (page.parent / link).resolve()
        if file.is_file() and file.suffix != ".md":
            copy(file)
    target.write_text(re.sub(r"(\]\([^)#: ]+)\.ipynb\)", r"\1.md)", text), encoding="utf-8")


def executed(notebook: Path) -> Any:  # noqa: ANN401
    """The notebook with its outputs; a cell that fails raises nbclient's error, which shows it."""
    content = nbformat.read(notebook, as_version=4)
    for cell in content.cells:
        if cell.cell_type == "code" and (cell.outputs or cell.execution_count is not None):
            raise SystemExit(f"{notebook}: store it without outputs (Kernel, Clear All Outputs)")
    folder = {"metadata": {"path": str(notebook.parent)}}
    client = NotebookClient(content, timeout=SECONDS, kernel_name="python3", resources=folder)
    client.extra_arguments = ["--log-level=ERROR"]
    client.coalesce_streams = True
    client.execute()
    return content


def fenced(text: str) -> str:
    return f'<div class="output" markdown>\n\n```text\n{text.rstrip()}\n```\n\n</div>\n'


def shown(output: Any, folder: Path, name: str) -> str:  # noqa: ANN401
    """One output as Markdown; pictures become files."""
    if output.output_type == "stream":
        return fenced(output.text)
    data = output.data
    if "image/png" in data:
        (folder / f"{name}.png").write_bytes(base64.b64decode(data["image/png"]))
        return f"![what this cell draws]({name}.png)\n"
    if "text/html" in data:
        table = re.sub(r"<style.*?</style>|</?div>", "", data["text/html"], flags=re.DOTALL)
        table = re.sub(r"<table[^>]*>", "<table>", table)
        return f'<div class="output">{table.strip()}</div>\n'
    return fenced(data["text/plain"])


def write_page(notebook: Path, page: Path) -> None:
    begin = time.perf_counter()
    content = executed(notebook)
    parts = []
    for i, cell in enumerate(content.cells):
        if cell.cell_type == "markdown":
            parts.append(cell.source.replace(".ipynb)", ".md)") + "\n")
            continue
        parts.append(f"```python\n{cell.source}\n```\n")
        for j, output in enumerate(cell.outputs):
            parts.append(shown(output, page.parent, f"{page.stem}_{i}_{j}"))
    parts.append(f"[{notebook.name}]({notebook.name}) is this page as a notebook.\n")
    page.write_text("\n".join(parts), encoding="utf-8")
    print(f"{notebook.name}: {time.perf_counter() - begin:.1f} s", flush=True)


def check_nothing_is_loaded_from_elsewhere() -> None:
    for page in SITE.rglob("*.html"):
        loaded = LOADED.findall(page.read_text(encoding="utf-8"))
        if loaded:
            sys.exit(f"build_site: {page.relative_to(SITE)} loads {', '.join(loaded)}")


def main() -> int:
    shutil.rmtree(SOURCE, ignore_errors=True)
    for page in listed("*.md"):
        copy_page(page)
    for file in listed("docs/site", "docs/pictures"):
        copy(file)
    for notebook in listed("examples/notebooks/*.ipynb"):
        copy(notebook)
        write_page(notebook, SOURCE / notebook.relative_to(ROOT).with_suffix(".md"))
    # Not --quiet: --strict would no longer count the warnings.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    check_nothing_is_loaded_from_elsewhere()
    print(f"open {SITE / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
