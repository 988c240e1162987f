"""The quick assignment steps and choosers decide as the package's own do.

Needs the packages of `make answers` and is passed over without them.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris

from experiments.answers.person import Person, random_answers
from experiments.answers.tasks import Task

with np.errstate():  # which the package changes
    pytest.importorskip("active_semi_clustering")
    from active_semi_clustering.active.pairwise_constraints import NPU, MinMax
    from active_semi_clustering.semi_supervised.pairwise_constraints import COPKMeans, PCKMeans

from experiments.answers import peer_questions, peers

ANSWERS = 40


@pytest.fixture
def task() -> Task:
    found = load_iris()
    rows = found.data + np.random.default_rng(0).normal(0, 1e-6, found.data.shape)  # no ties
    return Task("iris", "iris", rows, np.asarray(found.target, dtype=np.int64))


def test_numpy_warns_as_before() -> None:
    assert np.geterr()["under"] == "ignore"


@pytest.mark.parametrize("seed", range(5))
def test_quick_pck_means_gives_the_labels_of_the_package(task: Task, seed: int) -> None:
    together, apart = peers.spanning(random_answers(task.classes, ANSWERS, seed), len(task.rows))
    for weight in (0.1, 5.0):
        labels = []
        for model in (PCKMeans, peers.QuickPCKMeans):
            np.random.seed(seed)
            labels.append(model(3, w=weight).fit(task.rows, ml=together, cl=apart).labels_)
        np.testing.assert_array_equal(*labels)


@pytest.mark.parametrize("seed", range(5))
def test_quick_cop_k_means_without_must_links_gives_the_labels_of_the_package(
    task: Task, seed: int
) -> None:
    _, apart = peers.spanning(random_answers(task.classes, ANSWERS, seed), len(task.rows))
    labels = []
    for model in (COPKMeans, peers.QuickCOPKMeans):
        np.random.seed(seed)
        labels.append(model(3).fit(task.rows, cl=apart).labels_)
    np.testing.assert_array_equal(*labels)


@pytest.mark.parametrize("seed", range(5))
def test_cop_k_means_keeps_every_answer(task: Task, seed: int) -> None:
    answers = random_answers(task.classes, ANSWERS, seed)
    np.random.seed(seed)
    labels = peers.cop_k_means(task, answers)
    assert labels is not None
    assert all((labels[i] == labels[j]) == same for i, j, same in answers)


@pytest.mark.parametrize("name", ["min-max", "NPU"])
def test_quick_choosers_ask_what_the_package_asks(task: Task, name: str) -> None:
    grouping = peers.QuickPCKMeans(3, w=peers.weight_of(task.rows))
    theirs = MinMax(3) if name == "min-max" else NPU(grouping)
    person = Person(task.classes, ANSWERS)
    np.random.seed(2)
    theirs.fit(task.rows, oracle=peer_questions.Oracle(person, ANSWERS))
    np.random.seed(2)
    assert peer_questions.questions(name, task, ANSWERS) == person.answers


@pytest.mark.parametrize("name", peer_questions.CHOOSERS)
def test_a_chooser_that_knows_all_stops(task: Task, name: str) -> None:
    few = Task("few", "few", task.rows[::5], task.classes[::5])
    np.random.seed(0)
    answers = peer_questions.questions(name, few, 500)
    assert len(few.rows) - few.k <= len(answers) < 100
