"""`shiftcut label`: its files, whatever they hold and whatever happens to the program."""

from __future__ import annotations

import os
import random
import re
import time
from pathlib import Path

import pytest

from ..conftest import (
    Argument,
    result,
    run,
)
from ..test_errors import refused
from .labelling import ANSWERS, CSV, QUICK, Session, read_answers, set_up_desk


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    return set_up_desk(tmp_path)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("a,b,answer\n0,1,same\n7,60,same\n", "line 3: found '60'; allowed: a row number from 0"),
        ("0,1,same\n2,3,yes\n", "line 2: found the answer 'yes'; allowed: same, different or uns"),
        ("0,1,same\n2,3\n", "line 2: found 2 cells; allowed: two ids and an answer"),
        ("a,b,answer\n5,5,same\n", "line 2: found '5' with itself; allowed: two different"),
        ("0,1,same\n1,0,different\n", "line 2: found '1' and '0' again, which line 1 answers diff"),
        ("0,1,same\n1,2,same\n0,2,different\n", "0 and 2"),
        ('0,1,same\n"1,2,same\n', "line 2: cell 1: found a quote that is never closed"),
    ],
)
def test_bad_answers_are_told_with_their_line(lines: str, told: str, desk: Path) -> None:
    file = desk / "answers.csv"
    file.write_text(lines, encoding="utf-8")
    labels = desk / "labels.csv"
    said = refused(["label", desk / CSV, "--answers", file, "--labels", labels])
    assert said.startswith(f"shiftcut: {file}: ")
    assert told in said
    assert file.read_text(encoding="utf-8") == lines
    assert not labels.exists()
    as_pairs = refused(["cluster", desk / CSV, "--pairs", file])
    if "0 and 2" not in told:
        assert as_pairs.startswith(f"shiftcut: {file}: line ")


def test_files_that_do_not_fit(desk: Path) -> None:
    points = desk / CSV
    elsewhere: list[Argument] = ["--answers", desk / "a.csv", "--labels", desk / "l.csv"]
    assert "INPUT: found '-'; allowed: a file" in refused(["label", "-", "--format", "csv"])
    fifo = desk / "fifo.csv"
    os.mkfifo(fifo)
    assert "can be read more than once" in refused(["label", fifo, *elsewhere])
    assert "can't be read" in refused(["label", desk / "none.csv", *elsewhere])
    told = refused(["label", points, "--answers", points, "--labels", desk / "l.csv"])
    assert "a file other than INPUT" in told
    told = refused(["label", points, "--answers", desk / "l.csv", "--labels", desk / "l.csv"])
    assert "--labels: found " in told
    assert "a file other than --answers" in told
    told = refused(["label", points, "--answers", desk / "no" / "a.csv"])
    assert "in a folder that does not exist" in told
    told = refused(["label", points, "--answers", desk / "a.csv", "--labels", "-"])
    assert "--labels: found '-'; allowed: a file" in told
    assert "allowed: entropy, maxexp" in refused(["label", points, *elsewhere, "--strategy", "x"])
    assert "1 or more" in refused(["label", points, *elsewhere, "--questions", "0"])


def test_one_program_at_a_time(desk: Path) -> None:
    with Session([CSV, *QUICK], desk) as session:
        session.question()
        with Session([CSV, *QUICK], desk) as second:
            assert second.end() == 1
        told = f"{ANSWERS}: found another shiftcut writing to it; allowed: one at a time"
        assert second.shown == f"shiftcut: {told}\n"
        session.type("y\n")
        assert session.end() == 0
    assert not (desk / f"{ANSWERS}.lock").exists()


def test_a_link_and_permissions_stay(desk: Path) -> None:
    kept = desk / "kept"
    kept.mkdir()
    (kept / "real.csv").write_text("a,b,answer\n", encoding="utf-8")
    (kept / "real.csv").chmod(0o640)
    (desk / ANSWERS).symlink_to(kept / "real.csv")
    with Session([CSV, *QUICK], desk) as session:
        session.type("y\n")
        assert session.end() == 0
    assert (desk / ANSWERS).is_symlink()
    assert len(read_answers(kept / "real.csv")) == 1
    assert (kept / "real.csv").stat().st_mode & 0o777 == 0o640


