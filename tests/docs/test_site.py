"""What `make docs` relies on: complete navigation, and notebooks stored without outputs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from .pages import PAGES, ROOT

FOLDER = ROOT / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_every_page_is_in_the_navigation() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r"(?:- |: )([\w/]+\.md)$", text, flags=re.MULTILINE))
    pages = [*PAGES, FOLDER / "README.md", *(path.with_suffix(".md") for path in NOTEBOOKS)]
    assert listed == {str(page.relative_to(ROOT)) for page in pages}


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_stored_without_outputs_and_listed(notebook: Path) -> None:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    assert cells[0]["cell_type"] == "markdown"
    assert "".join(cells[0]["source"]).startswith("# ")
    for cell in cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
    assert f"({notebook.name})" in (FOLDER / "README.md").read_text(encoding="utf-8")
