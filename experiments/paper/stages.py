"""The parts of the report, each computed by one function of the context."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..data import datasets, standins
from ..data.datasets import DataSet
from ..jobs.progress import Progress
from ..jobs.store import Store
from ..jobs.workers import Job, run_all
from ..report.document import Report, Section
from ..report.markdown import write_csv, write_markdown
from ..report.page import write_page
from .figures import runtime
from .figures.convergence import convergence
from .figures.shift_figures import large_shift_figure, min_cut_figure
from .figures.shift_invariance import CLAIMS, invariance_grid
from .methods import DETERMINISTIC
from .pipelines import PIPELINES
from .settings import Settings
from .tables import comparison, doubts, printed, score_tables, study
from .tables.claims import claims_grid
from .tables.comparison import Answers, Cell

ESSENTIAL_GRACE = 120.0  # seconds: the rows that matter most


@dataclass
class Context:
    """What the stages share."""

    settings: Settings
    out: Path
    workers: int
    data: dict[str, DataSet]
    missing: list[str]
    store: Store
    progress: Progress
    answers: Answers = field(default_factory=dict)
    cells: list[Cell] = field(default_factory=list)
    unfinished: list[Section] = field(default_factory=list)  # results of an interrupted stage

    @staticmethod
    def load(settings: Settings, out: Path, workers: int, stages: list[str]) -> Context:
        out.mkdir(parents=True, exist_ok=True)
        data = datasets.available()
        missing = datasets.missing()
        if settings.stand_in_runs:
            data["DS1"] = standins.scans()
            if (news := standins.news()) is not None:
                data["DS2"] = news
            missing += standins.missing()
        context = Context(
            settings, out, workers, data, missing, Store(out / "answers"), Progress(0.0)
        )
        context.progress = Progress(sum(WEIGHTS[name](context) for name in stages))
        return context

    def write(self, report: Report) -> None:
        write_markdown(report, self.out / "paper.md")
        write_csv(report, self.out / "csv")
        write_page(report, self.out / "paper.html")
        if self.cells:
            score_tables.write_cells(self.cells, self.out / "cells.csv")


def _runs(context: Context, data: DataSet, method: str) -> int:
    if method in DETERMINISTIC:
        return 1
    return context.settings.stand_in_runs if data.stand_in else context.settings.runs


def _arguments(context: Context, pipeline: str, data: DataSet, method: str) -> list[Any]:
    """What determines the result besides the code: the key in the store."""
    settings = context.settings
    shape = [int(size) for size in data.rows.shape]
    return [pipeline, data.name, method, shape, _runs(context, data, method), settings.budget]


def _job(context: Context, pipeline: str, data: DataSet, method: str) -> Job:
    settings, runs = context.settings, _runs(context, data, method)
    return Job(
        f"{pipeline}/{data.name}/{method}",
        study.cell,
        (data, method, pipeline, runs, settings.budget),
        settings.budget + (ESSENTIAL_GRACE if method == "ShiftedMinCut" else settings.grace),
        min(settings.budget, 0.2 + runs * (len(data.rows) / 2000) ** 2),
    )


def _jobs(context: Context) -> list[Job]:
    return [
        _job(context, pipeline, data, method)
        for pipeline, methods in PIPELINES.items()
        for data in context.data.values()
        for method in methods
    ]


def fill_answers(context: Context) -> None:
    """Compute the cells of the study that the store does not hold yet."""
    waiting = []
    for job in _jobs(context):
        pipeline, name, method = job.name.split("/")
        key = _arguments(context, pipeline, context.data[name], method)
        kept = context.store.get(job.name, key)
        if kept is None:
            waiting.append(job)
        else:
            context.answers[pipeline, name, method] = kept
            context.progress.tell(job.name, job.weight)

    def done(job: Job, answer: dict[str, Any]) -> None:
        pipeline, name, method = job.name.split("/")
        context.answers[pipeline, name, method] = answer
        if answer.pop("lasting", True):
            key = _arguments(context, pipeline, context.data[name], method)
            context.store.put(job.name, key, answer)
        context.progress.tell(f"tables: {name}, {method} ({pipeline})", job.weight)

    waiting.sort(key=lambda job: -job.weight)  # longest first, so that no worker idles at the end
    run_all(waiting, context.workers, done)


def _table_section(context: Context) -> Section:
    numbers, doubted = printed.read(), doubts.listed()
    context.cells = [
        cell
        for pipeline in PIPELINES
        for cell in comparison.cells(pipeline, context.data, context.answers, numbers, doubted)
    ]
    section = Section(
        "Tables",
        [
            "Each cell is ours (printed, difference). AMI is adjusted by the larger entropy, as in "
            "print. 'paper' prepares the data as the printed numbers need it, 'like-for-like' "
            "gives every method the same standardised features and plain distances.",
            *(f"Missing: {line}." for line in context.missing),
        ],
    )
    section.grids = [
        score_tables.summary_grid(context.cells),
        score_tables.wins_grid(context.cells, numbers, doubted),
        claims_grid(context.data, context.cells, context.answers, numbers),
        score_tables.readings_grid(context.answers, numbers),
        score_tables.sizes_grid(context.data, context.answers),
    ]
    if numbers:
        section.grids.append(score_tables.implied_grid(numbers))
    for pipeline in ("paper", "like-for-like"):
        section.grids += score_tables.table_grids(pipeline, context.cells)
    return section


def tables(context: Context) -> Section:
    try:
        fill_answers(context)
    except KeyboardInterrupt:
        context.unfinished.append(_table_section(context))
        raise
    return _table_section(context)


def figures(context: Context) -> Section:
    context.progress.tell("figures", 2.0)
    pictures = [min_cut_figure(context.out), large_shift_figure(context.out)]
    return Section("Figures", pictures=pictures)


def section6(context: Context) -> Section:
    trials = context.settings.trials
    share = WEIGHTS["section6"](context) / len(CLAIMS)
    grid = invariance_grid(trials, lambda what: context.progress.tell(what, share))
    return Section("Shifts and other methods", grids=[grid])


def converging(context: Context) -> Section:
    context.progress.tell("convergence", 3.0)
    picture, grid = convergence(context.data, context.out)
    return Section("Convergence", grids=[grid], pictures=[picture])


def run_times(context: Context) -> Section:
    settings = context.settings
    share = WEIGHTS["runtime"](context) / len(runtime.METHODS) / len(settings.sizes)

    def ask(job: Job) -> dict[str, Any]:
        key = [*job.arguments, job.limit]
        answer = context.store.get(job.name, key)
        if answer is None:
            answer = runtime.ask_alone(job)
            if answer.pop("lasting", True):
                context.store.put(job.name, key, answer)
        context.progress.tell(job.name, share)
        return answer

    times = {
        method: runtime.measured(method, settings.sizes, settings.time_limit, ask)
        for method in runtime.METHODS
    }
    grid = runtime.runtime_grid(settings.sizes, settings.time_limit, times)
    return Section(
        "Run time",
        grids=[grid],
        pictures=[runtime.runtime_picture(settings.sizes, times, context.out)],
    )


STAGES: dict[str, Callable[[Context], Section]] = {
    "figures": figures,
    "section6": section6,
    "convergence": converging,
    "tables": tables,
    "runtime": run_times,
}
WEIGHTS: dict[str, Callable[[Context], float]] = {  # estimates, in seconds
    "figures": lambda _: 2.0,
    "section6": lambda context: 0.4 * context.settings.trials,
    "convergence": lambda _: 3.0,
    "tables": lambda context: sum(job.weight for job in _jobs(context)),
    "runtime": lambda context: 0.7 * context.settings.time_limit * len(runtime.METHODS),
}
