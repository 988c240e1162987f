"""Claims from the paper's results, checked against the printed tables and ours."""

from __future__ import annotations

import numpy as np

from ...data.datasets import DataSet
from ...report.document import Grid
from ..pipelines import METHODS
from .comparison import Answers, Cell
from .printed import UCI_NAMES, Printed

FEW = 3  # clusters
Scores = dict[tuple[str, str], float]  # (data set, method): AMI of the lowest cost


def _printed_scores(printed: Printed) -> Scores:
    return {
        (place.data, place.method): number.value
        for place, number in printed.items()
        if (place.study, place.score) == ("best", "ami_max")
    }


def _our_scores(cells: list[Cell], pipeline: str) -> Scores:
    return {
        (cell.place.data, cell.place.method): cell.ours.value
        for cell in cells
        if cell.ours is not None
        and cell.pipeline == pipeline
        and (cell.place.study, cell.place.score) == ("best", "ami_max")
    }


def _apart(scores: Scores) -> str:
    """How far DSC and InImDyn are apart, and how far Shifted Min Cut is from DSC."""
    rows = [name for name in UCI_NAMES if {(name, "DSC"), (name, "InImDyn")} <= set(scores)]
    if not rows:
        return "-"
    pair = np.mean([abs(scores[name, "DSC"] - scores[name, "InImDyn"]) for name in rows])
    other = np.mean([abs(scores[name, "DSC"] - scores[name, "ShiftedMinCut"]) for name in rows])
    return f"{pair:.3f}; DSC from Shifted Min Cut {other:.3f}"


def _share_of_best(scores: Scores, method: str, names: list[str]) -> float | None:
    shares = []
    for name in names:
        row = [scores[name, one] for one in METHODS if (name, one) in scores]
        if (name, method) in scores and max(row) > 0:
            shares.append(scores[name, method] / max(row))
    return float(np.mean(shares)) if shares else None


def _power_iteration(scores: Scores, data: dict[str, DataSet]) -> str:
    few = [name for name, one in data.items() if one.k <= FEW]
    many = [name for name, one in data.items() if one.k > FEW]
    parts = [_share_of_best(scores, "PIC", names) for names in (few, many)]
    words = ["-" if part is None else f"{part:.0%}" for part in parts]
    return f"{words[0]} with K <= {FEW}, {words[1]} with more"


def _seconds(answers: Answers, pipeline: str, method: str) -> float | None:
    """The median over the data sets of the seconds per run."""
    found = [
        answer["seconds"] / answer["runs"]
        for (one, name, what), answer in answers.items()
        if (one, what) == (pipeline, method) and name in UCI_NAMES and "seconds" in answer
    ]
    return float(np.median(found)) if found else None


def _slowness(answers: Answers, pipeline: str) -> str:
    times = {method: _seconds(answers, pipeline, method) for method in METHODS}
    known = {method: time for method, time in times.items() if time is not None}
    if "PSC" not in known or len(known) < 2:
        return "-"
    slowest = max((time, method) for method, time in known.items() if method != "PSC")
    return f"{known['PSC']:.2g} s a run; slowest other {slowest[1]}, {slowest[0]:.2g} s"


def claims_grid(
    data: dict[str, DataSet], cells: list[Cell], answers: Answers, printed: Printed
) -> Grid:
    pipelines = ("paper", "like-for-like")
    ours = {pipeline: _our_scores(cells, pipeline) for pipeline in pipelines}
    theirs = _printed_scores(printed)
    grid = Grid("claims", "What section 7 says of the methods", ["", "printed", *pipelines])
    rows = {
        "DSC and InImDyn are alike (mean difference of AMI)": [
            _apart(scores) for scores in (theirs, *ours.values())
        ],
        "PIC is good for few clusters only (share of the row's best AMI)": [
            _power_iteration(scores, data) for scores in (theirs, *ours.values())
        ],
        "PSC is much slower (median over the data sets)": [
            "yes",
            *(_slowness(answers, pipeline) for pipeline in pipelines),
        ],
    }
    grid.rows = [[claim, *numbers] for claim, numbers in rows.items()]
    return grid
