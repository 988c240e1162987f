"""Sessions of `shiftcut label`: through a pipe, a line an answer, or at a pseudo-terminal."""

from __future__ import annotations

import csv
import os
import pty
import re
import select
import signal
import subprocess
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from ..conftest import Argument, blobs, command, write_csv
from ..outside import heed_hang_ups

PATIENCE = 30.0  # seconds; a program that is silent for so long has failed
PROMPT = "? help: "
QUESTION = re.compile(r"\d+: are (.*) and (.*) the same\?")
QUICK: list[Argument] = ["--restarts", 1, "--threads", 1]

ROWS = 60
CSV = "points.csv"
ANSWERS = "points.csv.answers.csv"
LABELS = "points.csv.labels.csv"


def set_up_desk(folder: Path) -> Path:
    """A table of 60 rows in three groups."""
    write_csv(folder / CSV, blobs(ROWS, 3, seed=5, groups=3))
    return folder


def read_answers(file: Path) -> list[list[str]]:
    """The lines under the header; the file must be whole."""
    text = file.read_text(encoding="utf-8")
    assert text.endswith("\n"), text
    rows = list(csv.reader(text.splitlines()))
    assert rows[0] == ["a", "b", "answer"]
    assert all(len(row) == 3 and row[2] in {"same", "different", "unsure"} for row in rows[1:])
    return rows[1:]


class Session:
    """The program with a person at it; `shown` is all it has printed."""

    def __init__(
        self, args: Sequence[Argument], folder: Path, at_terminal: bool = False, **environment: str
    ) -> None:
        self.shown = ""
        self._seen = 0
        self._master = -1
        given: dict[str, Any] = {"cwd": folder, "env": {**os.environ, **environment}}
        given |= {"preexec_fn": heed_hang_ups}
        if at_terminal:
            self._master, self.terminal = pty.openpty()
            given |= {"stdin": self.terminal, "stdout": self.terminal, "stderr": self.terminal}
            given |= {"process_group": 0}  # so that it can be suspended
            self._out = self._in = self._master
        else:
            given |= {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            given |= {"stderr": subprocess.STDOUT}
        self.process = subprocess.Popen(command(["label", *args]), **given)
        if not at_terminal:
            assert self.process.stdin is not None
            assert self.process.stdout is not None
            self._in, self._out = self.process.stdin.fileno(), self.process.stdout.fileno()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()
        if self._master >= 0:
            os.close(self._master)
            os.close(self.terminal)

    def until(self, text: str) -> str:
        """What it shows from here to `text`."""
        while (found := self.shown.find(text, self._seen)) < 0:
            if not self._read():
                pytest.fail(f"the program ended and never showed {text!r}: {self.shown!r}")
        part = self.shown[self._seen : found + len(text)]
        self._seen = found + len(text)
        return part

    def question(self) -> tuple[str, str]:
        """The two objects it asks about next."""
        self.until("Question ")
        found = QUESTION.fullmatch(self.until("the same?"))
        self.until(PROMPT)
        assert found, self.shown
        return found[1].removeprefix("row "), found[2].removeprefix("row ")

    def type(self, text: str) -> None:
        os.write(self._in, text.encode())

    def end(self) -> int:
        """Waits for the program, reading what it still shows; its exit code."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        while self._read():
            pass
        return self.process.wait(timeout=PATIENCE)

    def signal(self, which: signal.Signals) -> None:
        self.process.send_signal(which)

    def echoes(self) -> bool:
        """Whether the terminal is as it was: shows what is typed, a line at a time."""
        flags = termios.tcgetattr(self.terminal)[3]
        return bool(flags & termios.ICANON and flags & termios.ECHO)

    def is_stopped(self) -> bool:
        pid, status = os.waitpid(self.process.pid, os.WNOHANG | os.WUNTRACED)
        return pid != 0 and os.WIFSTOPPED(status)

    def wait_for(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                pytest.fail(f"waited {PATIENCE:.0f} s in vain")
            time.sleep(0.01)

    def _read(self) -> bool:
        """False when nothing more comes."""
        deadline = time.monotonic() + PATIENCE
        while not select.select([self._out], [], [], 0.05)[0]:
            if self.process.poll() is not None:  # we hold the terminal open ourselves
                return bool(select.select([self._out], [], [], 0)[0])
            if time.monotonic() > deadline:
                pytest.fail(f"the program showed nothing for {PATIENCE:.0f} s: {self.shown!r}")
        data = os.read(self._out, 65536)
        self.shown += data.decode(errors="replace")
        return data != b""