def test_a_file_that_changes_meanwhile_is_told(desk: Path) -> None:
    with Session([CSV, *QUICK], desk) as session:
        session.question()
        os.utime(desk / CSV, (1, 1))
        session.type("y\n")
        assert session.end() == 1
    assert "has changed since it was read" in session.shown
    assert len(read_answers(desk / ANSWERS)) == 1


def test_answers_are_pairs_for_other_commands(desk: Path) -> None:
    answers = desk / "answers.csv"
    answers.write_text("a,b,answer\n0,1,same\n2,3,different\n4,5,unsure\n", encoding="utf-8")
    must = desk / "must.txt"
    must.write_text("0 1\n6 7\n", encoding="utf-8")
    found = result([desk / CSV, "-k", 3, "--pairs", answers, "--must-link", must])
    links = found["links"]
    assert (links["must_link"], links["cannot_link"], links["uncertain"]) == (2, 1, 0)
    labels = found["labels"]
    assert labels[0] == labels[1]
    assert labels[6] == labels[7]
    assert labels[2] != labels[3]
    told = refused(["cluster", desk / CSV, "--pairs", answers, "--cannot-link", must])
    assert "line 2: found '0' and '1' again, which line 1 of" in told
    done = run(["explain", desk / CSV, "--object", 0, "-k", 3, "--pairs", answers, "--learn"])
    assert done.returncode == 0, done.stderr
    assert "must be with: 1" in done.stdout
    assert "--learn: found without pairs" in refused(["cluster", desk / CSV, "--learn"])


# ---- Crashes ----

TOLD = re.compile(r"(saved|taken back): row (\d+) and row (\d+): (\w+).*|not taken.*|there is no.*")


def replayed(known: list[list[str]], shown: str) -> tuple[list[list[str]], int]:
    """The answers there are by what was acknowledged, and how many keys that took."""
    answers, keys = list(known), 0
    for line in shown.splitlines():
        if found := TOLD.fullmatch(line):
            keys += 1
            if found[1] == "saved":
                answers.append([found[2], found[3], found[4]])
            elif found[1] == "taken back":
                assert answers.pop() == [found[2], found[3], found[4]]
    return answers, keys


def test_killed_at_any_moment_no_answer_is_lost(desk: Path) -> None:
    """A hundred times kill -9; what was acknowledged is in the file, and the file is whole."""
    draw = random.Random(7)
    known: list[list[str]] = []
    for _ in range(100):
        keys = [draw.choice("nnnnnnnnnuuuuuuuybb") for _ in range(30)]
        with Session([CSV, *QUICK], desk) as session:
            session.type("".join(key + "\n" for key in keys))
            if draw.random() < 0.9:
                for _ in range(draw.randrange(1, 4)):
                    session.until("\nsaved: ")
                time.sleep(draw.choice([0.0, draw.uniform(0, 0.02)]))
            else:
                time.sleep(draw.uniform(0, 0.1))
            session.process.kill()
            session.end()
        known, done = replayed(known, session.shown[: session.shown.rfind("\n") + 1])
        kept = read_answers(desk / ANSWERS) if (desk / ANSWERS).exists() else []
        # What the next key did may be on disk and not told yet.
        if done < len(keys) and keys[done] == "b":
            assert kept in (known, known[:-1])
        else:
            assert kept[: len(known)] == known
            assert len(kept) <= len(known) + 1
        known = kept
    assert len(known) > 20
    with Session([CSV, *QUICK], desk) as session:
        session.until(f"{len(known)} answers in {ANSWERS}; resuming from there")
        assert session.end() == 0
    assert read_answers(desk / ANSWERS) == known
