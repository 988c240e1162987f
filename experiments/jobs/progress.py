"""One line on the terminal: what is running, how far it is, roughly how long it will take."""

from __future__ import annotations

import sys
import time
from typing import TextIO

EVERY = 10.0  # seconds between lines where the output is not a terminal


def spoken(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


class Progress:
    def __init__(self, total: float, stream: TextIO | None = None, name: str = "paper") -> None:
        self._name = name
        self._stream = stream or sys.stderr
        self._total, self._done = total, 0.0
        self._begin, self._last = time.monotonic(), -EVERY
        self._live = self._stream.isatty()

    def _line(self, what: str) -> str:
        share = min(1.0, self._done / self._total) if self._total else 1.0
        elapsed = time.monotonic() - self._begin
        left = ""
        if 0.02 < share < 1:
            left = f", about {spoken(elapsed / share * (1 - share))} left"
        return f"{self._name}: {share:4.0%} {what}{left}"

    def tell(self, what: str, done: float = 0.0) -> None:
        """Add the work done and update the line."""
        self._done += done
        now = time.monotonic()
        if self._live:
            self._stream.write(f"\r{self._line(what)[:100]:<100}")
        elif now - self._last >= EVERY:
            self._last = now
            self._stream.write(self._line(what) + "\n")
        self._stream.flush()

    def say(self, text: str) -> None:
        """Print a line that stays."""
        if self._live:
            self._stream.write("\r" + " " * 100 + "\r")
        self._stream.write(text + "\n")
        self._stream.flush()
