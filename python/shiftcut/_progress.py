"""The progress line of `verbose=1`."""

from __future__ import annotations

import sys
import time
from typing import Any, TextIO

_FIRST = 0.5  # seconds before the first line, so that quick fits print nothing
_BETWEEN = 0.2
_BETWEEN_LINES = 5.0  # if lines cannot be overwritten, as in a log file


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def text_of(progress: dict[str, Any]) -> str:
    """Return a line that says what the library is doing, in the command line's wording."""
    if progress["phase"] == "search":
        text = (
            f"search: restart {progress['restart']} of {progress['restarts']}, "
            f"sweep {progress['sweep']}, {progress['moves']} moves"
        )
        if progress["cost"] is not None:
            text += f", cost {progress['cost']:.6g}"
        if progress["seconds_left"] is not None:
            text += f", about {_duration(progress['seconds_left'])} left"
        return text
    if progress["total"] > 0:
        return f"{progress['phase']}: {100 * progress['done'] / progress['total']:.0f}%"
    return str(progress["phase"])


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


class ProgressLine:
    """Shows progress: on one line that is overwritten in a terminal or notebook, otherwise as a new
    line every few seconds. `close()` clears the line."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._overwrites = _in_notebook() or self._stream.isatty()
        self._start = time.monotonic()
        self._next = self._start + _FIRST
        self._width = 0

    def __call__(self, progress: dict[str, Any]) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        text = f"{text_of(progress)} [{_duration(now - self._start)}]"
        if self._overwrites:
            self._stream.write("\r" + text.ljust(self._width))
            self._width = len(text)
        else:
            self._stream.write(text + "\n")
        self._stream.flush()
        self._next = now + (_BETWEEN if self._overwrites else _BETWEEN_LINES)

    def close(self) -> None:
        if self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()
