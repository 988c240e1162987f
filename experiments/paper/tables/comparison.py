"""Our number and the printed one, cell by cell, with a reason wherever they differ."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ...data.datasets import DataSet
from ..pipelines import ON_FEATURES, PIPELINES, SQUARED_IN_PAPER
from .doubts import Doubt
from .printed import TABLES, Number, Place, Printed, Table

NEAR = 0.02
ERRORS = 3.0  # standard errors of the difference of two means

Answers = dict[tuple[str, str, str], dict[str, Any]]  # (pipeline, data set, method): a study cell

SAME, WITHIN, NEARLY, DIFFERS, DOUBTED, OTHER_DATA, OURS_ONLY, MISSING = (
    "same",  # to four digits
    "within error",  # two means whose difference chance explains
    "near",
    "differs",
    "print in doubt",
    "other data",
    "ours only",  # nothing printed to compare with
    "missing",
)


@dataclass(frozen=True)
class Cell:
    table: Table
    row: str
    place: Place
    pipeline: str
    ours: Number | None
    printed: Number | None
    status: str
    reason: str

    @property
    def difference(self) -> float | None:
        if self.ours is None or self.printed is None:
            return None
        return self.ours.value - self.printed.value


def number_of(place: Place, answer: dict[str, Any] | None) -> Number | None:
    if answer is None or "missing" in answer:
        return None
    if place.study == "best":
        return Number(answer["best"][place.score])
    return Number(answer["mean"][place.score], answer["deviation"][place.score])


def _agreement(ours: Number, printed: Number, runs: int) -> str:
    difference = abs(ours.value - printed.value)
    if round(ours.value, 4) == round(printed.value, 4):
        return SAME
    if ours.deviation is not None and printed.deviation is not None:
        error = math.sqrt(printed.deviation**2 / 100 + ours.deviation**2 / max(runs, 1))
        if difference <= ERRORS * error + 0.5e-4:
            return WITHIN
    return NEARLY if difference <= NEAR else DIFFERS


PARTICULAR = {
    ("Lung Cancer", "ShiftedMinCut"): "None of 40 ways to scale and to measure distance gives the "
    "printed row; the scores imply clusters of 14 and 18 objects.",
    ("Heart", "ShiftedMinCut"): "Ours is on the 13 attributes that published work uses.",
}
PEELED = (
    "Peeled until nothing is left, so the number of clusters is free; the affinities and the "
    "threshold of the paper are not given."
)
GENERAL = {
    "ShiftedMinCut": "A run is one random start here; how many a run had in print is not said.",
    "DSC": PEELED,
    "InImDyn": PEELED,
    "PSC": "The graph, p and the criterion of the paper are not given.",
    "GMM": "Raw features and full covariances give the printed row of Pima, and in some runs those "
    "of Statlog and Lung Cancer; covariances and starting values are not given.",
    "KMeans": "On raw features Cloud, Forest, Pima, SPECTF, Statlog and Teaching Assistant "
    "come out exactly; this number does not.",
    "PIC": "From the degrees, without loops, Teaching Assistant comes out exactly and Forest, Pima "
    "and Statlog nearly; the stopping rule of the paper is not given.",
    "SC": "The graph and the variant of spectral clustering are not given.",
}


def _reason(place: Place, pipeline: str, data: DataSet, status: str) -> str:
    if data.stand_in:
        return f"The paper's data are private ({data.note})."
    if status in (SAME, WITHIN):
        return ""
    if pipeline == "like-for-like" and place.method in ON_FEATURES:
        return "Standardised here; the paper's features were raw."
    if pipeline == "as written":
        return "What the text describes (squared, one-hot, unscaled) is not what was run."
    if pipeline == "like-for-like" and (data.name, place.method) in SQUARED_IN_PAPER:
        return "Plain distances here; the printed row needs squared ones."
    if (place.data, place.method) in PARTICULAR and place.study == "best":
        return PARTICULAR[place.data, place.method]
    return GENERAL[place.method]


def cell_of(
    table: Table,
    row: str,
    place: Place,
    pipeline: str,
    data: DataSet | None,
    answer: dict[str, Any] | None,
    printed: Number | None,
    doubt: Doubt | None,
) -> Cell:
    ours = number_of(place, answer)
    if ours is None or data is None or answer is None:
        why = "no data" if answer is None else str(answer["missing"])
        return Cell(table, row, place, pipeline, None, printed, MISSING, why)
    if printed is None:
        return Cell(table, row, place, pipeline, ours, None, OURS_ONLY, "")
    status = _agreement(ours, printed, answer["runs"])
    reason = _reason(place, pipeline, data, status)
    if data.stand_in:
        status = OTHER_DATA
    elif doubt is not None and status not in (SAME, WITHIN):
        status = DOUBTED
    if doubt is not None:
        reason = f"Print cannot be right: {doubt.reason} {reason}".strip()
    return Cell(table, row, place, pipeline, ours, printed, status, reason)


def cells(
    pipeline: str,
    data: dict[str, DataSet],
    answers: Answers,
    printed: Printed,
    doubts: dict[Place, Doubt],
) -> list[Cell]:
    """All cells of the ten tables under one pipeline."""
    found = []
    for table in TABLES:
        for row, name, score in table.places():
            for method in table.methods:
                if method not in PIPELINES[pipeline]:
                    continue
                place = Place(table.study, name, method, score)
                found.append(
                    cell_of(
                        table,
                        row,
                        place,
                        pipeline,
                        data.get(name),
                        answers.get((pipeline, name, method)),
                        printed.get(place),
                        doubts.get(place),
                    )
                )
    return found
