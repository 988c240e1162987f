"""Printed numbers that cannot be right: listed with reasons in doubts.json, and checked here.

The checks need only the printed tables and the class sizes. They look for a chance-adjusted score
above V (impossible, because V does not subtract what chance gives), a triple that no two clusters
have, a row that equals another data set's, and a column that equals another method's.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from ..pipelines import METHODS
from .attainable import tables_with
from .printed import Place, Printed

TWO_CLASSES = {
    "Cloud": (1024, 1024),
    "Lung Cancer": (9, 23),
    "Parkinsons": (48, 147),
    "Pima Indians Diabetes": (268, 500),
    "SPECTF": (55, 212),
    "Statlog ACA": (307, 383),
}
SCORES = ("ami_max", "ari", "v_measure")
FREE_K = ("DSC", "InImDyn")  # not held to two clusters, so their triples are free


@dataclass(frozen=True)
class Doubt:
    check: str  # the check that confirms it; "" where none can
    reason: str


def listed() -> dict[Place, Doubt]:
    """The entries of doubts.json by place; the first that names a place counts."""
    text = Path(__file__).with_name("doubts.json").read_text(encoding="utf-8")
    doubts: dict[Place, Doubt] = {}
    for entry in json.loads(text):
        for study in entry["studies"]:
            for method in METHODS if entry["methods"] == "all" else entry["methods"]:
                for score in entry["scores"]:
                    place = Place(study, entry["data"], method, score)
                    doubts.setdefault(place, Doubt(entry["check"], entry["reason"]))
    return doubts


def _above_v(printed: Printed) -> set[Place]:
    found = set()
    for place, number in printed.items():
        v = printed.get(place._replace(score="v_measure"))
        if place.score == "ami_max" and v is not None and number.value > v.value:
            found |= {place, place._replace(score="v_measure")}
    return found


def _unattainable(printed: Printed) -> set[Place]:
    found = set()
    for data, classes in TWO_CLASSES.items():
        for method in METHODS:
            cells = [Place("best", data, method, score) for score in SCORES]
            values = [printed[cell].value for cell in cells if cell in printed]
            if len(values) == 3 and not tables_with(classes, *values):
                found |= set(cells)
    return found


def _copied_rows(printed: Printed) -> set[Place]:
    """Cells that are equal in the rows of two data sets, if at least half of the row is."""
    found = set()
    names = sorted({place.data for place in printed})
    for study in ("best", "mean"):
        for score in SCORES:
            for one, other in combinations(names, 2):
                equal = set()
                for method in METHODS:
                    first = Place(study, one, method, score)
                    second = first._replace(data=other)
                    if first in printed and printed[first] == printed.get(second):
                        equal |= {first, second}
                if len(equal) >= len(METHODS):
                    found |= equal
    return found


def _copied_columns(printed: Printed) -> set[Place]:
    """The three scores of a method, if another method has the same three."""
    found = set()
    for data in sorted({place.data for place in printed}):
        for one, other in combinations(METHODS, 2):
            first = [Place("best", data, one, score) for score in SCORES]
            second = [Place("best", data, other, score) for score in SCORES]
            values = [printed.get(place) for place in first]
            if None not in values and values == [printed.get(place) for place in second]:
                found |= {*first, *second}
    return found


CHECKS = {
    "above_v": _above_v,
    "unattainable": _unattainable,
    "copied_row": _copied_rows,
    "copied_column": _copied_columns,
}


def findings(printed: Printed) -> dict[str, set[Place]]:
    """What each check finds in the printed tables."""
    return {name: check(printed) for name, check in CHECKS.items()}
