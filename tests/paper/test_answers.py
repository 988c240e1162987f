"""The study of answers: the person, the numbers of the table, the files; no peers needed."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import shiftcut
from experiments.answers import __main__ as front
from experiments.answers import methods, ours, report
from experiments.answers.curve import FULL, QUICK, SHOWN, Curve, Settings, mean_curve
from experiments.answers.person import (
    Person,
    TiredError,
    groups_of,
    random_answers,
    random_pairs,
)
from experiments.answers.running import Study
from experiments.answers.tasks import Task, missing, tasks
from experiments.data.datasets import Floats, Labels

CLASSES = np.repeat(np.arange(3), 10)


class FakeFeedback:
    """Asks of objects in order, against the first of their class, and learns only those."""

    def __init__(
        self, model: shiftcut.ShiftedMinCut, rows: Floats, strategy: str, random_state: int
    ) -> None:
        assert model.scale == "none"
        assert strategy in ours.STRATEGIES
        self._questions: Iterator[tuple[int, int]] = (
            (first, other) for other in range(len(rows)) for first in (0, 10, 20) if other > first
        )
        self.labels_: Labels = np.zeros(len(rows), dtype=np.int64)
        self.batches: list[int] = []

    def next_pairs(self, n_pairs: int, /) -> list[tuple[int, int]]:
        return list(islice(self._questions, n_pairs))

    def answer_all(self, answers: list[tuple[int, int, bool]], /) -> int:
        self.batches.append(len(answers))
        for i, j, same in answers:
            if same:
                self.labels_[[i, j]] = i // 10
        return len(answers)


@pytest.fixture
def task() -> Task:
    rows = CLASSES[:, None] + np.random.default_rng(0).normal(size=(len(CLASSES), 2))
    return Task("made", "made here", rows, CLASSES)


def feedback(task: Task) -> FakeFeedback:
    return FakeFeedback(shiftcut.ShiftedMinCut(3, scale="none"), task.rows, "random", 0)


def test_the_person_answers_by_the_classes_and_counts() -> None:
    person = Person(CLASSES, 3)
    assert person.answer(0, 9)
    assert not person.answer(0, 10)
    assert not person.answer(0, 10)
    assert person.asked == 3
    with pytest.raises(TiredError, match="all 3"):
        person.answer(0, 1)
    assert [one.same for one in person.answers] == [True, False, False]


def test_chains_of_must_links_make_groups_and_settle_the_matter() -> None:
    person = Person(CLASSES, 100)
    for i in (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18):
        person.answer(i, i + 1)
    assert not person.settled()
    for i in range(20, 29):
        person.answer(i, i + 1)
    assert person.settled()
    groups = groups_of(person.answers, len(CLASSES))
    assert len(set(zip(groups.tolist(), CLASSES.tolist(), strict=True))) == 3


def test_random_pairs_differ_and_a_longer_list_begins_with_the_shorter() -> None:
    pairs = random_pairs(30, 200, seed=1)
    assert len(set(pairs)) == 200
    assert all(0 <= i < j < 30 for i, j in pairs)
    assert random_pairs(30, 50, seed=1) == pairs[:50]
    assert random_pairs(30, 50, seed=2) != pairs[:50]
    assert len(random_pairs(5, 100, seed=0)) == 10  # there are no more
    assert all(same == (CLASSES[i] == CLASSES[j]) for i, j, same in random_answers(CLASSES, 90, 0))


def curve(*means: float | None, runs: int = 1) -> Curve:
    failed = tuple(runs if mean is None else 0 for mean in means)
    return Curve((0, 25, 50, 100), means, runs, failed)


@pytest.mark.parametrize(
    ("means", "needed"),
    [
        ((0.7, 0.8, 0.94, 0.949), None),
        ((0.7, 0.8, 0.95, 0.97), 50),
        ((0.7, 0.96, 0.9, 0.97), 100),  # it fell back
        ((0.96, 0.96, 0.97, 1.0), 0),
        ((0.7, 0.96, None, 0.97), 100),
        ((0.7, 0.96, 0.97, 0.9), None),
    ],
)
def test_answers_needed_is_where_the_mean_begins_to_stay_above(
    means: tuple[float | None, ...], needed: int | None
) -> None:
    assert curve(*means).answers_needed() == needed
    assert report.needed(curve(*means)) == ("not reached" if needed is None else str(needed))


def test_ending_below_the_start_is_told_with_how_much() -> None:
    assert report.below_start(curve(0.7, 0.6, 0.6, 0.65)) == "yes (-0.050)"
    assert report.below_start(curve(0.7, 0.6, 0.6, 0.7)) == "no"
    assert report.below_start(curve(0.7, 0.6, 0.6, None)) == "unknown"


def test_means_are_over_the_runs_that_found_a_grouping() -> None:
    runs = [{"ami": [0.5, 0.6, None, None]}, {"ami": [0.7, 0.8, 0.9, None]}]
    found = mean_curve(QUICK.checkpoints, runs)
    assert found.means == pytest.approx((0.6, 0.7, 0.9, None))
    assert found.failed == (0, 0, 1, 2)
    assert found.at(50) == 0.9
    assert found.at(60) is None


def test_every_column_of_the_table_is_a_checkpoint() -> None:
    assert set(SHOWN) <= set(FULL.checkpoints)
    assert list(FULL.checkpoints) == sorted(set(FULL.checkpoints))
    assert set(QUICK.checkpoints) <= set(SHOWN)


def test_feedback_is_asked_in_batches_up_to_each_checkpoint(task: Task) -> None:
    fake = feedback(task)
    scores = ours.converse(fake, task, (0, 25, 50, 100))
    assert scores[0] == 0.0
    assert scores[-1] == 1.0
    assert scores == sorted(scores, key=lambda score: score or 0.0)
    # there are 29 + 19 + 9 questions; then there are none, and the grouping stays
    assert fake.batches == [10, 10, 5, 10, 10, 5, 7]


def test_without_feedback_its_rows_say_so(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(shiftcut, "Feedback", raising=False)
    answer = methods.run("Shiftcut asks, random", task, 0, (0, 25))
    assert answer["missing"].startswith("not built: ")
    assert answer["lasting"] is False


def test_ours_gets_the_pairs_of_the_peers(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[tuple[int, int, bool]] = []

    class Listening(FakeFeedback):
        def answer_all(self, answers: list[tuple[int, int, bool]], /) -> int:
            heard.extend(answers)
            return super().answer_all(answers)

    monkeypatch.setattr(shiftcut, "Feedback", Listening, raising=False)
    answer = methods.run("Shiftcut, random pairs", task, 3, (0, 25, 50))
    assert len(answer["ami"]) == 3
    assert heard == random_answers(task.classes, 50, 3)


def test_the_files_agree_with_the_curves(task: Task, tmp_path: Path) -> None:
    curves = {
        ("made", "Shiftcut asks, maxmin"): curve(0.7, 0.96, 0.97, 0.98),
        ("made", "COP-k-means, random pairs"): curve(0.7, 0.6, None, 0.512345),
    }
    reasons = {("made", "COBRAS"): "No module named 'cobras_ts'"}
    report.write([task], curves, reasons, {"kind": "made up"}, QUICK, tmp_path)
    text = (tmp_path / "answers.md").read_text(encoding="utf-8")
    assert "| Shiftcut asks, maxmin | 0.700 | 0.960 | 0.970 | 0.980 |  |" in text
    assert "| 25 | no |" in text
    assert "| 0.700 | 0.600 | failed [1] | 0.512 |" in text
    assert "| not reached | yes (-0.188) |" in text
    assert "2. No module named 'cobras_ts'" in text
    assert "30 objects, 2 features, 3 classes" in text
    with (tmp_path / "answers.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [line["ami"] for line in lines[4:]] == ["0.700000", "0.600000", "", "0.512345"]
    assert (tmp_path / "made.svg").stat().st_size > 1000


def test_seeds_that_have_not_run_are_told(task: Task, tmp_path: Path) -> None:
    curves = {("made", "COBRAS"): curve(0.0, 0.5, 0.6, 0.7, runs=2)}
    report.write([task], curves, {}, {}, Settings(5, QUICK.checkpoints), tmp_path)
    text = (tmp_path / "answers.md").read_text(encoding="utf-8")
    assert "| COBRAS [1] |" in text
    assert "1. mean of 2 of 5 seeds" in text


def test_a_second_run_takes_what_the_first_kept(
    task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from experiments.answers import running
    from experiments.jobs.workers import Job

    asked: list[str] = []

    def here(jobs: list[Job], workers: int, done: running.Done) -> None:
        for job in jobs:
            asked.append(job.name)
            done(job, {"ami": [0.5, 0.6, 0.7, 0.8]})

    monkeypatch.setattr(running, "run_all", here)
    for _ in range(2):
        study = Study([task], QUICK, tmp_path)
        study.run(["COBRAS"], workers=1)
        assert study.curves()[0]["made", "COBRAS"].end == 0.8
    assert asked == ["made/COBRAS/0"]
    assert "0 of 1 runs to do" in capsys.readouterr().err


def test_data_that_are_not_there_are_named(tmp_path: Path) -> None:
    assert tasks(["ecoli"], tmp_path) == []
    assert [line.partition(":")[0] for line in missing(["ecoli", "digits"], tmp_path)] == ["Ecoli"]
    found = tasks(["digits"], tmp_path)[0]
    assert found.rows.shape == (1797, 64)
    assert found.rows.max() == 16.0
    assert found.k == 10


@pytest.mark.parametrize("wrong", [["--only", "iris"], ["--methods", "magic"], ["--workers", "0"]])
def test_unknown_words_are_refused(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        front.main(wrong)
    assert "allowed: " in capsys.readouterr().err
