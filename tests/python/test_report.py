"""`model.report`: a page about a fit."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shiftcut import ShiftedMinCut, _core

from .data import blobs

needs_page = pytest.mark.skipif(not _core.has_page(), reason="the page is not built (make web)")


def data_of(file: Path) -> dict[str, Any]:
    page = file.read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="report-data">(.*?)</script>', page)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


@pytest.mark.skipif(_core.has_page(), reason="the page is built")
def test_without_the_page_it_says_how_to_get_it(tmp_path: Path) -> None:
    model = ShiftedMinCut(2, random_state=0).fit(blobs(40, 2))
    with pytest.raises(RuntimeError, match="make web"):
        model.report(tmp_path / "report.html")


@needs_page
def test_it_holds_the_result(tmp_path: Path) -> None:
    model = ShiftedMinCut(3, random_state=4).fit(blobs(90, 3))
    file = tmp_path / "report.html"
    model.report(file, title="blobs", names=[f"sample {i}" for i in range(90)])
    data = data_of(file)
    assert data["about"]["title"] == "blobs"
    assert data["about"]["command"] == "ShiftedMinCut(n_clusters=3, random_state=4).fit(X)"
    assert data["clusters"]["sizes"] == np.bincount(model.labels_).tolist()
    assert data["map"]["labels"] == model.labels_.tolist()
    assert data["map"]["names"][7] == "sample 7"


@needs_page
def test_after_loading_it_needs_the_data(tmp_path: Path) -> None:
    points = blobs(60, 3)
    model = ShiftedMinCut(3, random_state=0).fit(points)
    model.save(tmp_path / "model")
    model.report(tmp_path / "a.html", X=points)
    loaded = ShiftedMinCut.load(tmp_path / "model")
    with pytest.raises(ValueError, match="X is needed"):
        loaded.report(tmp_path / "b.html")
    loaded.report(tmp_path / "b.html", X=points)
    first, second = data_of(tmp_path / "a.html"), data_of(tmp_path / "b.html")
    assert first["map"] == second["map"]
    assert first["clusters"] == second["clusters"]


@needs_page
@pytest.mark.parametrize(("given", "name"), [({"names": ["a"]}, "names"), ({"y": [0, 1]}, "y")])
def test_lists_of_another_length_are_refused(
    tmp_path: Path, given: dict[str, Any], name: str
) -> None:
    model = ShiftedMinCut(2, random_state=0).fit(blobs(40, 2))
    with pytest.raises(ValueError, match=f"{name}: found"):
        model.report(tmp_path / "report.html", **given)
