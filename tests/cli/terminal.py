"""The program at a terminal: standard error is a pseudo-terminal, standard output a file."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from types import TracebackType

import pytest

from .conftest import Argument, command
from .outside import heed_hang_ups

PATIENCE = 30.0  # seconds; a program that is silent for so long has failed


class Terminal:
    """Runs a command line; what it shows is in `screen`, what it prints in `stdout`."""

    def __init__(
        self, args: Sequence[Argument], before: Callable[[], None] = heed_hang_ups
    ) -> None:
        self.screen = ""
        self.stdout = ""
        # A file, so that much output never blocks the program.
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 (closed in __exit__)
        self._ours, theirs = os.openpty()
        self._process = subprocess.Popen(
            command(args),
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=theirs,
            preexec_fn=before,
        )
        os.close(theirs)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        os.close(self._ours)
        self._output.close()

    def signal(self, which: signal.Signals) -> None:
        self._process.send_signal(which)

    def read_until(self, text: str) -> None:
        while text not in self.screen:
            if not self._read():
                pytest.fail(f"the program ended and never showed {text!r}: {self.screen!r}")

    def end(self) -> int:
        """Waits for the program, reading what it still shows; its exit code."""
        while self._read():
            pass
        code = self._process.wait(timeout=PATIENCE)
        self._output.seek(0)
        self.stdout = self._output.read().decode()
        return code

    def _read(self) -> bool:
        """False when the program has closed its end."""
        deadline = time.monotonic() + PATIENCE
        while not select.select([self._ours], [], [], 0.5)[0]:
            if time.monotonic() > deadline:
                pytest.fail(f"the program showed nothing for {PATIENCE:.0f} s: {self.screen!r}")
            if self._process.poll() is not None:
                return False
        data = b""
        with contextlib.suppress(OSError):  # Linux: the other end is closed
            data = os.read(self._ours, 65536)
        self.screen += data.decode(errors="replace")
        return data != b""
