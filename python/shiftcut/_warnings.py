"""The warning category of the package."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

_HERE = str(Path(__file__).parent)


class Note(NamedTuple):
    """A note to the user: its code, the parameter it is about, and its text."""

    code: str
    parameter: str
    text: str


class ShiftcutWarning(UserWarning):
    """Something the user should know about the data or the result.

    Parameters
    ----------
    text : str
        The message.
    code : str, default=""
        Code of the warning, as listed in docs/errors.md.
    parameter : str, default=""
        The parameter it is about; empty if none.
    """

    def __init__(self, text: str, code: str = "", parameter: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.parameter = parameter


def warn_all(notes: Iterable[tuple[str, str, str]]) -> None:
    """Issue each note as a warning at the caller's line, outside this package and scikit-learn."""
    for code, parameter, text in notes:
        warnings.warn(ShiftcutWarning(text, code, parameter), stacklevel=_caller_level())


def _caller_level() -> int:
    level, frame = 2, sys._getframe(2)
    while frame.f_back is not None and _is_inside(frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    return level


def _is_inside(filename: str) -> bool:
    return filename.startswith(_HERE) or "/sklearn/" in filename
