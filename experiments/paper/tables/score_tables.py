"""The ten tables, and grids derived from them, for the report."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import numpy as np

from ...data.datasets import DataSet
from ...report.document import Entry, Grid, Mark
from ..pipelines import METHODS, PIPELINES
from .attainable import tables_with
from .comparison import MISSING, SAME, Answers, Cell
from .doubts import SCORES, TWO_CLASSES, Doubt
from .printed import SCORE_NAMES, TABLES, UCI_NAMES, Number, Place, Printed

COLUMNS = ("table", "study", "data", "method", "score", "pipeline", "ours", "ours_deviation",
           "printed", "printed_deviation", "difference", "status", "reason")  # fmt: skip


def shown(number: Number | None) -> str:
    if number is None:
        return "-"
    text = f"{number.value:.4f}"
    return text if number.deviation is None else f"{text} ± {number.deviation:.4f}"


def entry_of(cell: Cell) -> Mark:
    difference = "" if cell.difference is None else f", {cell.difference:+.4f}"
    if cell.status == SAME:
        difference = ", ="
    beside = "" if cell.printed is None else f" ({shown(cell.printed)}{difference})"
    return Mark(shown(cell.ours) + beside, cell.status, cell.reason)


def slug(text: str) -> str:
    return text.replace(" ", "-").lower()


def table_grids(pipeline: str, cells: list[Cell]) -> list[Grid]:
    """The ten tables: ours (printed, difference) in each cell."""
    grids = []
    for table in TABLES:
        methods = [method for method in table.methods if method in PIPELINES[pipeline]]
        grid = Grid(f"{table.key}-{slug(pipeline)}", f"{table.title}: {pipeline}", ["", *methods])
        rows: dict[str, list[Entry]] = {}
        for cell in cells:
            if cell.table is table and cell.pipeline == pipeline:
                rows.setdefault(cell.row, []).append(entry_of(cell))
        grid.rows = [[row, *entries] for row, entries in rows.items()]
        counts = Counter(
            entry.kind for row in rows.values() for entry in row if isinstance(entry, Mark)
        )
        grid.remarks = [", ".join(f"{count} {kind}" for kind, count in counts.most_common()) + "."]
        grids.append(grid)
    return grids


def summary_grid(cells: list[Cell]) -> Grid:
    """How many cells of each method agree, by pipeline."""
    kinds = list(dict.fromkeys(cell.status for cell in cells))
    grid = Grid("agreement", "Cells by agreement with print", ["pipeline, method", *kinds])
    for pipeline in PIPELINES:
        for method in METHODS:
            counts = Counter(
                cell.status
                for cell in cells
                if cell.pipeline == pipeline and cell.place.method == method
            )
            if counts:
                numbers = [str(counts[kind]) for kind in kinds]
                grid.rows.append([f"{pipeline}, {method}", *numbers])
    return grid


def _wins(numbers: dict[Place, float], study: str, score: str) -> str:
    best = compared = 0
    for data in UCI_NAMES:
        row = {
            method: numbers[Place(study, data, method, score)]
            for method in METHODS
            if Place(study, data, method, score) in numbers
        }
        if "ShiftedMinCut" in row and len(row) > 1:
            compared += 1
            best += round(row["ShiftedMinCut"], 4) >= round(max(row.values()), 4)
    return f"{best} of {compared}"


def wins_grid(cells: list[Cell], printed: Printed, doubts: dict[Place, Doubt]) -> Grid:
    """On how many data sets Shifted Min Cut has the best score."""
    all_printed = {place: number.value for place, number in printed.items()}
    sources = {
        "printed": all_printed,
        "printed, cells in doubt left out": {
            place: value for place, value in all_printed.items() if place not in doubts
        },
    }
    for pipeline in ("paper", "like-for-like"):
        sources[f"ours, {pipeline}"] = {
            cell.place: cell.ours.value
            for cell in cells
            if cell.pipeline == pipeline and cell.ours is not None
        }
    grid = Grid("wins", "Data sets of twelve on which Shifted Min Cut scores best", ["", *sources])
    for study, words in (("best", "lowest cost"), ("mean", "mean of runs")):
        for score in SCORES:
            row = [_wins(numbers, study, score) for numbers in sources.values()]
            grid.rows.append([f"{SCORE_NAMES[score]}, {words}", *row])
    absent = sorted(
        {
            cell.place.method
            for cell in cells
            if cell.status == MISSING and cell.place.data in UCI_NAMES
        }
    )
    if absent:
        grid.remarks = [
            f"Some cells of these methods are missing and do not compete: {', '.join(absent)}."
        ]
    return grid


def sizes_grid(data: dict[str, DataSet], answers: Answers) -> Grid:
    """How many clusters Shifted Min Cut returns when given the number of classes."""
    grid = Grid(
        "clusters", "Clusters of Shifted Min Cut (K is an upper bound)",
        ["data", "objects", "features", "K", "sizes found", "cost", "note"],
    )  # fmt: skip
    for name, one in data.items():
        answer = answers.get(("paper", name, "ShiftedMinCut"))
        if answer is None or "missing" in answer:
            continue
        sizes = ", ".join(str(size) for size in answer["sizes"])
        objects, features = one.rows.shape
        grid.rows.append(
            [
                name,
                str(objects),
                str(features),
                str(one.k),
                sizes,
                f"{answer['cost']:.6g}",
                one.note,
            ]
        )
    return grid


def readings_grid(answers: Answers, printed: Printed) -> Grid:
    """Shifted Min Cut under each pipeline: which reading of the paper gives its numbers."""
    pipelines = list(PIPELINES)
    grid = Grid(
        "readings", "Shifted Min Cut, AMI / ARI / V of the lowest cost, by reading of the paper",
        ["data", "printed", *pipelines],
    )  # fmt: skip
    for name in UCI_NAMES:
        print_row = [printed.get(Place("best", name, "ShiftedMinCut", score)) for score in SCORES]
        row: list[Entry] = [
            name,
            " / ".join("-" if one is None else f"{one.value:.4f}" for one in print_row),
        ]
        for pipeline in pipelines:
            answer = answers.get((pipeline, name, "ShiftedMinCut"))
            if answer is None or "missing" in answer:
                row.append("-")
                continue
            ours = [answer["best"][score] for score in SCORES]
            same = sum(
                one is not None and round(value, 4) == round(one.value, 4)
                for value, one in zip(ours, print_row, strict=True)
            )
            kind = {3: SAME, 0: "differs"}.get(same, "near")
            row.append(Mark(" / ".join(f"{value:.4f}" for value in ours), kind))
        grid.rows.append(row)
    return grid


def implied_grid(printed: Printed) -> Grid:
    """The sizes of two clusters that give each printed triple on two classes, if there are any."""
    grid = Grid(
        "implied", "Cluster sizes that the printed scores of two-class data imply",
        ["data", *METHODS],
    )  # fmt: skip
    for name, classes in TWO_CLASSES.items():
        row: list[Entry] = [name]
        for method in METHODS:
            triple = [printed[Place("best", name, method, score)].value for score in SCORES]
            sizes = {
                tuple(sorted((x + y, sum(classes) - x - y)))
                for x, y in tables_with(classes, *triple)
            }
            text = " or ".join(f"{small} + {large}" for small, large in sorted(sizes))
            row.append(Mark(text or "none", "" if text else "no"))
        grid.rows.append(row)
    grid.remarks = [
        "Every 2 x 2 table of counts was tried. None means that no two clusters score so: a "
        "misprint, or (DSC, InImDyn) more than two clusters."
    ]
    return grid


def write_cells(cells: list[Cell], file: Path) -> None:
    """One line per cell and pipeline."""

    def digits(value: float | None) -> str:
        return "" if value is None or np.isnan(value) else f"{value:.6f}"

    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(COLUMNS)
        for cell in cells:
            ours, printed = cell.ours or Number(np.nan), cell.printed or Number(np.nan)
            numbers = (*ours, *printed, cell.difference)
            place = cell.place
            writer.writerow(
                [cell.table.key, place.study, place.data, place.method, place.score, cell.pipeline]
                + [digits(number) for number in numbers]
                + [cell.status, cell.reason]
            )
