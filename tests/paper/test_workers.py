"""Jobs in processes: what fails costs only itself, and answers last."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from experiments.jobs.store import Store
from experiments.jobs.workers import Job, run_all


def square(x: int) -> dict[str, Any]:
    return {"value": x * x}


def fail() -> dict[str, Any]:
    raise ValueError("no good")


def die() -> dict[str, Any]:
    os._exit(3)


def sleep() -> dict[str, Any]:
    time.sleep(600)
    return {}


def test_every_job_answers_whatever_the_others_do() -> None:
    jobs = [Job(f"square {x}", square, (x,), 60) for x in range(4)]
    jobs += [Job("fail", fail, (), 60), Job("die", die, (), 60), Job("sleep", sleep, (), 0.5)]
    answers: dict[str, dict[str, Any]] = {}
    run_all(jobs, 2, lambda job, answer: answers.update({job.name: answer}))
    assert [answers[f"square {x}"]["value"] for x in range(4)] == [0, 1, 4, 9]
    assert answers["fail"] == {"missing": "ValueError: no good"}
    assert answers["die"] == {"missing": "ended by itself (exit code 3)"}
    assert answers["sleep"] == {"missing": "more than 0.5 s"}


def test_an_answer_is_kept_for_the_same_arguments_only(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put("paper/Ecoli/GMM", [1, "a"], {"value": 2})
    assert Store(tmp_path).get("paper/Ecoli/GMM", [1, "a"]) == {"value": 2}
    assert store.get("paper/Ecoli/GMM", [2, "a"]) is None
    assert store.get("paper/Ecoli/SC", [1, "a"]) is None
