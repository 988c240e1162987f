"""`shiftcut label`: questions, answers that are kept, and the grouping that follows them."""

from __future__ import annotations

import fcntl
import shlex
import signal
import struct
import subprocess
import termios
from pathlib import Path

import pytest

from ..conftest import (
    Argument,
    command,
    program,
    result,
)
from .labelling import ANSWERS, CSV, LABELS, PROMPT, QUICK, ROWS, Session, read_answers, set_up_desk


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    return set_up_desk(tmp_path)


def labels_of(file: Path) -> list[str]:
    lines = file.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "id,label"
    return [line.split(",")[1] for line in lines[1:]]


def words(text: str) -> list[str]:
    return [{"y": "same", "n": "different", "u": "unsure"}[key] for key in text]


# ---- Through a pipe ----


def test_a_session_of_lines(desk: Path) -> None:
    done = subprocess.run(
        command(["label", CSV, *QUICK]),
        input="y\nno\nUNSURE\nq\nn\n",
        cwd=desk,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    answers = read_answers(desk / ANSWERS)
    assert [answer[2] for answer in answers] == words("ynu")
    assert done.stdout.count("saved: ") == 3
    assert "1 same, 1 different, 1 unsure: " + ANSWERS in done.stdout
    labels = labels_of(desk / LABELS)
    assert len(labels) == ROWS
    for a, b, word in answers:
        if word != "unsure":
            assert (labels[int(a)] == labels[int(b)]) == (word == "same")
    assert sorted(path.name for path in desk.iterdir()) == sorted([CSV, ANSWERS, LABELS])


def test_the_command_it_prints_runs_and_keeps_the_answers(desk: Path) -> None:
    (desk / CSV).rename(desk / "my points.csv")
    args: list[Argument] = ["my points.csv", *QUICK, "-k", 3, "--no-learn"]
    with Session([*args, "--answers", "it's.csv", "--labels", "l.csv"], desk) as session:
        session.type("y\nn\nn\n")
        assert session.end() == 0
    line = session.shown.splitlines()[-1].strip()
    assert line.startswith("shiftcut cluster 'my points.csv' ")
    given = shlex.split(line)
    assert given[-2:] == ["--pairs", "it's.csv"]
    assert given[given.index("--clusters") + 1] == "3"
    again = subprocess.run(
        [program(), *given[1:], "--labels", "again.csv"], cwd=desk, check=False, timeout=60
    )
    assert again.returncode == 0
    labels = labels_of(desk / "again.csv")
    for a, b, word in read_answers(desk / "it's.csv"):
        assert (labels[int(a)] == labels[int(b)]) == (word == "same")


def test_learning_is_part_of_the_command(desk: Path) -> None:
    with Session([CSV, *QUICK], desk) as session:
        session.type("u\nn\n")
        assert session.end() == 0
    assert session.shown.splitlines()[-1].endswith(f"--pairs {ANSWERS} --learn")
    (desk / ANSWERS).unlink()
    with Session([CSV, *QUICK], desk) as session:
        assert session.end() == 0
    assert "no answers" in session.shown
    assert not (desk / ANSWERS).exists()
    assert (desk / LABELS).exists()


def test_it_goes_on_from_the_file(desk: Path) -> None:
    for answers in (3, 5):
        with Session([CSV, *QUICK], desk) as session:
            session.type("n\n" * (answers if answers == 3 else 2))
            assert session.end() == 0
        assert len(read_answers(desk / ANSWERS)) == answers
    assert f"3 answers in {ANSWERS}; resuming from there" in session.shown
    assert "Question 4: " in session.shown
    pairs = {frozenset(answer[:2]) for answer in read_answers(desk / ANSWERS)}
    assert len(pairs) == 5


def test_back_asks_the_last_question_again(desk: Path) -> None:
    with Session([CSV, *QUICK], desk) as session:
        first = session.question()
        session.type("y\n")
        second = session.question()
        session.type("b\n")
        assert session.question() == first
        assert "taken back: " in session.shown
        assert read_answers(desk / ANSWERS) == []
        session.type("b\n")
        session.until("there is no answer to take back")
        session.type("n\n")
        session.question()
        assert read_answers(desk / ANSWERS) == [[*first, "different"]]
        session.type("q\n")
        assert session.end() == 0
    assert second != first
    # Also what an earlier session was told.
    with Session([CSV, *QUICK], desk) as session:
        session.question()
        session.type("b\n")
        assert session.question() == first
        assert session.end() == 0
    assert read_answers(desk / ANSWERS) == []


def test_it_stops_after_so_many(desk: Path) -> None:
    for count in (2, 4):
        with Session([CSV, *QUICK, "--questions", 2], desk) as session:
            session.type("u\nb\nu\nn\n" + "n\n" * 5)
            assert session.end() == 0
        assert len(read_answers(desk / ANSWERS)) == count


def test_other_words_change_nothing(desk: Path) -> None:
    with Session([CSV, *QUICK], desk) as session:
        session.type("maybe\n\n?\na\n\x1b[31m\n")
        assert session.end() == 0
    assert "found 'maybe'; allowed: y, n, u, b, a, q or ?" in session.shown
    assert "takes the last answer back" in session.shown
    assert "\x1b" not in session.shown
    assert not (desk / ANSWERS).exists()


def test_what_cannot_hold_is_told_and_not_kept(desk: Path) -> None:
    with Session([CSV, *QUICK, "-k", 1], desk) as session:
        session.question()
        session.type("n\n")
        session.until("not taken: ")
        session.until(PROMPT)
        session.type("y\n")
        session.question()
        assert session.end() == 0
    assert [answer[2] for answer in read_answers(desk / ANSWERS)] == ["same"]


def test_whatever_is_answered_the_file_can_be_used(desk: Path) -> None:
    """Two clusters, and everybody different: soon impossible, or settled."""
    with Session([CSV, *QUICK, "-k", 2], desk) as session:
        session.type("n\n" * 30)
        assert session.end() == 0
    assert session.shown.count("saved: ") == len(read_answers(desk / ANSWERS)) > 0
    found = result([desk / CSV, "-k", 2, "--pairs", desk / ANSWERS])
    for a, b, _ in read_answers(desk / ANSWERS):
        assert found["labels"][int(a)] != found["labels"][int(b)]


@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_with_everything_written(which: signal.Signals, desk: Path) -> None:
    with Session([CSV, *QUICK], desk) as session:
        session.question()
        session.type("n\n")
        session.question()
        session.signal(which)
        assert session.end() == 130
    assert len(read_answers(desk / ANSWERS)) == 1
    assert len(labels_of(desk / LABELS)) == ROWS


@pytest.mark.parametrize("strategy", ["random", "uncertainty", "maxmin", "maxexp", "entropy"])
def test_strategies(strategy: str, desk: Path) -> None:
    with Session([CSV, *QUICK, "--strategy", strategy, "--quiet"], desk) as session:
        session.type("y\nn\n")
        assert session.end() == 0
    assert len(read_answers(desk / ANSWERS)) == 2


# ---- At a terminal ----


def test_single_keys_at_a_terminal(desk: Path) -> None:
    with Session([CSV, *QUICK], desk, at_terminal=True, TERM="xterm", NO_COLOR="") as session:
        size = struct.pack("HHHH", 30, 60, 0, 0)
        fcntl.ioctl(session.terminal, termios.TIOCSWINSZ, size)
        assert session.echoes()
        asked = []
        for key in "ynu":
            asked.append(session.question())
            assert not session.echoes()
            session.type(key)
        assert session.question() not in asked
        session.type("\x1b[A")
        session.until("found '\\x1b'; allowed: ")
        session.type("b")
        assert session.question() == asked[2]
        session.type("q")
        assert session.end() == 0
        assert session.echoes()
    answers = read_answers(desk / ANSWERS)
    assert answers == [[*asked[0], "same"], [*asked[1], "different"]]
    assert "\x1b[1m* " in session.shown


def test_what_was_typed_before_a_question_is_no_answer_to_it(desk: Path) -> None:
    with Session([CSV, *QUICK], desk, at_terminal=True) as session:
        session.question()
        session.type("nnnnnnnn")
        session.until("saved: ")
        session.question()
        session.type("q")
        assert session.end() == 0
    assert len(read_answers(desk / ANSWERS)) == 1


def test_no_colour_where_it_is_not_wanted(desk: Path) -> None:
    with Session([CSV, *QUICK], desk, at_terminal=True, NO_COLOR="1") as session:
        session.question()
        session.type("\x04")
        assert session.end() == 0
    assert "\n* x0 " in session.shown.replace("\r", "")
    assert "\x1b[1m" not in session.shown


@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_terminal_is_put_back_after_a_signal(which: signal.Signals, desk: Path) -> None:
    with Session([CSV, *QUICK], desk, at_terminal=True) as session:
        session.question()
        assert not session.echoes()
        session.signal(which)
        assert session.end() == 130
        assert session.echoes()


def test_the_terminal_is_put_back_while_the_program_is_suspended(desk: Path) -> None:
    """Twice; and when it goes on, the question is shown again."""
    with Session([CSV, *QUICK], desk, at_terminal=True) as session:
        asked = session.question()
        for _ in range(2):
            session.signal(signal.SIGTSTP)
            session.wait_for(session.is_stopped)
            assert session.echoes()
            session.signal(signal.SIGCONT)
            assert session.question() == asked
            assert not session.echoes()
        session.type("n")
        assert session.question() != asked
        session.type("q")
        assert session.end() == 0
    assert len(read_answers(desk / ANSWERS)) == 1


def test_single_keys_are_back_after_a_stop_that_cannot_be_caught(desk: Path) -> None:
    with Session([CSV, *QUICK], desk, at_terminal=True) as session:
        before = termios.tcgetattr(session.terminal)
        asked = session.question()
        session.signal(signal.SIGSTOP)
        session.wait_for(session.is_stopped)
        termios.tcsetattr(session.terminal, termios.TCSANOW, before)  # as a shell does
        session.signal(signal.SIGCONT)
        assert session.question() == asked
        assert not session.echoes()
        session.type("n")
        session.question()
        session.type("q")
        assert session.end() == 0
    assert len(read_answers(desk / ANSWERS)) == 1
