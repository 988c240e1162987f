"""The progress line of verbose=1, in a terminal, a notebook and a log."""

from __future__ import annotations

import io
import re
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from shiftcut import ShiftedMinCut, _progress

from .data import blobs

SEARCH: dict[str, Any] = {
    "phase": "search",
    "restart": 2,
    "restarts": 10,
    "sweep": 3,
    "moves": 17,
    "cost": -12.5,
    "seconds_left": 100.0,
    "done": 0,
    "total": 0,
}


def endless(max_seconds: float | None) -> ShiftedMinCut:
    return ShiftedMinCut(
        4,
        similarity="linear",
        method="local-search",
        n_init=10**6,
        max_seconds=max_seconds,
        verbose=1,
        random_state=0,
    )


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_words_are_those_of_the_command_line() -> None:
    assert _progress.text_of(SEARCH) == (
        "search: restart 2 of 10, sweep 3, 17 moves, cost -12.5, about 2 min left"
    )
    tiles = {**SEARCH, "phase": "similarity", "done": 1, "total": 4}
    assert _progress.text_of(tiles) == "similarity: 25%"


@pytest.mark.filterwarnings("ignore::shiftcut.ShiftcutWarning")
@pytest.mark.parametrize("where", ["terminal", "notebook"])
def test_a_line_is_written_over_and_cleared(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal() if where == "terminal" else io.StringIO()
    if where == "notebook":
        shell = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=object()))
        monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setattr(sys, "stderr", stream)
    endless(max_seconds=1.2).fit(blobs(2000, 8))
    lines = stream.getvalue().split("\r")
    assert re.match(r"search: restart \d+ of \d+, sweep \d+", lines[1])
    assert lines[-2].strip() == lines[-1] == ""
    assert "\n" not in stream.getvalue()


@pytest.mark.filterwarnings("ignore::shiftcut.ShiftcutWarning")
def test_a_log_gets_whole_lines(capsys: pytest.CaptureFixture[str]) -> None:
    endless(max_seconds=1.2).fit(blobs(2000, 8))
    told = capsys.readouterr().err
    assert told.startswith("search: ")
    assert told.endswith("]\n")
    assert "\r" not in told


def test_silence_is_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    ShiftedMinCut(2, random_state=0).fit(blobs(30))
    assert capsys.readouterr() == ("", "")


def test_what_a_progress_function_raises_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: object, progress: dict[str, Any]) -> None:
        raise RuntimeError("enough")

    monkeypatch.setattr(_progress.ProgressLine, "__call__", fail)
    with pytest.raises(RuntimeError, match="enough"):
        endless(max_seconds=None).fit(blobs(2000, 8))
