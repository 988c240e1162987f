"""The table, its CSV, and a picture for each data set."""

from __future__ import annotations

import csv
from pathlib import Path

from ..report.document import Entry, Grid, Mark, Picture, Report, Section
from ..report.drawing import COLORS, new_figure, save
from ..report.markdown import write_markdown
from .curve import GOAL, SHOWN, Curve, Settings
from .methods import METHODS, OURS
from .tasks import Task

Curves = dict[tuple[str, str], Curve]  # (task, method)
Reasons = dict[tuple[str, str], str]  # why there is no curve

LINES = ("-", "--", ":", "-.")


def _score(curve: Curve, answers: int) -> Entry:
    if answers not in curve.checkpoints:
        return ""
    place = curve.checkpoints.index(answers)
    mean, failed = curve.means[place], curve.failed[place]
    if mean is None:
        return Mark("failed", note=f"none of {curve.runs} runs found a grouping")
    if failed:
        note = f"mean of the runs that found a grouping; {failed} of {curve.runs} did not"
        return Mark(f"{mean:.3f}", note=note)
    return f"{mean:.3f}"


def needed(curve: Curve) -> str:
    found = curve.answers_needed()
    return "not reached" if found is None else str(found)


def below_start(curve: Curve) -> str:
    below = curve.ended_below_start()
    if below is None or curve.start is None or curve.end is None:
        return "unknown"
    return f"yes ({curve.end - curve.start:+.3f})" if below else "no"


def columns() -> list[str]:
    return ["method", *(str(at) for at in SHOWN), f"answers for {GOAL}", "ended below its start"]


def _name(method: str, curve: Curve, seeds: int) -> Entry:
    if curve.runs == seeds:
        return method
    return Mark(method, note=f"mean of {curve.runs} of {seeds} seeds; the others have not run")


def task_grid(task: Task, curves: Curves, reasons: Reasons, seeds: int) -> Grid:
    n, features = task.rows.shape
    grid = Grid(task.name, f"{task.title}: AMI by number of answers", columns())
    grid.remarks.append(f"{n} objects, {features} features, {task.k} classes.")
    for method in METHODS:
        if (curve := curves.get((task.name, method))) is not None:
            scores = [_score(curve, at) for at in SHOWN]
            name = _name(method, curve, seeds)
            grid.rows.append([name, *scores, needed(curve), below_start(curve)])
        elif reason := reasons.get((task.name, method)):
            grid.rows.append([Mark(method, note=reason), *[""] * (len(columns()) - 1)])
    return grid


def task_picture(task: Task, curves: Curves, folder: Path) -> Picture:
    figure = new_figure(8, 4)
    axes = figure.subplots()
    for place, method in enumerate(METHODS):
        curve = curves.get((task.name, method))
        if curve is None:
            continue
        known = [
            (at, mean)
            for at, mean in zip(curve.checkpoints, curve.means, strict=True)
            if mean is not None
        ]
        axes.plot(
            [at for at, _ in known],
            [mean for _, mean in known],
            color=COLORS[place % len(COLORS)],
            linestyle="-" if method in OURS else LINES[1 + place % (len(LINES) - 1)],
            label=method,
        )
    axes.axhline(GOAL, color="#bbbbbb", linewidth=0.8)
    axes.set_xlabel("answered questions")
    axes.set_ylabel("AMI")
    axes.set_title(task.title)
    if curves:
        figure.legend(loc="outside right upper", fontsize=7)
    return Picture(
        save(figure, folder / f"{task.name}.svg"),
        f"AMI against answers, {task.title}",
        f"Mean over the seeds; the grey line is {GOAL}.",
    )


def write_csv(tasks: list[Task], curves: Curves, file: Path) -> None:
    """One line per checkpoint."""
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["data", "method", "answers", "ami", "runs", "failed"])
        for task in tasks:
            for method in METHODS:
                curve = curves.get((task.name, method))
                if curve is None:
                    continue
                for at, mean, failed in zip(
                    curve.checkpoints, curve.means, curve.failed, strict=True
                ):
                    score = "" if mean is None else f"{mean:.6f}"
                    writer.writerow([task.name, method, at, score, curve.runs, failed])


def write(
    tasks: list[Task],
    curves: Curves,
    reasons: Reasons,
    facts: dict[str, str],
    settings: Settings,
    folder: Path,
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    about = [
        "A simulated person answers by the true classes whether two objects belong together. Each "
        f"number is the mean AMI over {settings.seeds} seed(s). 'Random pairs' are the same for "
        "all methods of a seed; otherwise a method chooses its questions. Answers needed: the "
        f"first count from which on the mean stays at {GOAL} or above.",
        "All methods get the same rows (digits: pixels as they are; the others standardised) and, "
        "but for COBRAS, the number of classes. PCK-means weighs a broken pair by the mean squared "
        "distance from the mean; it and COP-k-means are the best of three starts by their own "
        "objective.",
    ]
    report = Report("AMI against the number of answers", facts)
    report.sections.append(Section("What is measured", about))
    for task in tasks:
        report.sections.append(
            Section(
                task.title,
                grids=[task_grid(task, curves, reasons, settings.seeds)],
                pictures=[task_picture(task, curves, folder)],
            )
        )
    write_markdown(report, folder / "answers.md")
    write_csv(tasks, curves, folder / "answers.csv")
