"""The paper's ten tables of scores."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ... import places
from ...data.datasets import SOURCES
from ..pipelines import METHODS

SCORE_NAMES = {
    "ami_max": "adjusted mutual information (max)",
    "ari": "adjusted Rand index",
    "v_measure": "V-measure",
}
SCORE_ROWS = {"Mutual Information": "ami_max", "Rand score": "ari", "V-measure": "v_measure"}
RANDOM_METHODS = ("ShiftedMinCut", "GMM", "KMeans", "PIC", "SC")
UCI_NAMES = tuple(source.name for source in SOURCES)


@dataclass(frozen=True)
class Table:
    """`study` is "best" (lowest cost of the runs) or "mean" (over the runs)."""

    key: str
    title: str
    study: str
    score: str | None = None  # the only score, one data set per row; else
    data: str | None = None  # the only data set, one score per row

    @property
    def methods(self) -> tuple[str, ...]:
        return METHODS if self.study == "best" else RANDOM_METHODS

    def places(self) -> list[tuple[str, str, str]]:
        """(row, data set, score) of each row."""
        if self.score is not None:
            return [(name, name, self.score) for name in UCI_NAMES]
        assert self.data is not None
        return [(SCORE_NAMES[score], self.data, score) for score in SCORE_ROWS.values()]


def _title(study: str, what: str) -> str:
    return f"{what}, " + ("lowest cost of 100 runs" if study == "best" else "mean of 100 runs")


TABLES = tuple(
    Table(key, _title(study, SCORE_NAMES[score] if score else str(data)), study, score, data)
    for key, study, score, data in (
        ("RealWorld_Mutual_info", "best", "ami_max", None),
        ("RealWorld_Rand", "best", "ari", None),
        ("RealWorld_V_Measure", "best", "v_measure", None),
        ("RealWorld_Mutual_info_detail", "mean", "ami_max", None),
        ("RealWorld_Rand_detail", "mean", "ari", None),
        ("RealWorld_VI_detail", "mean", "v_measure", None),
        ("RealWorld_DS1", "best", None, "DS1"),
        ("RealWorld_DS2", "best", None, "DS2"),
        ("RealWorld_DS1_detail", "mean", None, "DS1"),
        ("RealWorld_DS2_detail", "mean", None, "DS2"),
    )
)


class Place(NamedTuple):
    """The place of a printed number."""

    study: str
    data: str
    method: str
    score: str


class Number(NamedTuple):
    value: float
    deviation: float | None = None


Printed = dict[Place, Number]


def _number(given: Any) -> Number:  # noqa: ANN401
    if isinstance(given, dict):
        return Number(given["mean"], given["std"])
    return Number(float(given))


def read(path: Path = places.PRINTED) -> Printed:
    """All printed numbers; none if the file is missing."""
    if not path.is_file():
        return {}
    tables = json.loads(path.read_text(encoding="utf-8"))
    printed: Printed = {}
    for table in TABLES:
        for row, cells in tables[table.key].items():
            data = table.data or row
            score = table.score or SCORE_ROWS[row]
            for method, given in cells.items():
                printed[Place(table.study, data, method, score)] = _number(given)
    return printed
