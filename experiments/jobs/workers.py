"""Jobs in processes of their own, a few at a time, each with a time limit.

A job that fails, runs out of memory or takes too long loses only its own result.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerProcess
from typing import Any

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
PRELOADED = ["experiments.paper.tables.study", "experiments.paper.figures.runtime"]


@dataclass(frozen=True)
class Job:
    name: str
    work: Callable[..., dict[str, Any]]
    arguments: tuple[Any, ...]
    limit: float  # seconds
    weight: float = 1.0  # estimated share of the time


@dataclass
class _Running:
    job: Job
    process: ForkServerProcess
    answers: Connection
    begin: float


def _child(answers: Connection, job: Job) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    try:
        answer = job.work(*job.arguments)
    except MemoryError:
        answer = {"missing": "out of memory"}
    except Exception as error:  # reported in its cell
        answer = {"missing": f"{type(error).__name__}: {error}"}
    answers.send(answer)
    answers.close()


@contextmanager
def _one_thread() -> Iterator[None]:
    """Set for the fork server, which reads the variables when the first job starts it."""
    before = {name: os.environ.get(name) for name in THREAD_VARIABLES}
    os.environ.update(dict.fromkeys(THREAD_VARIABLES, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _start(job: Job) -> _Running:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(sending, job), daemon=True)
    with _one_thread():
        process.start()
    sending.close()
    return _Running(job, process, receiving, time.monotonic())


def _answer(running: _Running) -> dict[str, Any] | None:
    """The result of the job, if it has ended or its time is up."""
    if running.answers.poll():
        try:
            answer: dict[str, Any] = running.answers.recv()
        except EOFError:
            running.process.join()
            answer = {"missing": f"ended by itself (exit code {running.process.exitcode})"}
    elif time.monotonic() - running.begin > running.job.limit:
        answer = {"missing": f"more than {running.job.limit:g} s"}
    else:
        return None
    _end(running)
    return answer


def _end(running: _Running) -> None:
    running.process.kill()
    running.process.join()
    running.answers.close()


def run_all(jobs: Sequence[Job], workers: int, done: Callable[[Job, dict[str, Any]], None]) -> None:
    """Run the jobs in order, `workers` at a time, and pass on each result as it arrives."""
    waiting, running = list(jobs), list[_Running]()
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                running.append(_start(waiting.pop(0)))
            wait([one.answers for one in running], timeout=0.2)
            for one in list(running):
                answer = _answer(one)
                if answer is not None:
                    running.remove(one)
                    done(one.job, answer)
    finally:
        for one in running:
            _end(one)
