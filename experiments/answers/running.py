"""The jobs of the study, a few at a time; results of earlier runs are reused."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ..jobs.progress import Progress
from ..jobs.store import Store, fingerprint_of, package_files
from ..jobs.workers import Job, run_all
from . import methods
from .curve import Settings, mean_curve
from .report import Curves, Reasons
from .tasks import Task

Done = Callable[[Job, dict[str, Any]], None]

ASKED_FOR = {"PCK-means, NPU"}  # minutes per seed on digits: only on request
LIMIT = 1500.0  # seconds per job
PACKAGES = ("active-semi-supervised-clustering", "cobras-ts", "numpy", "scikit-learn")
SLOW = {"PCK-means, NPU": 4.0, "COBRAS": 0.2}  # relative to the other methods
PEER_SOURCES = ("peers.py", "peer_questions.py", "cobras.py")
COMMON_SOURCES = ("methods.py", "tasks.py", "person.py")


def installed(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"{package} not installed"


def _store(folder: Path, ours: bool) -> Store:
    """Our method is recomputed after a change to the package, the peers are not."""
    own = (*COMMON_SOURCES, "ours.py") if ours else (*COMMON_SOURCES, *PEER_SOURCES)
    files = [Path(__file__).with_name(name) for name in own]
    if ours:
        files += package_files()
    versions = "" if ours else ", ".join(installed(name) for name in PACKAGES)
    return Store(folder, fingerprint_of(files) + versions)


def jobs_of(tasks: list[Task], chosen: list[str], settings: Settings) -> list[Job]:
    found = [
        Job(
            f"{task.name}/{method}/{seed}",
            methods.run,
            (method, task, seed, settings.checkpoints),
            LIMIT,
            len(task.rows) * SLOW.get(method, 1.0),
        )
        for task in tasks
        for method in chosen
        for seed in range(settings.seeds)
    ]
    return sorted(found, key=lambda job: -job.weight)  # so that no worker idles at the end


class Study:
    """The results so far, and how to compute the rest."""

    def __init__(self, tasks: list[Task], settings: Settings, folder: Path) -> None:
        self.tasks, self.settings = tasks, settings
        self._answers: dict[str, dict[str, Any]] = {}
        self._stores = {ours: _store(folder / "runs", ours) for ours in (True, False)}

    def _place(self, job: Job) -> tuple[Store, list[Any]]:
        method, task, seed, checkpoints = job.arguments
        key = [method, task.name, list(task.rows.shape), seed, list(checkpoints)]
        return self._stores[method in methods.OURS], key

    def run(self, chosen: list[str], workers: int) -> None:
        jobs = jobs_of(self.tasks, chosen, self.settings)
        progress = Progress(sum(job.weight for job in jobs), name="answers")
        waiting = []
        for job in jobs:
            store, key = self._place(job)
            if (kept := store.get(job.name, key)) is None:
                waiting.append(job)
            else:
                self._answers[job.name] = kept
                progress.tell(job.name, job.weight)

        def done(job: Job, answer: dict[str, Any]) -> None:
            if "missing" in answer:
                progress.say(f"answers: {job.name}: {answer['missing']}")
            elif answer.pop("lasting", True):
                store, key = self._place(job)
                store.put(job.name, key, answer)
            self._answers[job.name] = answer
            progress.tell(job.name, job.weight)

        progress.say(f"answers: {len(waiting)} of {len(jobs)} runs to do, {workers} at a time")
        run_all(waiting, workers, done)

    def curves(self) -> tuple[Curves, Reasons]:
        curves: Curves = {}
        reasons: Reasons = {}
        for task in self.tasks:
            for method in methods.METHODS:
                names = (f"{task.name}/{method}/{seed}" for seed in range(self.settings.seeds))
                runs = [self._answers[name] for name in names if name in self._answers]
                scored = [run for run in runs if "ami" in run]
                if scored:
                    curves[task.name, method] = mean_curve(self.settings.checkpoints, scored)
                elif runs:
                    reasons[task.name, method] = str(runs[0]["missing"])
        return curves, reasons
