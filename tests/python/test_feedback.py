"""Groups that follow answers."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.metrics import adjusted_mutual_info_score

from shiftcut import Feedback, ShiftedMinCut

STRATEGIES = ("entropy", "maxexp", "maxmin", "random", "uncertainty")


def iris_model(similarity: str = "neighbors") -> ShiftedMinCut:
    return ShiftedMinCut(3, similarity=similarity, random_state=0)


def ask(feedback: Feedback, classes: Sequence[int], answers: int, batch: int = 10) -> None:
    while len(feedback.answers_) < answers:
        pairs = feedback.next_pairs(batch)
        feedback.answer_all([(i, j, classes[i] == classes[j]) for i, j in pairs])


def holds(feedback: Feedback) -> bool:
    labels = feedback.labels_
    return all(
        (labels[i] == labels[j]) == same for i, j, same in feedback.answers_ if same is not None
    )


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_strategy_ends_below_its_start_on_digits(strategy: str) -> None:
    X, y = load_digits(return_X_y=True)
    feedback = Feedback(
        ShiftedMinCut(10, scale="none", random_state=0), X, strategy=strategy, learn=False
    )
    start = adjusted_mutual_info_score(y, feedback.labels_)
    ask(feedback, y, 250, batch=25)
    assert holds(feedback)
    assert adjusted_mutual_info_score(y, feedback.labels_) >= start


def test_entropy_brings_digits_near_to_their_classes() -> None:
    X, y = load_digits(return_X_y=True)
    feedback = Feedback(ShiftedMinCut(10, scale="none", random_state=0), X)
    ask(feedback, y, 300, batch=20)
    assert adjusted_mutual_info_score(y, feedback.labels_) > 0.95


def test_a_fitted_model_brings_its_data_and_stays_as_it_is() -> None:
    X, y = load_iris(return_X_y=True)
    model = iris_model().fit(X)
    labels = model.labels_.copy()
    feedback = Feedback(model)
    np.testing.assert_array_equal(feedback.labels_, labels)
    ask(feedback, y, 30)
    assert holds(feedback)
    np.testing.assert_array_equal(model.labels_, labels)
    assert model.must_link is None


def test_a_model_without_data_says_so() -> None:
    X, _ = load_iris(return_X_y=True)
    with pytest.raises(NotFittedError, match="needs the data"):
        Feedback(iris_model())
    copy = pickle.loads(pickle.dumps(iris_model().fit(X)))
    with pytest.raises(NotFittedError, match="needs the data"):
        Feedback(copy)
    with pytest.raises(ValueError, match="X is needed"):
        copy.explain(0)
    assert copy.explain(0, X)["own"]["cluster"] == copy.labels_[0]


def test_answers_are_counted_undone_and_unsure_ones_not_asked_again() -> None:
    X, _ = load_iris(return_X_y=True)
    feedback = Feedback(iris_model(), X)
    (i, j), *_ = feedback.next_pairs(3)
    assert feedback.answer(i, j, None) == 0
    assert feedback.answers_ == [(i, j, None)]
    assert (i, j) not in feedback.next_pairs(50)
    before = feedback.labels_
    changed = feedback.answer(0, 149, True)
    assert changed == feedback.n_changed_ == int((feedback.labels_ != before).sum()) > 0
    assert feedback.undo() == changed
    np.testing.assert_array_equal(feedback.labels_, before)
    assert feedback.answers_ == [(i, j, None)]
    assert feedback.result_["clusters_found"] == 3


def test_answers_are_saved_and_loaded(tmp_path: Path) -> None:
    X, y = load_iris(return_X_y=True)
    feedback = Feedback(iris_model(), X)
    ask(feedback, y, 40)
    feedback.answer(*feedback.next_pairs(1)[0], None)
    feedback.save(tmp_path / "answers.csv")
    assert (tmp_path / "answers.csv").read_text().startswith("a,b,answer\n")
    other = Feedback(iris_model(), X)
    other.load(tmp_path / "answers.csv")
    assert other.answers_ == feedback.answers_
    assert holds(other)


@pytest.mark.parametrize(
    ("line", "shown"),
    [("0,1", "0,1"), ("0,150,same", "150"), ("3,3,same", "3,3,same"), ("0,1,perhaps", "perhaps")],
)
def test_bad_lines_of_a_file_are_named(tmp_path: Path, line: str, shown: str) -> None:
    X, _ = load_iris(return_X_y=True)
    feedback = Feedback(iris_model(), X)
    path = tmp_path / "answers.csv"
    path.write_text(f"a,b,answer\n0,2,same\n{line}\n")
    with pytest.raises(ValueError, match=rf"line 3: found '.*{shown}.*'; allowed"):
        feedback.load(path)
    assert feedback.answers_ == []


def test_contradictions_are_refused_with_their_proof() -> None:
    X, _ = load_iris(return_X_y=True)
    feedback = Feedback(iris_model(), X)
    feedback.answer_all([(0, 1, True), (1, 2, True)])
    with pytest.raises(ValueError, match="0 and 1, 1 and 2"):
        feedback.answer(0, 2, False)
    assert len(feedback.answers_) == 2
    for i, j in ((0, 150), (-1, 3), (4, 4)):
        with pytest.raises(ValueError, match="samples"):
            feedback.answer(i, j, True)
    with pytest.raises(ValueError, match="strategy must be one of"):
        Feedback(iris_model(), X, strategy="best")


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        *((word, True) for word in (True, np.True_, "same", "yes", "y")),
        *((word, False) for word in (False, np.False_, "different", "no", "n")),
        *((word, None) for word in (None, "unsure", "u")),
    ],
)
def test_an_answer_is_taken_as_it_was_meant(said: bool | str | None, meant: bool | None) -> None:
    X, _ = load_iris(return_X_y=True)
    feedback = Feedback(iris_model(), X, learn=False)
    feedback.answer(0, 149, said)
    assert feedback.answers_ == [(0, 149, meant)]


@pytest.mark.parametrize("said", [1, 0, np.nan, 0.5, "", "maybe", "False", "Same", [], [True], {}])
def test_what_is_no_answer_is_refused(said: Any) -> None:  # noqa: ANN401
    X, _ = load_iris(return_X_y=True)
    feedback = Feedback(iris_model(), X, learn=False)
    with pytest.raises((TypeError, ValueError), match="allowed: True, 'same', 'yes', 'y'; False"):
        feedback.answer(0, 149, said)
    assert feedback.answers_ == []


def test_what_is_no_index_and_no_flag_is_refused() -> None:
    X, _ = load_iris(return_X_y=True)
    with pytest.raises(TypeError, match="learn: found 'no'; allowed: True or False"):
        Feedback(iris_model(), X, learn="no")  # type: ignore[arg-type]
    feedback = Feedback(iris_model(), X, learn=False)
    with pytest.raises(TypeError, match="sample must be an index"):
        feedback.answer(True, 0, True)
    with pytest.raises(ValueError, match=r"an answer: found \(0, 1\); allowed: \(i, j, same\)"):
        feedback.answer_all([(0, 1)])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="n must be an int"):
        feedback.next_pairs(True)
    feedback.answer(0, 149, True)
    assert feedback.answer_all([]) == 0


def test_frames_graphs_and_free_numbers_of_clusters_work() -> None:
    frame, y = load_iris(return_X_y=True, as_frame=True)
    frame = frame.assign(kind=pd.Series(["a", "b", "c"] * 50))
    feedback = Feedback(ShiftedMinCut(random_state=0), frame)
    ask(feedback, y, 20)
    assert holds(feedback)
    similarity = np.exp(-((frame.iloc[:, [0]].to_numpy() - frame.iloc[:, 0].to_numpy()) ** 2))
    feedback = Feedback(iris_model(similarity="precomputed"), similarity, learn=True)
    ask(feedback, y, 20)
    assert holds(feedback)


def test_the_shift_is_learned_through_the_estimator_and_holds_for_new_rows() -> None:
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 3, 900)
    X = rng.normal(size=(900, 12))
    X[:, 0] += 4 * classes
    pairs = rng.integers(0, 900, (200, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    same = classes[pairs[:, 0]] == classes[pairs[:, 1]]
    scores = []
    for learn_shift in (False, True):
        model = ShiftedMinCut(
            3,
            must_link=pairs[same],
            cannot_link=pairs[~same],
            learn_shift=learn_shift,
            scale="standard",  # otherwise the first feature counts more from the start
            random_state=0,
        ).fit(X)
        scores.append(adjusted_mutual_info_score(classes, model.labels_))
    assert scores[1] > scores[0] + 0.2
    weights = model.result_["learned"]["weights"]
    assert weights[0] == max(weights)
    assert (model.predict(X) == model.labels_).mean() > 0.9
    assert model.explain(5)["own"]["cluster"] == model.labels_[5]
