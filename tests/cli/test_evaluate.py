"""`shiftcut evaluate` against scikit-learn."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import (
    adjusted_mutual_info_score,
    adjusted_rand_score,
    completeness_score,
    homogeneity_score,
    v_measure_score,
)

from .conftest import csv_text, run

Labels = list[str]


def scores(truth: Path, labels: Path) -> dict[str, float]:
    done = run(["evaluate", truth, labels, "--json", "-"])
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    found: dict[str, float] = json.loads(done.stdout)
    return found


def expected(truth: Labels, labels: Labels) -> dict[str, float]:
    return {
        "ami": adjusted_mutual_info_score(truth, labels),
        "ami_max": adjusted_mutual_info_score(truth, labels, average_method="max"),
        "ari": adjusted_rand_score(truth, labels),
        "v_measure": v_measure_score(truth, labels),
        "homogeneity": homogeneity_score(truth, labels),
        "completeness": completeness_score(truth, labels),
    }


def write_lines(path: Path, labels: Labels) -> Path:
    path.write_text("".join(f"{label}\n" for label in labels), encoding="utf-8")
    return path


def write_table(path: Path, ids: list[str], labels: Labels) -> Path:
    path.write_text(csv_text(zip(ids, labels, strict=True), ["id", "label"]), encoding="utf-8")
    return path


def random_pair(seed: int) -> tuple[Labels, Labels]:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 400))
    truth = rng.integers(rng.integers(1, 12), size=n)
    noise = rng.integers(rng.integers(1, 12), size=n)
    labels = np.where(rng.uniform(size=n) < rng.uniform(), truth, noise)
    return [f"class {t}" for t in truth], [str(v) for v in labels]


@pytest.mark.parametrize("seed", range(25))
def test_random_groupings(seed: int, tmp_path: Path) -> None:
    truth, labels = random_pair(seed)
    found = scores(
        write_lines(tmp_path / "truth.txt", truth), write_lines(tmp_path / "labels.txt", labels)
    )
    assert found == pytest.approx(expected(truth, labels), abs=1e-12)


@pytest.mark.parametrize(
    ("truth", "labels"),
    [
        ("a", "b"),
        ("aa", "bb"),
        ("ab", "ba"),
        ("ab", "aa"),
        ("aaaa", "abcd"),
        ("abcd", "aaaa"),
        ("abcd", "dcba"),
        ("aabb", "abab"),
        ("aaabbb", "aabbcc"),
    ],
)
def test_extremes(truth: str, labels: str, tmp_path: Path) -> None:
    found = scores(
        write_lines(tmp_path / "truth.txt", list(truth)),
        write_lines(tmp_path / "labels.txt", list(labels)),
    )
    assert found == pytest.approx(expected(list(truth), list(labels)), abs=1e-12)


def test_a_worked_example(tmp_path: Path) -> None:
    """The numbers of methods.md, section 13."""
    found = scores(
        write_lines(tmp_path / "truth.txt", list("000111")),
        write_lines(tmp_path / "labels.txt", list("001122")),
    )
    worked = {"ari": 0.2424242, "v_measure": 0.5158037, "ami": 0.2987925, "ami_max": 0.2250423}
    assert {name: round(found[name], 7) for name in worked} == worked


def test_ids_are_matched_whatever_their_order(tmp_path: Path) -> None:
    truth, labels = random_pair(1)
    ids = [f'node "{i}", näher' for i in range(len(truth))]
    order = np.random.default_rng(2).permutation(len(ids))
    found = scores(
        write_table(tmp_path / "truth.csv", ids, truth),
        write_table(tmp_path / "labels.csv", [ids[i] for i in order], [labels[i] for i in order]),
    )
    assert found == pytest.approx(expected(truth, labels), abs=1e-12)


def test_without_ids_on_both_sides_the_order_counts(tmp_path: Path) -> None:
    truth, labels = random_pair(3)
    ids = [str(i) for i in reversed(range(len(truth)))]
    found = scores(
        write_lines(tmp_path / "truth.txt", truth), write_table(tmp_path / "l.csv", ids, labels)
    )
    assert found == pytest.approx(expected(truth, labels), abs=1e-12)


def test_other_columns_are_ignored(tmp_path: Path) -> None:
    truth, labels = random_pair(4)
    table = tmp_path / "table.tsv"
    rows = [(1.5, label, "x") for label in labels]
    table.write_text(csv_text(rows, ["a", "label", "b"], delimiter="\t"), encoding="utf-8")
    found = scores(write_lines(tmp_path / "truth.txt", truth), table)
    assert found == pytest.approx(expected(truth, labels), abs=1e-12)


def test_the_text_tells_the_same_numbers(tmp_path: Path) -> None:
    truth, labels = random_pair(5)
    done = run(
        ["evaluate", write_lines(tmp_path / "t", truth), write_lines(tmp_path / "l", labels)]
    )
    assert done.returncode == 0
    told = [float(line.split()[-1]) for line in done.stdout.splitlines()]
    assert told == pytest.approx(list(expected(truth, labels).values()), abs=5.1e-7)


def test_json_into_a_file(tmp_path: Path) -> None:
    truth = write_lines(tmp_path / "t.txt", list("aabb"))
    file = tmp_path / "scores.json"
    done = run(["evaluate", truth, truth, "--json", file])
    assert done.returncode == 0
    assert "AMI" in done.stdout
    assert json.loads(file.read_text(encoding="utf-8"))["ari"] == 1


@pytest.mark.parametrize(
    ("truth", "labels", "words"),
    [
        ("a\nb\nc\n", "a\nb\n", ["labels.csv", "found 2", "allowed: 3"]),
        ("id,label\n1,a\n2,b\n", "id,label\n1,a\n3,b\n", ["labels.csv", "'2'"]),
        ("id,label\n1,a\n2,b\n", "id,label\n1,a\n1,b\n", ["labels.csv", "'1'", "twice"]),
        ("id,label\n1,a\n1,b\n", "id,label\n1,a\n2,b\n", ["truth.csv", "'1'", "twice"]),
        ("x,y\n1,2\n", "a\n", ["truth.csv", "line 1", "allowed"]),
        ("a\nb\n", "", ["labels.csv", "empty", "allowed"]),
    ],
    ids=["lengths", "unknown id", "id twice", "id twice in the truth", "no label column", "empty"],
)
def test_what_does_not_fit_is_refused(
    truth: str, labels: str, words: list[str], tmp_path: Path
) -> None:
    (tmp_path / "truth.csv").write_text(truth, encoding="utf-8")
    (tmp_path / "labels.csv").write_text(labels, encoding="utf-8")
    done = run(["evaluate", tmp_path / "truth.csv", tmp_path / "labels.csv", "--json", "-"])
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert all(word in done.stderr for word in words), done.stderr
